"""A run that goes on from a saved state is bit for bit the one that saved it (issue 4, 5)."""

import math
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.coupling.capabilities import Stepper
from cosim.coupling.manager import ExternalForcesManager
from cosim.coupling.template import TemplateInterface
from cosim.errors import SolverError
from cosim.integrate.checkpoints import Checkpoints
from cosim.integrate.run_state import pack, unpack
from cosim.integrate.settings import TimeSettings
from cosim.integrate.simulation import Simulation
from cosim.multibody.joint import JointModel

from .conftest import Memory, attached, slider
from .test_events import Latch, Switch

CASES = Path(__file__).parents[2] / "cases"
METHODS = {
    "RK45": {},
    "RK23": {"rtol": 1e-5},
    "DOP853": {},
    "compiled": {},
    "RK4": {"step": 0.03},
    "Radau": {"rtol": 1e-5},
    "BDF": {"rtol": 1e-5},
    "LSODA": {},
}

SPRING = {"k": {"type": "joint", "joint": "s", "stiffness": 30.0}}


class Bench:
    """Runs one system again and again, each time from nothing."""

    def __init__(
        self, make, *adapters, start=None, begin=0.0, interval=0.4, output=0.1, **settings
    ):
        self._make, self._adapters, self._start = make, adapters, start or {}
        self._interval, self._output = interval, output
        self._settings = {"rtol": 1e-7, "atol": 1e-9, "start": begin, "end": 2.0, **settings}

    def run(self, *, state=None, interval=None, **changed):
        """Samples, states by time, and the summary of a whole run or of the rest of one."""
        model, memory, kept = self._make(), Memory(), {}
        settings = TimeSettings(**{**self._settings, **changed})
        checkpoints = Checkpoints(
            settings.start, interval or self._interval, self._output, kept.__setitem__
        )
        with ExternalForcesManager(model) as manager:
            for adapter in self._adapters:
                manager.register(adapter(model))
            simulation = Simulation(manager, settings, *model.initial(self._start))
            if state is None:
                summary = simulation.run(memory, self._output, checkpoints=checkpoints)
            else:
                simulation.resume(state, memory, self._output)
                summary = simulation.finish(checkpoints=checkpoints)
        return memory.samples, kept, summary

    def check(self, least=3):
        """Resume from some states; another end before makes no difference either."""
        samples, kept, summary = self.run()
        assert len(kept) >= least
        times = sorted(kept)
        for t in {times[0], times[1], times[len(times) // 2], times[-1]}:
            rest, later, again = self.run(state=kept[t])
            assert equal(rest, [s for s in samples if s.t > t + 1e-9])
            assert later == {s: kept[s] for s in kept if s > t}
            assert counted(again) == counted(summary)
            assert again.balance == summary.balance
        short, early, _ = self.run(end=0.77 * summary.end)
        assert early == {t: kept[t] for t in early}
        last = max(early)
        assert last >= 0.77 * summary.end - self._interval - 0.1
        rest, _, _ = self.run(state=early[last])
        assert equal([*(s for s in short if s.t <= last + 1e-9), *rest], samples)


def equal(first, second):
    return len(first) == len(second) and all(
        same(getattr(a, field.name), getattr(b, field.name))
        for a, b in zip(first, second, strict=True)
        for field in fields(a)
    )


def same(a, b):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if hasattr(a, "nodes"):
        return np.array_equal(a.nodes, b.nodes)
    if hasattr(a, "R"):
        return all(np.array_equal(getattr(a, n), getattr(b, n)) for n in ("r", "R", "v"))
    return np.array_equal(a, b)


def counted(summary):
    return (
        summary.steps,
        summary.rejected,
        summary.evaluations,
        summary.passes,
        summary.communications,
    )


def pendulum():
    return JointModel(cosim.read_case(CASES / "double_pendulum"))


@pytest.mark.parametrize("method", METHODS)
def test_free_runs_of_every_method(method):
    start = {"top.angle_deg": 100.0, "mid.angle_deg": 20.0}
    Bench(pendulum, start=start, method=method, **METHODS[method]).check()


@pytest.mark.parametrize("method", ["RK45", "compiled", "Radau"])
def test_closed_loops(method):
    def make():
        return JointModel(cosim.read_case(CASES / "slider_crank"))

    Bench(make, method=method, rtol=1e-6, end=1.5).check()


SCHEMES = {
    "iterated 1": {"scheme": "iterated"},
    "iterated 2": {"scheme": "iterated", "order": 2},
    "explicit 0": {"scheme": "explicit", "order": 0},
    "explicit 1": {"scheme": "explicit", "order": 1},
    "explicit 2": {"scheme": "explicit", "order": 2},
    "solver-call": {"scheme": "solver-call"},
}


def light(model):
    return attached(model, mass=0.3, damping=0.2)


def stiff(model):
    return attached(model, mass=0.1, stiffness=40.0, damping=0.4, name="second")


@pytest.mark.parametrize("method", ["RK45", "RK4", "Radau", "LSODA"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme(scheme, method):
    Bench(
        lambda: slider(elements=SPRING),
        light,
        stiff,
        start={"s.position": 0.3},
        communication_step=0.05,
        interval=0.13,  # between communication instants
        method=method,
        **SCHEMES[scheme],
        **METHODS[method],
    ).check()


def test_halved_steps():
    bench = Bench(
        lambda: slider(mass=0.5, elements=SPRING),
        lambda model: attached(model, mass=3.0, stiffness=30.0),
        start={"s.position": 0.3},
        communication_step=0.2,
        interval=0.05,
        max_iterations=2,
        tolerance=1e-2,
    )
    _, kept, _ = bench.run()
    assert any(unpack(state).clock[1] < 64 for state in kept.values())
    bench.check()


@pytest.mark.parametrize("companion", [None, "iterated", "explicit", "solver-call"])
@pytest.mark.parametrize("source", [Latch, Switch])
def test_events_and_history(source, companion):
    adapters = [source] if companion is None else [source, light]
    scheme = companion or "iterated"
    Bench(slider, *adapters, scheme=scheme, communication_step=0.1, end=2.5).check()


def test_an_end_that_cuts_the_last_step_is_recomputed():
    """At 0.9 s the short run stands between communication instants: that is in no checkpoint."""
    bench = Bench(slider, light, start={"s.position": 0.3}, communication_step=0.35, interval=0.3)
    _, kept, _ = bench.run()
    _, early, _ = bench.run(end=0.9)
    assert max(early) == pytest.approx(0.7)
    assert early == {t: kept[t] for t in early}


def test_a_start_that_is_not_zero():
    """The short run of `check` ends at 4.84 s, between checkpoints."""
    times = {"begin": 3.3, "end": 6.3}
    Bench(slider, light, start={"s.position": 0.1}, communication_step=0.07, **times).check()
    Bench(pendulum, start={"top.angle_deg": 60.0}, **times).check()


def test_instants_depend_on_the_time_alone():
    checkpoints = Checkpoints(2.0, 6.0, 0.1, lambda t, state: None)
    assert checkpoints.after(2.0) == 2.0 + 60 * 0.1
    assert checkpoints.after(7.9) == checkpoints.after(2.0)
    assert checkpoints.after(checkpoints.after(2.0)) == 2.0 + 120 * 0.1
    assert Checkpoints(0.0, 0.25, 0.1, lambda t, state: None).after(0.6) == 0.75


@pytest.mark.parametrize("start", [0.0, -7.3, 123456.789, 1e6, 1e9])
@pytest.mark.parametrize("interval", [0.01, 0.0137])
def test_instants_go_on_wherever_a_run_starts(start, interval):
    instants = [start]
    when = Checkpoints(start, interval, 0.005, keep=print)
    for _ in range(1000):
        instants.append(when.after(instants[-1]))
    assert np.diff(instants) == pytest.approx(interval, abs=1e-6)


def test_without_checkpoints_nothing_changes(simulate, make_slider, make_attached):
    """The same in one piece: `advance` to the end takes the steps of a run."""
    model = make_slider()
    whole, _ = simulate(model, [make_attached(model)], end=2, communication_step=0.1)
    again = make_slider()
    memory = Memory()
    with ExternalForcesManager(again) as manager:
        manager.register(make_attached(again))
        settings = TimeSettings(end=2, communication_step=0.1)
        simulation = Simulation(manager, settings, *again.initial({}))
        simulation.begin(memory, 0.5)
        simulation.advance(2.0)
    assert equal(memory.samples, whole.samples)


def test_going_back_and_forth_in_one_simulation():
    """As an outside master does it, without anybody who records."""
    model = slider()
    with ExternalForcesManager(model) as manager:
        manager.register(light(model))
        settings = TimeSettings(end=2, communication_step=0.05)
        simulation = Simulation(manager, settings, *model.initial({"s.position_rate": 1.0}))
        simulation.begin()
        simulation.advance(0.33)
        state = simulation.snapshot()
        assert simulation.snapshot() == state
        simulation.advance(0.5)
        there = simulation.snapshot()
        simulation.restore(state)
        assert simulation.t == 0.33
        assert simulation.snapshot() == state
        simulation.advance(0.4)
        simulation.restore(state)
        simulation.advance(0.5)
        assert simulation.snapshot() == there
        assert simulation.y == pytest.approx(unpack(there).y, abs=0.0)


def test_what_cannot_be_saved_is_named(make_slider):
    class Deaf(TemplateInterface, Stepper):
        max_step = math.inf
        bodies = ("a",)

        def initialize(self, t0, state): ...

        def advance(self, motion): ...

        def forces(self):
            return np.zeros((1, 6))

    model = make_slider()
    with ExternalForcesManager(model) as manager:
        manager.register(Deaf(model, "deaf", Deaf.Options()))
        settings = TimeSettings(end=1, scheme="explicit", unchecked=True, communication_step=0.1)
        simulation = Simulation(manager, settings, *model.initial({}))
        simulation.begin()
        assert simulation.unsaved() == ["deaf"]
        with pytest.raises(SolverError, match="'deaf' steps by itself and is not Restorable"):
            simulation.snapshot()


def test_states_of_others_are_refused(make_slider):
    _, kept, _ = Bench(slider, light, communication_step=0.1).run()
    state = kept[0.0]
    model = make_slider()
    with ExternalForcesManager(model) as manager:
        simulation = Simulation(manager, TimeSettings(end=1), *model.initial({}))
        with pytest.raises(SolverError, match="holds the adapters 'mock', and this run has none"):
            simulation.resume(state)
    model = pendulum()
    with ExternalForcesManager(model) as manager:
        simulation = Simulation(manager, TimeSettings(end=1), *model.initial({}))
        with pytest.raises(SolverError, match="2 variables, and this system 4"):
            simulation.resume(state)
    for damaged in (b"", state[:-1], b"\x80", b"nonsense" * 20, state + b"\x00"):
        with pytest.raises(SolverError, match="no state of a run"):
            unpack(damaged)


def test_packing_keeps_every_bit():
    _, kept, _ = Bench(slider, light, communication_step=0.1).run()
    for state in kept.values():
        assert pack(unpack(state)) == state
