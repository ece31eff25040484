"""Numeric functions of long chains: few entries, the published start, the kernels."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from cosim.errors import ModelError
from cosim.multibody.joint import JointModel
from cosim.multibody.joint.symbolic import NumericEquations, derive

FIRST = {0: 6.21929079, 1: -1.66645394, 2: 0.44652499}
"""Angular accelerations of a chain let go along +x, rad/s²: benchmarks.md 6, n >= 10."""


def along_x(links):
    return np.concatenate([np.full(links, -0.5 * np.pi), np.zeros(links)])


@pytest.mark.parametrize("links", [10, 60])
def test_chains_in_absolute_angles_start_as_published(symbols, links):
    numeric = NumericEquations(derive(symbols.chain(links), keep=(), angles="absolute"))
    accelerations = numeric.rates(0.0, along_x(links))[links:]
    for row, expected in FIRST.items():
        assert accelerations[row] == pytest.approx(expected, abs=1e-8)
    # a sine and a cosine of each angle, with whole and half arms, and the same with its speed
    assert numeric.program.entries <= 8 * links


@pytest.mark.parametrize("angles", ["absolute", "relative"])
def test_sixty_links_agree_with_the_kernels(symbols, angles):
    system = symbols.chain(60)
    numeric, model = NumericEquations(derive(system, keep=(), angles=angles)), JointModel(system)
    rng = np.random.default_rng(0)
    q, u = 0.3 * rng.normal(size=(2, 60))
    model.kinematics(0.0, q, u)
    expected, _ = model.accelerations(np.zeros(60))
    if angles == "absolute":
        q, u, expected = (np.cumsum(values) for values in (q, u, expected))
    numeric.evaluate(0.0, q, u)
    M, force = numeric.mass_matrix(), numeric.force()
    # of both sides of eq. (5): the solution itself has the condition of M in its rounding
    size = np.abs(M) @ np.abs(expected) + np.abs(force)
    assert np.all(np.abs(M @ expected - force) < 1e-12 * size)


def test_five_links_after_a_second(symbols):
    """Published angles of the first and the last link: benchmarks.md 6."""
    numeric = NumericEquations(derive(symbols.chain(5), keep=(), angles="absolute"))
    solution = solve_ivp(numeric.rates, (0.0, 1.0), along_x(5), "DOP853", rtol=1e-12, atol=1e-12)
    last = solution.y[:, -1]
    np.testing.assert_allclose(last[[0, 4]], [-0.496675543924, -1.680511120904], atol=1e-9)


def test_a_mass_that_is_not_positive_is_told_with_its_speed(symbols):
    system = symbols.chain(2)
    numeric = NumericEquations(derive(system, keep=()))
    numeric.arrays["M"][:] = -1.0  # constant entries are written once
    with pytest.raises(ModelError, match="not positive definite in 'omega_hinge1'"):
        numeric.rates(0.0, np.zeros(4))
