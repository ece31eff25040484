"""PH-MP against published and recomputed discrete solutions with the same steps."""

from pathlib import Path

import numpy as np
import pytest

from cosim import read_case
from cosim.multibody.cartesian.conserving.steps import ConservingSteps
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.cartesian.options import CartesianOptions

CASES = Path(__file__).parents[4] / "cases"


def started(name, variant="midpoint", settings=()):
    case = read_case(CASES / name / "case.yaml", list(settings))
    model = CartesianModel(case, CartesianOptions(constraints="free"))
    return model, ConservingSteps(model.parts, variant=variant), model.initial(case.start.set)


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


def test_closed_loop_with_constraints_on_velocities():
    # recomputed from the equations of the paper's section 6, h = 0.1, to the digits printed
    model, steps, start = started("bar_loop", "midpoint_ggl")
    last = steps.march(0.0, 0.1, start, 100)
    assert energy(model, last.q, last.u) == pytest.approx(2095.376886669, abs=5e-9)
    assert momentum(model, last.q, last.u)[0] == pytest.approx(299.745348844, abs=5e-9)
    np.testing.assert_allclose(
        last.q.reshape(4, 12)[1, :3], [95, 2.34764475, -4.31079060], atol=6e-9
    )
    model.kinematics(0.0, last.q, last.u)
    assert np.abs(model.constraint_violation()).max() < 1e-12
    assert np.abs(model.constraint_jacobian() @ last.u).max() < 1e-10


@pytest.mark.parametrize("variant", ["midpoint", "midpoint_ggl"])
def test_heavy_top_converges_with_order_two(variant):
    # Lagrange's top in closed form at 1 s, 13 digits
    model, steps, start = started("heavy_top", variant)
    before = energy(model, *start)
    exact = [-0.3196918169537, 0.3951546738023, 0.8611909927217]
    errors = []
    for h in (2e-3, 1e-3, 5e-4):
        last = steps.march(0.0, h, start, round(1.0 / h))
        errors.append(np.linalg.norm(last.q[:3] - exact))
        assert abs(energy(model, last.q, last.u) / before - 1.0) < 1e-12
        assert abs(momentum(model, last.q, last.u)[2] - momentum(model, *start)[2]) < 1e-12 * 40
    np.testing.assert_allclose(np.array(errors[:-1]) / errors[1:], 4.0, atol=0.01)


def crank(variant):
    """Spatial slider-crank whose rod has its small moment along itself, as in the paper."""
    model, steps, start = started("slider_crank", variant)
    speed = 12 * model.bodies.index("slider")
    return steps, start, lambda made: made.u[speed]


@pytest.mark.parametrize(
    ("variant", "published"),
    [
        ("midpoint", {1: 0.249036253, 2: 0.25919998, 25: -0.099821343}),
        ("midpoint_ggl", {1: 0.248772884, 2: 0.25932067, 25: -0.057977352}),
    ],
)
def test_slider_crank_as_published(variant, published):
    # port-Hamiltonian paper, section 7.3: speed of the slider at 0.02, 0.04 and 0.5 s, h = 0.02
    steps, start, speed = crank(variant)
    for count, value in published.items():
        assert speed(steps.march(0.0, 0.02, start, count)) == pytest.approx(value, abs=1e-8)


@pytest.mark.parametrize("variant", ["midpoint", "midpoint_ggl"])
def test_slider_crank_with_long_steps_to_the_end(variant):
    # the paper's Newton iteration for PH-MP diverges near 1.92 s with h = 0.02; this one does not
    model, steps, start = started("slider_crank", variant)
    before = energy(model, *start)
    last = steps.march(0.0, 0.02, start, 250)
    assert abs(energy(model, last.q, last.u) / before - 1.0) < 1e-12
    assert np.abs(model.constraint_violation()).max() < 1e-12
    slip = np.abs(model.constraint_jacobian() @ last.u).max()
    assert slip < 1e-10 if variant == "midpoint_ggl" else slip > 1e-3
