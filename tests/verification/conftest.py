"""Systems and scripts that several verification tests share."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.case.source import read_source

CASES = Path(__file__).parents[2] / "cases"
BOX = Path(__file__).parent / "data" / "box.nc"

# to the tight tolerance of pointwise comparisons; bounded steps keep the dense output as good
TIGHT = ("time.method=DOP853", "time.rtol=1e-12", "time.atol=1e-13", "time.step=0.1")


@pytest.fixture(scope="session")
def script():
    """A script of a case folder as a module: ``script("planar", "multipliers")``."""

    def load(folder, name):
        label = f"{folder}_{name}"
        if label not in sys.modules:
            path = CASES / folder / f"{name}.py"
            spec = importlib.util.spec_from_file_location(label, path)
            module = importlib.util.module_from_spec(spec)
            sys.modules[label] = module  # dataclasses look their module up
            with pytest.MonkeyPatch.context() as patch:
                patch.syspath_prepend(str(path.parent))  # scripts import their neighbours
                spec.loader.exec_module(module)
        return sys.modules[label]

    return load


@pytest.fixture(scope="session")
def planar(script):
    """The second formulation of a planar case: ``planar(case).solve(times)``."""
    return script("planar", "multipliers").Planar


@pytest.fixture(scope="session")
def nrmse():
    """Equations 9 to 11 of the joint-coordinate paper, per body.

    Errors are divided by the largest absolute value of each coordinate, or by 1e-6, the
    tolerance of the integrator, where that is larger.
    """

    def of_bodies(found, expected):
        size = np.maximum(np.abs(expected).max(axis=0), 1e-6)
        each = np.sqrt(np.mean(((found - expected) / size) ** 2, axis=0))
        return np.sqrt(np.sum(each**2, axis=-1))

    return of_bodies


@pytest.fixture(scope="session")
def tight():
    """A case file run to the tight tolerance, results at whole multiples of `step` to `end`."""

    def run(name, *settings, step, end, formulation="joint"):
        times = (f"time.end={end}", f"output.step={step}")
        case = cosim.read_case(CASES / name, [*TIGHT, *times, *settings])
        return cosim.run(case, formulation=formulation)

    return run


@pytest.fixture(scope="session")
def places():
    """x and z of all bodies, (times, n, 2)."""

    def of(results):
        return results.position.sel(xyz=["x", "z"]).values

    return of


def merged(base, changes):
    """A description with some entries replaced; mappings inside are merged."""
    out = dict(base)
    for key, value in changes.items():
        inner = out.get(key)
        both = isinstance(inner, dict) and isinstance(value, dict)
        out[key] = merged(inner, value) if both else value
    return out


@pytest.fixture(scope="session")
def rm3():
    """RM3 with a free base and a power take-off: ``rm3(names, order, changes)``.

    `names` says what its float and spar are called, `order` in which order they are declared.
    """
    stored = read_source(CASES / "rm3" / "decay.yaml").data

    def case(names, order, changes):
        hydro = {
            **stored["adapters"]["hydro"],
            "bodies": {names[body]: body for body in order},
            "database": str(CASES / "rm3" / "rm3.nc"),
        }
        slide = {**stored["joints"]["slide"], "parent": names["spar"], "child": names["float"]}
        description = {
            "environment": stored["environment"],
            "bodies": {names[body]: stored["bodies"][body] for body in order},
            "joints": {"base": {"type": "floating", "child": names["spar"]}, "slide": slide},
            "elements": {"pto": {"type": "joint", "joint": "slide", "damping": 1.2e6}},
            "adapters": {"hydro": hydro},
            "start": stored["start"],
            "output": {"step": 0.1},
        }
        return cosim.Case.model_validate(merged(description, changes))

    return case


@pytest.fixture(scope="session")
def box():
    """A box between two springs in irregular waves: ``box(changes, yaw_deg)``.

    All is turned by the yaw but the waves; where `changes` says how the hull is computed there
    is no database.
    """

    def case(changes, yaw_deg=0.0):
        c, s = np.cos(np.radians(yaw_deg)), np.sin(np.radians(yaw_deg))
        anchors = {"a": (30.0, 0.0), "b": (-30.0, 10.0)}
        turned = {name: [c * x - s * y, s * x + c * y, -1.0] for name, (x, y) in anchors.items()}
        spring = {"type": "tension", "stiffness": 1e5}
        hydro = {"type": "capytaine", "bodies": ["box"]}
        if "hulls" not in changes.get("adapters", {}).get("hydro", {}):
            hydro |= {"database": str(BOX), "frame": {"yaw_deg": yaw_deg}}
        waves = {"type": "jonswap", "hs": 2.0, "tp": 7.0, "components": 60, "seed": 5, "ramp": 10.0}
        description = {
            "environment": {
                "gravity": 9.81,
                "water_density": 1025,
                "waves": {**waves, "heading_deg": 20.0},
            },
            "bodies": {
                "box": {
                    "mass": 2050000.0,
                    "cog": [0, 0, -1],
                    "inertia": [8.5e7, 9.5e7, 1.4e8],
                    "attitude_deg": [0, 0, yaw_deg],
                }
            },
            "joints": {"free": {"type": "floating", "child": "box"}},
            "earth_points": turned,
            "elements": {name: {**spring, "points": [f"earth/{name}", "box"]} for name in "ab"},
            "adapters": {"hydro": hydro},
            "start": {"from": "reference"},
            "output": {"step": 0.1},
        }
        return cosim.Case.model_validate(merged(description, changes))

    return case
