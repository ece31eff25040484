"""Prescribed motions and what they ask of drivers and joints."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from cosim import read_case
from cosim.analysis.prescribed import freedom, prescribed_motion
from cosim.errors import ModelError
from cosim.model import System
from cosim.multibody.cartesian.drivers import AngleDriver, JointDriver, PointDriver, VectorDriver
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.cartesian.options import CartesianOptions
from cosim.multibody.joint import JointModel

CASES = Path(__file__).parents[2] / "cases"
G = 9.81


def turning(t):
    return 2.0 * t + 0.3 * t * t, 2.0 + 0.6 * t, 0.6


HINGE = {"type": "revolute", "child": "bob", "at": [0, 0, 0], "axis": [0, 1, 0]}


def pendulum(hinge=HINGE):
    bob = {"mass": 2.0, "cog": [0, 0, -1], "inertia": [0.3, 0.2, 0.15]}
    bob["points"] = {"tip": [0, 0, -2]}
    return System.from_dict(
        {"environment": {"gravity": G}, "bodies": {"bob": bob}, "joints": {"hinge": hinge}}
    )


@pytest.mark.parametrize("bodies", ["full", "reduced"])
@pytest.mark.parametrize("joints", ["minimal", "redundant"])
def test_driven_pendulum_through_three_turns(bodies, joints):
    # (J + m l^2) theta'' + m g l sin theta is the moment of the driver; closed form
    options = CartesianOptions(bodies=bodies, joints=joints)
    model = CartesianModel(pendulum(), options, drivers={"motor": JointDriver("hinge", turning)})
    for moment in prescribed_motion(model, np.linspace(0.0, 6.0, 121)):
        theta, rate, growth = turning(moment.t)
        np.testing.assert_allclose(moment.state.v[0, 3:], [0, rate, 0], atol=1e-11)
        np.testing.assert_allclose(
            moment.state.R[0, 0, ::2], [np.cos(theta), np.sin(theta)], atol=1e-12
        )
        wanted = (0.2 + 2.0) * growth + 2.0 * G * np.sin(theta)
        assert moment.efforts["motor"][0] == pytest.approx(wanted, abs=1e-11)
        np.testing.assert_allclose(moment.v_dot[0, 3:], [0, growth, 0], atol=1e-11)


def test_inverse_dynamics_gives_back_the_torque_of_a_forward_run():
    # forward with a known torque in joint coordinates, then the motion is prescribed: 1e-9
    case = read_case(CASES / "four_bar" / "case.yaml")
    forward = JointModel(case)
    q, u = forward.initial({"A.angle_deg": 20, "A.angle_rate": 1.5})
    forward.kinematics(0.0, q, u)
    row = forward.speeds.index("A.angle")
    Q = np.zeros(forward.nu)
    Q[row] = 3.7
    u_dot, v_dot = forward.accelerations(Q)
    state = (float(q[row]), float(u[row]), float(u_dot[row]))
    model = CartesianModel(case, drivers={"motor": JointDriver("A", lambda t: state)})
    [moment] = prescribed_motion(model, [0.0], model.from_tree(forward, q, u))
    assert moment.efforts["motor"][0] == pytest.approx(3.7, abs=1e-9)
    np.testing.assert_allclose(moment.v_dot, v_dot, atol=1e-9)


def test_translation_of_a_slider_drives_the_crank():
    case = read_case(CASES / "slider_crank" / "case.yaml")
    forward = JointModel(case)
    q, u = forward.initial(dict(case.start.set))
    forward.kinematics(0.0, q, u)
    u_dot, v_dot = forward.accelerations(np.zeros(forward.nu))
    name = next(n for n in forward.speeds if n.endswith("position"))
    row = forward.speeds.index(name)
    state = (float(q[row]), float(u[row]), float(u_dot[row]))
    driver = JointDriver(name.rpartition(".")[0], lambda t: state)
    model = CartesianModel(case, drivers={"pull": driver})
    [moment] = prescribed_motion(model, [0.0], model.from_tree(forward, q, u))
    assert moment.efforts["pull"][0] == pytest.approx(0.0, abs=1e-9)  # it moved by itself
    np.testing.assert_allclose(moment.v_dot, v_dot, atol=1e-9)


def constant(value):
    return lambda t: (value, 0.0, 0.0)


def test_points_directions_and_angles_are_led():
    free = pendulum({"type": "floating", "child": "bob"})
    path = (
        lambda t: (np.sin(t), np.cos(t), -np.sin(t)),
        constant(0.2),
        lambda t: (t - 2.0, 1.0, 0.0),
    )
    wanted = lambda t: (1.2 + 0.1 * t, 0.1, 0.0)  # noqa: E731 - a law, as users write one
    drivers = {
        "tip": PointDriver("bob/tip", path),
        "tilt": VectorDriver("bob", (0, 0, 1), (constant(0.0), constant(0.6), constant(0.8))),
        "turn": AngleDriver(("earth", "bob"), ((1, 0, 0), (1, 0, 0)), wanted),
    }
    model = CartesianModel(free, drivers=drivers)
    turn = Rotation.from_euler("x", -np.arcsin(0.6)) * Rotation.from_euler("z", 1.2)
    roll, pitch, yaw = turn.as_euler("xyz")
    start = model.initial({"hinge.roll": roll, "hinge.pitch": pitch, "hinge.yaw": yaw})
    for moment in prescribed_motion(model, [0.0, 0.2, 0.4], start):
        R, r = moment.state.R[0], moment.state.r[0]
        tip = r + R @ [0, 0, -1]
        np.testing.assert_allclose(tip, [f(moment.t)[0] for f in path], atol=1e-12)
        np.testing.assert_allclose(R[:, 2], [0.0, 0.6, 0.8], atol=1e-12)
        assert R[0, 0] == pytest.approx(np.cos(wanted(moment.t)[0]), abs=1e-12)
        weight = sum(moment.efforts["tip"]) - 2.0 * moment.v_dot[0, :3].sum()
        assert weight == pytest.approx(2.0 * G, abs=1e-9)


def test_dependent_rows_are_named():
    case = read_case(CASES / "bricard_mechanism" / "case.yaml")
    model = CartesianModel(case)
    count = freedom(model, 0.0, model.initial()[0])
    assert (count.coordinates, count.rows, count.rank, count.degrees) == (60, 60, 59, 1)
    assert len(count.redundant) == 1
    assert count.redundant[0].startswith("joint '")


# formulations: rank of every joint on what rigid bodies can do, and dof between two bodies
@pytest.mark.parametrize(
    ("kind", "form", "rows", "rank"),
    [
        ("spherical", "minimal", 3, 3),
        ("revolute", "redundant", 6, 5),
        ("revolute", "minimal", 5, 5),
        ("universal", "minimal", 4, 4),
        ("prismatic", "redundant", 6, 5),
        ("prismatic", "minimal", 5, 5),
        ("cylindrical", "minimal", 4, 4),
        ("fixed", "minimal", 6, 6),
        ("planar", "minimal", 3, 3),
    ],
)
@pytest.mark.parametrize("bodies", ["full", "reduced"])
@pytest.mark.parametrize("parent", ["base", "earth"])
def test_ranks_of_joints(kind, form, rows, rank, bodies, parent):
    body = {"mass": 1.0, "inertia": [0.3, 0.2, 0.25]}
    joint = {"type": kind, "parent": parent, "child": "arm", "at": [0.1, 0.2, 0.3]}
    joint |= {"axis": [1, 2, 2]} if kind in ("revolute", "prismatic", "cylindrical") else {}
    joint |= {"axis1": [1, 0, 1], "axis2": [1, 0, -1]} if kind == "universal" else {}
    if kind == "fixed":
        del joint["at"]
    system = System.from_dict(
        {
            "bodies": {"base": body | {"cog": [0, 0, 0]}, "arm": body | {"cog": [1, 0.5, 0]}},
            "joints": {"free": {"type": "floating", "child": "base"}, "joint": joint},
        }
    )
    model = CartesianModel(system, CartesianOptions(bodies=bodies, joints=form))
    count = freedom(model, 0.0, model.initial()[0])
    own = 12 if bodies == "full" else 6
    assert count.rows == own + rows
    assert count.degrees == 12 - rank
    assert len(count.redundant) == rows - rank


def test_mistakes_end_in_one_sentence():
    system = pendulum()
    with pytest.raises(ModelError, match="leave 1 degrees of freedom"):
        prescribed_motion(CartesianModel(system), [0.0])
    with pytest.raises(ModelError, match="did you mean 'hinge'"):
        CartesianModel(system, drivers={"a": JointDriver("hing", turning)})
    along = ((0.0, 0.0, 1.0), (0.0, 0.0, 1.0))
    opening = CartesianModel(
        system, drivers={"a": AngleDriver(("earth", "bob"), along, lambda t: (1.0 - t, -1.0, 0.0))}
    )
    start = opening.initial({"hinge.angle": 1.0})
    with pytest.raises(ModelError, match="singular angle 0 rad at t = 1 s"):
        prescribed_motion(opening, [0.0, 0.5, 1.0], start)
    far = {"a": PointDriver("bob/tip", (lambda t: (0.5 + 4 * t, 4.0, 0.0), None, None))}
    with pytest.raises(ModelError, match=r"motion 'a' cannot be followed at t = 0\.5 s: "):
        prescribed_motion(CartesianModel(system, drivers=far), [0.0, 0.25, 0.5])
    free = CartesianModel(system, CartesianOptions(constraints="free"))
    with pytest.raises(ModelError, match="needs a model with 'constraints: projection'"):
        prescribed_motion(free, [0.0])
