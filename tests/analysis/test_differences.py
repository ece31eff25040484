"""Derivatives against closed forms; the error told is never too small."""

import numpy as np
import pytest

from cosim.analysis.differences import jacobian, relative_error


@pytest.mark.parametrize(
    ("function", "exact", "tolerance"),
    [
        (lambda x: 3.0 * x + 5.0, 3.0, 1e-15),
        (lambda x: 1e3 * x**3 - 2.0 * x, -2.0, 1e-11),
        (lambda x: np.sin(x + 0.3), np.cos(0.3), 1e-13),
        (lambda x: np.exp(3.0 * x), 3.0, 1e-12),
        (lambda x: np.sqrt((x + 0.01) ** 2 + 1e-4), 1.0 / np.sqrt(2.0), 1e-12),
        # linear only within 0.02 of the origin
        (lambda x: np.maximum(x + 0.02, 0.0), 1.0, 1e-12),
        # the drag of still water
        (lambda x: 7.0 * np.abs(x) * x + 2.0 * x, 2.0, 1e-13),
    ],
    ids=["line", "cubic", "sine", "exponential", "short", "kink", "drag"],
)
def test_derivative_and_its_error(function, exact, tolerance):
    J, error = jacobian(function, 1)
    wrong = abs(J[0, 0] - exact)
    assert wrong <= tolerance * max(1.0, abs(exact))
    assert wrong <= error[0, 0]


def test_an_offset_does_not_hide_a_slope():
    """Weight of a ship, and a soft spring: what is lost is the rounding of the weight."""
    J, error = jacobian(lambda x: 4e4 * x + 8e7, 1)
    assert J[0, 0] == pytest.approx(4e4, rel=1e-11)
    assert relative_error(J, error) < 1e-11


def test_columns_follow_the_arguments():
    A = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    J, _ = jacobian(lambda x: A @ x, 3)
    np.testing.assert_allclose(J, A, rtol=1e-14)


@pytest.mark.parametrize("noise", [1e-13, 1e-11])
@pytest.mark.parametrize("shape", [lambda x: 3.0 * x, np.sin, lambda x: 0.0 * x])
def test_noise_of_the_values_is_told_and_costs_no_steps(noise, shape):
    """A sum of large numbers is noisier than its own size tells."""
    rng = np.random.default_rng(2)
    calls = 0

    def function(x):
        nonlocal calls
        calls += 1
        return np.concatenate([shape(x) + noise * rng.standard_normal(1), x])

    J, error = jacobian(function, 1)
    exact = (shape(np.array([1e-6])) / 1e-6)[0]
    assert abs(J[0, 0] - exact) <= min(error[0, 0], 600.0 * noise)
    assert error[0, 0] > noise
    assert calls <= 1 + 10 * 6
