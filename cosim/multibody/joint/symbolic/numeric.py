r"""Equation (5) in numbers: B, M and the loads as arrays, products and solution in numpy.

.. math::

    B^T M B\,\dot u = B^T (g_{gravity} + g_{elements} - c - M \dot B u) + Q_{joint}
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import sympy as sp
from scipy.linalg.lapack import dposv

from cosim.algebra.types import Float
from cosim.errors import ModelError
from cosim.multibody.joint.symbolic.equations import Equations
from cosim.multibody.joint.symbolic.functions import ArrayProgram

__all__ = ["NumericEquations", "inputs_of", "solve"]


class NumericEquations:
    """The equations of a system as functions of numbers.

    Call order: :meth:`evaluate`, then any of the others; or :meth:`rates` alone.

    Parameters
    ----------
    equations : Equations
    more : mapping of name to Matrix, optional
        What to evaluate beside them; found in `arrays`.

    Attributes
    ----------
    equations : Equations
    inputs : tuple of Symbol
        t, q, u, kept parameters, headings.
    values : (len(inputs),)
        Present values; those of the parameters may be changed at any time.
    arrays : dict of name to array
        ``B``, ``B_dot`` (rows, nu); ``M`` (rows,) of a diagonal M or the blocks (n, 6, 6);
        ``g`` (rows,), without the term of B'; ``Q`` (nu,); and `more`.
    bias : (rows,)
        B' u.
    """

    def __init__(
        self, equations: Equations, more: Mapping[str, sp.MatrixBase] | None = None
    ) -> None:
        kin = equations.kin
        self.equations = equations
        self.inputs, self.values = inputs_of(equations)
        self._q = slice(1, 1 + len(kin.q))
        self._u = slice(self._q.stop, self._q.stop + len(kin.u))
        mass, self._diagonal = _mass(equations)
        outputs = {
            "B": kin.B(),
            "B_dot": kin.B_dot(),
            "M": mass,
            "g": equations.g_gravity + equations.g_elements - equations.c,
            "Q": equations.Q_joint,
        }
        self.program = ArrayProgram(self.inputs, kin.definitions, {**outputs, **(more or {})})
        self.arrays = {
            name: array if name.startswith("B") else array.ravel()
            for name, array in self.program.arrays.items()
        }
        if not self._diagonal:
            width = len(kin.rows)
            self.arrays["M"] = self.arrays["M"].reshape(-1, width, width)
        self._rates = None
        if kin.q_dot != kin.u:
            self._rates = ArrayProgram((*kin.q, *kin.u), (), {"q_dot": sp.Matrix(kin.q_dot)})
        self.bias = np.zeros(len(kin.rows) * len(kin.bodies))

    def set_parameter(self, name: str, value: float) -> None:
        """Change a parameter that was kept as a symbol.

        Raises
        ------
        ModelError
            It was not kept.
        """
        symbols = self.equations.kin.values.symbols
        if name not in symbols:
            raise ModelError(
                f"'{name}' is not a symbol of these equations; derive them with keep=['{name}']"
            )
        self.values[self.inputs.index(symbols[name])] = value

    def evaluate(self, t: float, q: Float, u: Float) -> None:
        """Write `arrays` and `bias`."""
        self.values[0], self.values[self._q], self.values[self._u] = t, q, u
        self.program.evaluate(self.values)
        np.matmul(self.arrays["B_dot"], u, out=self.bias)

    def q_dot(self, q: Float, u: Float) -> Float:
        """Time derivative N(q) u of the coordinates, as the equations have it."""
        if self._rates is None:
            return u.copy()
        self._rates.evaluate(np.concatenate([q, u]))
        return self._rates.arrays["q_dot"][:, 0].copy()

    def momenta(self, v: Float) -> Float:
        """M v, of one column (rows,) or several (rows, k)."""
        M = self.arrays["M"]
        if self._diagonal:
            return np.asarray((M if v.ndim == 1 else M[:, None]) * v)
        blocks = v.reshape(M.shape[0], M.shape[1], -1)
        return np.asarray((M @ blocks).reshape(v.shape))

    def mass_matrix(self) -> Float:
        """Reduced mass matrix Bᵀ M B, (nu, nu)."""
        B = self.arrays["B"]
        return np.asarray(B.T @ self.momenta(B))

    def force(self) -> Float:
        """Reduced right-hand side, (nu,)."""
        load = self.arrays["g"] - self.momenta(self.bias)
        return np.asarray(self.arrays["B"].T @ load + self.arrays["Q"])

    def rates(self, t: float, y: Float) -> Float:
        """Time derivative of y = [q, u].

        Raises
        ------
        ModelError
            The mass matrix is not positive definite.
        """
        nq = self._q.stop - self._q.start
        q, u = y[:nq], y[nq:]
        self.evaluate(t, q, u)
        u_dot, failed = solve(self.mass_matrix(), self.force())
        if failed >= 0:
            raise ModelError(
                f"the mass matrix is not positive definite in '{self.equations.kin.u[failed]}'; "
                "check masses and inertias"
            )
        return np.concatenate([self.q_dot(q, u), u_dot])


def inputs_of(equations: Equations) -> tuple[tuple[sp.Symbol, ...], Float]:
    """What the equations depend on (t, q, u, kept parameters, headings), and first values."""
    kin = equations.kin
    moving = (kin.t, *kin.q, *kin.u)
    given = kin.values.numbers
    return (*moving, *given), np.array([0.0] * len(moving) + list(given.values()))


def solve(M: Float, force: Float) -> tuple[Float, int]:
    """Solution of M x = force by Cholesky, and the row that is not positive or -1."""
    if not force.size:
        return force, -1
    _, x, info = dposv(M, force, lower=True, overwrite_a=True)
    return x, int(info) - 1


def _mass(equations: Equations) -> tuple[sp.MatrixBase, bool]:
    """The diagonal of M, or its blocks one below the other."""
    M, width = equations.M, len(equations.kin.rows)
    if equations.kin.planar:
        return sp.Matrix([M[k, k] for k in range(M.rows)]), True
    blocks = [M[k : k + width, k : k + width] for k in range(0, M.rows, width)]
    return sp.Matrix.vstack(*blocks), False
