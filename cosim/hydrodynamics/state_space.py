r"""Real state space of a rational matrix, evaluated without forming it.

Every degree of freedom j has its own copy of the poles, driven by v_j alone:

.. math:: x_k' = a_k x_k + b_k x_{p(k)} + g_k v_{d(k)}, \qquad F = -C x

with the partner p(k) of a complex pair (itself for a real pole).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cosim.hydrodynamics.rigid import Complex, Float

__all__ = ["RadiationStates", "join_groups", "realise"]

Index = NDArray[np.int64]


@dataclass(frozen=True)
class RadiationStates:
    """State space of the memory; N states, n degrees of freedom.

    Attributes
    ----------
    decay, turn : (N,)
        a and b, 1/s.
    partner, dof : (N,) int
        p and d.
    gain : (N,)
        g.
    C : (n, N)
        Memory load is -C x.
    """

    decay: Float
    turn: Float
    partner: Index
    dof: Index
    gain: Float
    C: Float

    @property
    def size(self) -> int:
        """Number of states."""
        return self.decay.size

    def matrices(self) -> tuple[Float, Float]:
        """Dense A (N, N) and B (N, n)."""
        rows = np.arange(self.size)
        A = np.diag(self.decay)
        A[rows, self.partner] += self.turn
        B = np.zeros((self.size, len(self.C)))
        B[rows, self.dof] = self.gain
        return A, B

    def transfer(self, s: Complex) -> Complex:
        """C (s 1 - A)⁻¹ B at the complex frequencies s, (len(s), n, n)."""
        A, B = self.matrices()
        eye = np.eye(self.size)
        return np.array([self.C @ np.linalg.solve(z * eye - A, B) for z in s])

    def reorder(self, rows: Index) -> RadiationStates:
        """Same states for the degrees of freedom `rows` of this one, in that order."""
        place = np.full(len(self.C), -1, dtype=np.int64)
        place[rows] = np.arange(rows.size)
        keep = np.flatnonzero(place[self.dof] >= 0)
        where = np.full(self.size, -1, dtype=np.int64)
        where[keep] = np.arange(keep.size)
        return RadiationStates(
            decay=self.decay[keep],
            turn=self.turn[keep],
            partner=where[self.partner[keep]],
            dof=place[self.dof[keep]],
            gain=self.gain[keep],
            C=np.ascontiguousarray(self.C[rows][:, keep]),
        )


def realise(
    poles: Complex, coefficients: Float, *, dofs: NDArray[np.intp], scale: Float
) -> RadiationStates:
    """State space of one group.

    Parameters
    ----------
    poles : (n,) complex
    coefficients : (m, m, n)
        Scaled, of :func:`~cosim.hydrodynamics.vector_fit.basis`.
    dofs : (m,)
        Place of the group among all degrees of freedom.
    scale : (m,)
        The true entry is the scaled one times scale_i scale_j.
    """
    m, n = dofs.size, poles.size
    upper = np.flatnonzero(poles.imag > 0.0)
    turn, gain, partner = np.zeros(n), np.ones(n), np.arange(n)
    turn[upper], turn[upper + 1] = poles[upper].imag, -poles[upper].imag
    partner[upper], partner[upper + 1] = upper + 1, upper
    gain[upper], gain[upper + 1] = 2.0, 0.0
    C = coefficients * np.outer(scale, scale)[:, :, None]
    return RadiationStates(
        decay=np.tile(poles.real, m),
        turn=np.tile(turn, m),
        partner=(np.arange(m)[:, None] * n + partner).ravel(),
        dof=np.repeat(dofs, n).astype(np.int64),
        gain=np.tile(gain, m),
        C=C.reshape(m, m * n),
    )


def join_groups(groups: Sequence[RadiationStates], dofs: int) -> RadiationStates:
    """One state space of independent groups over all `dofs` degrees of freedom."""
    total = sum(group.size for group in groups)
    C = np.zeros((dofs, total))
    start, partners = 0, []
    for group in groups:
        rows = np.unique(group.dof)
        C[rows, start : start + group.size] = group.C
        partners.append(group.partner + start)
        start += group.size
    empty = np.zeros(0)
    none = np.zeros(0, dtype=np.int64)
    return RadiationStates(
        decay=np.concatenate([empty, *(g.decay for g in groups)]),
        turn=np.concatenate([empty, *(g.turn for g in groups)]),
        partner=np.concatenate([none, *partners]),
        dof=np.concatenate([none, *(g.dof for g in groups)]),
        gain=np.concatenate([empty, *(g.gain for g in groups)]),
        C=C,
    )
