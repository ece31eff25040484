"""What must not matter with lines by MoorDyn: order, names, and the heading of everything.

Tolerance of the issue: 1e-6 of each channel's maximum.
"""

import numpy as np
import pytest

import cosim

WAVES = {"type": "jonswap", "hs": 2.0, "tp": 7.0, "components": 40, "seed": 4, "ramp": 4.0}
MOTIONS = ("position", "velocity", "acceleration", "angular_velocity")

# where the lines hold
POINTS = {
    "float": {"eye": [10, 0, -1]},
    "spar": {"north": [-2.6, 4.5, -20], "south": [-2.6, -4.5, -20]},
}
# body, point, anchor, unstretched length
RM3_LINES = {
    "east": ("float", "eye", [240.0, 0.0, -70.0], 246.0),
    "north": ("spar", "north", [-120.0, 200.0, -70.0], 240.0),
    "south": ("spar", "south", [-120.0, -200.0, -70.0], 240.0),
}


def moored(names, lines):
    """What is added to RM3: lines on both bodies, in the order asked, in shallow water."""
    mooring = {
        "type": "moordyn",
        "line_types": {"chain": {"diameter": 0.144, "mass": 126.0, "stiffness": 583e6}},
        "anchors": {f"{line}_anchor": RM3_LINES[line][2] for line in lines},
        "lines": {
            line: {
                "type": "chain",
                "ends": [f"{line}_anchor", f"{names[RM3_LINES[line][0]]}/{RM3_LINES[line][1]}"],
                "length": RM3_LINES[line][3],
                "segments": 10,
            }
            for line in lines
        },
    }
    return {
        "environment": {"water_depth": 70, "waves": WAVES},
        "bodies": {names[body]: {"points": points} for body, points in POINTS.items()},
        "adapters": {"hydro": {"water_depth": "inf"}, "lines": mooring},
        "time": {"end": 8.0},
    }


def motion(results, name, body):
    """A motion of one body; positions count from the start."""
    x = results[name].sel(body=body).values
    return x - x[0] if name == "position" else x


def scalars(results):
    """Names of the lines' own scalar channels."""
    found = [name for name in results if name.startswith("lines/") and results[name].ndim == 1]
    assert found
    return found


def close(a, b, name):
    assert np.max(np.abs(a - b)) <= 1e-6 * np.max(np.abs(a)), name


def test_order_and_names_of_bodies_lines_and_adapters_do_not_matter(rm3):
    names, other_names = {body: body for body in POINTS}, {"float": "zebra", "spar": "ant"}
    plain = cosim.run(rm3(names, ["float", "spar"], moored(names, [*RM3_LINES])))
    turned_round = rm3(other_names, ["spar", "float"], moored(other_names, [*reversed(RM3_LINES)]))
    adapters = dict(reversed(turned_round.adapters.items()))
    other = cosim.run(turned_round.model_copy(update={"adapters": adapters}))
    for body, theirs in other_names.items():
        for name in MOTIONS:
            close(motion(plain, name, body), motion(other, name, theirs), (name, body))
        for name in ("force", "moment"):
            for source in ("hydro", "lines"):
                a = plain[name].sel(body=body, source=source).values
                b = other[name].sel(body=theirs, source=source).values
                close(a, b, (name, body, source))
    for name in scalars(plain):
        close(plain[name].values, other[name].values, name)


EYES = {"a": [10.0, 10.0, -4.0], "b": [-10.0, 10.0, -4.0], "c": [0.0, -10.0, -4.0]}
ANCHORS = {"a": [150.0, 140.0, -100.0], "b": [-160.0, 130.0, -100.0], "c": [10.0, -200.0, -100.0]}
SLACK = 1.02


def moored_box(box, yaw_deg):
    """A box on three chains in waves and an oblique current, all turned by `yaw_deg`.

    The loads of both sides are iterated to 1e-8: at the default, 1e-4, the passes stop at
    iterates that know the axes, 2e-6 apart in the accelerations.
    """
    angle = np.radians(yaw_deg)
    c, s = np.cos(angle), np.sin(angle)

    def turned(points):
        return {name: [c * x - s * y, s * x + c * y, z] for name, (x, y, z) in points.items()}

    length = {
        name: SLACK * float(np.linalg.norm(np.subtract(ANCHORS[name], EYES[name]))) for name in EYES
    }
    lines = {
        "type": "moordyn",
        "line_types": {"chain": {"diameter": 0.1, "mass": 150.0, "stiffness": 4e8}},
        "anchors": turned(ANCHORS),
        "lines": {
            name: {
                "type": "chain",
                "ends": [name, f"box/{name}"],
                "length": length[name],
                "segments": 10,
            }
            for name in EYES
        },
    }
    return box(
        {
            "environment": {
                "water_depth": 100,
                "waves": {**WAVES, "heading_deg": 20.0 + yaw_deg},
                "current": {"type": "uniform", "speed": 0.5, "heading_deg": -50.0 + yaw_deg},
            },
            "bodies": {"box": {"points": turned(EYES)}},
            "elements": {name: {"stiffness": 0.0} for name in "ab"},
            "adapters": {"hydro": {"water_depth": "inf"}, "lines": lines},
            "time": {"end": 10.0, "method": "RK4", "step": 0.05, "tolerance": 1e-8},
        },
        yaw_deg,
    )


@pytest.fixture(scope="module")
def straight(box):
    return cosim.run(moored_box(box, 0.0))


@pytest.mark.parametrize("yaw_deg", [37.0, 90.0])
def test_the_moored_model_may_lie_at_any_heading(box, straight, yaw_deg):
    turned = cosim.run(moored_box(box, yaw_deg))
    angle = np.radians(yaw_deg)
    c, s = np.cos(angle), np.sin(angle)
    back = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    for name in MOTIONS:
        close(motion(straight, name, "box"), motion(turned, name, "box") @ back.T, name)
    for name in ("force", "moment"):
        for source in ("hydro", "lines"):
            a = straight[name].sel(body="box", source=source).values
            b = turned[name].sel(body="box", source=source).values @ back.T
            close(a, b, (name, source))
    for name in scalars(straight):
        close(straight[name].values, turned[name].values, name)
