"""The run itself: time, repetition, events, ledger, errors."""

import math

import numpy as np
import pytest
from pydantic import ValidationError

from cosim.coupling.capabilities import EventSource, Restorable, Stepper
from cosim.coupling.equations import CoupledEquations
from cosim.coupling.evaluation import Evaluation
from cosim.coupling.held import HeldLoads
from cosim.coupling.manager import ExternalForcesManager
from cosim.coupling.template import Channel, TemplateInterface
from cosim.errors import AdapterError, CaseError, SolverError
from cosim.integrate.settings import TimeSettings
from cosim.integrate.simulation import Simulation
from cosim.model.system import System
from cosim.multibody.joint import JointModel


class Ramp(TemplateInterface, Stepper, Restorable):
    """Force and output equal to its own clock."""

    max_step = math.inf

    def __init__(self, model, name="ramp", max_step=math.inf):
        super().__init__(model, name, self.Options())
        self.bodies = ("a",)
        self.max_step = max_step
        self.spans = []
        self._t = self._shown = 0.0

    def initialize(self, t0, state):
        self._t = self._shown = t0

    def advance(self, motion):
        assert motion.t0 == self._t
        self.spans.append(motion.t1 - motion.t0)
        self._t = motion.t1

    def forces(self):
        return np.array([[self._t, 0.0, 0.0, 0.0, 0.0, 0.0]])

    def accept(self, t, state, x):
        self._shown = self._t

    def channels(self):
        return (Channel("t", "s", "own clock"),)

    def outputs(self):
        return np.array([self._shown])

    def save_state(self):
        return np.array([self._t, self._shown]).tobytes()

    def restore_state(self, state):
        self._t, self._shown = np.frombuffer(state).tolist()


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


class Breaks(TemplateInterface):
    """Returns NaN from t = 1 s on."""

    def __init__(self, model):
        super().__init__(model, "breaks", self.Options())
        self.bodies = ("a",)

    def initialize(self, t0, state):
        pass

    def update(self, t, state, x):
        self._load = np.full((1, 6), np.nan if t > 1.0 else 0.0)

    def forces(self):
        return self._load


def same(first, second):
    """Bit for bit, but for the channels that only the ledger has."""
    return len(first.samples) == len(second.samples) and all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for a, b in zip(first.samples, second.samples, strict=True)
        for name in ("q", "u", "v_dot")
    )


@pytest.mark.parametrize("scheme", ["explicit", "iterated"])
def test_6400_steps_of_1_over_6400_are_6400_calls(simulate, make_slider, make_attached, scheme):
    """preCICE #1866; the clock of the Stepper (checked in `advance`) is that of the run."""
    model = make_slider()
    adapter = make_attached(model)
    order = {"explicit": 0, "iterated": 1}[scheme]
    H = 1.0 / 6400.0
    _, summary = simulate(
        model,
        [adapter],
        start={"s.position_rate": 1.0},
        end=1.0,
        method="RK4",
        step=H,
        communication_step=H,
        scheme=scheme,
        order=order,
        unchecked=True,
        ledger=False,
        output=1.0,
    )
    assert summary.communications == 6400
    assert adapter.advances == summary.passes
    assert summary.passes == 6400 or scheme == "iterated"
    assert adapter._t == 1.0


@pytest.mark.parametrize(
    "settings", [{"scheme": "iterated"}, {"scheme": "explicit"}, {"scheme": "explicit", "order": 1}]
)
def test_a_ramp_is_not_shifted(simulate, make_slider, settings):
    """FMPy #664: outputs shifted by a step. Output instants fall between communications."""
    model = make_slider(2.0)
    memory, _ = simulate(
        model, [Ramp(model)], end=2.0, communication_step=0.1, output=0.03, **settings
    )
    t = memory.t
    assert t == pytest.approx(0.03 * np.arange(67), abs=1e-12)
    clock = np.array([s.outputs["ramp"][0] for s in memory.samples])
    assert clock == pytest.approx(t, abs=1e-12)
    assert np.array([s.loads["ramp"][0, 0] for s in memory.samples]) == pytest.approx(t, abs=1e-12)
    assert memory.u[:, 0] == pytest.approx(t**2 / 4.0, abs=1e-9)
    assert memory.v_dot[:, 0, 0] == pytest.approx(t / 2.0, abs=1e-12)


