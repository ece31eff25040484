"""PH-MP against published and recomputed discrete solutions with the same steps."""

from pathlib import Path

import numpy as np
import pytest

from cosim import read_case
from cosim.multibody.cartesian.conserving.steps import ConservingSteps
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.cartesian.options import CartesianOptions

CASES = Path(__file__).parents[4] / "cases"


def started(name):
    case = read_case(CASES / name / "case.yaml")
    model = CartesianModel(case, CartesianOptions(constraints="free"))
    return model, ConservingSteps(model.parts), model.initial(case.start.set)


def momentum(model, q, u):
    """Angular momentum about the origin, sum of x_k x E_k v_k with E_0 = m."""
    n = len(model.bodies)
    x, v = q[: 12 * n].reshape(n, 4, 3), u.reshape(n, 4, 3)
    weights = model.parts.memory.frames.inertia[:, :, None]
    return np.cross(x, weights * v).sum(axis=(0, 1))


def energy(model, q, u):
    model.kinematics(0.0, q, u)
    return model.energy().total


def test_closed_loop_of_bars_as_published():
    # port-Hamiltonian paper, section 7.2, h = 0.1, to all digits printed there
    model, steps, start = started("bar_loop")
    first = steps.march(0.0, 0.1, start, 1)
    assert energy(model, first.q, first.u) == pytest.approx(0.880081744, abs=5e-10)
    last = steps.march(0.0, 0.1, start, 100)
    assert energy(model, last.q, last.u) == pytest.approx(2095.376897, abs=5e-7)
    assert momentum(model, last.q, last.u)[0] == pytest.approx(299.7453593, abs=5e-8)
    places = last.q.reshape(4, 12)[:, :3]
    np.testing.assert_allclose(places[0], [99.90860439, 0, 0], atol=6e-9)
    np.testing.assert_allclose(places[1], [95, 2.347642014, -4.310797377], atol=6e-10)


def test_closed_loop_keeps_energy_momentum_and_constraints():
    # the tolerances: 1e-12 relative for energy and momentum, 1e-12 for positions; velocities
    # leave the constraints by some 1e-3 of themselves
    model, steps, start = started("bar_loop")
    pushed = steps.march(0.0, 0.1, start, 10)
    later = steps.march(1.0, 0.1, (pushed.q, pushed.u), 1000)
    before, after = (energy(model, a.q, a.u) for a in (pushed, later))
    assert abs(after / before - 1.0) < 1e-12
    L = [momentum(model, a.q, a.u) for a in (pushed, later)]
    terms = 40.0 * np.linalg.norm(later.q[:3]) * np.linalg.norm(later.u[:3])
    assert np.abs(L[1] - L[0]).max() < 1e-12 * terms  # about the origin, 1000 m away
    model.kinematics(0.0, later.q, later.u)
    # 1e-12 of the way gone: the bars fly 1000 m
    assert np.abs(model.constraint_violation()).max() < 1e-12
    slip = np.abs(model.constraint_jacobian() @ later.u).max()
    assert 1e-6 < slip < 0.1
