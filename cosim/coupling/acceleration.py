"""Convergence acceleration of the fixed point x = H(x) between communication instants."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque

import numpy as np

from cosim.multibody.interface import Float

__all__ = ["IQNILS", "Acceleration", "Aitken", "acceleration"]

_FILTER = 1e-6
"""Columns closer than this (relative) to the span of newer ones are dropped."""
_NOISE = 1e-10
"""Smallest change of the scaled residual that says something about the Jacobian."""


class Acceleration(ABC):
    """Proposes the next iterate from the one used and the one returned.

    Call order: `start_step`, then `next` once per pass.
    """

    @abstractmethod
    def start_step(self) -> None:
        """A new communication step begins."""

    @property
    @abstractmethod
    def memory(self) -> list[Float]:
        """What `recall` puts back between two communication steps."""

    @abstractmethod
    def recall(self, memory: list[Float]) -> None:
        """Know what `memory` holds."""

    @abstractmethod
    def next(self, used: Float, returned: Float, scale: Float) -> Float:
        """Next iterate after `used` went in and `returned` came out.

        `scale`, (n,), positive, are magnitudes of the unknowns: they make forces and
        moments comparable.
        """


class Aitken(Acceleration):
    r"""Aitken's Δ² relaxation, for one unknown.

    With r = returned - used,
    :math:`\omega_{k} = -\omega_{k-1} r_{k-1} (r_k - r_{k-1}) / (r_k - r_{k-1})^2`.
    """

    def __init__(self) -> None:
        self._omega = 1.0
        self._residual: Float | None = None

    def start_step(self) -> None:
        """Keep the relaxation of the last step as the first of this one."""
        self._residual = None

    @property
    def memory(self) -> list[Float]:
        """Relaxation of the last step."""
        return [np.array([self._omega])]

    def recall(self, memory: list[Float]) -> None:
        """Take this relaxation."""
        self._omega = float(memory[0][0])

    def next(self, used: Float, returned: Float, scale: Float) -> Float:
        """Next iterate after `used` went in and `returned` came out."""
        residual = returned - used
        if self._residual is not None:
            change = residual - self._residual
            squared = float(change @ change)
            if squared > 0.0:
                self._omega *= -float(self._residual @ change) / squared
        self._residual = residual
        return np.asarray(used + self._omega * residual)


class IQNILS(Acceleration):
    """Interface quasi-Newton with the inverse Jacobian from a least-squares model.

    With the columns V = [r_k - r_j] and W = [h_k - h_j] of differences of residuals
    r = h - x and of returned values h, the next iterate is ``h + W c`` with
    ``c = argmin |V c + r|``. Columns of earlier communication steps are kept, newest
    first; those that depend on newer ones are dropped.

    Degroote, Bathe and Vierendeels, Computers & Structures 87 (2009) 793-801.

    Parameters
    ----------
    unknowns : int
    columns : int
        Number of columns kept; never more than unknowns.
    """

    def __init__(self, unknowns: int, columns: int = 8) -> None:
        kept = min(columns, unknowns)
        self._V: deque[Float] = deque(maxlen=kept)
        self._W: deque[Float] = deque(maxlen=kept)
        self._last: tuple[Float, Float] | None = None

    def start_step(self) -> None:
        """Forget the last pass, not the columns."""
        self._last = None

    @property
    def memory(self) -> list[Float]:
        """All columns V, then all columns W, newest first."""
        return [*self._V, *self._W]

    def recall(self, memory: list[Float]) -> None:
        """Take these columns."""
        half = len(memory) // 2
        self._V.clear()
        self._V.extend(memory[:half])
        self._W.clear()
        self._W.extend(memory[half:])

    def next(self, used: Float, returned: Float, scale: Float) -> Float:
        """Next iterate after `used` went in and `returned` came out."""
        h, r = returned.copy(), returned - used
        if self._last is not None:
            v = r - self._last[1]
            if np.linalg.norm(v / scale) > _NOISE:
                self._V.appendleft(v)
                self._W.appendleft(h - self._last[0])
        self._last = (h, r)
        return np.asarray(h + scale * self._correction(r / scale, scale))

    def _correction(self, residual: Float, scale: Float) -> Float:
        """W c over the scale, by modified Gram-Schmidt with a filter."""
        correction = np.zeros(residual.size)
        rest = -residual
        Q: list[Float] = []
        P: list[Float] = []
        for v, w in zip(self._V, self._W, strict=True):
            q, p = v / scale, w / scale
            whole = float(np.linalg.norm(q))
            for q_old, p_old in zip(Q, P, strict=True):
                share = float(q_old @ q)
                q -= share * q_old
                p -= share * p_old
            norm = float(np.linalg.norm(q))
            if norm <= _FILTER * whole:
                continue
            Q.append(q / norm)
            P.append(p / norm)
            share = float(Q[-1] @ rest)
            rest = rest - share * Q[-1]
            correction += share * P[-1]
        return correction


def acceleration(unknowns: int, columns: int = 8) -> Acceleration:
    """Aitken for one unknown, IQN-ILS for more."""
    return Aitken() if unknowns == 1 else IQNILS(unknowns, columns)
