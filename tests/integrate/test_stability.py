"""Measured stability of explicit coupling against runs, and against known limits."""

import numpy as np
import pytest

from cosim.coupling.capabilities import Restorable, Stepper
from cosim.coupling.manager import ExternalForcesManager
from cosim.coupling.paper import PaperAdapter
from cosim.coupling.template import TemplateInterface
from cosim.errors import StabilityError
from cosim.integrate.stability import check_explicit, measure_stability
from cosim.testing import LaggingMass

# Force-only added mass: orders 0, 1, 2 are unstable from the ratios 1, 1/3, 1/7 (issue). The
# cubic hand-over passes 11/12 of the parabola's end acceleration: for order 2 the limit of
# the coupled recurrence is 3/20.
LIMITS = {0: 1.0, 1: 1.0 / 3.0, 2: 3.0 / 20.0}


def lagging(model, ratio):
    options = LaggingMass.Options(body="a", mass=3.0 * ratio)
    return LaggingMass(model, "lagging", options)


class Spring(TemplateInterface, Stepper, Restorable):
    """A spring to earth behind a communication step."""

    max_step = np.inf

    def __init__(self, model, stiffness):
        super().__init__(model, "spring", self.Options())
        self.bodies = ("a",)
        self._stiffness = stiffness

    def initialize(self, t0, state):
        self._force = np.zeros((1, 6))
        self._force[0, 0] = -self._stiffness * state.r[0, 0]

    def advance(self, motion):
        self.initialize(motion.t1, motion.end)

    def forces(self):
        return self._force

    def save_state(self):
        return self._force.tobytes()

    def restore_state(self, state):
        self._force = np.frombuffer(state).reshape(1, 6).copy()


def measured(model, adapter, *, order=None, step):
    """Of explicit coupling of an order, or of iterated coupling."""
    manager = ExternalForcesManager(model)
    manager.register(adapter)
    y = manager.initialize(0.0, *model.initial())
    nodes = (0, 1) if order is None else (0, -1, -2)[: order + 1]
    return measure_stability(manager.equations, 0.0, y, step=step, nodes=nodes)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_force_only_added_mass_is_refused_from_its_limit(make_slider, order):
    below, above = (
        measured(model, lagging(model, f * LIMITS[order]), order=order, step=0.1)
        for f, model in ((0.97, make_slider()), (1.03, make_slider()))
    )
    assert below.stable
    assert not above.stable
    assert above.number == pytest.approx((1, 2, 11 / 3)[order] * 1.03 * LIMITS[order], rel=1e-6)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_the_recurrence_has_the_limit_of_a_run(make_slider, simulate, order):
    """The same ratios in a run with the check off: one decays, the other blows up."""
    growths = {}
    for f in (0.97, 1.03):
        model = make_slider()

        def kick(simulation, memory):
            pass

        adapter = lagging(model, f * LIMITS[order])
        start = adapter.initialize

        def initialize(t0, state, adapter=adapter, start=start):
            start(t0, state)
            adapter._force[0, 0] = 1.0

        adapter.initialize = initialize
        try:
            memory, _ = simulate(
                model,
                [adapter],
                end=30.0,
                communication_step=0.1,
                output=0.1,
                scheme="explicit",
                order=order,
                unchecked=True,
                ledger=False,
            )
        except StabilityError:
            growths[f] = np.inf
            continue
        force = np.abs([s.loads["lagging"][0, 0] for s in memory.samples])
        growths[f] = force[-3:].max() / force[20:23].max()
    assert growths[0.97] < 0.9
    assert growths[1.03] > 1.1


@pytest.mark.parametrize(
    ("options", "step", "order", "growth"),
    [
        # magnification per step measured in runs of 400 steps with the check off
        ({"mass": 10.0, "stiffness": 400.0, "damping": 5.0}, 0.05, 0, 1.027),
        ({"mass": 10.0, "stiffness": 400.0, "damping": 5.0}, 0.1, 1, 1.186),
        ({"mass": 10.0, "stiffness": 400.0, "damping": 5.0}, 0.2, 2, 2.366),
    ],
)
def test_growth_is_that_of_a_run(make_slider, make_attached, options, step, order, growth):
    model = make_slider()
    result = measured(model, make_attached(model, **options), order=order, step=step)
    assert result.growth == pytest.approx(growth, rel=5e-3)
    assert not result.stable


