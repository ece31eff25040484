r"""Rational fit with stable common poles (relaxed vector fitting).

.. math:: T_m(s) \approx \sum_n \frac{R_{m,n}}{s - p_n}, \qquad T_m(0) = 0,

strictly proper, with real or complex-conjugate poles in the left half plane.

References
----------
B. Gustavsen, A. Semlyen, "Rational approximation of frequency domain responses by vector
fitting", IEEE Trans. Power Delivery 14 (1999) 1052; B. Gustavsen, "Improving the pole
relocating properties of vector fitting", ibid. 21 (2006) 1587 (relaxation); D. Deschrijver
et al., "Macromodeling of multiport systems using a fast implementation of the vector
fitting method", IEEE MWCL 18 (2008) 383 (QR of the blocks).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cosim.hydrodynamics.rigid import Complex, Float

__all__ = ["RationalFit", "basis", "fit_rational", "free_directions"]

_SWEEPS = 12
_SETTLED = 1e-8
_MIN_DAMPING = 1e-3
_MAX_POLE = 3.0


@dataclass(frozen=True)
class RationalFit:
    """Poles and real coefficients of a fit.

    Attributes
    ----------
    poles : (n,) complex
        Complex pairs are neighbours, positive imaginary part first.
    coefficients : (m, n)
        Factors of :func:`basis` for each of the m responses.
    """

    poles: Complex
    coefficients: Float

    def __call__(self, s: Complex) -> Complex:
        """Values at the complex frequencies s, (m, len(s))."""
        return self.coefficients @ basis(self.poles, s).T


def basis(poles: Complex, s: Complex) -> Complex:
    """Partial fractions with real coefficients, (len(s), n).

    A real pole gives 1/(s - p); a pair gives 1/(s - p) + 1/(s - p*) and
    i/(s - p) - i/(s - p*).
    """
    out = 1.0 / (s[:, None] - poles[None, :])
    first = np.flatnonzero(poles.imag > 0.0)
    upper, lower = out[:, first].copy(), out[:, first + 1].copy()
    out[:, first] = upper + lower
    out[:, first + 1] = 1j * (upper - lower)
    return out


def free_directions(poles: Complex) -> Float:
    """Orthonormal coefficients of functions that vanish at s = 0, (n, n-1)."""
    row = basis(poles, np.zeros(1, dtype=np.complex128)).real
    return np.linalg.svd(row)[2][1:].T


def fit_rational(s: Complex, T: Complex, *, order: int, weight: Complex) -> RationalFit:
    """Fit m responses with `order` common poles.

    Parameters
    ----------
    s : (nw,) complex
        i ω.
    T : (m, nw) complex
    order : int
        Number of poles, even.
    weight : (m, nw) complex
        Real part weighs the real part of the error, imaginary part the imaginary one.
    """
    poles = _starting_poles(np.abs(s), order)
    for _ in range(_SWEEPS):
        moved = _relocate(poles, s, T, weight)
        change = np.abs(np.sort_complex(moved) - np.sort_complex(poles)).max()
        poles = moved
        if change < _SETTLED * np.abs(poles).max():
            break
    return RationalFit(poles, _residues(poles, s, T, weight))


def _starting_poles(omega: Float, order: int) -> Complex:
    low = max(omega[0], 0.02 * omega[-1])
    frequencies = np.linspace(low, omega[-1], order // 2)
    poles = np.empty(order, dtype=np.complex128)
    poles[0::2] = frequencies * (-0.05 + 1j)
    poles[1::2] = poles[0::2].conj()
    return poles


def _real_rows(values: Complex, weight: Complex) -> Float:
    return np.concatenate([values.real * weight.real[:, None], values.imag * weight.imag[:, None]])


def _relocate(poles: Complex, s: Complex, T: Complex, weight: Complex) -> Complex:
    n = poles.size
    phi = basis(poles, s)
    sigma = np.column_stack([phi, np.ones(s.size)])
    blocks = []
    for response, w in zip(T, weight, strict=True):
        rows = np.column_stack([_real_rows(phi, w), _real_rows(-response[:, None] * sigma, w)])
        triangle = np.asarray(np.linalg.qr(rows, mode="r"))
        blocks.append(triangle[n:, n:])
    # the mean of sigma is fixed, so that it cannot vanish
    scale = np.linalg.norm(weight * T) / s.size
    blocks.append(scale * sigma.real.sum(axis=0, keepdims=True))
    system = np.concatenate(blocks)
    right = np.zeros(len(system))
    right[-1] = scale * s.size
    size = np.linalg.norm(system, axis=0)
    solution = np.linalg.lstsq(system / size, right, rcond=None)[0] / size
    moved = _zeros(poles, solution[:-1], float(solution[-1]))
    return _stable(moved, _MAX_POLE * float(np.abs(s[-1])))


def _zeros(poles: Complex, c: Float, d: float) -> Complex:
    A = np.diag(poles.real).astype(np.float64)
    b = np.ones(poles.size)
    for i in np.flatnonzero(poles.imag > 0.0):
        A[i, i + 1], A[i + 1, i] = poles[i].imag, -poles[i].imag
        b[i], b[i + 1] = 2.0, 0.0
    d = d if abs(d) > 1e-8 else np.copysign(1e-8, d)
    return np.asarray(np.linalg.eigvals(A - np.outer(b, c) / d), dtype=np.complex128)


def _stable(poles: Complex, largest: float) -> Complex:
    """Mirror unstable poles, keep a little damping, bound them, put pairs side by side."""
    poles = poles * np.minimum(1.0, largest / np.abs(poles))
    real = np.abs(poles.imag) < 1e-12 * np.abs(poles)
    damping = np.maximum(np.abs(poles.real), _MIN_DAMPING * np.abs(poles))
    flipped = -damping + 1j * poles.imag
    singles = np.sort(flipped[real].real).astype(np.complex128)
    upper = flipped[~real & (poles.imag > 0.0)]
    upper = upper[np.argsort(upper.imag)]
    pairs = np.column_stack([upper, upper.conj()]).ravel()
    return np.concatenate([singles, pairs])


def _residues(poles: Complex, s: Complex, T: Complex, weight: Complex) -> Float:
    Z = free_directions(poles)
    phi = basis(poles, s) @ Z
    out = np.empty((len(T), poles.size))
    for m, (response, w) in enumerate(zip(T, weight, strict=True)):
        rows = _real_rows(phi, w)
        right = _real_rows(response[:, None], w)[:, 0]
        size = np.linalg.norm(rows, axis=0)
        out[m] = Z @ (np.linalg.lstsq(rows / size, right, rcond=None)[0] / size)
    return out
