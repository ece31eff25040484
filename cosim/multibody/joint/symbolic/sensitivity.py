r"""What a parameter changes: the equations, the linear matrices, eigenvalues.

With right and left eigenvectors x and y of λ²M + λC + K,

.. math::

    \frac{d\lambda}{dp} = -\frac{y^H (\lambda^2 M' + \lambda C' + K')\,x}
                               {y^H (2\lambda M + C)\,x},

where M', C' and K' are the derivatives of the expressions: exact, without differences. At an
equilibrium that moves with the parameter they are total, K' = ∂K/∂p + ∂K/∂δ · δ' with
δ' = K⁻¹ ∂f/∂p.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import sympy as sp
from scipy.linalg import eig

from cosim.algebra.types import Complex, Float
from cosim.errors import ModelError
from cosim.model.sentences import nearest
from cosim.multibody.joint.symbolic.equations import Equations
from cosim.multibody.joint.symbolic.first_order import FirstOrder, Forward, State, full_state
from cosim.multibody.joint.symbolic.kinematics import Kinematics
from cosim.multibody.joint.symbolic.linear import (
    LinearEquations,
    as_array,
    linearise,
    with_values,
)

__all__ = [
    "EigenvalueChange",
    "MatrixChanges",
    "eigenvalue_changes",
    "equation_changes",
    "matrix_changes",
]

_COINCIDE = 1e-7
"""Relative distance at which eigenvalues count as one."""


@dataclass(frozen=True)
class MatrixChanges:
    """Derivatives of the linear matrices with respect to one parameter.

    Attributes
    ----------
    symbol : Symbol
    M, C, K, N : (nu, nu)
    displacement : (nu, 1)
        What the equilibrium moves; zero where it was not followed.
    """

    symbol: sp.Symbol
    M: sp.Matrix
    C: sp.Matrix
    K: sp.Matrix
    N: sp.Matrix
    displacement: sp.Matrix


@dataclass(frozen=True)
class EigenvalueChange:
    """An eigenvalue λ and its derivative.

    Attributes
    ----------
    value, change : complex
        1/s, and per unit of the parameter.
    """

    value: complex
    change: complex

    @property
    def natural_frequency(self) -> float:
        """Modulus, rad/s."""
        return abs(self.value)

    @property
    def natural_frequency_change(self) -> float:
        """Its derivative, rad/s per unit of the parameter."""
        return float((self.value.conjugate() * self.change).real / abs(self.value))


def equation_changes(equations: Equations, symbol: str | sp.Symbol) -> tuple[sp.Matrix, sp.Matrix]:
    """Derivatives of both sides of eq. (5) with respect to a parameter, at any state.

    Intermediates are written out.

    Parameters
    ----------
    equations : Equations
    symbol : str or Symbol
        Kept parameter.

    Returns
    -------
    lhs : (nu, nu)
    rhs : (nu, 1)
    """
    parameter, expand = _parameter_of(equations.kin, symbol), equations.kin.expand
    lhs, rhs = (expand(sp.Matrix(side)) for side in (equations.lhs, equations.rhs))
    return sp.diff(lhs, parameter), sp.diff(rhs, parameter)


def matrix_changes(
    equations: Equations,
    symbol: str | sp.Symbol,
    state: State | None = None,
    *,
    follow: bool = True,
) -> MatrixChanges:
    """Derivatives of M, C and K with respect to a parameter.

    Parameters
    ----------
    equations : Equations
    symbol : str or Symbol
        Kept parameter.
    state : mapping, optional
        As for :func:`~cosim.multibody.joint.symbolic.linear.linearise`.
    follow : bool
        The state is an equilibrium at rest and moves with the parameter; else it is held.

    Raises
    ------
    ModelError
        An unknown symbol; an equilibrium that is to be followed but has speeds, or has no
        stiffness along some direction.
    """
    kin = equations.kin
    parameter, at = _parameter_of(kin, symbol), full_state(kin, state)
    nu = len(kin.u)
    displacement = _moved(equations, parameter, at) if follow else sp.zeros(nu, 1)
    rates = zip(kin.q, _coordinates(kin, displacement), strict=True)
    along = {q: rate.xreplace(at) for q, rate in rates if rate != 0}
    free = {q: q for q in along}
    general = linearise(equations, {**at, **free}, accelerations=[0] * nu if follow else None)

    moving = Forward(at, {parameter: {0: sp.S.One}} | {q: {0: along[q]} for q in along})

    def change(matrix: sp.Matrix) -> sp.Matrix:
        return matrix.applyfunc(lambda entry: moving.change(entry).get(0, sp.S.Zero))

    M, C, K, N = (change(m) for m in (general.M, general.C, general.K, general.N))
    return MatrixChanges(parameter, M, C, K, N, displacement)


def eigenvalue_changes(
    linear: LinearEquations, changes: MatrixChanges, values: Mapping[str, float] | None = None
) -> tuple[EigenvalueChange, ...]:
    """Eigenvalues and their derivatives, in numbers, in order of frequency.

    Eigenvalues that coincide split by the eigenvalues of the same expression on their common
    space.

    Parameters
    ----------
    linear : LinearEquations
    changes : MatrixChanges
        Of the same state.
    values : mapping of parameter to float, optional
        Instead of the system's.
    """
    numbers = with_values(linear.numbers, values or {})
    E, F = _pencil(linear, numbers, np.eye(len(linear.speeds)))
    dE, dF = _pencil(changes, numbers, np.zeros((len(linear.speeds),) * 2))
    found, left, right = eig(F, E, left=True)
    result = []
    for group in _groups(found):
        L, R = left[:, group], right[:, group]
        value = found[group].mean()
        top, bottom = L.conj().T @ (dF - value * dE) @ R, L.conj().T @ E @ R
        split = np.linalg.eigvals(np.linalg.solve(bottom, top))
        result += [
            EigenvalueChange(complex(v), complex(d))
            for v, d in zip(found[group], split, strict=True)
        ]
    return tuple(sorted(result, key=lambda c: (round(abs(c.value), 9), c.value.imag)))


def _parameter_of(kin: Kinematics, symbol: str | sp.Symbol) -> sp.Symbol:
    """The kept parameter of a name.

    Raises
    ------
    ModelError
        There is none.
    """
    known = {str(s): s for s in kin.values.numbers}
    if str(symbol) not in known:
        hint = nearest(str(symbol), known)
        raise ModelError(f"'{symbol}' is not a parameter that was kept as a symbol{hint}")
    return known[str(symbol)]


def _moved(
    equations: Equations, parameter: sp.Symbol, at: Mapping[sp.Symbol, sp.Expr]
) -> sp.Matrix:
    """Displacement of the equilibrium per unit of the parameter: K⁻¹ ∂f/∂p."""
    kin = equations.kin
    if any(at[u] != 0 for u in kin.u):
        raise ModelError("only an equilibrium at rest moves with a parameter; use follow=False")
    first = FirstOrder(kin, at, (parameter,))
    B = first.value(kin.B())
    forces = equations.g_gravity + equations.g_elements
    k = 2 * len(kin.u)
    h = first.value(forces)
    h_p, Q_p = (
        sp.Matrix([first.change(entry).get(k, sp.S.Zero) for entry in column])
        for column in (forces, equations.Q_joint)
    )
    B_p = kin.B().applyfunc(lambda entry: first.change(entry).get(k, sp.S.Zero))
    f_p = B_p.T * h + B.T * h_p + Q_p
    if f_p.is_zero_matrix:
        return f_p
    K = linearise(equations, at).K
    if np.linalg.matrix_rank(as_array(K, kin.values.numbers)) < K.rows:
        raise ModelError(
            "the equilibrium has no stiffness along some direction, so that a parameter moves it "
            "without limit; use follow=False"
        )
    return K.LUsolve(f_p)


def _coordinates(kin: Kinematics, displacement: sp.Matrix) -> list[sp.Expr]:
    """Changes of q for a displacement: N(q) δ."""
    place = dict(zip(kin.u, displacement, strict=True))
    return [rate.xreplace(place) for rate in kin.q_dot]


def _pencil(
    matrices: LinearEquations | MatrixChanges, numbers: Mapping[sp.Symbol, float], unit: Float
) -> tuple[Float, Float]:
    """E and F of E y' = F y with y = (δ, δu)."""
    M, C, K, N = (as_array(m, numbers) for m in (matrices.M, matrices.C, matrices.K, matrices.N))
    none = np.zeros_like(M)
    return np.block([[unit, none], [none, M]]), np.block([[N, unit], [-K, -C]])


def _groups(values: Complex) -> Iterator[list[int]]:
    """Indices of eigenvalues that coincide."""
    scale = max(np.abs(values).max(initial=0.0), 1e-300)
    left = list(range(len(values)))
    while left:
        first = left[0]
        group = [k for k in left if abs(values[k] - values[first]) <= _COINCIDE * scale]
        left = [k for k in left if k not in group]
        yield group
