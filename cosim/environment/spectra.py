r"""One-sided wave spectra S(omega) in m^2 s/rad, and their splitting into components.

The moments are :math:`m_n = \int \omega^n S d\omega` and Hs = 4 sqrt(m0).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from cosim.algebra.types import Complex, Float

__all__ = [
    "band_energies",
    "dnv_gamma",
    "draw_components",
    "jonswap",
    "jonswap_energies",
    "pierson_moskowitz",
    "table_energies",
]


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)


def pierson_moskowitz(omega: Float, *, hs: float, tp: float) -> Float:
    r"""Pierson-Moskowitz spectrum given by significant height and peak period.

    .. math::
        S = \tfrac{5}{16} H_s^2 \omega_p^4 \omega^{-5}
            \exp\left(-\tfrac54 (\omega_p/\omega)^4\right)

    Parameters
    ----------
    omega : (n,) array
        Angular frequencies, rad/s, positive.
    hs : float
        Significant wave height, m.
    tp : float
        Peak period, s.

    Returns
    -------
    (n,) array
        m^2 s/rad.

    References
    ----------
    DNV-RP-C205 (2010), 3.5.5.1.
    """
    ratio = 2.0 * math.pi / tp / omega
    return np.asarray(5.0 / 16.0 * hs**2 * ratio**4 / omega * np.exp(-1.25 * ratio**4))


def jonswap(omega: Float, *, hs: float, tp: float, gamma: float) -> Float:
    r"""JONSWAP spectrum before scaling: peak enhancement times Pierson-Moskowitz.

    .. math::
        S = \gamma^{\exp(-(\omega - \omega_p)^2 / (2 \sigma^2 \omega_p^2))} S_{PM}, \qquad
        \sigma = 0.07\ (\omega \le \omega_p),\ 0.09\ (\omega > \omega_p)

    Its area is not Hs^2/16; :func:`jonswap_energies` scales it.

    Parameters
    ----------
    omega, hs, tp
        As in :func:`pierson_moskowitz`.
    gamma : float
        Peak enhancement; 1 is Pierson-Moskowitz.

    Returns
    -------
    (n,) array
        m^2 s/rad.

    References
    ----------
    Hasselmann et al. (1973); DNV-RP-C205 (2010), 3.5.5.2.
    """
    peak = 2.0 * math.pi / tp
    sigma = np.where(omega <= peak, 0.07, 0.09)
    enhancement = gamma ** np.exp(-0.5 * ((omega / peak - 1.0) / sigma) ** 2)
    return np.asarray(enhancement * pierson_moskowitz(omega, hs=hs, tp=tp))


def dnv_gamma(hs: float, tp: float) -> float:
    r"""Peak enhancement that goes with a sea of this steepness.

    .. math::
        \gamma = \exp(5.75 - 1.15\, T_p / \sqrt{H_s}), \quad 1 \le \gamma \le 5

    Parameters
    ----------
    hs, tp : float
        m, s.

    Returns
    -------
    float

    References
    ----------
    DNV-RP-C205 (2010), 3.5.5.5.
    """
    return min(5.0, max(1.0, math.exp(5.75 - 1.15 * tp / math.sqrt(hs))))


def band_energies(density: Callable[[Float], Float], edges: Float) -> Float:
    """Integral of a spectrum over each band, by Gauss-Legendre quadrature.

    Parameters
    ----------
    density : callable
        omega (n,) to S (n,).
    edges : (b + 1,) array
        Edges of the bands, rad/s, rising.

    Returns
    -------
    (b,) array
        m^2.
    """
    half = 0.5 * np.diff(edges)
    points = (edges[:-1] + half)[:, None] + half[:, None] * _NODES
    return np.asarray(half * (density(points.ravel()).reshape(points.shape) @ _WEIGHTS))


def jonswap_energies(edges: Float, *, hs: float, tp: float, gamma: float) -> Float:
    """Energy of a JONSWAP spectrum in each band, scaled so that the sum is Hs^2/16.

    Parameters
    ----------
    edges : (b + 1,) array
        rad/s, rising.
    hs, tp, gamma : float
        As in :func:`jonswap`.

    Returns
    -------
    (b,) array
        m^2.
    """
    raw = band_energies(lambda omega: jonswap(omega, hs=hs, tp=tp, gamma=gamma), edges)
    return np.asarray(raw * (hs**2 / 16.0 / raw.sum()))


def table_energies(omega: Float, density: Float, edges: Float) -> Float:
    """Integral of a tabulated, piecewise linear spectrum over each band; exact.

    Parameters
    ----------
    omega, density : (n,) arrays
        rad/s rising, and m^2 s/rad; zero outside the table.
    edges : (b + 1,) array
        rad/s, within the table.

    Returns
    -------
    (b,) array
        m^2.
    """
    knots = np.union1d(omega, edges)
    values = np.interp(knots, omega, density)
    area = np.concatenate(([0.0], np.cumsum(0.5 * (values[1:] + values[:-1]) * np.diff(knots))))
    return np.diff(area[np.searchsorted(knots, edges)])


def draw_components(edges: Float, energies: Float, seed: int) -> tuple[Float, Complex]:
    """One component per band: its energy, a random frequency inside it, a random phase.

    Frequencies that have no common divisor keep the record from repeating itself.

    Parameters
    ----------
    edges : (b + 1,) array
        rad/s.
    energies : (b,) array
        m^2.
    seed : int
        Of PCG64; the frequencies are drawn first, then the phases.

    Returns
    -------
    omega : (b,) array
        rad/s, rising.
    amplitude : (b,) complex array
        m; |amplitude|^2 / 2 is the energy of the band.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    omega = edges[:-1] + np.diff(edges) * rng.random(len(energies))
    phase = 2.0 * math.pi * rng.random(len(energies))
    return omega, np.sqrt(2.0 * energies) * np.exp(1j * phase)
