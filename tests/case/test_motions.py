"""Prescribed motions of a case file: closed forms, books, and mistakes.

Reference: Newton and Euler by hand for an arm that a motor turns, and for the crank of the slider
and crank at constant speed. Tolerances: rounding of the numbers at hand, times the inverse of the
smallest pivot, 1e-12.
"""

import copy

import numpy as np
import pytest

import cosim
from cosim.case.build import build
from cosim.case.tables import case_tables
from cosim.errors import CaseError, CosimError, ModelError

G = 9.81
ARM = {
    "case": 1,
    "formulation": "cartesian",
    "bodies": {
        "arm": {
            "mass": 2.0,
            "cog": [0, 0, -0.5],
            "inertia": [0.2, 0.2, 0.01],
            "points": {"tip": [0, 0, -1]},
        }
    },
    "joints": {"A": {"type": "revolute", "child": "arm", "at": [0, 0, 0], "axis": [0, 1, 0]}},
    "motions": {"motor": {"type": "joint", "joint": "A", "law": "start + 2*pi*t + 0.2*sin(3*t)"}},
    "parameters": {"start": 0.3},
    "start": {"from": "reference"},
    "time": {"end": 3.0, "method": "DOP853", "rtol": 1e-10, "atol": 1e-12},
    "output": {"step": 0.1},
}


def changed(**sections):
    return {**copy.deepcopy(ARM), **sections}


def run(data):
    return cosim.run(cosim.Case.from_dict(data))


def test_a_motor_turns_an_arm_three_times():
    results = run(ARM)
    t = results["time"].values
    angle = 0.3 + 2.0 * np.pi * t + 0.2 * np.sin(3.0 * t)
    moment = 0.7 * -1.8 * np.sin(3.0 * t) + 2.0 * G * 0.5 * np.sin(angle)
    turned = np.radians(results["joint_rotation_deg"].values[:, 0])
    np.testing.assert_allclose(turned, angle, rtol=0, atol=1e-12 * 20.0)
    np.testing.assert_allclose(results["element/motor/moment"], moment, rtol=0, atol=1e-11)
    assert float(results["closure/gap"].max()) <= 1e-12
    # the motor's work is in the books: the rest is the tolerance of the run
    assert float(abs(results["ledger/balance"]).max()) <= 1e-9 * 2.0 * G


