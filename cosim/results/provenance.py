"""What the results remember of the run that made them."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from cosim.environment import SeaState
from cosim.model.system import System
from cosim.results.drawing import Drawing, drawing_arrays
from cosim.results.geometry import geometry_arrays
from cosim.results.kept import SETTINGS
from cosim.results.sink import Arrays, Constants

__all__ = ["provenance", "reference_arrays", "versions"]

_PROGRAM = "offshore-cosim"
_PACKAGES = ("capytaine", "h5py", "moordyn", "numba", "numpy", "scipy", "xarray")


@cache
def versions() -> Mapping[str, str]:
    """Versions of this program, of Python and of the packages whose results may depend on them."""
    found = {"python": platform.python_version()}
    for package in (_PROGRAM, *_PACKAGES):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def provenance(
    system: System,
    *,
    title: str = "",
    case_text: str = "",
    settings: Mapping[str, object] | None = None,
    adapters: Mapping[str, Mapping[str, str]] | None = None,
    drawing: Drawing | None = None,
) -> Constants:
    """Attributes, wave components and texts stored with the results.

    Parameters
    ----------
    system : System
        Gives reference positions, masses and the sea state.
    title : str
    case_text : str
        The case file as written, overrides noted.
    settings : mapping
        Of the time integration, as used.
    adapters : mapping of adapter name to what it wants remembered
    drawing : mapping of body to members
    """
    sea = system.environment.sea_state
    arrays = {**reference_arrays(system, drawing or {}), **_waves(sea)}
    return Constants(
        attributes={
            "title": title,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "versions": json.dumps(versions()),
            SETTINGS: json.dumps(settings or {}, default=str),
            "adapters": json.dumps(adapters or {}, default=str),
            "water_depth": f"{system.environment.water_depth:g}",
            "wave_ramp": f"{sea.ramp_duration:g}",
        },
        arrays=arrays,
        texts={"case_text": case_text},
    )


def reference_arrays(system: System, drawing: Drawing) -> Arrays:
    """Bodies and joints in the reference configuration, and what they look like."""
    return {**_bodies(system), **geometry_arrays(system), **drawing_arrays(system, drawing)}


def _bodies(system: System) -> Arrays:
    bodies = system.bodies.values()
    joints = system.joints.values()
    return {
        "reference_position": (
            ("body", "xyz"),
            np.array([body.cog for body in bodies]),
            {"units": "m", "long_name": "Centre of gravity in the reference configuration"},
        ),
        "mass": (
            ("body",),
            np.array([body.mass for body in bodies]),
            {"units": "kg", "long_name": "Mass"},
        ),
        **{
            f"joint_{key}": (
                ("joint",),
                np.array([getattr(joint, key) for joint in joints], dtype=object),
                {"long_name": text},
            )
            for key, text in (("type", "Kind"), ("parent", "Parent body"), ("child", "Child body"))
        },
    }


def _waves(sea: SeaState) -> Arrays:
    if sea.is_still:
        return {}
    return {
        name: (("wave",), values, {"units": units, "long_name": long_name})
        for name, values, units, long_name in (
            ("wave_omega", sea.omega, "rad/s", "Frequency of the wave components"),
            ("wave_number", sea.wavenumber, "rad/m", "Wave number of the components"),
            ("wave_amplitude", np.abs(sea.amplitude), "m", "Amplitude of the components"),
            ("wave_phase", np.angle(sea.amplitude), "rad", "Phase of a_j exp(i k x - i w t)"),
            ("wave_heading", sea.heading, "rad", "Direction that the components go to"),
        )
    }
