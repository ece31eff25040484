"""Functions that are at most quadratic in the coordinates: the constraints of directors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cosim.algebra.types import Float

__all__ = ["Quadratic", "stacked"]


@dataclass(frozen=True)
class Quadratic:
    """g_a = qᵀ H_a q / 2 + b_a . q + c_a for m functions of n coordinates.

    Attributes
    ----------
    H : (m, n, n)
        Symmetric.
    b : (m, n)
    c : (m,)
    """

    H: Float
    b: Float
    c: Float

    @classmethod
    def products(cls, factors: Sequence[tuple[Float, Float, float]]) -> Quadratic:
        """Sums Σ_k (A q + a)_k (B q + d)_k - c for factors ([A a], [B d], c), (3, n + 1) each."""
        H, b, c = [], [], []
        for first, second, offset in factors:
            A, a, B, d = first[:, :-1], first[:, -1], second[:, :-1], second[:, -1]
            H.append(A.T @ B + B.T @ A)
            b.append(A.T @ d + B.T @ a)
            c.append(a @ d - offset)
        return cls(np.array(H), np.array(b), np.array(c))

    def value(self, q: Float) -> Float:
        """g, (m,)."""
        return np.asarray(0.5 * q @ (self.H @ q).T + self.b @ q + self.c)

    def jacobian(self, q: Float) -> Float:
        """G, (m, n)."""
        return np.asarray(self.H @ q + self.b)

    def bent(self, v: Float) -> Float:
        """D, (m, n), with D_ai = (H_a v)_i: the gradient of G(q) v by q."""
        return np.asarray(self.H @ v)

    def placed(self, first: int, size: int) -> Quadratic:
        """The same functions of the coordinates from `first` on of a longer vector."""
        m, n = self.b.shape
        H, b = np.zeros((m, size, size)), np.zeros((m, size))
        H[:, first : first + n, first : first + n], b[:, first : first + n] = self.H, self.b
        return Quadratic(H, b, self.c)


def stacked(parts: Sequence[Quadratic]) -> Quadratic:
    """All functions of several sets, of the same coordinates."""
    return Quadratic(*(np.concatenate([getattr(p, k) for p in parts]) for k in ("H", "b", "c")))
