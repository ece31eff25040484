"""What the published tables give of each mechanism, taken from the results of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from ruamel.yaml import YAML

import cosim
from cosim.algebra.attitude import rotation_from_rpy
from cosim.case.formulation import Formulation

CASES = Path(__file__).parents[1]
Float = NDArray[np.float64]
TIGHT = ("time.method=DOP853", "time.rtol=1e-12", "time.atol=1e-13", "time.step=0.02")


@dataclass(frozen=True)
class Mechanism:
    """One case of the folder beside this one.

    Attributes
    ----------
    columns : callable
        Values (times, k) of the columns of the table.
    step : float
        Of the output, s; all instants of the table are multiples.
    settings : tuple of str
        Changes of the case file to the tight tolerance.
    """

    columns: Callable[[xr.Dataset], Float]
    step: float
    settings: tuple[str, ...] = TIGHT


def table(name: str) -> tuple[tuple[str, ...], Float, Float, Float]:
    """Columns, their scales, instants, and values (instants, columns) of the reference."""
    stored = YAML(typ="safe").load(Path(__file__).parent / "references.yaml")[name]
    columns = tuple(stored["columns"])
    scale = np.array(stored.get("scale", [1.0] * len(columns)), dtype=float)
    times = np.array(list(stored["rows"]), dtype=float)
    return columns, scale, times, np.array(list(stored["rows"].values()), dtype=float)


def run(name: str, formulation: Formulation = "joint") -> xr.Dataset:
    """The case to the tight tolerance, to the last instant of its table."""
    mechanism, times = MECHANISMS[name], table(name)[2]
    end = (f"time.end={times[-1]}", f"output.step={mechanism.step}")
    return cosim.run(
        cosim.read_case(CASES / name, [*mechanism.settings, *end]), formulation=formulation
    )


def errors(name: str, results: xr.Dataset) -> Float:
    """Differences from the table divided by the scales, (instants, columns)."""
    _, scale, times, expected = table(name)
    chosen = results.sel(time=times, method="nearest")
    if np.abs(chosen["time"].values - times).max() > 1e-9:
        raise ValueError(f"{name}: the output misses instants of the table")
    found: Float = (MECHANISMS[name].columns(chosen) - expected) / scale
    return found


def attitudes(results: xr.Dataset) -> Float:
    """Rotation matrices of all bodies from the reference, (times, bodies, 3, 3)."""
    angles = np.radians(results["attitude_deg"].values)
    return np.array([[rotation_from_rpy(rpy) for rpy in now] for now in angles])


def momenta(case: cosim.Case, results: xr.Dataset) -> tuple[Float, Float]:
    """Linear momentum and angular momentum about the origin, (times, 3) each."""
    bodies = case.bodies.values()
    mass = np.array([body.mass for body in bodies])[:, None]
    local = np.array([body.inertia_tensor() for body in bodies])
    R = attitudes(results)
    p = mass * results["velocity"].values
    spin = np.einsum(
        "tbij,bjk,tblk,tbl->tbi", R, local, R, results["angular_velocity"].values, optimize=True
    )
    moments: Float = np.cross(results["position"].values, p) + spin
    return p.sum(axis=1), moments.sum(axis=1)


def energy(results: xr.Dataset) -> Float:
    """Kinetic and potential together, J."""
    total: Float = (results["energy/kinetic"] + results["energy/potential"]).values
    return total


def _point(results: xr.Dataset, name: str, axes: str, quantity: str = "position") -> list[Float]:
    found = results[f"point_{quantity}"].sel(point=name)
    return [found.sel(xyz=axis).values for axis in axes]


def _angles(results: xr.Dataset, names: Mapping[str, float]) -> list[Float]:
    turned = results["joint_rotation_deg"]
    return [np.radians(turned.sel(rotation=k).values) + start for k, start in names.items()]


def _places(results: xr.Dataset, *bodies: str) -> list[Float]:
    return [results["position"].sel(body=b, xyz=axis).values for b in bodies for axis in "xyz"]


def _columns(*values: Float) -> Float:
    return np.stack(values, axis=1)


def _pendulum(results: xr.Dataset) -> Float:
    return _columns(*_point(results, "bar/point", "xz"))


def _chain(results: xr.Dataset) -> Float:
    place = _point(results, "crank0/B0", "xz")
    return _columns(*place, *_point(results, "crank0/B0", "xz", "velocity"))


def _squeezer(results: xr.Dataset) -> Float:
    case = cosim.read_case(CASES / "squeezing_mechanism")
    start = {c: case.parameters[c] for c in ("beta", "gamma", "delta", "epsilon")}
    starts = dict(zip(("O.angle", "B.angle", "A.angle", "G.angle"), start.values(), strict=True))
    beta, *others = _angles(results, starts)
    rate = results["joint_rate"].sel(rotation="O.angle").values
    return _columns(beta, rate, *_point(results, "b1/F", "xy"), *others)


def _bricard(results: xr.Dataset) -> Float:
    place = _point(results, "rod2/end", "yzx")
    return _columns(*place, *_point(results, "rod2/end", "yzx", "velocity"))


def _governor(results: xr.Dataset) -> Float:
    angles = _angles(results, {"bearing.angle": 0.0, "right.angle": np.pi / 6.0})
    height = results["joint_translation"].sel(translation="slide.position").values + 0.5
    rates = [results["joint_rate"].sel(rotation=f"{j}.angle").values for j in ("bearing", "right")]
    speed = results["joint_speed"].sel(translation="slide.position").values
    return _columns(*angles, height, *rates, speed, energy(results))


def _top(results: xr.Dataset) -> Float:
    return _columns(*_point(results, "top/tip", "xyz"))


def _free(results: xr.Dataset) -> Float:
    turning = results["angular_velocity"].isel(body=0).values
    local: Float = np.einsum("tji,tj->ti", attitudes(results)[:, 0], turning)
    return local


def _pair(results: xr.Dataset) -> Float:
    axis = attitudes(results)[:, 0, :, 2]
    return _columns(*_places(results, "rod", "sleeve"), *axis.T)


def _loop(results: xr.Dataset) -> Float:
    right, back, left = (results["position"].sel(body=b).values for b in ("right", "back", "left"))
    kinetic = results["energy/kinetic"].values
    return _columns(right[:, 0], *back.T, left[:, 0], kinetic)


MECHANISMS = {
    "point_pendulum": Mechanism(_pendulum, 0.01),
    # rounding grows at every passage of a singular point
    "four_bar_chain": Mechanism(
        _chain, 0.01, (TIGHT[0], "time.rtol=1e-14", "time.atol=1e-15", "time.step=0.01")
    ),
    "squeezing_mechanism": Mechanism(
        _squeezer, 0.0005, (*TIGHT[:2], "time.atol=1e-13", "time.step=0.0002")
    ),
    "bricard_mechanism": Mechanism(_bricard, 0.01),
    "flyball_governor": Mechanism(
        _governor, 0.1, ("time.method=Radau", "time.rtol=1e-11", "time.atol=1e-12")
    ),
    "heavy_top": Mechanism(_top, 0.01),
    "free_body": Mechanism(_free, 0.1),
    "flying_pair": Mechanism(_pair, 0.1, (*TIGHT[:3], "time.step=0.002")),
    "bar_loop": Mechanism(_loop, 0.5, ("time.step=0.001",)),
}
