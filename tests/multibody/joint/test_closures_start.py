"""Where a closed system starts, and where it rests."""

import logging

import numpy as np
import pytest
from scipy.optimize import brentq, minimize

import cosim
from cosim.analysis.equilibrium import find_equilibrium
from cosim.errors import ModelError
from cosim.model import System
from cosim.multibody.joint import JointModel

G = 9.81
HINGE = {"type": "revolute", "axis": [0, 1, 0]}


def rod(cog):
    return {"mass": 1.0, "cog": cog, "inertia": [0.1, 0.1, 0.1]}


def four_bar(elements=None, rocker=1.5, ground=1.2):
    """Crank of 1 m upright at the origin, rocker upright at x = ground, coupler between."""
    return System.from_dict(
        {
            "bodies": {
                "crank": rod([0, 0, 0.5]),
                "coupler": rod([ground / 2, 0, (1.0 + rocker) / 2]),
                "rocker": rod([ground, 0, rocker / 2]),
            },
            "joints": {
                "A": {**HINGE, "child": "crank", "at": [0, 0, 0]},
                "B": {**HINGE, "parent": "crank", "child": "coupler", "at": [0, 0, 1]},
                "C": {**HINGE, "parent": "coupler", "child": "rocker", "at": [ground, 0, rocker]},
                "D": {**HINGE, "child": "rocker", "at": [ground, 0, 0], "cut": True},
            },
            "elements": elements or {},
        }
    )


def rocker_angle(crank, rocker=1.5, ground=1.2):
    """Angle of the rocker from the vertical on the branch of the reference, in closed form."""
    coupler = np.hypot(ground, rocker - 1.0)
    x, z = np.sin(crank) - ground, np.cos(crank)
    reach = np.hypot(x, z)
    # law of cosines in the triangle of coupler, rocker and the line from D to B
    angle = np.arccos((reach**2 + rocker**2 - coupler**2) / (2.0 * reach * rocker))
    return np.arctan2(x, z) + angle


@pytest.mark.parametrize("angle", [-0.6, -0.2, 0.3, 0.7])
def test_others_follow_the_coordinate_that_is_set(angle):
    model = JointModel(four_bar())
    q, u = model.initial({"A.angle": angle, "A.angle_rate": 2.0})
    assert q[0] == angle
    assert u[0] == pytest.approx(2.0, abs=1e-14)
    assert q.sum() == pytest.approx(rocker_angle(angle), abs=1e-12)
    slope = (rocker_angle(angle + 1e-6) - rocker_angle(angle - 1e-6)) / 2e-6
    assert u.sum() == pytest.approx(2.0 * slope, abs=1e-8)
    model.kinematics(0.0, q, u)
    assert np.abs(model.constraint_violation()).max() < 1e-12


def test_angle_in_degrees_of_a_body():
    model = JointModel(four_bar())
    q, _ = model.initial({"crank.angle_deg": 20.0})
    assert q[0] == pytest.approx(np.radians(20.0), abs=1e-15)


def test_values_of_few_digits_are_made_to_fit(caplog):
    model = JointModel(four_bar())
    exact, _ = model.initial({"A.angle": 0.5})
    rounded = dict(zip(("A.angle", "B.angle", "C.angle"), np.round(exact, 3), strict=True))
    with caplog.at_level(logging.WARNING):
        q, _ = model.initial(rounded)
    np.testing.assert_allclose(q, exact, atol=2e-3)
    assert "start values are changed by up to" in caplog.text
    model.kinematics(0.0, q, np.zeros(3))
    assert np.abs(model.constraint_violation()).max() < 1e-12


@pytest.mark.parametrize(
    ("start", "sentence"),
    [
        (
            {"A.angle": 0.5, "B.angle": 0.5},
            r"cannot be closed with these start values: joint 'D' is open by \S+ m; give fewer",
        ),
        ({"A.angle": 1.5}, r"cannot be closed with these start values: joint 'D' is open by"),
        (
            {"A.angle_rate": 1.0, "B.angle_rate": 1.0},
            r"do not stay closed with these start speeds: joint 'D' is open by \S+ m/s",
        ),
        ({"D.angle": 0.1}, "joint 'D' is cut and has no coordinates of its own; set those of"),
        ({"D.angle_rate": 0.1}, "joint 'D' is cut and has no coordinates of its own"),
    ],
)
def test_start_that_does_not_fit(start, sentence):
    model = JointModel(four_bar(rocker=2.5, ground=1.0))
    with pytest.raises(ModelError, match=sentence):
        model.initial(start)


