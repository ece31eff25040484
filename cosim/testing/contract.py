"""The contract of :mod:`cosim.coupling.template` as tests that any adapter can run.

Derive a test class and build a case; pytest (or unittest's loader) runs the rest::

    class TestMyAdapter(AdapterContract):
        def case(self):
            model = JointModel(system)
            adapter = MyAdapter(model, "mine", MyAdapter.Options(...))
            return ContractCase(model, adapter, *model.initial())

A test of a capability that the adapter does not have is skipped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import SkipTest

import numpy as np

from cosim.analysis.adapter_terms import differentiated
from cosim.coupling.capabilities import (
    ContinuousStates,
    Linearisable,
    Plottable,
    StaticLoads,
    Stepper,
    WaveExcited,
)
from cosim.coupling.entry import Entry
from cosim.coupling.manager import ExternalForcesManager
from cosim.coupling.motion import Motion
from cosim.errors import AdapterError
from cosim.multibody.interface import Float, State
from cosim.testing.case import ContractCase
from cosim.testing.skips import require, restorable_of, stepper_of

__all__ = ["AdapterContract"]

_LINEAR = 1e-6
"""Difference, relative to the largest entry, that rounding may make of a derivative."""


class AdapterContract(ABC):
    """Tests of one adapter; see the module."""

    @abstractmethod
    def case(self) -> ContractCase:
        """Build a fresh case; called once per test."""

    @contextmanager
    def opened(self) -> Iterator[ContractCase]:
        """A case whose adapter is ended in any event."""
        case = self.case()
        try:
            yield case
        finally:
            case.adapter.end()

    def test_manager_accepts_it(self) -> None:
        """Bodies exist; history can be undone."""
        with self.opened() as case:
            ExternalForcesManager(case.model).register(case.adapter)

    def test_options_are_strict(self) -> None:
        """An unknown option is refused."""
        with self.opened() as case:
            options = type(case.adapter).Options
            assert options.model_config.get("extra") == "forbid"

    def test_load_at_the_start(self) -> None:
        """Finite loads of the right shape, added mass symmetric, right after initialize."""
        with ExternalForcesManager((case := self.case()).model) as manager:
            manager.register(case.adapter)
            y = manager.initialize(0.0, case.q, case.u)
            derivative = manager.equations.evaluation(0.0, y)
            assert np.isfinite(derivative).all()

    def test_channels_match_outputs(self) -> None:
        """One value per declared channel, names unique, units given."""
        with self.opened() as case:
            state, x = case.start(), case.own_states()
            if not isinstance(case.adapter, Stepper):
                case.adapter.update(0.0, state, x)
            case.adapter.accept(0.0, state, x)
            channels = case.adapter.channels()
            names = [channel.name for channel in channels]
            assert len(set(names)) == len(names)
            assert all(channel.units and channel.long_name for channel in channels)
            assert case.adapter.outputs().shape == (len(channels),)

    def test_update_is_pure(self) -> None:
        """Same arguments, same result, whatever was evaluated in between."""
        with self.opened() as case:
            require(not isinstance(case.adapter, Stepper), "Steppers get no update")
            case.start()
            x = case.own_states()
            first = case.evaluate(1, x).copy()
            for n in (3.0, 0.5, 2.0):
                case.evaluate(n, x + 0.1, phase=0.3)
            assert np.array_equal(case.evaluate(1, x), first)

    def test_restored_step_is_bit_equal(self) -> None:
        """Save, advance, restore, advance: the same loads to the last bit."""
        with self.opened() as case:
            stepper, restorable = stepper_of(case), restorable_of(case)
            previous = case.start()
            saved = restorable.save_state()
            end = case.state(1)
            stepper.advance(Motion(previous, end))
            first = case.load().copy()
            restorable.restore_state(saved)
            stepper.advance(Motion(previous, end))
            assert np.array_equal(case.load(), first)

    def test_rejected_trials_change_nothing(self) -> None:
        """Trials that are taken back leave a run of five steps as it was, bit by bit."""
        assert np.array_equal(self._five_steps(trials=True), self._five_steps(trials=False))

    def test_repeated_history_is_bit_equal(self) -> None:
        """Accepted points that are taken back leave later loads as they were."""
        with self.opened() as case:
            require(not isinstance(case.adapter, Stepper), "Steppers are tested by steps")
            restorable = restorable_of(case)
            case.start()
            x = case.own_states()
            case.adapter.update(case.step, case.state(1), x)
            case.adapter.accept(case.step, case.state(1), x)
            saved = restorable.save_state()
            first = case.evaluate(2, x).copy()
            for n in (2, 3):
                case.evaluate(n, x, phase=0.5)
                case.adapter.accept(n * case.step, case.state(n, phase=0.5), x)
            restorable.restore_state(saved)
            assert np.array_equal(case.evaluate(2, x), first)

    def test_foreign_state_is_refused(self) -> None:
        """A cut-off state, and bytes that are no state, are refused."""
        with self.opened() as case:
            restorable = restorable_of(case)
            case.start()
            saved = restorable.save_state()
            require(len(saved) > 0, "nothing to save")
            for wrong in (saved[:-8], b"not a state"):
                try:
                    restorable.restore_state(wrong)
                except AdapterError:
                    continue
                raise AssertionError("a state that is none was accepted")

    def test_own_states_are_described(self) -> None:
        """Initial values, positive scales and derivatives of the declared number."""
        with self.opened() as case:
            adapter = case.adapter
            if not isinstance(adapter, ContinuousStates):
                raise SkipTest("no continuous states")
            case.start()
            x = case.own_states()
            adapter.update(0.0, case.state(0), x)
            assert x.shape == (adapter.n_states,)
            assert adapter.state_scales().shape == (adapter.n_states,)
            assert (adapter.state_scales() > 0.0).all()
            assert adapter.derivatives().shape == (adapter.n_states,)

    def test_static_loads_before_initialize(self) -> None:
        """Static loads of the right shape before the run, twice the same."""
        with self.opened() as case:
            if not isinstance(case.adapter, StaticLoads):
                raise SkipTest("no static loads")
            state = case.state(0)
            first = case.adapter.static_forces(state).copy()
            assert first.shape == (len(case.adapter.bodies), 6)
            assert np.array_equal(case.adapter.static_forces(state), first)

    def test_linearisation_has_the_right_shapes(self) -> None:
        """All matrices fit the bodies and the states."""
        with self.opened() as case:
            if not isinstance(case.adapter, Linearisable):
                raise SkipTest("no linearisation")
            state, x = case.start(), case.own_states()
            linear = case.adapter.linearise(state, x)
            n, m = 6 * len(case.adapter.bodies), x.size
            shapes = [a.shape for a in (linear.K, linear.C, linear.Ma)]
            assert shapes == [(n, n)] * 3
            assert linear.F0.shape == (n,)
            assert (linear.Ax.shape, linear.Bv.shape, linear.Cx.shape) == ((m, m), (m, n), (n, m))

    def test_linearisation_is_that_of_its_loads(self) -> None:
        """What it says of its first-order loads is what differences of its loads say."""
        with self.opened() as case:
            adapter = case.adapter
            if not isinstance(adapter, Linearisable):
                raise SkipTest("no linearisation")
            state, x = case.start(), case.own_states()
            told = adapter.linearise(state, x)
            found = differentiated(Entry(adapter, case.model, 0), state, x).linear
            for name in ("K", "C", "Ma", "Ax", "Bv", "Cx"):
                a, b = getattr(told, name), getattr(found, name)
                scale = max(np.abs(a).max(initial=0.0), np.abs(b).max(initial=0.0))
                wrong = np.abs(a - b).max(initial=0.0)
                assert wrong <= _LINEAR * scale, f"{name} is off by {wrong:.3g} of {scale:.3g}"

    def test_excitation_has_the_right_shape(self) -> None:
        """One complex load per frequency."""
        with self.opened() as case:
            adapter = case.adapter
            if not isinstance(adapter, WaveExcited):
                raise SkipTest("no load in waves")
            load = adapter.wave_excitation(np.array([0.5, 1.0, 1.5]), 0.0)
            assert load.shape == (3, 6 * len(adapter.bodies))
            assert np.iscomplexobj(load)

    def test_shapes_keep_names_and_sizes(self) -> None:
        """What is drawn has the same parts at every instant."""
        with self.opened() as case:
            if not isinstance(case.adapter, Plottable):
                raise SkipTest("nothing to draw")
            case.start()
            first = [(s.name, s.kind, s.nodes.shape) for s in case.adapter.shapes()]
            self._advance(case, 1)
            assert [(s.name, s.kind, s.nodes.shape) for s in case.adapter.shapes()] == first

    def test_end_twice(self) -> None:
        """`end` may be called twice, and without `initialize`."""
        with self.opened() as case:
            case.start()
            case.adapter.end()
            case.adapter.end()
        self.case().adapter.end()

    def test_abort_then_end(self) -> None:
        """`abort` may come at any time, and `end` after it."""
        with self.opened() as case:
            case.start()
            case.adapter.abort("another adapter failed")
            case.adapter.end()
        self.case().adapter.abort("nothing has begun")

    def test_error_names_adapter_and_time(self) -> None:
        """A motion that is not finite ends in an AdapterError naming adapter and time."""
        case = self.case()
        with ExternalForcesManager(case.model) as manager:
            manager.register(case.adapter)
            y = manager.initialize(0.0, case.q, case.u)
            y[:] = np.nan
            caught: AdapterError | None = None
            try:
                self._provoke(case, manager, y)
            except AdapterError as error:
                caught = error
            assert caught is not None, "a motion that is not finite was accepted"
            assert (caught.adapter, caught.t) == (case.adapter.name, case.step)

    def _provoke(self, case: ContractCase, manager: ExternalForcesManager, y: Float) -> None:
        equations = manager.equations
        with np.errstate(all="ignore"):
            equations.tell_coordinates(case.step, y)
            if isinstance(case.adapter, Stepper):
                start = case.state(0)
                end = equations.parts(equations.state(case.step, y))[0]
                equations.advance(equations.steppers[0], start, end)
                assert equations.held is not None
                equations.held.read(case.step)
            else:
                equations.evaluation(case.step, y)

    def _five_steps(self, *, trials: bool) -> Float:
        with self.opened() as case:
            if trials and isinstance(case.adapter, Stepper):
                restorable_of(case)
            previous = case.start()
            loads = []
            for n in range(1, 6):
                if trials:
                    self._rejected_trial(case, previous, n)
                loads.append(self._advance(case, n, previous))
                previous = case.state(n)
            return np.array(loads)

    def _rejected_trial(self, case: ContractCase, previous: State, n: int) -> None:
        adapter = case.adapter
        if isinstance(adapter, Stepper):
            restorable = restorable_of(case)
            saved = restorable.save_state()
            wrong = case.state(n - 0.5, phase=0.02)
            adapter.advance(Motion(previous, wrong))
            restorable.restore_state(saved)
        else:
            case.evaluate(n + 0.5, case.own_states(), phase=0.3)

    def _advance(self, case: ContractCase, n: int, previous: State | None = None) -> Float:
        end, x = case.state(n), case.own_states()
        if isinstance(case.adapter, Stepper):
            start = case.state(n - 1) if previous is None else previous
            case.adapter.advance(Motion(start, end))
        else:
            case.adapter.update(n * case.step, end, x)
        load = case.load().copy()
        case.adapter.accept(n * case.step, end, x)
        return load
