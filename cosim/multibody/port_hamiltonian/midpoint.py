r"""The implicit midpoint rule for port-Hamiltonian mechanics: PH-MP and PH-MP-GGL.

PH paper, eqs. 48 to 50, and section 6 for constraints on velocities. With
:math:`q_m = (q + q_+)/2`, :math:`v_m = (v + v_+)/2`,

.. math::

    q_+ - q &= h\,(v_m + M^{-1} G_m^T \gamma), \\
    M (v_+ - v) &= h\,(B_m u - \bar\nabla V - C v_m - G_m^T \lambda - D_m^T \gamma),

and either :math:`G_m v_m = 0`, γ = 0, or g(q_+) = 0 and G(q_+) v_+ = 0. The discrete gradient of
Gonzalez makes the exchange with V exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cosim.algebra.types import Float
from cosim.errors import SolverError
from cosim.multibody.port_hamiltonian.mechanics import ConstrainedMechanics

__all__ = ["MidpointStep", "midpoint_step", "momentum_residual"]

_PASSES = 30


@dataclass(frozen=True)
class MidpointStep:
    """One step, and what went through the ports.

    Attributes
    ----------
    x : (size,)
        State at its end; λ is that of the step.
    work : mapping of str to float
        ``ledger/work/<port>`` of every port and ``ledger/work/elements`` of the dampers, J.
    balance : float
        Energy gained less all work, J.
    iterations : int
    """

    x: Float
    work: dict[str, float]
    balance: float
    iterations: int


def midpoint_step(
    system: ConstrainedMechanics, x: Float, h: float, u: Float | None = None, *, ggl: bool = False
) -> MidpointStep:
    """One step of h seconds with inputs u, (ports,), at its middle.

    Parameters
    ----------
    system : ConstrainedMechanics
    x : (size,)
    h : float
        s.
    u : (ports,), optional
    ggl : bool
        Keep velocities on their constraints too.

    Raises
    ------
    SolverError
        Newton's method fails.
    """
    q, v, multipliers = system.split(x)
    n, m = system.n, len(multipliers)
    u = np.zeros(len(system.ports)) if u is None else u
    unknown = np.concatenate([q + h * v, v, multipliers, np.zeros(m if ggl else 0)])
    before = np.inf
    for iteration in range(_PASSES):
        residual = _residual(system, (q, v), unknown, h, u)
        matrix = _matrix(system, (q, v), unknown, h, u)
        change = np.linalg.lstsq(matrix, -residual, rcond=1e-12)[0]
        unknown = unknown + change
        size = float(np.abs(change[: 2 * n]).max() / max(1.0, np.abs(unknown[: 2 * n]).max()))
        if size < 1e-15 or (before < 1e-11 and size > 0.3 * before):
            return _books(system, (x, unknown), h, u, iteration + 1)
        if not np.isfinite(size):
            break
        before = size
    raise SolverError(f"Newton's method fails in a midpoint step of {h:g} s; take a smaller step")


def momentum_residual(
    system: ConstrainedMechanics, start: tuple[Float, Float], end: tuple[Float, Float], h: float
) -> Float:
    """M (v_+ - v) + h (∇V + C v_m) of a part, (n,): what forces of its ports must make up for.

    Discretised by itself, a body asks for this of the pairs that it is connected by.
    """
    (q, v), (q1, v1) = start, end
    gradient = _discrete_gradient(system, q, q1)
    loss = system.damping @ (v + v1) / 2.0 if system.damping.size else 0.0
    return np.asarray(system.M @ (v1 - v) + h * (gradient + loss))


def _residual(
    system: ConstrainedMechanics,
    start: tuple[Float, Float],
    unknown: Float,
    h: float,
    u: Float,
) -> Float:
    (q, v), n, g = start, system.n, system.constraints
    m = len(g.c)
    q1, v1, lam = unknown[:n], unknown[n : 2 * n], unknown[2 * n : 2 * n + m]
    gamma = unknown[2 * n + m :]
    qm, vm = 0.5 * (q + q1), 0.5 * (v + v1)
    G = g.jacobian(qm)
    places, momenta = q1 - q - h * vm, momentum_residual(system, start, (q1, v1), h)
    momenta = momenta + h * (G.T @ lam - system.inputs(qm) @ u)
    if not gamma.size:
        return np.concatenate([places, momenta, G @ vm])
    places = places - h * np.linalg.solve(system.M, G.T @ gamma)
    momenta = momenta + h * g.bent(vm).T @ gamma
    return np.concatenate([places, momenta, g.value(q1), g.jacobian(q1) @ v1])


def _matrix(
    system: ConstrainedMechanics,
    start: tuple[Float, Float],
    unknown: Float,
    h: float,
    u: Float,
) -> Float:
    """Newton matrix (formulas of B4 and B5)."""
    (q, v), n, g = start, system.n, system.constraints
    m = len(g.c)
    q1, v1, lam = unknown[:n], unknown[n : 2 * n], unknown[2 * n : 2 * n + m]
    gamma = unknown[2 * n + m :]
    qm, vm = 0.5 * (q + q1), 0.5 * (v + v1)
    G, D, one = g.jacobian(qm), g.bent(vm), np.eye(n)
    stiffness = np.tensordot(lam, g.H, 1) + 2.0 * _slopes(system, q, q1, u)
    C = system.damping if system.damping.size else np.zeros((n, n))
    K = np.zeros((unknown.size, unknown.size))
    K[:n, :n], K[:n, n : 2 * n] = one, -0.5 * h * one
    K[n : 2 * n, :n] = 0.5 * h * stiffness
    K[n : 2 * n, n : 2 * n] = system.M + 0.5 * h * C
    K[n : 2 * n, 2 * n : 2 * n + m] = h * G.T
    if not gamma.size:
        K[2 * n :, :n], K[2 * n :, n : 2 * n] = 0.5 * D, 0.5 * G
        return K
    bend = np.tensordot(gamma, g.H, 1)
    K[:n, :n] -= 0.5 * h * np.linalg.solve(system.M, bend)
    K[:n, 2 * n + m :] = -h * np.linalg.solve(system.M, G.T)
    K[n : 2 * n, n : 2 * n] += 0.5 * h * bend
    K[n : 2 * n, 2 * n + m :] = h * D.T
    K[2 * n : 2 * n + m, :n] = g.jacobian(q1)
    K[2 * n + m :, :n], K[2 * n + m :, n : 2 * n] = g.bent(v1), g.jacobian(q1)
    return K


def _slopes(system: ConstrainedMechanics, q: Float, q1: Float, u: Float) -> Float:
    """Derivative of the discrete gradient less B u by q_+, by central differences."""

    def force(end: Float) -> Float:
        return _discrete_gradient(system, q, end) - system.inputs(0.5 * (q + end)) @ u

    step = 1e-6 * max(1.0, float(np.abs(q1).max()))
    columns = [(force(q1 + step * e) - force(q1 - step * e)) / (2.0 * step) for e in np.eye(len(q))]
    return np.array(columns).T


def _discrete_gradient(system: ConstrainedMechanics, q: Float, q1: Float) -> Float:
    gradient = system.potential.gradient(0.5 * (q + q1))
    way = q1 - q
    length = float(way @ way)
    if length == 0.0:
        return gradient
    lack = system.potential.value(q1) - system.potential.value(q) - float(gradient @ way)
    return np.asarray(gradient + lack / length * way)


def _books(
    system: ConstrainedMechanics,
    ends: tuple[Float, Float],
    h: float,
    u: Float,
    iterations: int,
) -> MidpointStep:
    x, unknown = ends
    n = system.n
    x1 = unknown[: system.size]
    q, v, _ = system.split(x)
    qm, vm = 0.5 * (q + x1[:n]), 0.5 * (v + x1[n : 2 * n])
    through = h * (system.inputs(qm).T @ vm) * u
    lost = -h * float(vm @ system.damping @ vm) if system.damping.size else 0.0
    work = {f"ledger/work/{name}": float(w) for name, w in zip(system.ports, through, strict=True)}
    work["ledger/work/elements"] = lost
    gained = system.hamiltonian(x1) - system.hamiltonian(x)
    return MidpointStep(x1, work, gained - float(through.sum()) - lost, iterations)
