"""Modes of cases and what numbers of their description do to them."""

from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.case.modes import case_modes
from cosim.case.sensitivity import case_sensitivity
from cosim.errors import CaseError

CASES = Path(__file__).parents[2] / "cases"


def description(**parameters):
    """Two sliders and a pendulum whose rest moves with the mass, and a spring with offset."""
    return {
        "case": 1,
        "parameters": {"k": 200.0, "c": 1.5, "m": 2.0, "length": 1.0} | parameters,
        "environment": {"gravity": 9.81},
        "bodies": {
            "a": {"mass": "=m", "cog": [1, 0, 0], "inertia": [1, 1, 1]},
            "b": {"mass": 3, "cog": [2, 0, 0], "inertia": [1, 1, 1]},
            "p": {"mass": 1, "cog": [2, 0, "=-length"], "inertia": [0.1, 0.1, 0.1]},
        },
        "joints": {
            "xa": {"type": "prismatic", "child": "a", "at": [1, 0, 0], "axis": [1, 0, 0]},
            "xb": {
                "type": "prismatic",
                "parent": "a",
                "child": "b",
                "at": [2, 0, 0],
                "axis": [1, 0, 0],
            },
            "r": {
                "type": "revolute",
                "parent": "b",
                "child": "p",
                "at": [2, 0, 0],
                "axis": [0, 1, 0],
            },
        },
        "elements": {
            "ka": {"type": "joint", "joint": "xa", "stiffness": "=k", "damping": "=c"},
            "kb": {
                "type": "joint",
                "joint": "xb",
                "stiffness": 100,
                "damping": 0.3,
                "preload": "=m",
            },
            "motor": {"type": "joint", "joint": "r", "preload": "=2*m"},
        },
        "time": {"end": 1},
    }


@pytest.mark.parametrize("name", ["k", "c", "m", "length"])
def test_sensitivities_equal_differences_of_eigenvalues(name):
    """The equilibrium moves along: the motor's moment grows with m, the pendulum tilts more."""
    case = cosim.Case.from_dict(description())
    found = case_sensitivity(case, name, case_modes(case))
    value = case.parameters[name]
    h = 1e-3 * value

    def eigenvalues(change):
        other = cosim.Case.from_dict(description(**{name: value + change}))
        return np.array([mode.value for mode in case_modes(other).modes])

    exact = 8.0 * (eigenvalues(h) - eigenvalues(-h)) - eigenvalues(2 * h) + eigenvalues(-2 * h)
    values = np.array([change.value for change in found.changes])
    assert np.max(np.abs(values - exact / (12.0 * h)) / np.abs(values)) < 1e-6
    assert found.error < 1e-5


def test_derived_numbers_follow_from_the_eigenvalue():
    case = cosim.Case.from_dict(description())
    found = case_sensitivity(case, "m", case_modes(case))
    for change in found.changes:
        mode, h = change.mode, 1e-6
        moved = mode.value + h * change.value
        assert change.frequency == pytest.approx(change.value.imag / (2 * np.pi))
        period = 2 * np.pi / moved.imag - mode.period
        assert change.period == pytest.approx(period / h, rel=1e-4)
        ratio = -moved.real / abs(moved) - mode.damping_ratio
        assert change.damping_ratio == pytest.approx(ratio / h, rel=1e-3, abs=1e-9)


def test_any_number_of_a_case_has_a_name(tmp_path):
    """T = 2 pi sqrt((J + m l^2) / (m g l)): dT/dg = -T / 2 g."""
    text = """
        case: 1
        environment: {gravity: 9.81}
        bodies: {bob: {mass: 2, cog: [0, 0, -1], inertia: [0.1, 0.1, 0.1]}}
        joints: {hinge: {type: revolute, child: bob, at: [0, 0, 0], axis: [0, 1, 0]}}
        time: {end: 1}
    """
    path = tmp_path / "pendulum.yaml"
    path.write_text(text)
    case = cosim.read_case(path)
    found = case_modes(case)
    (change,) = case_sensitivity(case, "environment.gravity", found).changes
    assert change.period == pytest.approx(-found.modes[0].period / (2 * 9.81), rel=1e-7)
    (change,) = case_sensitivity(case, "bodies.bob.inertia.1", found).changes
    assert change.period == pytest.approx(found.modes[0].period / (2 * 2.1), rel=1e-7)
    with pytest.raises(CaseError, match=r"there is no number 'bodies.bob.name'"):
        case_sensitivity(case, "bodies.bob.name", found)


def test_modes_of_a_floating_body_in_waves_are_those_of_still_water():
    """A sphere in still water and one that the case puts into waves."""
    case = cosim.read_case(CASES / "sphere_decay")
    waves = cosim.RegularWaves.model_validate({"height": 1.0, "period": 4.0})
    rough = case.model_copy(
        update={"environment": case.environment.model_copy(update={"waves": waves})}
    )
    (still,), (other,) = case_modes(case).modes, case_modes(rough).modes
    assert still.value == other.value


def test_mass_of_the_sphere_and_its_period():
    """Against the two periods of a lighter and a heavier sphere, its draft changing too."""
    case = cosim.read_case(CASES / "sphere_decay")
    mass = case.bodies["sphere"].mass
    (change,) = case_sensitivity(case, "bodies.sphere.mass", case_modes(case)).changes
    h = 2e-3 * mass
    periods = [
        case_modes(cosim.read_case(CASES / "sphere_decay", [f"bodies.sphere.mass={m}"]))
        .modes[0]
        .period
        for m in (mass - h, mass + h)
    ]
    assert change.period == pytest.approx((periods[1] - periods[0]) / (2 * h), rel=1e-4)
