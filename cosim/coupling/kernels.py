"""Compiled inner loops of one evaluation of all loads."""

from __future__ import annotations

import numba as nb
import numpy as np
from numpy.typing import NDArray

from cosim.multibody.interface import Float

__all__ = [
    "add_blocks",
    "add_load",
    "inspect_mass",
    "load_power",
    "polynomial",
    "subtract_bias",
]

Index = NDArray[np.intp]


@nb.njit(cache=True)
def add_load(g: Float, index: Index, load: Float) -> bool:
    """Add the wrenches `load`, (k, 6), to rows `index` of g; False if one is not finite."""
    finite = True
    for i in range(index.size):
        for j in range(6):
            value = load[i, j]
            g[index[i], j] += value
            finite = finite and np.isfinite(value)
    return finite


@nb.njit(cache=True)
def inspect_mass(Ma: Float) -> tuple[float, bool]:
    """Largest asymmetry over largest entry (NaN if not finite), and whether bodies couple."""
    largest = 0.0
    asymmetry = 0.0
    coupled = False
    total = 0.0
    for i in range(Ma.shape[0]):
        for j in range(i + 1):
            a, b = Ma[i, j], Ma[j, i]
            total += a + b
            largest = max(largest, abs(a), abs(b))
            asymmetry = max(asymmetry, abs(a - b))
            if i // 6 != j // 6 and (a != 0.0 or b != 0.0):
                coupled = True
    if not np.isfinite(total):
        return np.nan, coupled
    if largest == 0.0:
        return 0.0, False
    return asymmetry / largest, coupled


@nb.njit(cache=True)
def add_blocks(body_mass: Float, index: Index, Ma: Float) -> None:
    """Add the diagonal 6x6 blocks of Ma to the bodies' added mass, (n, 6, 6)."""
    for k in range(index.size):
        body = index[k]
        for i in range(6):
            for j in range(6):
                body_mass[body, i, j] += Ma[6 * k + i, 6 * k + j]


@nb.njit(cache=True)
def subtract_bias(g: Float, index: Index, Ma: Float, bias: Float) -> None:
    """Do g -= M_a (B' u) on the bodies `index`."""
    for k in range(index.size):
        for i in range(6):
            total = 0.0
            for m in range(index.size):
                for j in range(6):
                    total += Ma[6 * k + i, 6 * m + j] * bias[index[m], j]
            g[index[k], i] -= total


@nb.njit(cache=True)
def load_power(index: Index, load: Float, Ma: Float, v: Float, v_dot: Float) -> float:
    """Power v . (g_e - M_a v'), W; an empty Ma stands for none."""
    power = 0.0
    massive = Ma.shape[0] > 0
    for k in range(index.size):
        for i in range(6):
            value = load[k, i]
            if massive:
                for m in range(index.size):
                    for j in range(6):
                        value -= Ma[6 * k + i, 6 * m + j] * v_dot[index[m], j]
            power += v[index[k], i] * value
    return power


@nb.njit(cache=True)
def polynomial(coefficients: Float, s: float, out: Float) -> None:
    """Set out = c0 + c1 s + c2 s², the rows of `coefficients`, (3, n)."""
    for i in range(out.size):
        out[i] = coefficients[0, i] + s * (coefficients[1, i] + s * coefficients[2, i])
