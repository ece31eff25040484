"""The coupling scheme as a linear recurrence between communication instants."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import expm

from cosim.integrate.impulse import ImpulseResponse
from cosim.multibody.interface import Float

__all__ = ["growth", "load_polynomials", "own_growth"]

_ROUNDING = 1e-13
"""Accelerations (per step squared) below this are differences of equal numbers."""


def load_polynomials(nodes: Sequence[float]) -> Float:
    """Monomial coefficients of the Lagrange basis, (len(nodes), len(nodes))."""
    return np.asarray(np.linalg.inv(np.vander(np.asarray(nodes), increasing=True)).T)


def growth(
    A: Float, mobility: Float, response: ImpulseResponse, nodes: Sequence[float]
) -> tuple[float, float]:
    r"""Magnification per communication step that a coupling scheme adds to the system's own.

    Bodies follow x' = A x + [0; mobility] L with x = (d, u) and the Steppers' loads L as
    the polynomial through the values at `nodes` (in steps: 0 now, -1, -2 before, 1 the end
    of the step); the Steppers answer by `response`. Each eigenvalue of this recurrence is
    compared with the nearest one of the implicit recurrence (nodes 0 and 1), which has no
    instability of its own: what both share comes from the system, or from the finite
    length of the measured response.

    Parameters
    ----------
    A : (2 nu, 2 nu)
    mobility : (nu, nl)
        Acceleration per load.
    response : ImpulseResponse
    nodes : sequence of float
        0, -1, ... for extrapolation; with 1 among them for iterated schemes.

    Returns
    -------
    growth : float
        Magnitude of the eigenvalue that exceeds its counterpart most.
    reference : float
        Magnitude of that counterpart, at least 1.
    """
    A, mobility, response = _in_steps(A, mobility, response)
    scheme = np.linalg.eigvals(_transition(A, mobility, response, nodes))
    largest = float(np.abs(scheme).max())
    if largest <= 1.0:
        return largest, 1.0
    implicit = np.linalg.eigvals(_transition(A, mobility, response, (0, 1)))
    nearest = np.abs(scheme[:, None] - implicit[None, :]).argmin(axis=1)
    reference = np.maximum(1.0, np.abs(implicit[nearest]))
    worst = int(np.argmax(np.abs(scheme) / reference))
    return float(np.abs(scheme[worst])), float(reference[worst])


def own_growth(A: Float, mobility: Float, response: ImpulseResponse) -> float:
    """Magnification per step of the bodies with what lasts of the Steppers' loads, exactly."""
    nu = len(mobility)
    system = A.copy()
    system[nu:] -= mobility @ np.hstack([response.K, response.C])
    return float(np.exp(response.step * np.linalg.eigvals(system).real.max(initial=0.0)))


def _in_steps(
    A: Float, mobility: Float, response: ImpulseResponse
) -> tuple[Float, Float, ImpulseResponse]:
    """The same problem with H as unit of time and loads as accelerations.

    The memory makes the matrix far from normal: badly scaled, its eigenvalues come out wrong.
    """
    H, nu = response.step, len(mobility)
    A = A.copy()
    A[nu:, :nu] *= H**2
    A[nu:, nu:] *= H
    size = float(np.abs(mobility).max(initial=0.0)) or 1.0
    scaled = ImpulseResponse(
        step=1.0,
        g=response.g * size,
        K=response.K * size * H**2,
        C=response.C * size * H,
        first=response.first * size,
        substeps=response.substeps,
    )
    return A, mobility / size, scaled


def _transition(
    A: Float, mobility: Float, response: ImpulseResponse, nodes: Sequence[float]
) -> Float:
    """Matrix of the state [x, L_n, L_{n-1}, L_{n-2}, (a0, a1) of the last N steps]."""
    nu, nl = mobility.shape
    count = response.g.shape[1]
    H = response.step
    E, inputs = _propagator(A, mobility, H, load_polynomials(nodes))
    x, loads = slice(0, 2 * nu), [slice(2 * nu + i * nl, 2 * nu + (i + 1) * nl) for i in range(3)]
    first = 2 * nu + 3 * nl
    size = first + 2 * nu * count
    identity = np.eye(size)
    x1 = np.zeros((2 * nu, size))
    x1[:, x] = E
    implicit = np.zeros((2 * nu, nl))
    for node, gain in zip(nodes, inputs, strict=True):
        if node == 1:
            implicit = gain
        else:
            x1[:, loads[-int(node)]] += gain
    to_a = _accelerations(nu, H)  # (a0, a1) of the step from (x_n, x_{n+1})
    lasting = -np.hstack([response.K, response.C])
    newest = np.hstack([response.g[0, 0], response.g[1, 0]])
    from_end = lasting + newest @ to_a[:, 2 * nu :]
    L1: Float = from_end @ x1 + newest @ to_a[:, : 2 * nu] @ identity[x]
    for j in range(1, count):
        past = slice(first + 2 * nu * (j - 1), first + 2 * nu * j)
        L1[:, past] += np.hstack([response.g[0, j], response.g[1, j]])
    L1 = np.asarray(np.linalg.solve(np.eye(nl) - from_end @ implicit, L1))
    x1 = x1 + implicit @ L1
    a1 = to_a @ np.vstack([identity[x], x1])
    a1[np.abs(a1) < _ROUNDING] = 0.0
    shifted = identity[first : size - 2 * nu]
    return np.vstack([x1, L1, identity[loads[0]], identity[loads[1]], a1, shifted])


def _propagator(A: Float, mobility: Float, H: float, basis: Float) -> tuple[Float, list[Float]]:
    """exp(A H), and the effect on x of one load at each node."""
    nu, nl = mobility.shape
    degree = basis.shape[1]
    size = 2 * nu + degree * nl
    system = np.zeros((size, size))
    system[: 2 * nu, : 2 * nu] = A * H
    system[nu : 2 * nu, 2 * nu : 2 * nu + nl] = mobility * H
    for i in range(degree - 1):  # a chain of integrators makes the powers of s
        row = 2 * nu + i * nl
        system[row : row + nl, row + nl : row + 2 * nl] = (i + 1) * np.eye(nl)
    E = expm(system)
    powers = [E[: 2 * nu, 2 * nu + i * nl : 2 * nu + (i + 1) * nl] for i in range(degree)]
    inputs = [
        sum((c * p for c, p in zip(row, powers, strict=True)), 0.0 * powers[0]) for row in basis
    ]
    return E[: 2 * nu, : 2 * nu], inputs


def _accelerations(nu: int, H: float) -> Float:
    """(a0, a1) of the cubic between (d, u) at both ends, (2 nu, 4 nu)."""
    one = np.eye(nu)
    return np.block(
        [
            [-6.0 / H**2 * one, -4.0 / H * one, 6.0 / H**2 * one, -2.0 / H * one],
            [6.0 / H**2 * one, 2.0 / H * one, -6.0 / H**2 * one, 4.0 / H * one],
        ]
    )