@pytest.mark.parametrize("wH", [3.4, 3.6, 4.0])
def test_iterated_coupling_is_unstable_beyond_its_limit(make_slider, simulate, wH):
    """Linear interpolation of the load of a mode is unstable from w H = 3.46 (design 6).

    With a = (w H)^2 it makes x1 = x0 + H u0 - a (x0 / 3 + x1 / 6) and
    H u1 = H u0 - a (x0 + x1) / 2.
    """
    a = wH**2
    step = np.linalg.solve([[1 + a / 6, 0], [a / 2, 1]], [[1 - a / 3, 1], [-a / 2, 1]])
    growth = np.abs(np.linalg.eigvals(step)).max()
    H, mass = 0.1, 3.0
    stiffness = mass * (wH / H) ** 2
    model = make_slider(mass)
    result = measured(model, Spring(model, stiffness), step=H)
    assert result.growth == pytest.approx(growth, rel=1e-6)
    assert result.stable == (wH < np.sqrt(12.0))
    model = make_slider(mass)
    memory, _ = simulate(
        model,
        [Spring(model, stiffness)],
        start={"s.position": 1e-3},
        end=4.0,
        output=H,
        communication_step=H,
        rtol=1e-9,
        atol=1e-14,
    )
    q = np.abs(memory.q[:, 0])
    assert (q[-5:].max() / q[:5].max()) ** (1 / 36) == pytest.approx(growth, rel=4e-3)


@pytest.mark.parametrize("stiffness", [4.0, 8.0, 16.0, 32.0])
def test_a_record_too_short_to_come_to_rest_makes_no_system_grow(
    make_slider, make_attached, stiffness
):
    """A mass on a spring that swings longer than the record: its load there looks like none of
    a stiffness, yet the whole is passive."""
    model = make_slider()
    adapter = make_attached(model, stiffness=stiffness, damping=0.1)
    adapter.inner_step = 0.003
    result = measured(model, adapter, step=0.12)
    assert result.reference == 1.0
    assert result.stable


def test_measuring_leaves_the_steppers_as_they_were(make_slider, make_attached):
    model = make_slider()
    adapter = make_attached(model)
    manager = ExternalForcesManager(model)
    manager.register(adapter)
    y = manager.initialize(0.0, *model.initial({"s.position_rate": 1.0}))
    before = adapter.save_state(), manager.equations.evaluation(0.0, y).copy()
    measure_stability(manager.equations, 0.0, y, step=0.1, nodes=(0, -1, -2))
    assert adapter.save_state() == before[0]
    assert np.array_equal(manager.equations.evaluation(0.0, y), before[1])


class Silent:
    def __init__(self, model, values):
        pass

    def update(self, t, q, qd, values):
        pass

    def forces(self):
        return np.zeros(6)


def check(model, adapter, *, unchecked=False, order=0):
    manager = ExternalForcesManager(model)
    manager.register(adapter)
    y = manager.initialize(0.0, *model.initial())
    return check_explicit(manager.equations, 0.0, y, step=0.1, order=order, unchecked=unchecked)


def test_a_peer_that_cannot_restore_declares_its_apparent_mass_or_is_refused(make_slider):
    model = make_slider()
    with pytest.raises(StabilityError, match="'peer' cannot be restored and declares no"):
        check(model, PaperAdapter(Silent, None, model=model, name="peer"))
    assert (
        check(model, PaperAdapter(Silent, None, model=model, name="peer"), unchecked=True) is None
    )
    declared = {"model": model, "name": "peer", "apparent_mass": 2.0 * np.eye(6)}
    assert check(model, PaperAdapter(Silent, None, **declared)).number == pytest.approx(2.0 / 3.0)
    declared["apparent_mass"] = 4.0 * np.eye(6)
    with pytest.raises(StabilityError, match=r"S = 1\.33"):
        check(model, PaperAdapter(Silent, None, **declared))


def test_the_guard_stops_an_unchecked_run_that_becomes_unstable(make_slider, simulate):
    spring = {"k": {"type": "joint", "joint": "s", "stiffness": 1.0}}
    model = make_slider(elements=spring)
    adapter = lagging(model, 2.0)
    with pytest.raises(StabilityError, match=r"at t = .* alternated .* grown for 8"):
        simulate(
            model,
            [adapter],
            start={"s.position": 0.1},
            end=30.0,
            communication_step=0.1,
            scheme="explicit",
            order=0,
            unchecked=True,
        )
