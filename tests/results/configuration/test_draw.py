"""What the picture of a configuration shows, read from its artists."""

import numpy as np
import pytest

from cosim.model.system import System
from cosim.multibody.interface import State
from cosim.results.configuration.draw import draw_configuration, reference_state
from cosim.results.configuration.labels import Label, put_labels
from cosim.results.configuration.symbols import draw_joint

PLANAR = {
    "bodies": {
        "cart": {"mass": 2, "cog": [0, 0, 0], "inertia": [1, 1, 1], "points": {"eye": [0.5, 0, 0]}},
        "rod": {"mass": 1, "cog": [0, 0, -1], "inertia": [1, 1, 1]},
    },
    "earth_points": {"wall": [2, 0, 0]},
    "joints": {
        "rail": {"type": "prismatic", "child": "cart", "at": [0, 0, 0], "axis": [1, 0, 0]},
        "pin": {
            "type": "revolute",
            "parent": "cart",
            "child": "rod",
            "at": [0, 0, 0],
            "axis": [0, 1, 0],
        },
    },
    "elements": {
        "spring": {
            "type": "tension",
            "points": ["cart/eye", "earth/wall"],
            "stiffness": 5,
            "damping": 1,
        },
        "brake": {"type": "joint", "joint": "pin", "stiffness": 3, "damping": 1},
        "wind": {"type": "torsion", "bodies": ["cart", "rod"], "axis": [0, 1, 0], "damping": 2},
        "push": {"type": "force", "point": "rod", "force": ["=3*cos(t)", 0, 4]},
        "drag": {
            "type": "matrix",
            "body": "rod",
            "at": [0, 0, -1.5],
            "damping": [1, 0, 1, 0, 0, 0],
        },
    },
}
FLOATING = {
    "bodies": {"buoy": {"mass": 1e3, "cog": [0, 0, 0], "inertia": [1e3, 1e3, 1e3]}},
    "joints": {"free": {"type": "floating", "child": "buoy"}},
    "environment": {"water_depth": 30, "waves": {"type": "regular", "height": 1, "period": 6}},
}


def texts(figure):
    return {text.get_text() for axes in figure.axes for text in axes.texts}


def test_everything_is_named():
    figure = draw_configuration(System.from_dict(PLANAR), title="Cart")
    assert texts(figure) >= {
        *("cart", "rod", "rail (prismatic)", "pin (revolute)"),
        *("spring", "brake", "wind", "drag", "push 5 N", "eye", "wall"),
    }
    assert figure.texts[0].get_text() == "Cart"


def test_planar_systems_are_drawn_to_scale_in_their_plane():
    stage, _ = draw_configuration(System.from_dict(PLANAR)).axes
    assert (stage.get_xlabel(), stage.get_ylabel()) == ("x  [m]", "z  [m]")
    per_metre = np.diff(stage.transData.transform([[0, 0], [1, 1]]), axis=0)[0]
    assert per_metre[0] == pytest.approx(per_metre[1])


def test_forces_point_where_they_push():
    system = System.from_dict(PLANAR)
    sheet = draw_configuration(system).axes[-1]
    (arrow,) = [text for text in sheet.texts if text.get_text() == ""]
    direction = np.subtract(arrow.xy, arrow.xyann)
    np.testing.assert_allclose(direction / np.linalg.norm(direction), [0.6, 0.8], atol=1e-9)


def test_it_is_drawn_at_the_pose_that_is_asked_for():
    system = System.from_dict(PLANAR)
    here = reference_state(system)
    there = State(0.0, here.r + np.array([0.7, 0.0, 0.0]), here.R, here.v)
    moved, still = (draw_configuration(system, pose) for pose in (there, here))
    corners = [
        np.concatenate([path.vertices for path in figure.axes[0].collections[1].get_paths()])
        for figure in (moved, still)
    ]
    shift = corners[0] - corners[1]
    np.testing.assert_allclose(shift, np.broadcast_to([0.7, 0.0], shift.shape), atol=1e-12)


def test_systems_in_space_with_water_and_lines(tmp_path):
    line = np.linspace([0, 0, 0], [20, 5, -30], 10)
    figure = draw_configuration(System.from_dict(FLOATING), lines={"chain": line})
    assert texts(figure) >= {"buoy", "free (floating)", "chain"}
    assert figure.axes[0].name == "3d"
    figure.savefig(tmp_path / "buoy.png", dpi=40)
    assert (tmp_path / "buoy.png").stat().st_size > 5000


def test_each_kind_of_joint_has_its_own_symbol():
    from matplotlib.figure import Figure

    seen = set()
    kinds = ("revolute", "spherical", "universal", "prismatic", "cylindrical", "planar", "fixed")
    for kind in kinds:
        axes = Figure().add_subplot()
        draw_joint(axes, kind, np.zeros(2), np.array([1.0, 0.0]), 1.0)
        faces = tuple(patch.get_facecolor() for patch in axes.patches)
        shapes = tuple(type(patch).__name__ for patch in axes.patches)
        strokes = tuple(np.round(line.get_xydata(), 6).tobytes() for line in axes.lines)
        seen.add((shapes, faces, strokes))
    assert len(seen) == len(kinds)


def test_cut_joints_are_dashed():
    from matplotlib.figure import Figure

    axes = Figure().add_subplot()
    for cut in (False, True):
        draw_joint(axes, "revolute", np.zeros(2), np.zeros(2), 1.0, cut=cut)
    whole, dashed = axes.patches
    assert whole.get_linestyle() != dashed.get_linestyle()


def test_names_do_not_cover_each_other():
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), dpi=100)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 600), ylim=(0, 400))
    put_labels(axes, [Label(f"name {i}", (300.0, 200.0), "black") for i in range(12)])
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in axes.texts]
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[i + 1 :])


def test_names_stay_on_the_sheet():
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), dpi=100)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 600), ylim=(0, 400))
    corners = [(x, y) for x in (5.0, 595.0) for y in (5.0, 395.0)]
    put_labels(axes, [Label("a name of some length", place, "black") for place in corners])
    figure.draw_without_rendering()
    for text in axes.texts:
        box = text.get_window_extent()
        np.testing.assert_array_less([0.0, 0.0], box.min)
        np.testing.assert_array_less(box.max, [600.0, 400.0])
