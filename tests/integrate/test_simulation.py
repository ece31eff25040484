"""The run itself: time, repetition, ledger, summary."""

import numpy as np
import pytest

from cosim.coupling.equations import CoupledEquations
from cosim.coupling.evaluation import Evaluation
from cosim.coupling.manager import ExternalForcesManager
from cosim.integrate.settings import TimeSettings
from cosim.integrate.simulation import Simulation
from cosim.model.system import System
from cosim.multibody.joint import JointModel

from .loads import Ramp, same


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
