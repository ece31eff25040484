"""When Newton's method of a step has converged, when it has failed, and when factors are kept."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.multibody.cartesian.conserving.arrays import (
    FACTORISATIONS,
    ITERATIONS,
    LAST_CHANGE,
    USABLE,
    Step,
)

__all__ = ["CONVERGED", "FAILED", "GO_ON", "begin_newton", "judge", "needs_factors"]

CONVERGED, FAILED, GO_ON = range(3)

_PASSES = 40
# factors are made anew where a change is not smaller than this share of the one before
_SLOW = 0.1
# relative changes: rounding, and what rounding may keep from becoming smaller
_EXACT, _CLOSE = 1e-16, 1e-12


@compiled
def begin_newton(step: Step) -> None:
    """Forget the last step's iterations, but not its factors."""
    step.counter[ITERATIONS] = step.counter[FACTORISATIONS] = 0
    step.energy[LAST_CHANGE] = -1.0


@compiled
def needs_factors(step: Step) -> bool:
    """Whether the matrix must be factorised now; counts on that it is."""
    if step.counter[USABLE] == 1:
        return False
    step.counter[FACTORISATIONS] += 1
    step.counter[USABLE] = 1
    return True


@compiled
def judge(step: Step, change: float) -> int:
    """`CONVERGED`, `FAILED` or `GO_ON` after a pass that changed the unknowns by `change`."""
    before = step.energy[LAST_CHANGE]
    step.counter[ITERATIONS] += 1
    if not change < 1e300:
        step.counter[USABLE] = 0
        return FAILED
    slow = before >= 0.0 and change > _SLOW * before
    settled = slow and step.counter[FACTORISATIONS] > 0 and change < _CLOSE
    if change <= _EXACT or (settled and change > 0.5 * before):
        return CONVERGED
    if slow or step.counter[ITERATIONS] >= _PASSES:
        step.counter[USABLE] = 0
    step.energy[LAST_CHANGE] = change
    return FAILED if step.counter[ITERATIONS] >= _PASSES else GO_ON
