"""Natural periods against closed forms."""

import numpy as np
import pytest

from cosim.analysis.linear import LinearSystem, linearise
from cosim.analysis.modes import natural_modes
from cosim.model import System
from cosim.multibody.joint.model import JointModel


def pendulum(damping):
    return JointModel(
        System.from_dict(
            {
                "bodies": {"rod": {"mass": 3.0, "cog": [0, 0, -0.5], "inertia": [0.2, 0.25, 0.1]}},
                "joints": {
                    "pin": {"type": "revolute", "child": "rod", "at": [0, 0, 0], "axis": [0, 1, 0]}
                },
                "elements": {"friction": {"type": "joint", "joint": "pin", "damping": damping}},
            }
        )
    )


@pytest.mark.parametrize("damping", [1e-9, 0.4, 2.0])
def test_damped_pendulum(damping):
    model = pendulum(damping)
    (mode,) = natural_modes(linearise(model, {}, model.initial()[0]))
    inertia, stiffness = 0.25 + 3.0 * 0.5**2, 3.0 * 9.81 * 0.5
    s = (-damping + np.sqrt(complex(damping**2 - 4 * inertia * stiffness))) / (2 * inertia)
    assert mode.period == pytest.approx(2 * np.pi / abs(s.imag), rel=1e-6)
    assert mode.damping_ratio == pytest.approx(-s.real / abs(s), rel=1e-5, abs=1e-9)
    assert mode.name == "pin.angle"


def test_double_pendulum_frequencies():
    """Equal point-like masses on equal lengths: w^2 = (g/l) (2 -+ sqrt 2)."""
    tiny = [1e-6, 1e-6, 1e-6]
    pin = {"type": "revolute", "axis": [0, 1, 0]}
    model = JointModel(
        System.from_dict(
            {
                "bodies": {
                    "upper": {"mass": 1.0, "cog": [0, 0, -1], "inertia": tiny},
                    "lower": {"mass": 1.0, "cog": [0, 0, -2], "inertia": tiny},
                },
                "joints": {
                    "top": {**pin, "child": "upper", "at": [0, 0, 0]},
                    "middle": {**pin, "parent": "upper", "child": "lower", "at": [0, 0, -1]},
                },
            }
        )
    )
    modes = natural_modes(linearise(model, {}, model.initial()[0]))
    omega = [2 * np.pi / mode.period for mode in modes]
    expected = np.sqrt(9.81 * (2 + np.array([-1, 1]) * np.sqrt(2)))
    np.testing.assert_allclose(omega, expected, rtol=1e-5)


def test_response_of_a_mass_on_a_spring():
    model = JointModel(
        System.from_dict(
            {
                "bodies": {"m": {"mass": 2.0, "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
                "joints": {
                    "x": {"type": "prismatic", "child": "m", "at": [0, 0, 0], "axis": [1, 0, 0]}
                },
                "elements": {
                    "k": {"type": "joint", "joint": "x", "stiffness": 8.0, "damping": 0.5}
                },
            }
        )
    )
    linear = linearise(model, {}, model.initial()[0])
    omega = np.array([0.5, 2.0, 5.0])
    response = linear.response(omega, np.full((3, 1), 3.0 + 0.0j))
    np.testing.assert_allclose(
        response[:, 0], 3.0 / (8.0 - 2.0 * omega**2 - 0.5j * omega), rtol=1e-7
    )


@pytest.mark.parametrize("units", [1.0, 1e-6, 1e6])
def test_memory_is_no_mode_even_where_it_rings_longer(units):
    """A damped oscillator beside a memory of frequency 3 that hardly decays."""
    system = LinearSystem(
        speeds=("heave",),
        M=np.array([[2.0]]),
        C=np.array([[0.4]]),
        K=np.array([[8.0]]),
        Ax=np.array([[-0.001, 3.0], [-3.0, -0.001]]),
        Bv=units * np.array([[0.01], [0.0]]),
        Cx=np.array([[-0.01, 0.0]]) / units,
    )
    (mode,) = natural_modes(system)
    assert mode.period == pytest.approx(2.0 * np.pi / np.sqrt(4.0 - 0.1**2), rel=1e-4)
    assert mode.damping_ratio == pytest.approx(0.05, rel=1e-3)


def test_a_free_direction_has_no_mode_and_borrows_none_of_the_memory():
    """Surge of an unmoored hull: nothing restores it, but its memory rings at 2 rad/s."""
    system = LinearSystem(
        speeds=("surge", "heave"),
        M=np.diag([2.0, 2.0]),
        C=np.diag([0.0, 0.4]),
        K=np.diag([0.0, 8.0]),
        Ax=np.array([[-0.3, 2.0], [-2.0, -0.3]]),
        Bv=np.array([[0.5, 0.0], [0.0, 0.0]]),
        Cx=np.array([[-0.5, 0.0], [0.0, 0.0]]),
    )
    (mode,) = natural_modes(system)
    assert mode.name == "heave"
    assert mode.period == pytest.approx(2.0 * np.pi / np.sqrt(4.0 - 0.1**2), rel=1e-9)


def test_modes_of_one_period_are_told_apart_by_their_coordinates():
    """A bob that swings as easily along x as along y, turned by what rounding makes of it."""
    turn = np.array([[0.6, 0.8], [-0.8, 0.6]])
    K = turn @ np.diag([8.0, 8.0 * (1.0 + 1e-6)]) @ turn.T
    none = np.zeros((0, 2))
    system = LinearSystem(
        speeds=("x", "y"),
        M=np.diag([2.0, 2.0]),
        C=np.diag([0.1, 0.1]),
        K=K,
        Ax=np.zeros((0, 0)),
        Bv=none,
        Cx=none.T,
    )
    modes = {mode.name: mode for mode in natural_modes(system)}
    np.testing.assert_allclose(modes["x"].shape, [1.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(modes["y"].shape, [0.0, 1.0], atol=1e-9)
    values = sorted(abs(mode.value.imag) for mode in modes.values())
    exact = np.sqrt(np.array([4.0, 4.0 * (1.0 + 1e-6)]) - 0.025**2)
    np.testing.assert_allclose(values, exact, rtol=1e-12)
