r"""The equations linearised about a state, in symbols.

With the displacement δ in the tangent space and δu the change of the speeds,

.. math::

    \dot\delta = N\delta + \delta u, \qquad
    M\,\delta\dot u + C\,\delta u + K\,\delta = F\,\delta w,

.. math::

    K = -\frac{\partial}{\partial\delta}\left[f - B^T M B\,\dot u_0\right], \qquad
    C = -\frac{\partial f}{\partial u}, \qquad M = B^T M_{bodies} B,

where f is the right-hand side of eq. (5) and w are forces and moments of choice. At an
equilibrium K is the derivative of the equation of motion, as in eq. (7) of the paper. N
vanishes at rest; for a quaternion with the angular velocity w0 it is δ' = w0 × δ + δu.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import sympy as sp

from cosim.algebra.types import Float
from cosim.errors import ModelError
from cosim.model.elements import Tension
from cosim.model.sentences import nearest
from cosim.multibody.joint.symbolic.equations import Equations
from cosim.multibody.joint.symbolic.first_order import (
    FirstOrder,
    Forward,
    State,
    full_state,
)
from cosim.multibody.joint.symbolic.gradients import Gradients
from cosim.multibody.joint.symbolic.inputs import speed_names, worked_rate
from cosim.multibody.joint.symbolic.kinematics import Kinematics

__all__ = ["LinearEquations", "linearise"]

_MOST_SPEEDS = 5
"""More are not solved for with parameters in the mass matrix."""


@dataclass(frozen=True)
class LinearEquations:
    """Matrices of the linearised equations as expressions of the parameters.

    Attributes
    ----------
    speeds : tuple of str
        ``joint.coordinate``: the directions of δ and δu, nu of them.
    M, C, K : (nu, nu)
        Mass, damping, stiffness.
    N : (nu, nu)
        Drift of the displacements, zero at rest.
    F : (nu, inputs)
        Generalised forces of one unit of each input.
    inputs : tuple of str
    residual : (nu, 1)
        Right-hand side minus mass times acceleration at the state: zero at an equilibrium.
    numbers : dict of Symbol to float
        Values of the parameters in the system.
    """

    speeds: tuple[str, ...]
    M: sp.Matrix
    C: sp.Matrix
    K: sp.Matrix
    N: sp.Matrix
    F: sp.Matrix
    inputs: tuple[str, ...]
    residual: sp.Matrix
    numbers: dict[sp.Symbol, float]

    @cached_property
    def A(self) -> sp.Matrix:  # noqa: N802
        """State matrix, (2 nu, 2 nu): y' = A y + B w with y = (δ, δu).

        It holds the inverse of M: with parameters in it, for few speeds only.
        """
        forces = _solved(self.M, sp.Matrix.hstack(-self.K, -self.C))
        nu = len(self.speeds)
        return sp.Matrix.vstack(sp.Matrix.hstack(self.N, sp.eye(nu)), forces)

    @cached_property
    def B(self) -> sp.Matrix:  # noqa: N802
        """Input matrix, (2 nu, inputs)."""
        return sp.Matrix.vstack(sp.zeros(*self.F.shape), _solved(self.M, self.F))

    def simplified(self, *, longest: int = 400) -> LinearEquations:
        """The same with M, C, K and the residual simplified.

        Parameters
        ----------
        longest : int
            Entries of more operations stay as they are.
        """

        def short(entry: sp.Expr) -> sp.Expr:
            return sp.simplify(entry) if sp.count_ops(entry) <= longest else entry

        M, C, K, residual = (m.applyfunc(short) for m in (self.M, self.C, self.K, self.residual))
        return replace(self, M=M, C=C, K=K, residual=residual)

    def evaluate(self, values: Mapping[str, float] | None = None) -> tuple[Float, Float, Float]:
        """M, C and K in numbers.

        Parameters
        ----------
        values : mapping of parameter to float, optional
            Instead of the system's.

        Raises
        ------
        ModelError
            A name that is no kept parameter.
        """
        numbers = with_values(self.numbers, values or {})
        mass, damping, stiffness = (as_array(m, numbers) for m in (self.M, self.C, self.K))
        return mass, damping, stiffness


def linearise(
    equations: Equations,
    state: State | None = None,
    *,
    accelerations: Sequence[sp.Expr | float] | None = None,
    inputs: Sequence[str] = (),
) -> LinearEquations:
    """M, C and K about a state.

    Parameters
    ----------
    equations : Equations
    state : mapping, optional
        Coordinates, speeds and time by symbol or name, in numbers or expressions of the
        parameters; what is missing is 0 (quaternions: the reference configuration).
    accelerations : (nu,) sequence, optional
        Of the point. Without them it counts as an equilibrium if all its speeds are 0, and
        moves as the equations say if they are not.
    inputs : sequence of str
        ``joint.coordinate`` for a generalised force on that coordinate; a body or
        ``body/point`` with ``.fx .fy .fz .mx .my .mz`` for a force or moment there, world axes.

    Raises
    ------
    ModelError
        An unknown coordinate or input; no derivative at the state.
    """
    kin = equations.kin
    rates = [worked_rate(kin, name) for name in inputs]
    at = full_state(kin, state)
    first = FirstOrder(kin, at)
    _refuse_coincident_points(kin, first)
    B, mass = first.value(kin.B()), first.value(equations.M)
    M = B.T * (mass * B)
    forces = equations.g_gravity + equations.g_elements - equations.c
    forces = forces - equations.M * equations.bias
    h, Q = first.value(forces), first.value(equations.Q_joint)
    f = B.T * h + Q
    a0 = _accelerations(accelerations, M, f, moving=any(at[u] != 0 for u in kin.u))
    gradients = Gradients(first, equations, forces)
    nu = len(kin.u)
    by_direction = [gradients.along(j, (B, mass), (h, a0)) for j in range(2 * nu)]
    K, C = (-sp.Matrix.hstack(*by_direction[k : k + nu]) for k in (0, nu))
    return LinearEquations(
        speeds=speed_names(kin),
        M=M,
        C=C,
        K=K,
        N=_drift(kin, at),
        F=sp.Matrix(nu, len(rates), lambda i, j: first.change(rates[j]).get(nu + i, sp.S.Zero)),
        inputs=tuple(inputs),
        residual=f - M * a0,
        numbers=kin.values.numbers,
    )


def _refuse_coincident_points(kin: Kinematics, first: FirstOrder) -> None:
    """Of two points in one place only a plain spring of no length has a linear form."""
    for name, element in kin.system.elements.items():
        if isinstance(element, Tension) and (element.damping or element.slack or element.law):
            one, other = (kin.position(address) for address in element.points)
            if first.value(other - one).is_zero_matrix:
                raise ModelError(
                    f"element '{name}': its points coincide at this state, where its load has no "
                    "derivative; take another state, or leave it out"
                )


def with_values(
    numbers: Mapping[sp.Symbol, float], values: Mapping[str, float]
) -> dict[sp.Symbol, float]:
    """Numbers of all symbols, some of them replaced by name.

    Raises
    ------
    ModelError
        A name that is no symbol.
    """
    known = {str(symbol): symbol for symbol in numbers}
    for name in values:
        if name not in known:
            raise ModelError(f"there is no symbol '{name}'{nearest(name, known)}")
    return {**numbers, **{known[name]: float(value) for name, value in values.items()}}


def as_array(matrix: sp.Matrix, numbers: Mapping[sp.Symbol, float]) -> Float:
    """A matrix of the parameters in numbers."""
    at = Forward({symbol: sp.Float(value) for symbol, value in numbers.items()}, {})
    values = [float(at.value(entry)) for entry in matrix]
    return np.array(values, dtype=np.float64).reshape(matrix.shape)


def _accelerations(
    given: Sequence[sp.Expr | float] | None, M: sp.Matrix, f: sp.Matrix, *, moving: bool
) -> sp.Matrix:
    if given is not None and len(given) != len(f):
        raise ModelError(f"{len(given)} accelerations are given for {len(f)} speeds")
    if given is not None:
        return sp.Matrix(len(f), 1, list(given))
    return _solved(M, f) if moving else sp.zeros(len(f), 1)


def _solved(M: sp.Matrix, right: sp.Matrix) -> sp.Matrix:
    """M⁻¹ times columns.

    Raises
    ------
    ModelError
        A matrix with symbols that is too large to be solved in symbols.
    """
    if M.free_symbols and M.rows > _MOST_SPEEDS:
        raise ModelError(
            f"the inverse of M for {M.rows} speeds is too long in symbols (at most {_MOST_SPEEDS} "
            "speeds); derive the equations with keep=() for numbers, or use `evaluate`"
        )
    return M.LUsolve(right)


def _drift(kin: Kinematics, at: Mapping[sp.Symbol, sp.Expr]) -> sp.Matrix:
    """N of δ' = N δ + δu: w0 × for the rotations of every quaternion joint."""
    N = sp.zeros(len(kin.u), len(kin.u))
    for form in kin.forms.values():
        if form.quaternion:
            w = [at[u] for u in form.spin_speeds]
            first = kin.u.index(form.spin_speeds[0])
            for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
                N[first + i, first + k] = w[j]
                N[first + k, first + i] = -w[j]
    return N
