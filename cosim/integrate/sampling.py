"""Samples of the converged solution at output instants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cosim.coupling.capabilities import Plottable, Shape
from cosim.coupling.entry import Entry, adapter_errors
from cosim.coupling.equations import CoupledEquations
from cosim.coupling.ledger import Ledger
from cosim.coupling.template import NO_STATES
from cosim.integrate.piece import Outcome
from cosim.integrate.residual import Residual
from cosim.integrate.sample import Recorder, Sample
from cosim.integrate.scheme import Scheme
from cosim.multibody.interface import Float

__all__ = ["Sampler", "SamplerState", "Shown"]

_SNAP = 1e-9


@dataclass(frozen=True)
class Shown:
    """What a Stepper shows at a communication instant."""

    t: float
    outputs: Mapping[str, Float]
    shapes: Mapping[str, Sequence[Shape]]


@dataclass(frozen=True)
class SamplerState:
    """Number of the next instant, what was shown last, and the last balance."""

    next: int
    shown: Shown | None
    balance: float


class Sampler:
    """Evaluates the solution at start + j step and hands the samples to the recorder.

    Inside a step the loads are those that the step used, before its end is accepted; at
    its end they are the accepted ones. What Steppers show (outputs and shapes) is
    interpolated linearly between communication instants; where the scheme leads them to every
    point, they show that.

    Parameters
    ----------
    equations : CoupledEquations
    recorder : Recorder
    ledger : Ledger or None
    start, step : float
        s.
    """

    def __init__(
        self,
        equations: CoupledEquations,
        recorder: Recorder,
        ledger: Ledger | None,
        *,
        start: float,
        step: float,
    ) -> None:
        self._equations = equations
        self._recorder = recorder
        self._ledger = ledger
        self._start, self._step = start, step
        self._next = 0
        self._residual = Residual(equations.model, equations.entries)
        self._pending: list[Sample] = []
        self._shown: Shown | None = None
        self._nothing = np.zeros(equations.evaluation.quadrature.values.size)
        self.balance = 0.0

    def first(self, t: float, y: Float) -> None:
        """Record the start."""
        self._next = 1
        self._shown = self._show(t)
        sample = self._sample(t, y, self._nothing)
        self._recorder.record(self._with_steppers(sample, self._shown))

    @property
    def memory(self) -> SamplerState:
        """What `recall` puts back at a committed point."""
        return SamplerState(self._next, self._shown, self.balance)

    def recall(self, memory: SamplerState) -> None:
        """Go on where `memory` was taken."""
        self._next, self._shown, self.balance = memory.next, memory.shown, memory.balance
        self._pending.clear()

    def inside(self, scheme: Scheme, outcome: Outcome) -> None:
        """Evaluate the instants inside a converged step that is not committed yet."""
        end = outcome.t1 - _SNAP * self._step
        if self._instant() >= end:
            return
        for piece in scheme.relive(outcome):
            last = piece.t1 - _SNAP * self._step  # its end is sampled after it was accepted
            while (t := self._instant()) < min(end, last):
                sample = self._sample(t, outcome.at(t), outcome.total_to(t))
                self._pending.append(self._led(sample, t) if scheme.leads_trials else sample)
                self._next += 1

    def finish(self, outcome: Outcome) -> None:
        """Record them, and the end if it is an instant, after it was accepted."""
        at_end = abs(self._instant() - outcome.t1) <= _SNAP * self._step
        if not (self._pending or at_end or self._soon(outcome)):
            return
        shown = self._show(outcome.t1)
        for sample in self._pending:
            self._recorder.record(self._with_steppers(sample, shown))
        self._pending.clear()
        if at_end:
            sample = self._sample(outcome.t1, outcome.y1, self._nothing)
            self._recorder.record(self._with_steppers(sample, shown))
            self._next += 1
        self._shown = shown

    def _instant(self) -> float:
        return self._start + self._next * self._step

    def _soon(self, outcome: Outcome) -> bool:
        """Whether the next instant may lie inside the next step."""
        return self._instant() < outcome.t1 + 2.0 * (outcome.t1 - outcome.t0)

    def _sample(self, t: float, y: Float, increment: Float) -> Sample:
        equations = self._equations
        evaluation = equations.evaluation
        evaluation(t, y)
        state, v_dot = evaluation.state.copy(), evaluation.v_dot.copy()
        loads = evaluation.net_loads()
        energy, elements = equations.model.energy(), equations.model.element_values()
        updated = [e for e in equations.entries if e.stepper is None]
        outputs, shapes = _outputs(updated, t), _shapes(updated, t)
        scalars = {"residual": self._residual(state, v_dot, loads)}
        if self._ledger is not None:
            scalars |= self._ledger.channels(increment, energy)
            self.balance = scalars["ledger/balance"]
        else:
            scalars |= {"energy/kinetic": energy.kinetic, "energy/potential": energy.potential}
        given, speeds, _ = equations.split(y)
        if equations.model.closures:
            scalars["closure/gap"] = float(np.abs(equations.model.constraint_violation()).max())
        q, u = equations.model.closed(given, speeds)
        if equations.model.closures:
            shift = equations.model.difference(q, given)
            scalars["closure/shift"] = float(np.abs(shift).max())
        return Sample(
            *(t, q.copy(), u.copy(), state, v_dot, loads, outputs),
            elements=elements,
            scalars=scalars,
            shapes=shapes,
            frames=evaluation.frames(y),
        )

    def _led(self, sample: Sample, t: float) -> Sample:
        """With what Steppers show at the point just evaluated; the commit takes them back."""
        for entry in self._equations.steppers:
            with adapter_errors(entry.name, t):
                entry.adapter.accept(t, entry.part(sample.state), NO_STATES)
        return _shows(sample, self._show(t))

    def _show(self, t: float) -> Shown:
        steppers = self._equations.steppers
        return Shown(t, _outputs(steppers, t), _shapes(steppers, t))

    def _with_steppers(self, sample: Sample, shown: Shown) -> Sample:
        before = self._shown
        if all(entry.name in sample.outputs for entry in self._equations.steppers):
            return sample
        if before is not None and before.t < shown.t and sample.t != shown.t:
            s = (sample.t - before.t) / (shown.t - before.t)
            outputs = {
                name: value + (1.0 - s) * (before.outputs[name] - value)
                for name, value in shown.outputs.items()
            }
            shapes = {
                name: [
                    Shape(b.name, b.kind, b.nodes + (1.0 - s) * (a.nodes - b.nodes))
                    for a, b in zip(before.shapes[name], value, strict=True)
                ]
                for name, value in shown.shapes.items()
            }
            shown = Shown(sample.t, outputs, shapes)
        return _shows(sample, shown)


def _shows(sample: Sample, shown: Shown) -> Sample:
    outputs, shapes = {**sample.outputs, **shown.outputs}, {**sample.shapes, **shown.shapes}
    return replace(sample, outputs=outputs, shapes=shapes)


def _outputs(entries: Sequence[Entry], t: float) -> dict[str, Float]:
    outputs = {}
    for entry in entries:
        with adapter_errors(entry.name, t):
            outputs[entry.name] = np.array(entry.adapter.outputs(), dtype=float)
    return outputs


def _shapes(entries: Sequence[Entry], t: float) -> dict[str, Sequence[Shape]]:
    shapes: dict[str, Sequence[Shape]] = {}
    for entry in entries:
        if entry.plottable:
            assert isinstance(entry.adapter, Plottable)
            with adapter_errors(entry.name, t):
                shapes[entry.name] = [
                    Shape(s.name, s.kind, np.array(s.nodes, dtype=float))
                    for s in entry.adapter.shapes()
                ]
    return shapes