def five_bar():
    """Two cranks and two rods between them: two degrees of freedom."""
    return System.from_dict(
        {
            "bodies": {
                "left": rod([0, 0, 0.5]),
                "over": rod([0.5, 0, 1.25]),
                "back": rod([1.5, 0, 1.25]),
                "right": rod([2, 0, 0.5]),
            },
            "joints": {
                "A": {**HINGE, "child": "left", "at": [0, 0, 0]},
                "B": {**HINGE, "parent": "left", "child": "over", "at": [0, 0, 1]},
                "C": {**HINGE, "parent": "over", "child": "back", "at": [1, 0, 1.5]},
                "D": {**HINGE, "child": "right", "at": [2, 0, 0]},
                "E": {**HINGE, "parent": "right", "child": "back", "at": [2, 0, 1], "cut": True},
            },
        }
    )


def test_speeds_left_open_have_the_least_kinetic_energy():
    model = JointModel(five_bar())
    assert model.nu - model.closures == 2
    q, u = model.initial({"A.angle_rate": 1.5})
    model.kinematics(0.0, q, u)
    energy = model.energy().kinetic
    G_rows = model.constraint_jacobian()

    def kinetic(free):
        _, closed = model.closed(q, np.array([1.5, *free]))
        model.kinematics(0.0, q, closed)
        # the crank's speed must stay as set: scale, which keeps G u = 0
        return model.energy().kinetic * (1.5 / closed[0]) ** 2

    best = minimize(kinetic, u[1:] + 0.1, method="Nelder-Mead", options={"xatol": 1e-10})
    assert u[0] == pytest.approx(1.5, abs=1e-14)
    np.testing.assert_allclose(G_rows @ u, 0.0, atol=1e-13)
    assert energy <= best.fun * (1.0 + 1e-9)
    assert energy == pytest.approx(best.fun, rel=1e-6)


def test_rest_between_weight_and_a_spring():
    """Equilibrium on the closed poses: the least potential energy over the crank's angle."""
    spring = {"type": "joint", "joint": "A", "stiffness": 60.0, "rest": 0.4}
    model = JointModel(four_bar({"spring": spring}))

    def potential(angle):
        q, u = model.initial({"A.angle": angle})
        model.kinematics(0.0, q, u)
        return model.energy().potential

    def slope(angle):
        return (potential(angle + 1e-5) - potential(angle - 1e-5)) / 2e-5

    found = find_equilibrium(model, {}, model.initial()[0])
    assert found.q[0] == pytest.approx(brentq(slope, 0.0, 0.8, xtol=1e-10), abs=1e-6)
    model.kinematics(0.0, found.q, np.zeros(3))
    assert np.abs(model.constraint_violation()).max() < 1e-12
    # at rest there: nothing moves, and the loads in the joints balance the weight
    _, v_dot = model.accelerations(np.zeros(3))
    np.testing.assert_allclose(v_dot, 0.0, atol=1e-7)
    loads = model.reactions(np.zeros((3, 6)), v_dot)
    on_earth = [loads.joints.index(name) for name in ("A", "D")]
    total = loads.wrench[on_earth, :3].sum(axis=0)
    np.testing.assert_allclose(total, [0.0, 0.0, 3.0 * G], atol=1e-5)


def test_start_from_rest_moved_by_what_is_set():
    """The crank is where it was set, the others where the closed loop has them."""
    spring = {"spring": {"type": "joint", "joint": "A", "stiffness": 60.0, "rest": 0.4}}
    system = four_bar(spring)
    case = cosim.Case.model_validate(
        {
            **{key: system.source[key] for key in ("bodies", "joints", "elements")},
            "case": 1,
            "start": {"from": "equilibrium", "set": {"A.angle": 0.3}},
            "time": {"end": 0.1},
            "output": {"step": 0.1},
        }
    )
    results = cosim.run(case)
    first = np.radians(results.joint_rotation_deg.values[0])
    assert first[0] == pytest.approx(0.3, abs=1e-12)
    assert first.sum() == pytest.approx(rocker_angle(0.3), abs=1e-10)


