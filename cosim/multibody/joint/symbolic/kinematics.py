"""Positions, velocities, B and its derivative of a tree of bodies, in symbols."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import sympy as sp

from cosim.errors import ModelError
from cosim.model.base import EARTH
from cosim.model.joints import Fixed, Floating
from cosim.model.system import System
from cosim.multibody.joint.symbolic.definitions import Definitions
from cosim.multibody.joint.symbolic.frames import (
    ZERO,
    Vector,
    add,
    apply,
    column,
    cross,
    matrix,
    subtract,
    vector,
)
from cosim.multibody.joint.symbolic.joints import joint_form
from cosim.multibody.joint.symbolic.names import Names
from cosim.multibody.joint.symbolic.recursion import (
    AT_REST,
    Arms,
    Moving,
    move_planar,
    move_spatial,
)
from cosim.multibody.joint.symbolic.transformation import blocks
from cosim.multibody.joint.symbolic.tree import is_planar, tree_of
from cosim.multibody.joint.symbolic.values import Path, Values

__all__ = ["Angles", "Coordinate", "Kinematics"]

Angles = Literal["relative", "absolute"]

_PLANAR_ROWS = (0, 2, 4)
_SPATIAL_ROWS = (0, 1, 2, 3, 4, 5)
_READABLE = {True: 10, False: 2}
"""Bodies up to which planar (True) and other systems are written out unless asked otherwise."""


class Coordinate(NamedTuple):
    """A joint coordinate: relative to the parent, whatever the angles of the equations.

    Attributes
    ----------
    position, rate : Expr
    speed : int
        Place in u of the speed that belongs to it. With absolute angles `rate` is a difference of
        two speeds, and a force F on the coordinate adds ``F d(rate)/du`` to both.
    """

    position: sp.Expr
    rate: sp.Expr
    speed: int


class Kinematics:
    r"""Kinematics of a tree in joint coordinates: v = B u (eq. 3) and v' = B u' + B' u (eq. 4).

    Parameters
    ----------
    system : System
    keep : collection of str, optional
        Parameters that stay symbols; None keeps all, an empty collection none.
    angles : {"relative", "absolute"}
        Of planar systems: angles of the joints, or of the bodies about +y (the paper's form).
    inline : bool, optional
        Everything written out, or with named intermediates; None writes out planar systems
        of up to 10 bodies and others of up to 2.

    Attributes
    ----------
    system : System
    values : Values
    tree : Tree
        Branches and numbering.
    planar : bool
        Moves in the x-z plane: three rows [vx vz wy] per body instead of six.
    angles : str
    t : Symbol
    q, u : tuple of Symbol
        As the joints are declared; of one joint its translations, then its rotations.
    q_dot : tuple of Expr
        q' = N(q) u, without the term that keeps quaternions at length 1.

    Raises
    ------
    ModelError
        Absolute angles of a system that is not planar; angles of another name.
    """

    def __init__(
        self,
        system: System,
        *,
        keep: Collection[str] | None = None,
        angles: Angles = "relative",
        inline: bool | None = None,
    ) -> None:
        self.system, self.values, self.tree = system, Values(system, keep), tree_of(system)
        self.planar, self.angles = is_planar(self.values), angles
        if angles not in get_args(Angles):
            raise ModelError(f"angles are {' or '.join(get_args(Angles))}, not '{angles}'")
        if angles == "absolute" and not self.planar:
            raise ModelError(
                "absolute angles need a planar system: joints that are fixed, revolute about y, "
                "prismatic in the x-z plane or planar xz; ask for relative angles"
            )
        if inline is None:
            inline = len(system.bodies) <= _READABLE[self.planar]
        given = (*self.values.symbols.values(), *self.values.headings.values())
        names = Names(["t", *map(str, given)])
        self.t = sp.Symbol("t", real=True)
        self.forms = {
            name: joint_form(name, self.values, names)
            for name, joint in system.joints.items()
            if not joint.cut
        }
        self.q = tuple(q for form in self.forms.values() for q in form.q)
        self.u = tuple(u for form in self.forms.values() for u in form.u)
        self.q_dot = tuple(rate for form in self.forms.values() for rate in form.q_dot)
        self.intermediates = Definitions(names, inline=inline)
        self._given = {self.t: sp.S.One, **dict(zip(self.q, self.q_dot, strict=True))}
        self.moving: dict[str, Moving] = {EARTH: AT_REST}
        for body in self.tree.order:
            self.moving[body] = self._move(body)

    @property
    def bodies(self) -> tuple[str, ...]:
        """Order of all rows: as declared."""
        return self.tree.bodies

    @property
    def rows(self) -> tuple[int, ...]:
        """Which of [vx vy vz wx wy wz] each body has in B."""
        return _PLANAR_ROWS if self.planar else _SPATIAL_ROWS

    @property
    def definitions(self) -> tuple[tuple[sp.Symbol, sp.Expr], ...]:
        """Intermediates in order of evaluation, of t, q, earlier ones and, some, u."""
        return self.intermediates.items

    @property
    def definitions_of_speeds(self) -> frozenset[sp.Symbol]:
        """Intermediates that depend on u."""
        return self.intermediates.of_speeds

    def expand(self, expression: sp.Expr) -> sp.Expr:
        """All intermediates written out, in an expression or a matrix."""
        return self.intermediates.expand(expression)

    def dt(self, expression: sp.Expr) -> sp.Expr:
        """Total time derivative, with q' = N u, of an expression of t, q and intermediates.

        Raises
        ------
        ModelError
            The expression depends on speeds.
        """
        return self.intermediates.rate(expression, self._given)

    def body_of(self, address: str) -> str:
        """Body that carries the point ``body``, ``body/point``, or ``earth``."""
        return self.system.point(address)[0]

    def position(self, address: str) -> sp.Matrix:
        """Position of ``body`` (its CG), ``body/point`` or ``earth/name``, m, world frame."""
        body = self.body_of(address)
        return column(add(self.moving[body].r, self._arm(address, body)))

    def velocity(self, address: str) -> sp.Matrix:
        """Velocity of a point, m/s, world frame."""
        body = self.body_of(address)
        moving = self.moving[body]
        return column(add(moving.v, cross(moving.w, self._arm(address, body))))

    def rotation(self, body: str) -> sp.Matrix:
        """Rotation matrix, body axes to world axes; identity in the reference configuration."""
        return matrix(self.moving[body].R)

    def omega(self, body: str) -> sp.Matrix:
        """Angular velocity, rad/s, world axes."""
        return column(self.moving[body].w)

    def angle(self, body: str) -> sp.Expr:
        """Rotation of a body of a planar system about +y, rad."""
        return self.moving[body].angle

    def joint_point(self, joint: str) -> sp.Matrix:
        """Point of a joint, which moves with the child; of fixed and floating ones its CG."""
        return column(self.moving[self.system.joints[joint].child].pivot)

    def coordinate(self, joint: str, name: str) -> Coordinate:
        """A translation or an angle of a joint (not the rotations of quaternions).

        Raises
        ------
        ModelError
            No such coordinate.
        """
        described = self.system.joints[joint]
        form = self.forms.get(joint)
        quaternions = described.type in ("spherical", "floating")
        barred = described.angular if quaternions else ()
        known = tuple(c for c in described.coordinates if c not in barred)
        if form is None or name not in known:
            raise ModelError(
                f"joint '{joint}' has no coordinate '{name}' that loads can act on; it has "
                f"{', '.join(known) or 'none'}"
            )
        place = known.index(name)
        index = self.u.index(form.u[place])
        if self.angles == "absolute" and place >= len(form.slides):
            return self._between(described.parent, described.child, index)
        return Coordinate(form.q[place], form.u[place], index)

    def B(self) -> sp.ImmutableMatrix:  # noqa: N802
        """Velocity transformation, (rows n, nu): v = B u."""
        return self._transformations[0]

    def B_dot(self) -> sp.ImmutableMatrix:  # noqa: N802
        """Its time derivative, (rows n, nu): v' = B u' + B' u."""
        return self._transformations[1]

    @cached_property
    def _transformations(self) -> tuple[sp.ImmutableMatrix, sp.ImmutableMatrix]:
        size, nu = len(self.rows), len(self.u)
        B, B_dot = ([[sp.S.Zero] * nu for _ in range(size * len(self.bodies))] for _ in range(2))
        place = {body: size * k for k, body in enumerate(self.bodies)}
        first = {body: self._first_speed(body) for body in self.bodies}
        absolute = self.angles == "absolute"
        for k, j, speed, block, rate in blocks(self.tree, self.moving, absolute=absolute):
            values, rates = (*block[0], *block[1]), (*rate[0], *rate[1])
            for row, component in enumerate(self.rows, start=place[k]):
                B[row][first[j] + speed] = values[component]
                B_dot[row][first[j] + speed] = rates[component]
        shape = (size * len(self.bodies), nu)
        return (
            sp.ImmutableMatrix(*shape, [entry for row in B for entry in row]),
            sp.ImmutableMatrix(*shape, [entry for row in B_dot for entry in row]),
        )

    def _first_speed(self, body: str) -> int:
        u = self.forms[self.tree.joint[body]].u
        return self.u.index(u[0]) if u else 0

    def _between(self, parent: str, child: str, index: int) -> Coordinate:
        """The angle of a joint as a difference of absolute angles."""
        sign = self.forms[self.tree.joint[child]].axes[0][1]
        before, after = self.moving[parent], self.moving[child]
        return Coordinate(
            sign * (after.angle - before.angle), sign * (after.w[1] - before.w[1]), index
        )

    def _move(self, body: str) -> Moving:
        name = self.tree.joint[body]
        parent, form, arms = self.moving[self.tree.parent[body]], self.forms[name], self._arms(body)
        if self.planar:
            absolute = self.angles == "absolute"
            return move_planar(body, parent, form, arms, self.intermediates, absolute=absolute)
        return move_spatial(body, parent, form, arms, self.intermediates)

    def _arms(self, body: str) -> Arms:
        name = self.tree.joint[body]
        centre = self._reference(("bodies", body, "cog"))
        place, before = centre, ZERO
        if not isinstance(self.system.joints[name], Fixed | Floating):
            place = self._reference(("joints", name, "at"))
        if self.tree.parent[body] != EARTH:
            before = self._reference(("bodies", self.tree.parent[body], "cog"))
        return Arms(subtract(place, before), subtract(centre, place))

    def _arm(self, address: str, body: str) -> Vector:
        """From the centre of gravity of the body to a point of it."""
        if address == body:
            return ZERO
        if body == EARTH:
            return self._reference(("earth_points", address.removeprefix(f"{EARTH}/")))
        point = address.rpartition("/")[2]
        place = self._reference(("bodies", body, "points", point))
        centre = self._reference(("bodies", body, "cog"))
        return apply(self.moving[body].R, subtract(place, centre))

    def _reference(self, path: Path) -> Vector:
        return vector(list(self.values.vector(path)))
