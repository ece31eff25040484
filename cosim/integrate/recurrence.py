"""The coupling scheme as a linear recurrence between communication instants."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm
from scipy.sparse import csr_array
from scipy.sparse.linalg import ArpackNoConvergence, eigs

from cosim.integrate.impulse import ImpulseResponse
from cosim.multibody.interface import Float

__all__ = ["growth", "load_polynomials"]

LOG = logging.getLogger(__name__)


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
    wanted = 4 * len(A)
    scheme = _largest_eigenvalues(_transition(A, mobility, response, nodes), wanted)
    if np.abs(scheme).max() <= 1.0:
        return float(np.abs(scheme).max()), 1.0
    implicit = _largest_eigenvalues(_transition(A, mobility, response, (0, 1)), wanted)
    nearest = np.abs(scheme[:, None] - implicit[None, :]).argmin(axis=1)
    reference = np.maximum(1.0, np.abs(implicit[nearest]))
    worst = int(np.argmax(np.abs(scheme) / reference))
    return float(np.abs(scheme[worst])), float(reference[worst])


def _largest_eigenvalues(matrix: Float, wanted: int) -> NDArray[np.complex128]:
    """Eigenvalues of largest magnitude; the shift register behind most of them is sparse.

    All of them where the matrix is small or Arnoldi's iteration does not converge.
    """
    if len(matrix) > 10 * wanted:
        start = np.random.default_rng(0).standard_normal(len(matrix))
        try:
            values = eigs(
                csr_array(matrix), k=wanted, ncv=3 * wanted, v0=start, return_eigenvectors=False
            )
            return np.asarray(values, dtype=np.complex128)
        except ArpackNoConvergence:
            LOG.debug("all eigenvalues are computed: Arnoldi's iteration did not converge")
    return np.asarray(np.linalg.eigvals(matrix), dtype=np.complex128)


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