def test_a_run_that_starts_late_starts_where_the_law_is():
    late = changed(time={**ARM["time"], "start": 1.0})
    whole, rest = run(ARM), run(late)
    same = whole.sel(time=rest["time"], method="nearest")
    np.testing.assert_allclose(rest["position"], same["position"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(rest["velocity"], same["velocity"], rtol=0, atol=1e-11)


@pytest.mark.parametrize("bodies", ["full", "reduced"])
def test_a_tip_is_led_on_a_circle_with_the_same_loads(bodies):
    led = {"type": "point", "point": "arm/tip", "x": "-sin(law)", "z": "-cos(law)"}
    law = "(start + 0.5*sin(t))"
    led = {k: v.replace("law", law) if k in "xz" else v for k, v in led.items()}
    by_joint = changed(motions={"m": {"type": "joint", "joint": "A", "law": law}})
    choice = {"type": "cartesian", "bodies": bodies}
    by_point = changed(motions={"m": led}, formulation=choice)
    by_point["start"] = {"from": "reference", "set": {"A.angle": 0.3, "A.angle_rate": 0.5}}
    one, other = run(by_joint), run(by_point)
    np.testing.assert_allclose(other["position"], one["position"], rtol=0, atol=1e-12)
    force = np.stack([other[f"element/m/force_{c}"].values for c in "xz"], axis=1)
    x, _, z = 2.0 * other["position"].values[:, 0].T  # of the tip
    moment = z * force[:, 0] - x * force[:, 1]
    np.testing.assert_allclose(moment, one["element/m/moment"], rtol=0, atol=1e-10)


def test_what_is_not_led_moves_by_its_own():
    """A cart that is moved shakes the pendulum on it as its acceleration does."""
    hanging = {"type": "revolute", "parent": "cart", "child": "arm", "at": [0, 0, 0]}
    data = changed(
        bodies={**ARM["bodies"], "cart": {"mass": 1.0, "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
        joints={
            "rail": {"type": "prismatic", "child": "cart", "at": [0, 0, 0], "axis": [1, 0, 0]},
            "A": {**hanging, "axis": [0, 1, 0]},
        },
        motions={"shaker": {"type": "joint", "joint": "rail", "law": "0.1*sin(2*t)"}},
    )
    shaken = run(data)
    # seen from the cart: the inertial force -m a at the centre of gravity
    fixed = changed(
        motions={},
        formulation="joint",
        elements={"inertia": {"type": "force", "point": "arm", "force": ["0.8*sin(2*t)", 0, 0]}},
        start={"from": "reference", "set": {"A.angle_rate": 0.0}},
    )
    alone = run(fixed)
    name = {"rotation": "A.angle"}
    np.testing.assert_allclose(
        shaken["joint_rotation_deg"].sel(name),
        alone["joint_rotation_deg"].sel(name),
        rtol=0,
        atol=1e-7,
    )


MISTAKES = [
    ({"joint": "B"}, "unknown joint 'B'"),
    ({"coordinate": "x"}, "has no coordinate 'x'; it has angle"),
    ({"law": "2*s"}, "'s'"),
    ({"type": "point", "point": "arm/tp"}, "'law'"),
    ({"type": "turn"}, "turn"),
]


@pytest.mark.parametrize(("change", "words"), MISTAKES)
def test_mistakes_are_named(change, words):
    motion = {**ARM["motions"]["motor"], **change}
    with pytest.raises(CaseError, match=words):
        cosim.Case.from_dict(changed(motions={"motor": motion}))


def test_joint_coordinates_know_no_motions():
    with pytest.raises(CaseError, match="motion 'motor': joint coordinates know no"):
        run(changed(formulation="joint"))
    with pytest.raises(CaseError, match="an equilibrium knows no prescribed motions"):
        run(changed(start={"from": "equilibrium"}))
    with pytest.raises(ModelError, match="the midpoint methods know no prescribed"):
        run(changed(time={"end": 1.0, "method": "midpoint", "step": 0.01}))


def test_tables_and_linear_analyses(caplog):
    case = cosim.Case.from_dict(ARM)
    table = next(t for t in case_tables(case) if t.title == "prescribed motions")
    assert table.rows == [("motor", "joint", "A", ARM["motions"]["motor"]["law"])]
    build(case)
    assert "prescribed motions are left out here" in caplog.text


def test_a_law_without_a_value_tells_when():
    motor = {"type": "joint", "joint": "A", "law": "t if t < 0.5 else sqrt(-t)"}
    with pytest.raises(CosimError, match="'motor': its law has no value or no rates at t = 0"):
        run(changed(motions={"motor": motor}))


def test_a_singular_angle_tells_when():
    angle = {"type": "angle", "bodies": ["earth", "arm"], "law": "0.2 - 0.1*t"}
    angle["directions"] = [[0, 0, 1], [0, 0, 1]]
    start = {"from": "reference", "set": {"A.angle": 0.2, "A.angle_rate": -0.1}}
    with pytest.raises(ModelError, match="singular angle"):
        run(changed(motions={"m": angle}, start=start))


def test_motions_that_contradict_each_other_stop_the_run():
    other = {"type": "point", "point": "arm/tip", "x": "-sin(0.3) + t"}
    both = {**ARM["motions"], "other": other}
    with pytest.raises(CosimError, match="motion 'motor' and the motion 'other' cannot be"):
        run(changed(motions=both))


def test_motions_that_agree_are_no_contradiction():
    law = ARM["motions"]["motor"]["law"]
    same = {"type": "point", "point": "arm/tip", "x": f"-sin({law})", "z": f"-cos({law})"}
    one, both = run(ARM), run(changed(motions={**ARM["motions"], "same": same}))
    np.testing.assert_allclose(both["position"], one["position"], rtol=0, atol=1e-11)


def test_a_path_out_of_reach_is_one_sentence():
    far = {"type": "point", "point": "arm/tip", "x": 2.0}
    with pytest.raises(CosimError, match="constraints and the motion 'm' cannot be kept"):
        run(changed(motions={"m": far}))
