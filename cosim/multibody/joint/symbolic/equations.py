r"""The equations of motion in symbols, eq. (5) of the paper with the terms of space.

.. math::

    B^T M B\,\dot u = B^T (g_{gravity} + g_{elements} - c - M \dot B u) + Q_{joint},

with M = diag(m 1, R J Rᵀ) and c = [0; ω × R J Rᵀ ω]; in a plane M = diag(m, m, J), c = 0.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING

import sympy as sp

from cosim.errors import ModelError
from cosim.model.system import System
from cosim.multibody.joint.symbolic.elements import element_loads
from cosim.multibody.joint.symbolic.frames import (
    Rows,
    Vector,
    apply,
    cross,
    dot,
    matrix,
    multiply,
    skew,
    subtract,
    transpose,
)
from cosim.multibody.joint.symbolic.kinematics import Angles, Kinematics
from cosim.multibody.joint.symbolic.loads import Loads

if TYPE_CHECKING:
    from cosim.multibody.joint.symbolic.readable import ReadableEquations

__all__ = ["Equations", "derive"]


def derive(
    system: System,
    *,
    keep: Collection[str] | None = None,
    angles: Angles = "relative",
    inline: bool | None = None,
) -> Equations:
    """Equations of motion of a system, by recursion over its tree.

    Parameters
    ----------
    system : System
    keep : collection of str, optional
        Parameters that stay symbols; None keeps all, an empty collection none.
    angles : {"relative", "absolute"}
        Of planar systems: relative to the parent, or absolute about +y (the paper's form).
    inline : bool, optional
        Everything written out (True) or with named intermediates (False); None writes out
        planar systems of up to 10 bodies and others of up to 2.

    Raises
    ------
    ModelError
        Absolute angles of a system that is not planar; a cut joint; a name in `keep` that is
        no parameter.
    """
    for name, joint in system.joints.items():
        if joint.cut:
            raise ModelError(
                f"joint '{name}' closes a loop and eq. (5) is that of a tree; derive_loops gives "
                "the equations of the tree with the conditions of its cut joints"
            )
    return Equations(Kinematics(system, keep=keep, angles=angles, inline=inline))


class Equations:
    """M, c and loads of a system; what is expensive is formed when it is asked for.

    Parameters
    ----------
    kin : Kinematics

    Attributes
    ----------
    kin : Kinematics
    inertia : mapping of body to Rows
        R J Rᵀ, kg m².
    loads : Loads
        Of the elements.
    """

    def __init__(self, kin: Kinematics) -> None:
        self.kin = kin
        self.inertia = {body: self._inertia(body) for body in kin.bodies}
        self.loads: Loads = element_loads(kin)

    @cached_property
    def M(self) -> sp.ImmutableMatrix:  # noqa: N802
        """Mass matrix of the bodies, block diagonal, (rows n, rows n)."""
        blocks = []
        for body in self.kin.bodies:
            mass, inertia = self._mass(body), matrix(self.inertia[body])
            if self.kin.planar:
                blocks.append(sp.diag(mass, mass, inertia[1, 1]))
            else:
                blocks.append(sp.diag(mass, mass, mass, inertia))
        return sp.ImmutableMatrix(sp.diag(*blocks))

    @cached_property
    def c(self) -> sp.ImmutableMatrix:
        """Gyroscopic wrench [0; ω × R J Rᵀ ω] of every body, (rows n,); zero in a plane."""
        wrenches = []
        for body in self.kin.bodies:
            w = self.kin.moving[body].w
            moment = cross(w, apply(self.inertia[body], w))
            wrenches.append((sp.S.Zero,) * 3 + moment)
        if self.kin.planar:
            wrenches = [(sp.S.Zero,) * 6 for _ in wrenches]
        return self._stacked(wrenches)

    @cached_property
    def g_gravity(self) -> sp.ImmutableMatrix:
        """Weights, (rows n,)."""
        zero = sp.S.Zero
        return self._stacked(
            [(zero, zero, -self._weight(body), zero, zero, zero) for body in self.kin.bodies]
        )

    @cached_property
    def g_elements(self) -> sp.ImmutableMatrix:
        """Wrenches of the elements at the centres of gravity, (rows n,)."""
        g = self.loads.g
        return self._stacked([tuple(g[6 * k : 6 * k + 6]) for k in range(len(self.kin.bodies))])

    @property
    def Q_joint(self) -> sp.Matrix:  # noqa: N802
        """Generalised forces of elements on joint coordinates, (nu,)."""
        return sp.Matrix(len(self.kin.u), 1, list(self.loads.Q))

    @cached_property
    def bias(self) -> sp.ImmutableMatrix:
        """The part B' u of the accelerations that speeds cause, (rows n,)."""
        return sp.ImmutableMatrix(self.kin.B_dot() * sp.Matrix(len(self.kin.u), 1, self.kin.u))

    @cached_property
    def lhs(self) -> sp.ImmutableMatrix:
        """Reduced mass matrix Bᵀ M B, (nu, nu)."""
        B = self.kin.B()
        return sp.ImmutableMatrix(B.T * (self.M * B))

    @cached_property
    def rhs(self) -> sp.ImmutableMatrix:
        """Reduced right-hand side of eq. (5), (nu,)."""
        g = self.g_gravity + self.g_elements - self.c - self.M * self.bias
        return sp.ImmutableMatrix(self.kin.B().T * g + self.Q_joint)

    @cached_property
    def kinetic(self) -> sp.Expr:
        """Kinetic energy, J."""
        terms = []
        for body in self.kin.bodies:
            moving = self.kin.moving[body]
            spin = dot(moving.w, apply(self.inertia[body], moving.w))
            terms.append((self._mass(body) * dot(moving.v, moving.v) + spin) / 2)
        return sp.Add(*terms)

    @cached_property
    def potential(self) -> sp.Expr:
        """Potential energy of the weights (datum z = 0) and the conservative elements, J."""
        kin = self.kin
        weights = (self._weight(body) * kin.moving[body].r[2] for body in kin.bodies)
        return sp.Add(*weights, self.loads.potential)

    def readable(self, *, seconds: float = 20.0) -> ReadableEquations:
        """Both sides of eq. (5) and the energies, simplified as far as the time allows."""
        from cosim.multibody.joint.symbolic.readable import readable

        return readable(self, seconds=seconds)

    def _mass(self, body: str) -> sp.Expr:
        return self.kin.values.value(("bodies", body, "mass"))

    def _weight(self, body: str) -> sp.Expr:
        values = self.kin.values
        return self._mass(body) * values.value(("bodies", body, "gravity_scale")) * values.gravity

    def _inertia(self, body: str) -> Rows:
        """R J Rᵀ; in a plane only the moment about y counts, and stays J."""
        J = self.kin.values.inertia(body)
        rows = _rows(J)
        if self.kin.planar:
            return rows
        R, w = self.kin.moving[body].R, self.kin.moving[body].w
        named = _symmetric(multiply(multiply(R, rows), transpose(R)), body, self.kin)
        spin = skew(w)
        turning, turned = multiply(spin, named), multiply(named, spin)
        for names, first, second in zip(named, turning, turned, strict=True):
            self.kin.intermediates.set_rates(names, subtract(first, second))
        return named

    def _stacked(self, wrenches: list[tuple[sp.Expr, ...]]) -> sp.ImmutableMatrix:
        entries = [wrench[row] for wrench in wrenches for row in self.kin.rows]
        return sp.ImmutableMatrix(len(entries), 1, entries)


def _rows(J: sp.Matrix) -> Rows:
    first, second, third = (tuple(J[i, :]) for i in range(3))
    return first, second, third


def _symmetric(values: Rows, body: str, kin: Kinematics) -> Rows:
    """Six names for a symmetric matrix."""
    name = kin.intermediates.name
    xx, yy, zz = (name(f"I{k + 1}{k + 1}", body, values[k][k]) for k in range(3))
    xy, xz, yz = (name(f"I{i + 1}{j + 1}", body, values[i][j]) for i, j in ((0, 1), (0, 2), (1, 2)))
    first: Vector = (xx, xy, xz)
    return first, (xy, yy, yz), (xz, yz, zz)
