"""A buoy on taut tendons: its stiffness is that of the tension where it floats, not of the start.

The reference configuration leaves the tendons less tension than the equilibrium does. Closed
form: a vertical line under the tension T holds its ends sideways by T / L.
"""

import numpy as np
import pytest

from cosim.case.modes import case_modes
from cosim.case.schema import Case
from cosim.case.sensitivity import case_sensitivity

MASS, LIFT, SIDES, DEPTH, GRAVITY = 3.0e4, 6.0e5, 50.0, 60.0, 9.81
LINE_MASS, DIAMETER, AXIAL, UNSTRETCHED = 12.0, 0.06, 3.0e7, 49.88
PLACES = ((4.0, 0.0), (-2.0, 3.4641016), (-2.0, -3.4641016))
COLUMNS = "(-) (m) (kg/m) (N) (-) (-) (-) (-) (-) (-)"


def mooring():
    fixed = [f"{i + 1} Fixed {x} {y} {-DEPTH} 0 0 0 0" for i, (x, y) in enumerate(PLACES)]
    ends = [f"{i + 4} Coupled {x} {y} {SIDES - DEPTH} 0 0 0 0" for i, (x, y) in enumerate(PLACES)]
    lines = [f"{i} rope {i} {i + 3} {UNSTRETCHED} 6 -" for i in (1, 2, 3)]
    return "\n".join(
        [
            "--- LINE TYPES ---",
            "TypeName Diam Mass/m EA BA EI Cd Ca CdAx CaAx",
            COLUMNS,
            f"rope {DIAMETER} {LINE_MASS} {AXIAL} -0.3 0 1.2 1.0 0.1 0.0",
            "--- POINTS ---",
            "ID Type X Y Z Mass Volume CdA Ca",
            "(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)",
            *fixed,
            *ends,
            "--- LINES ---",
            "ID LineType AttachA AttachB UnstrLen NumSegs Outputs",
            "(-) (-) (-) (-) (m) (-) (-)",
            *lines,
            "--- OPTIONS ---",
            "0.0015 dtM",
            "--- END ---",
            "",
        ]
    )


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tendons")
    (folder / "mooring.txt").write_text(mooring())

    def made(mass):
        return Case.from_dict(
            {
                "parameters": {"m": mass},
                "environment": {
                    "gravity": GRAVITY,
                    "water_density": 1025,
                    "water_depth": DEPTH,
                },
                "bodies": {
                    "buoy": {
                        "mass": "=m",
                        "cog": [0, 0, -4],
                        "inertia": [4e5, 4e5, 3e5],
                        "points": {
                            "cb": [0, 0, -2],
                            **{f"f{i}": [x, y, SIDES - DEPTH] for i, (x, y) in enumerate(PLACES)},
                        },
                    }
                },
                "joints": {"free": {"type": "floating", "child": "buoy"}},
                "elements": {
                    "lift": {"type": "force", "point": "buoy/cb", "force": [0, 0, LIFT]},
                    "water": {
                        "type": "matrix",
                        "body": "buoy",
                        "at": [0, 0, -4],
                        "damping": [3e2, 5e2, 1e4, 1e3, 3e3, 2e3],
                    },
                },
                "adapters": {"lines": {"type": "moordyn", "file": "mooring.txt"}},
                "start": {"from": "equilibrium"},
                "time": {"end": 1},
            },
            folder=folder,
        )

    return made


def heave_and_surge(case):
    found = case_modes(case, static=True)
    names = {mode.name: mode for mode in found.modes}
    return found, names["free.heave"], names["free.surge"]


def test_stiffness_is_that_of_the_equilibrium_and_so_is_its_change(case):
    found, heave, surge = heave_and_surge(case(MASS))
    rise = found.equilibrium.displacement[2]
    assert rise > 0.03  # most of the tension comes from it
    tension = LIFT - MASS * GRAVITY
    wet = GRAVITY * UNSTRETCHED * (LINE_MASS - 1025.0 * np.pi * DIAMETER**2 / 4.0)
    length = SIDES + rise
    # at the middle of the lines; the buoy pitches a little in surge
    K = (tension - 3.0 * wet / 2.0) / length
    assert found.system.K[0, 0] == pytest.approx(K, rel=5e-3)
    assert found.system.K[2, 2] == pytest.approx(3.0 * AXIAL / UNSTRETCHED, rel=5e-3)

    changes = {c.mode.name: c for c in case_sensitivity(case(MASS), "m", found).changes}
    step = 0.005 * MASS
    ends = [heave_and_surge(case(MASS + s * step))[1:] for s in (1.0, -1.0)]
    for k, mode in enumerate((heave, surge)):
        again = (ends[0][k].period - ends[1][k].period) / (2.0 * step)
        assert changes[mode.name].period == pytest.approx(again, rel=5e-3)
    # mass gained is tension lost: 1/2 + 1/2 m g / T, line weight and pitch aside
    share = 0.5 + 0.5 * MASS * GRAVITY / (tension - 1.5 * wet)
    assert changes["free.surge"].period * MASS / surge.period == pytest.approx(share, rel=0.02)
