"""What must not matter: order and names of bodies, and the heading of the whole model.

Tolerances (of each channel's maximum, fixed step, same radiation fit, no Steppers): 1e-10 for
order and names, 1e-9 for the whole database used at 37 degrees.
"""

from pathlib import Path

import numpy as np
import pytest

import cosim

CASES = Path(__file__).parents[2] / "cases"
BOX = Path(__file__).parent / "data" / "box.nc"
FIXED = {"end": 20.0, "method": "RK4", "step": 0.05}

RM3 = {
    "float": {
        "mass": 725834,
        "cog": [0, 0, -0.72],
        "inertia": [20907301, 21306090.66, 37085481.11],
    },
    "spar": {
        "mass": 886691,
        "cog": [0, 0, -21.29],
        "inertia": [94419614.57, 94407091.24, 28542224.82],
    },
}


def rm3(names, order):
    """RM3 in regular oblique waves, its bodies called and ordered as asked."""
    return cosim.Case.model_validate(
        {
            "environment": {
                "gravity": 9.81,
                "water_density": 1000,
                "waves": {"type": "regular", "height": 1.0, "period": 7.0, "ramp": 10.0},
            },
            "bodies": {names[body]: RM3[body] for body in order},
            "joints": {
                "base": {"type": "floating", "child": names["spar"]},
                "slide": {
                    "type": "prismatic",
                    "parent": names["spar"],
                    "child": names["float"],
                    "at": [0, 0, -0.72],
                    "axis": [0, 0, 1],
                },
            },
            "elements": {"pto": {"type": "joint", "joint": "slide", "damping": 1.2e6}},
            "adapters": {
                "hydro": {
                    "type": "capytaine",
                    "bodies": {names[body]: body for body in order},
                    "database": str(CASES / "rm3" / "rm3.nc"),
                    # the WAMIT run behind it is that asymmetric in sway-roll
                    "accept": {"asymmetry_limit": 0.16},
                }
            },
            "start": {"from": "reference", "set": {"slide.position": 0.1}},
            "time": FIXED,
            "output": {"step": 0.1},
        }
    )


def test_order_and_names_of_bodies_do_not_matter():
    plain = cosim.run(rm3({"float": "float", "spar": "spar"}, ["float", "spar"]))
    other = cosim.run(rm3({"float": "zebra", "spar": "ant"}, ["spar", "float"]))
    for ours, theirs in (("float", "zebra"), ("spar", "ant")):
        for channel in ("position", "velocity", "acceleration", "attitude_deg"):
            a = plain[channel].sel(body=ours).values
            b = other[channel].sel(body=theirs).values
            # components that symmetry keeps at zero are measured by their vector
            assert np.max(np.abs(a - b)) <= 1e-10 * np.max(np.abs(a)), (ours, channel)


def box(yaw_deg):
    """A moored box; everything, the database included, turned by `yaw_deg`."""
    turn = np.radians(yaw_deg)
    anchor = [[30.0, 0.0], [-30.0, 10.0]]
    c, s = np.cos(turn), np.sin(turn)
    turned = [[c * x - s * y, s * x + c * y] for x, y in anchor]
    return cosim.Case.model_validate(
        {
            "environment": {
                "gravity": 9.81,
                "water_density": 1025,
                "waves": {
                    "type": "jonswap",
                    "hs": 1.0,
                    "tp": 7.0,
                    "heading_deg": 20.0 + yaw_deg,
                    "components": 40,
                    "seed": 2,
                    "ramp": 5.0,
                },
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
            "earth_points": {"a": [*turned[0], -1.0], "b": [*turned[1], -1.0]},
            "elements": {
                "a": {"type": "tension", "points": ["earth/a", "box"], "stiffness": 1e5},
                "b": {"type": "tension", "points": ["earth/b", "box"], "stiffness": 1e5},
            },
            "adapters": {
                "hydro": {
                    "type": "capytaine",
                    "bodies": ["box"],
                    "database": str(BOX),
                    "frame": {"yaw_deg": yaw_deg},
                }
            },
            "start": {"from": "reference"},
            "time": FIXED,
            "output": {"step": 0.1},
        }
    )


@pytest.mark.parametrize("yaw_deg", [37.0, 90.0, -163.0])
def test_the_whole_model_may_lie_at_any_heading(yaw_deg):
    straight = cosim.run(box(0.0)).sel(body="box")
    turned = cosim.run(box(yaw_deg)).sel(body="box")
    angle = np.radians(yaw_deg)
    c, s = np.cos(angle), np.sin(angle)
    back = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    for channel in ("position", "velocity", "acceleration", "angular_velocity"):
        a = straight[channel].values
        b = turned[channel].values @ back.T
        assert np.max(np.abs(a - b)) <= 1e-9 * np.max(np.abs(a)), channel
