"""Events end steps, and history is taken back with them."""

import math

import numpy as np
import pytest

from cosim.coupling.capabilities import EventSource, Restorable
from cosim.coupling.held import HeldLoads
from cosim.coupling.template import TemplateInterface

from .loads import Ramp, same


class Latch(TemplateInterface, EventSource, Restorable):
    """Pushes with +1 N until x reaches 1 m, then with -1 N."""

    def __init__(self, model, *, source=True):
        super().__init__(model, "latch", self.Options())
        self.bodies = ("a",)
        self._sign = 1.0
        self._source = source

    def initialize(self, t0, state):
        self._sign = 1.0

    def update(self, t, state, x):
        self._load = np.zeros((1, 6))
        self._load[0, 0] = self._sign

    def forces(self):
        return self._load

    def event(self, t, state, x):
        return state.r[0, 0] - 1.0 if self._source else 1.0

    def accept(self, t, state, x):
        if state.r[0, 0] >= 1.0 - 1e-9:
            self._sign = -1.0

    def save_state(self):
        return np.array([self._sign]).tobytes()

    def restore_state(self, state):
        self._sign = float(np.frombuffer(state)[0])


class Switch(Latch):
    """Pushes with +1 N until t = 1 s, then with -1 N."""

    def event(self, t, state, x):
        return t - 1.0

    def accept(self, t, state, x):
        if t >= 1.0:
            self._sign = -1.0


@pytest.mark.parametrize("companion", [None, "iterated", "explicit"])
def test_an_event_ends_the_step_where_it_happens(simulate, make_slider, make_attached, companion):
    """x = t^2/(2m) to x = 1 m, then the push turns round: x = 1 + v s - s^2/(2m)."""
    mass = 2.0
    model = make_slider(mass)
    adapters = [Latch(model)]
    if companion:
        adapters.append(Ramp(model))
        adapters[1].forces = lambda: np.zeros((1, 6))
    settings = {"scheme": companion, "unchecked": True} if companion else {}
    memory, _ = simulate(
        model,
        adapters,
        end=3.0,
        communication_step=0.25,
        output=3.0,
        rtol=1e-9,
        atol=1e-11,
        **settings,
    )
    t, s = math.sqrt(2.0 * mass), 3.0 - math.sqrt(2.0 * mass)
    exact = 1.0 + t / mass * s - 0.5 * s**2 / mass
    assert memory.samples[-1].q[0] == pytest.approx(exact, abs=1e-9)
    assert memory.samples[-1].u[0] == pytest.approx((t - s) / mass, abs=1e-9)


@pytest.mark.parametrize("step", [0.25, 2.0])
@pytest.mark.parametrize("scheme", ["explicit", "iterated"])
def test_an_event_exactly_at_the_end_of_a_step_is_one(
    simulate, make_slider, monkeypatch, scheme, step
):
    """With RK4 of 0.25 s, t = 1 s is the end of a communication step or a point inside it."""
    restarts = []
    forget = HeldLoads.forget
    monkeypatch.setattr(HeldLoads, "forget", lambda held: (restarts.append(1), forget(held)))
    model = make_slider(2.0)
    ramp = Ramp(model)
    memory, _ = simulate(
        model,
        [Switch(model), ramp],
        end=4.0,
        communication_step=step,
        output=0.25,
        method="RK4",
        step=0.25,
        scheme=scheme,
        unchecked=True,
    )
    t = memory.t
    exact = (np.minimum(t, 2.0 - t) + 0.5 * t**2) / 2.0
    assert memory.u[:, 0] == pytest.approx(exact, abs=1e-9)
    assert len(restarts) == 1
    assert ramp._t == 4.0


def test_history_is_taken_back_with_the_pass(simulate, make_slider, make_attached):
    """A latch without events switches at the first accepted point beyond, in each pass anew.

    With fixed steps these points are the same in every scheme.
    """

    def run(**settings):
        model = make_slider(2.0)
        adapters = [Latch(model, source=False), make_attached(model)]
        return simulate(model, adapters, end=3.0, output=0.05, method="RK4", step=0.05, **settings)

    reference, _ = run(scheme="solver-call")
    memory, summary = run(communication_step=0.2)
    assert summary.passes > summary.communications
    assert memory.u[:, 0] == pytest.approx(reference.u[:, 0], abs=2e-3)
    push = np.array([s.loads["latch"][0, 0] for s in memory.samples])
    assert np.array_equal(push, [s.loads["latch"][0, 0] for s in reference.samples])
    assert {push[0], push[-1]} == {1.0, -1.0}


def test_an_accept_without_effect_changes_no_bit(simulate, make_slider, make_attached):
    """The derivative at the start of a pass is not that of a point noted inside it."""

    class Notes(Latch):
        def accept(self, t, state, x):
            self.last = t

    def run(effect):
        model = make_slider(2.0)
        latch = Notes(model, source=False)
        latch.accept_has_effect = effect
        return simulate(
            model,
            [latch, make_attached(model)],
            start={"s.position_rate": 1.0},
            end=1.0,
            communication_step=0.2,
            output=0.1,
            step=0.06,
        )[0]

    assert same(run(True), run(False))
