"""The plain arrays of one step of a conserving method."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
from numba.core import types
from numba.experimental import structref

from cosim.algebra.compiled import compiled
from cosim.algebra.types import Float
from cosim.multibody.cartesian.arrays import Index, Rows
from cosim.multibody.cartesian.conserving.slopes import Slopes
from cosim.multibody.cartesian.saddle.pattern import products
from cosim.multibody.cartesian.saddle.system import Saddle
from cosim.multibody.cartesian.saddle.twofold import Twofold

__all__ = [
    "CHANGE",
    "FACTORISATIONS",
    "FORCE",
    "ITERATIONS",
    "LAST_CHANGE",
    "RESIDUAL",
    "USABLE",
    "VELOCITY",
    "Curvature",
    "Step",
    "curvature_of",
    "new_step",
    "step_handle",
]

# entries of `Step.counter`: iterations, factorisations, whether the factors may be used again
ITERATIONS, FACTORISATIONS, USABLE = range(3)

# entry of `Step.energy`: that of the last pass of Newton's method
LAST_CHANGE = 3

# rows of `Step.row`: multipliers of the force; of the velocity (GGL); residual; increments
FORCE, VELOCITY, RESIDUAL, CHANGE = range(4)


class Curvature(NamedTuple):
    """Second derivatives of the constraints: the entries h 1 of Σ λ H.

    Attributes
    ----------
    row : (c,)
    vectors : (c, 4)
        Side and vector (s, k), then (r, l), that it belongs to.
    address : (c, 3)
        Of its three diagonal entries in the saddle matrix.
    """

    row: Index
    vectors: Index
    address: Index


class Step(NamedTuple):
    """One step from (x0, v0) to (x1, v1), all (n, 12).

    Attributes
    ----------
    x0, v0, x1, v1 : (n, 12)
    xm, rate, mean : (n, 12)
        (x0 + x1) / 2, (x1 - x0) / h and (v0 + v1) / 2.
    force : (n, 12)
        At the midpoint, without the constraints'.
    residual, change : (nu,)
    row : (4, m)
    upper, lower, bent, turned : (m, 2, 12)
        G(x_m), G(x1), D for the mean velocity and for v1.
    curvature : Curvature
    counter : (3,)
        `ITERATIONS`, `FACTORISATIONS`, `USABLE`.
    slopes : Slopes
    twofold : Twofold
        Newton matrix of GGL.
    energy : (4,)
        Potential of the elements but tensions at x0 and at x1, J; power of all elements at the
        midpoint, W, apart from potentials; `LAST_CHANGE`.
    winding : (w,)
        Angles of joints, at x0 while the step is under way.
    jump : (n, 6)
        Change of the twists over the step.
    load, six : (6,), (6, 6)
        Scratch.
    """

    x0: Float
    v0: Float
    x1: Float
    v1: Float
    xm: Float
    rate: Float
    mean: Float
    force: Float
    residual: Float
    change: Float
    row: Float
    upper: Float
    lower: Float
    bent: Float
    turned: Float
    curvature: Curvature
    slopes: Slopes
    twofold: Twofold
    counter: Index
    energy: Float
    winding: Float
    jump: Float
    load: Float
    six: Float


def new_step(
    sizes: tuple[int, int, int], curvature: Curvature, slopes: Slopes, twofold: Twofold
) -> Step:
    """A step with everything zero; `sizes` are the numbers of bodies, rows and windings."""
    n, m, windings = sizes
    state = (np.zeros((n, 12)) for _ in range(8))
    x0, v0, x1, v1, xm, rate, mean, force = state
    return Step(
        x0=x0,
        v0=v0,
        x1=x1,
        v1=v1,
        xm=xm,
        rate=rate,
        mean=mean,
        force=force,
        residual=np.zeros(12 * n),
        change=np.zeros(12 * n),
        row=np.zeros((4, m)),
        upper=np.zeros((m, 2, 12)),
        lower=np.zeros((m, 2, 12)),
        bent=np.zeros((m, 2, 12)),
        turned=np.zeros((m, 2, 12)),
        curvature=curvature,
        slopes=slopes,
        twofold=twofold,
        counter=np.zeros(3, dtype=np.int64),
        energy=np.zeros(4),
        winding=np.zeros(windings),
        jump=np.zeros((n, 6)),
        load=np.zeros(6),
        six=np.zeros((6, 6)),
    )


def curvature_of(rows: Rows, saddle: Saddle) -> Curvature:
    """Collect the second derivatives of all rows of bodies with three directors."""
    row: list[int] = []
    vectors: list[tuple[int, int, int, int]] = []
    address: list[Index] = []
    pairs = {(int(i), int(j)): p for p, (i, j) in enumerate(saddle.pairs)}
    for number in range(len(rows.law)):
        for (s, k), (r, l) in products(rows, number):  # noqa: E741
            i, j = int(rows.body[number, s]), int(rows.body[number, r])
            if i == j:
                block = saddle.block[i]
            else:
                block = saddle.coupling[pairs[min(i, j), max(i, j)], int(i > j)]
            row.append(number)
            vectors.append((s, k, r, l))
            address.append(np.array([block[3 * k + c, 3 * l + c] for c in range(3)]))
    return Curvature(
        np.array(row, dtype=np.int64),
        np.array(vectors, dtype=np.int64).reshape(-1, 4),
        np.array(address, dtype=np.int64).reshape(-1, 3),
    )


def step_handle(step: Step) -> Step:
    """The same arrays behind one pointer, as in :mod:`cosim.multibody.cartesian.memory`."""
    return cast(Step, _handle(step))


@structref.register
class _HandleType(types.StructRef):
    """Type of the handle, in kernels."""


class _Handle(structref.StructRefProxy):
    """The handle, in Python."""


structref.define_proxy(_Handle, _HandleType, list(Step._fields))  # type: ignore[no-untyped-call]


@compiled
def _handle(record: Step) -> object:
    return _Handle(*record)  # type: ignore[no-untyped-call]
