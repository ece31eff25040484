"""Steps of a conserving method for a model."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from cosim.algebra.types import Float
from cosim.errors import ModelError, SolverError
from cosim.multibody.cartesian.arrays import FULL
from cosim.multibody.cartesian.conserving.arrays import (
    FORCE,
    ITERATIONS,
    USABLE,
    Step,
    curvature_of,
    new_step,
    step_handle,
)
from cosim.multibody.cartesian.conserving.march import march, march_ggl
from cosim.multibody.cartesian.conserving.slopes import element_pairs, new_slopes
from cosim.multibody.cartesian.memory import handle_of
from cosim.multibody.cartesian.parts import Parts
from cosim.multibody.cartesian.saddle.system import new_saddle
from cosim.multibody.cartesian.saddle.twofold import new_twofold

__all__ = ["Advance", "ConservingSteps", "Variant"]

Variant = Literal["midpoint", "midpoint_ggl"]

_NOTHING = np.zeros((0, 6))


@dataclass(frozen=True)
class Advance:
    """One step of a conserving method.

    Attributes
    ----------
    q, u : (nq,), (nu,)
        At its end.
    multipliers : (m,)
        λ over the step, first order; the force of the constraints is -Gᵀ λ.
    power : float
        Of all elements apart from potentials, W: kinetic plus potential energy grow by
        h times this and the work of external loads.
    iterations : int
    """

    q: Float
    u: Float
    multipliers: Float
    power: float
    iterations: int


class ConservingSteps:
    """Steps that keep energy, momenta and position constraints to rounding.

    PH-MP of the port-Hamiltonian paper (eqs. 48 to 50), for bodies with three directors.

    Parameters
    ----------
    parts : Parts
        Of a :class:`~cosim.multibody.cartesian.model.CartesianModel`.
    massive : sequence of int
        Bodies with added mass, in :meth:`step`.
    variant : {"midpoint", "midpoint_ggl"}
        PH-MP, or PH-MP-GGL, which keeps velocities on the constraints too.

    Raises
    ------
    ModelError
        A body with two directors, whose mass depends on the coordinates, or one without
        inertia along a director.
    """

    def __init__(
        self, parts: Parts, massive: tuple[int, ...] = (), *, variant: Variant = "midpoint"
    ) -> None:
        memory = parts.memory
        reduced = np.flatnonzero(memory.frames.kind != FULL)
        if reduced.size:
            raise ModelError(
                "the midpoint methods need three directors for every body, and "
                f"{reduced.size} have two; take 'bodies: full'"
            )
        if np.any(memory.rows.law >= 0):
            raise ModelError(
                "the midpoint methods know no prescribed motions; take another method of time "
                "integration"
            )
        if parts.flat:
            raise ModelError(
                "the midpoint methods need inertia along all three directors, and body "
                f"'{parts.bodies[parts.flat[0]]}' is flat or thin: two of its principal moments "
                "add up to the third; give it some thickness"
            )
        touched, pairs = element_pairs(memory)
        saddle = new_saddle(
            *(memory.frames, memory.rows, parts.rigid),
            dense=sorted({*massive, *touched}),
            couplings=sorted({*combinations(sorted(massive), 2), *pairs}),
            curved=True,
            softness=float(memory.saddle.softness[0]),
        )
        self._memory = handle_of(memory._replace(saddle=saddle))
        self._ggl = variant == "midpoint_ggl"
        n, m = len(memory.frames.kind), len(memory.rows.law)
        windings = int((memory.coordinates.winding >= 0).sum())
        self._step: Step = new_step(
            (n, m, windings),
            curvature_of(memory.rows, saddle),
            new_slopes(touched, pairs, n, len(saddle.pairs)),
            new_twofold(saddle.matrix if self._ggl else None),
        )
        self._handle = step_handle(self._step)
        self._march = march_ggl if self._ggl else march
        self._h = 0.0

    def march(self, t: float, h: float, start: tuple[Float, Float], steps: int) -> Advance:
        """Many steps of h seconds from coordinates and speeds `start` at t, without other loads.

        Raises
        ------
        SolverError
            Newton's method fails in a step; names its time.
        """
        self._begin(start, h)
        nothing = (_NOTHING, _NOTHING)
        taken = self._march(self._memory, self._handle, (t, h), nothing, steps)
        if taken < steps:
            raise _failure(t + taken * h, h)
        return self._result(h)

    def step(
        self,
        t: float,
        h: float,
        start: tuple[Float, Float],
        loads: tuple[Float, Float | None] | None = None,
        *,
        guess: Float | None = None,
    ) -> Advance:
        """One step of h seconds from coordinates and speeds `start` at t.

        Parameters
        ----------
        t, h : float
            s.
        start : ((nq,), (nu,))
        loads : ((n, 6), (6n, 6n) or None), optional
            External wrenches g at the midpoint, at the centres of gravity, world axes, and added
            mass M_a: the bodies get T_mᵀ (g - M_a (V_+ - V) / h) with V = T(q) v.
        guess : (nu,), optional
            Of the mean velocity (q_+ - q) / h.

        Raises
        ------
        SolverError
            Newton's method fails.
        """
        self._begin(start, h)
        if guess is not None:
            self._step.rate.reshape(-1)[:] = guess
        g, Ma = loads or (_NOTHING, None)
        both = (g, _NOTHING if Ma is None else Ma)
        if self._march(self._memory, self._handle, (t, h), both, 1) < 1:
            raise _failure(t, h)
        return self._result(h)

    def forget(self) -> None:
        """Keep nothing of earlier steps: what follows depends on its start alone."""
        self._step.counter[USABLE] = 0
        self._step.row[FORCE] = 0.0

    def _begin(self, start: tuple[Float, Float], h: float) -> None:
        q, u = start
        step = self._step
        step.x0.reshape(-1)[:] = q[: step.x0.size]
        step.winding[:] = q[step.x0.size :]
        step.v0.reshape(-1)[:] = u
        step.rate[:] = step.v0
        if h != self._h:
            step.counter[USABLE] = 0
            step.row[FORCE] *= h / self._h if self._h else 0.0
            self._h = h

    def _result(self, h: float) -> Advance:
        step = self._step
        return Advance(
            np.concatenate([step.x1.ravel(), step.winding]),
            step.v1.ravel().copy(),
            step.row[FORCE] * ((1.0 if self._ggl else 2.0) / h),
            float(step.energy[2]),
            int(step.counter[ITERATIONS]),
        )


def _failure(t: float, h: float) -> SolverError:
    return SolverError(
        f"Newton's method fails in the midpoint step of {h:g} s from t = {t:g} s; take a smaller "
        "step, or a method of time integration that adapts it"
    )
