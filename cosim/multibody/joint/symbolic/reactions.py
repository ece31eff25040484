r"""Joint reactions in symbols, for small systems.

What is beyond a joint accelerates as all its loads say; the joint passes the difference,

.. math::

    \text{wrench}_j = \sum_{i \text{ beyond } j} \left( M_i \dot v_i + c_i - g_{i,gravity}
    - g_{i,elements} \right),

moved to the point of the joint: force and moment on the child, world axes, as in
:class:`cosim.multibody.interface.Reactions`. It contains the constraint reactions (the g_c of
eq. (1) of the paper) and what elements do on the joint's own coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import sympy as sp

from cosim.errors import ModelError
from cosim.model.sentences import nearest
from cosim.multibody.joint.symbolic.equations import Equations
from cosim.multibody.joint.symbolic.names import Names

__all__ = ["JointReactions", "joint_reactions"]

_MOST_SPEEDS = 4
"""More speeds are not solved for in symbols."""


@dataclass(frozen=True)
class JointReactions:
    """Loads that joints pass to their children, as functions of t, q, u and accelerations.

    Attributes
    ----------
    equations : Equations
    accelerations : tuple of Symbol
        u', in the order of u.
    point, force, moment : dict of joint to (3, 1)
        Present position of the joint, m; force and moment on the child there, N and N m;
        world axes.
    """

    equations: Equations
    accelerations: tuple[sp.Symbol, ...]
    point: dict[str, sp.Matrix]
    force: dict[str, sp.Matrix]
    moment: dict[str, sp.Matrix]

    def in_motion(self, joint: str) -> tuple[sp.Matrix, sp.Matrix]:
        """Force and moment as functions of t, q and u: u' from the equations of motion.

        Raises
        ------
        ModelError
            More speeds than are solved for in symbols.
        """
        return self._with(joint, self._solved)

    def at_rest(self, joint: str) -> tuple[sp.Matrix, sp.Matrix]:
        """Force and moment as functions of t and q where nothing moves: u = 0 and u' = 0."""
        rest = dict.fromkeys((*self.equations.kin.u, *self.accelerations), sp.S.Zero)
        return self._with(joint, rest)

    def _with(self, joint: str, place: dict[sp.Symbol, sp.Expr]) -> tuple[sp.Matrix, sp.Matrix]:
        if joint not in self.force:
            raise ModelError(f"there is no joint '{joint}'{nearest(joint, self.force)}")
        expand = self.equations.kin.expand
        force, moment = expand(self.force[joint]), expand(self.moment[joint])
        return force.xreplace(place), moment.xreplace(place)

    @cached_property
    def _solved(self) -> dict[sp.Symbol, sp.Expr]:
        kin, equations = self.equations.kin, self.equations
        if len(kin.u) > _MOST_SPEEDS:
            raise ModelError(
                f"the accelerations of {len(kin.u)} speeds are too long in symbols (at most "
                f"{_MOST_SPEEDS}); put in their numbers for {self.accelerations[0]}, ..."
            )
        lhs, rhs = kin.expand(sp.Matrix(equations.lhs)), kin.expand(sp.Matrix(equations.rhs))
        return dict(zip(self.accelerations, lhs.LUsolve(rhs), strict=True))


def joint_reactions(equations: Equations) -> JointReactions:
    """Reactions of all joints.

    Parameters
    ----------
    equations : Equations
    """
    kin = equations.kin
    names = Names([str(symbol) for symbol in (kin.t, *kin.q, *kin.u, *kin.values.numbers)])
    u_dot = tuple(names.symbol("a", str(u)) for u in kin.u)
    needed = _needed_loads(equations, u_dot)
    point, force, moment = {}, {}, {}
    for name, joint in kin.system.joints.items():
        point[name] = kin.joint_point(name)
        beyond = [body for body in kin.bodies if joint.child in kin.tree.paths[body]]
        force[name] = sum((needed[body][0] for body in beyond), sp.zeros(3, 1))
        moment[name] = sum(
            (
                needed[body][1] + (kin.position(body) - point[name]).cross(needed[body][0])
                for body in beyond
            ),
            sp.zeros(3, 1),
        )
    return JointReactions(equations, u_dot, point, force, moment)


def _needed_loads(
    equations: Equations, u_dot: tuple[sp.Symbol, ...]
) -> dict[str, tuple[sp.Matrix, sp.Matrix]]:
    """Force and moment about its centre of gravity that every body needs from its joints."""
    kin, values = equations.kin, equations.kin.values
    B, rows = kin.B(), len(kin.rows)
    v_dot = B * sp.Matrix(len(u_dot), 1, u_dot) + equations.bias
    g = equations.loads.g
    needed = {}
    for k, body in enumerate(kin.bodies):
        a = sp.zeros(6, 1)
        for place, row in enumerate(kin.rows):
            a[row] = v_dot[rows * k + place]
        R, w = kin.rotation(body), kin.omega(body)
        J = R * values.inertia(body) * R.T
        mass = values.value(("bodies", body, "mass"))
        scale = values.value(("bodies", body, "gravity_scale"))
        weight = sp.Matrix([0, 0, -mass * scale * values.gravity])
        force = mass * sp.Matrix(a[:3]) - weight - sp.Matrix(g[6 * k : 6 * k + 3])
        alpha = sp.Matrix(a[3:])
        moment = J * alpha + w.cross(J * w) - sp.Matrix(g[6 * k + 3 : 6 * k + 6])
        needed[body] = (force, moment)
    return needed