def test_solver_call_shows_its_steppers_as_they_are_inside_long_steps(simulate, make_slider):
    """Its steps are the integrator's: straight lines between their ends would be far off."""

    class Curve(Ramp):
        def outputs(self):
            return np.array([self._shown**2])

    model = make_slider(2.0)
    curve = Curve(model)
    memory, summary = simulate(model, [curve], end=8.0, scheme="solver-call", output=0.5)
    assert summary.steps < 16
    clock = np.array([s.outputs["ramp"][0] for s in memory.samples])
    assert clock == pytest.approx(memory.t**2, abs=1e-9)
    assert memory.u[:, 0] == pytest.approx(memory.t**2 / 4.0, rel=1e-6)
    assert curve._t == 8.0


def test_a_stepper_with_a_short_step_is_led_along_the_solution(simulate, make_slider):
    model = make_slider(2.0)
    adapter = Ramp(model, max_step=0.03)
    settings = {"scheme": "explicit", "order": 0, "unchecked": True}
    simulate(model, [adapter], end=1.0, communication_step=0.1, **settings)
    assert adapter.spans == pytest.approx([0.025] * 40)


@pytest.mark.parametrize("scheme", ["iterated", "explicit", "solver-call"])
@pytest.mark.parametrize("method", ["RK45", "Radau"])
def test_injected_rejected_trials_change_no_bit(
    simulate, make_slider, make_attached, monkeypatch, scheme, method
):
    def run():
        model = make_slider()
        return simulate(
            model,
            [make_attached(model, damping=1.0)],
            start={"s.position_rate": 1.0},
            end=1.0,
            communication_step=0.1,
            scheme=scheme,
            method=method,
            output=0.07,
        )[0]

    plain = run()
    rng = np.random.default_rng(0)
    advance, evaluate = CoupledEquations.advance, Evaluation.__call__

    def advance_after_trials(self, entry, start, end):
        saved = entry.restorable.save_state()
        for _ in range(rng.integers(0, 3)):
            wrong = end.copy()
            wrong.r[:] += rng.normal(size=3)
            advance(self, entry, start, wrong)
            entry.restorable.restore_state(saved)
        advance(self, entry, start, end)

    def evaluate_after_trials(self, t, y):
        if scheme != "solver-call":  # there a trial is an advance
            for _ in range(rng.integers(0, 3)):
                evaluate(self, t + rng.uniform(0.0, 0.1), y + rng.normal(size=y.size))
        return evaluate(self, t, y)

    monkeypatch.setattr(CoupledEquations, "advance", advance_after_trials)
    monkeypatch.setattr(Evaluation, "__call__", evaluate_after_trials)
    assert same(plain, run())


@pytest.mark.parametrize("method", ["RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA", "RK4"])
@pytest.mark.parametrize("scheme", ["iterated", "explicit", "solver-call"])
def test_the_ledger_changes_no_bit(simulate, make_slider, make_attached, scheme, method):
    def run(ledger):
        model = make_slider()
        return simulate(
            model,
            [make_attached(model, damping=1.0)],
            start={"s.position_rate": 1.0},
            end=0.7,
            communication_step=0.1,
            scheme=scheme,
            method=method,
            ledger=ledger,
            step=0.02 if method == "RK4" else None,
        )[0]

    assert same(run(True), run(False))


@pytest.mark.parametrize("method", ["RK45", "DOP853", "Radau", "LSODA", "BDF"])
def test_balance_at_tight_tolerance(simulate, make_slider, make_attached, method):
    """Issue: balance <= 1e-6 at rtol 1e-8."""
    model = make_slider()
    memory, summary = simulate(
        model,
        [make_attached(model)],
        start={"s.position_rate": 1.0},
        end=3.0,
        method=method,
        communication_step=0.1,
        rtol=1e-8,
        atol=1e-10,
        output=0.03,
    )
    assert np.abs(memory.scalar("ledger/balance")[3:]).max() <= 1e-6
    assert abs(summary.balance) <= 1e-6
    assert memory.scalar("residual").max() <= 1e-9


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


class Switch(Latch):
    """Pushes with +1 N until t = 1 s, then with -1 N."""

    def event(self, t, state, x):
        return t - 1.0

    def accept(self, t, state, x):
        if t >= 1.0:
            self._sign = -1.0


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