def test_loop_without_freedom_stands():
    """Two rods of 9.81 N leaning on each other: the thrust is a quarter of the weight of one."""
    bodies = {"a": rod([0.25, 0, 0.5]), "b": rod([0.75, 0, 0.5])}
    joints = {
        "A": {**HINGE, "child": "a", "at": [0, 0, 0]},
        "B": {**HINGE, "parent": "a", "child": "b", "at": [0.5, 0, 1]},
        "C": {**HINGE, "child": "b", "at": [1, 0, 0], "cut": True},
    }
    system = System.from_dict({"environment": {"gravity": G}, "bodies": bodies, "joints": joints})
    model = JointModel(system)
    assert model.nu == model.closures == 2
    model.kinematics(0.0, *model.initial())
    u_dot, v_dot = model.accelerations(np.zeros(2))
    np.testing.assert_allclose(u_dot, 0.0, atol=1e-13)
    loads = model.reactions(np.zeros((2, 6)), v_dot)
    expected = [[0.25 * G, 0, G], [0.25 * G, 0, 0], [-0.25 * G, 0, G]]
    np.testing.assert_allclose(loads.wrench[:, :3], expected, atol=1e-12)
    np.testing.assert_allclose(loads.wrench[:, 3:], 0.0, atol=1e-12)
    with pytest.raises(ModelError, match="joint 'C' is open by"):
        model.initial({"A.angle": 0.1})


def test_cut_joint_of_bodies_that_cannot_move():
    """Nothing tells how two rigid supports share a load: the cut one is said to carry none."""
    joints = {"A": {"type": "fixed", "child": "a"}}
    joints["B"] = {**HINGE, "child": "a", "at": [1, 0, 0], "cut": True}
    system = System.from_dict({"bodies": {"a": rod([0, 0, 0])}, "joints": joints})
    model = JointModel(system)
    assert (model.nu, model.closures) == (0, 0)
    model.kinematics(0.0, *model.initial())
    _, v_dot = model.accelerations(np.zeros(0))
    loads = model.reactions(np.zeros((1, 6)), v_dot)
    np.testing.assert_allclose(loads.wrench[0], [0, 0, G, 0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(loads.wrench[1], 0.0, atol=1e-12)


def test_redundant_equations_are_told():
    model = JointModel(four_bar())
    counts, joint = model.closure_findings()
    assert counts == (
        "3 of the 5 closure equations follow from the others: the system has 1 degree of freedom "
        "where Gruebler's count gives -2"
    )
    assert joint.startswith(
        "joint 'D' holds what others hold too: force along (0, 1, 0), moment about (1, 0, 0), "
        "moment about (0, 0, 1); "
    )


def test_singular_reference_is_told():
    """All hinges of a parallelogram on one line: the loop ties one direction less there."""
    bodies = {"a": rod([0.5, 0, 0]), "b": rod([1.5, 0, 0]), "c": rod([1.5, 0, 0])}
    joints = {
        "A": {**HINGE, "child": "a", "at": [0, 0, 0]},
        "B": {**HINGE, "parent": "a", "child": "b", "at": [1, 0, 0]},
        "C": {**HINGE, "parent": "b", "child": "c", "at": [2, 0, 0]},
        "D": {**HINGE, "child": "c", "at": [1, 0, 0], "cut": True},
    }
    model = JointModel(System.from_dict({"bodies": bodies, "joints": joints}))
    assert model.closures == 2
    assert "the reference configuration is singular: 1 of" in model.closure_findings()[0]


def test_loops_in_parts_turn_with_them():
    part = {key: four_bar().source[key] for key in ("bodies", "joints")}
    places = [{"at": [0, 0, 0]}, {"at": [5, 3, 1], "yaw_deg": 40}]
    places = [{"part": "bars", "name": f"bars{k}", **place} for k, place in enumerate(places)]
    data = {"parts": {"bars": part}, "place": places, "bodies": {}, "joints": {}}
    model = JointModel(System.from_dict(data))
    assert (model.nu, model.closures) == (6, 4)
    q, u = model.initial({"bars0/A.angle": 0.4, "bars1/A.angle": 0.4, "bars1/A.angle_rate": 1.0})
    assert q[:3].sum() == pytest.approx(rocker_angle(0.4), abs=1e-12)
    np.testing.assert_allclose(q[3:], q[:3], atol=1e-12)
    np.testing.assert_allclose(u[:3], 0.0, atol=1e-14)
    model.kinematics(0.0, q, u)
    assert np.abs(model.constraint_violation()).max() < 1e-12


def test_trees_have_no_findings():
    system = System.from_dict(
        {"bodies": {"a": rod([0, 0, 0])}, "joints": {"A": {**HINGE, "child": "a", "at": [0, 0, 1]}}}
    )
    model = JointModel(system)
    assert model.closures == 0
    assert model.closure_findings() == []
    assert model.constraint_jacobian().shape == (0, 1)
    assert model.constraint_violation().shape == (0,)
    q, u = model.closed(np.array([0.3]), np.array([1.0]))
    assert (q[0], u[0]) == (0.3, 1.0)