def test_divergence_names_time_and_body_and_keeps_what_there_was(make_slider, simulate):
    model = make_slider(1.0, elements={"f": {"type": "joint", "joint": "s", "law": "x**3"}})
    kept = []

    def prepare(simulation, memory):
        kept.append(memory)

    with pytest.raises(SolverError, match=r"stopped at t = \d.*body 'a' moves fastest"):
        simulate(
            model,
            [],
            start={"s.position": 1.0},
            end=10.0,
            output=0.1,
            prepare=prepare,
            ledger=False,
        )
    assert 10 < len(kept[0].samples) < 40
    assert np.isfinite(kept[0].q).all()


def test_a_load_that_is_not_finite_names_adapter_body_and_time(make_slider, simulate):
    model = make_slider()
    with pytest.raises(AdapterError, match=r"'breaks' at t = 1\.\d.* body 'a' is not finite"):
        simulate(model, [Breaks(model)], start={"s.position_rate": 1.0}, end=3.0, step=0.1)


def test_passes_that_never_agree_halve_the_step_then_stop(make_slider, make_attached, simulate):
    model = make_slider()
    with pytest.raises(SolverError, match=r"still change by .* after 1 passes over .*body 'a'"):
        simulate(
            model,
            [make_attached(model)],
            start={"s.position_rate": 1.0},
            end=1.0,
            communication_step=0.1,
            max_iterations=1,
            tolerance=1e-15,
        )


def test_halving_helps_where_passes_do_not_agree(make_slider, simulate):
    class Moody(Ramp):
        """Never twice the same over more than 0.15 s."""

        calls = 0

        def forces(self):
            self.calls += 1
            longest = max(self.spans[-1:], default=0.0)
            return super().forces() + (self.calls if longest > 0.15 else 0.0)

    model = make_slider(2.0)
    memory, summary = simulate(model, [Moody(model)], end=1.0, communication_step=0.4)
    assert summary.communications >= 10
    assert memory.samples[-1].t == 1.0
    assert memory.samples[-1].u[0] == pytest.approx(0.25, abs=1e-9)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"order": 0}, "interpolates with order 1 or 2"),
        ({"method": "RK4"}, "RK4 needs 'step'"),
    ],
)
def test_settings_that_do_not_fit_are_refused(make_slider, simulate, settings, message):
    model = make_slider()
    with pytest.raises(CaseError, match=message):
        simulate(model, [Ramp(model)], end=1.0, communication_step=0.1, **settings)


def test_a_run_ends_after_it_starts():
    with pytest.raises(ValidationError, match="'end' = 1 s must be after 'start' = 1 s"):
        TimeSettings(start=1.0, end=1.0)


def test_summary_counts_and_progress_reaches_the_end(make_slider, make_attached, simulate):
    model = make_slider()
    reached = []

    class Nothing:
        def record(self, sample):
            pass

    with ExternalForcesManager(model) as manager:
        manager.register(make_attached(model))
        settings = TimeSettings(end=1.0, communication_step=0.1)
        summary = Simulation(manager, settings, *model.initial({"s.position_rate": 1.0})).run(
            Nothing(), 0.5, reached.append
        )
    assert reached == pytest.approx(0.1 * np.arange(1, 11))
    assert (summary.start, summary.end, summary.communications) == (0.0, 1.0, 10)
    assert summary.passes >= 10
    assert summary.evaluations >= 6 * summary.steps
    assert set(summary.adapter_seconds) == {"mock"}
    assert summary.speed > 0.0


def test_a_communication_step_that_is_long_for_the_waves_is_told(
    make_slider, make_attached, simulate, caplog
):
    waves = {"waves": {"type": "regular", "height": 1, "period": 4, "ramp": 0}}
    model = make_slider(environment=waves)
    for step, said in ((0.2, False), (0.8, True)):
        caplog.clear()
        simulate(model, [make_attached(model)], end=1.6, communication_step=step)
        assert ("is long for waves of 4 s" in caplog.text) == said


@pytest.mark.parametrize("method", ["RK45", "RK23", "DOP853", "compiled", "Radau", "BDF", "LSODA"])
def test_a_system_without_freedom_can_be_run(simulate, method):
    fixed = {
        "bodies": {"a": {"mass": 1, "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
        "joints": {"j": {"type": "fixed", "child": "a"}},
    }
    memory, _ = simulate(JointModel(System.from_dict(fixed)), [], end=1.0, method=method)
    np.testing.assert_allclose(memory.t, [0.0, 0.5, 1.0])
