r"""A system in which the motion of one body, its interface, is prescribed from outside.

With the interface r a body that floats freely in the system itself, :math:`a_{free}` its twist
derivative there, and :math:`\Lambda` its inverse apparent inertia, the rows and columns of
:math:`(B^T M B)^{-1}` that belong to it (M with the adapters' added mass), a wrench

.. math:: f = \Lambda^{-1} (a - a_{free})

makes it move with the twist derivative a, and all else with
:math:`\dot u = \dot u_{free} + M^{-1} B_r^T f`. Whoever prescribes the motion feels the load
:math:`-f = \Lambda^{-1} a_{free} - \Lambda^{-1} a`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cosim.errors import ModelError
from cosim.model.base import EARTH
from cosim.model.joints import Floating
from cosim.model.sentences import nearest
from cosim.model.system import System
from cosim.multibody.interface import Energy, Float, MultibodyModel, Reactions, State
from cosim.serving.prescribed import Prescribed

__all__ = ["Drive", "DrivenModel", "InterfaceLoad"]


@dataclass(frozen=True)
class InterfaceLoad:
    """The load ``g - mass v'`` on whoever moves the interface.

    Attributes
    ----------
    g : (6,)
        Wrench at the interface's centre of gravity, world axes, N and N m.
    mass : (6, 6)
        Apparent inertia, symmetric.
    """

    g: Float
    mass: Float


@dataclass
class Drive:
    """Who prescribes the motion; shared by a model and its twins.

    Attributes
    ----------
    motion : Prescribed or None
        None lets the interface float.
    """

    motion: Prescribed | None = None


@dataclass(frozen=True)
class _Place:
    """Rows of the interface among bodies, coordinates and speeds."""

    body: int
    q: slice
    u: slice
    origin: Float = field(repr=False)


class DrivenModel(MultibodyModel):
    """Equations of motion with one body that follows a prescribed motion.

    Place and speed of the interface in (q, u) are not used: they are those of the motion.

    Parameters
    ----------
    inner : MultibodyModel
        The system, in which the interface floats.
    interface : str
        Child of a floating joint to earth.
    drive : Drive, optional

    Raises
    ------
    ModelError
        There is no such body, or it does not float.
    """

    def __init__(self, inner: MultibodyModel, interface: str, drive: Drive | None = None) -> None:
        self.inner, self.interface = inner, interface
        self.drive = Drive() if drive is None else drive
        self.system = inner.system
        self.bodies, self.speeds, self.frames = inner.bodies, inner.speeds, inner.frames
        self.nq, self.nu, self.closures = inner.nq, inner.nu, inner.closures
        self.element_channels = inner.element_channels
        self._at = _place(inner, interface)
        self._t = 0.0
        self._load: InterfaceLoad | None = None

    @property
    def rows(self) -> slice:
        """Speeds of the interface: its twist."""
        return self._at.u

    @property
    def interface_load(self) -> InterfaceLoad:
        """What the motion costs, at the last `accelerations`."""
        if self._load is None:
            raise ModelError("the load at the interface is known after accelerations() only")
        return self._load

    def placed(self, q: Float, u: Float) -> tuple[Float, Float]:
        """Coordinates and speeds with those of the motion at the last `kinematics`."""
        motion = self.drive.motion
        if motion is None:
            return q, u
        q, u = np.array(q), np.array(u)
        q[self._at.q] = motion.place
        q[self._at.q][:3] -= self._at.origin
        u[self._at.u] = motion.twist
        return q, u

    def kinematics(self, t: float, q: Float, u: Float) -> State:
        """See :meth:`MultibodyModel.kinematics`."""
        self._t = t
        if self.drive.motion is not None:
            self.drive.motion.at(t)
        return self.inner.kinematics(t, *self.placed(q, u))

    def q_dot(self, q: Float, u: Float) -> Float:
        """See :meth:`MultibodyModel.q_dot`."""
        return self.inner.q_dot(*self.placed(q, u))

    def accelerations(
        self, Q: Float, mass: Float | None = None, *, body_mass: Float | None = None
    ) -> tuple[Float, Float]:
        """See :meth:`MultibodyModel.accelerations`."""
        inner, rows = self.inner, self._at.u
        u_dot, v_dot = inner.accelerations(Q, mass, body_mass=body_mass)
        # unit loads as large as those that act, or their effect is lost beside that of these
        size = max(1.0, float(np.abs(inner.own_force() + Q).max(initial=0.0)))
        effect, turned = np.empty((self.nu, 6)), np.empty((*v_dot.shape, 6))
        for k in range(6):
            loaded = Q.copy()
            loaded[rows.start + k] += size
            du, dv = inner.accelerations(loaded, mass, body_mass=body_mass)
            effect[:, k], turned[..., k] = (du - u_dot) / size, (dv - v_dot) / size
        apparent = self._apparent(effect[rows])
        self._load = InterfaceLoad(apparent @ u_dot[rows], apparent)
        motion = self.drive.motion
        if motion is None:
            return u_dot, v_dot
        f = apparent @ (motion.acceleration - u_dot[rows])
        u_dot, v_dot = u_dot + effect @ f, v_dot + turned @ f
        u_dot[rows] = v_dot[self._at.body] = motion.acceleration
        return u_dot, v_dot

    def _apparent(self, mobility: Float) -> Float:
        """Λ⁻¹ of Λ, (6, 6)."""
        try:
            factor = np.linalg.cholesky(0.5 * (mobility + mobility.T))
        except np.linalg.LinAlgError:
            raise ModelError(
                f"body '{self.interface}' cannot be moved in all directions: what it is connected "
                "with holds it; serve a body that floats freely"
            ) from None
        half = np.linalg.inv(factor)
        return np.asarray(half.T @ half)

    def twin(self) -> DrivenModel:
        """See :meth:`MultibodyModel.twin`; it follows the same motion."""
        return DrivenModel(self.inner.twin(), self.interface, self.drive)

    def initial(self, conditions: Mapping[str, float] | None = None) -> tuple[Float, Float]:
        """See :meth:`MultibodyModel.initial`."""
        return self.inner.initial(conditions)

    def initial_near(
        self, pose: Mapping[str, float], conditions: Mapping[str, float]
    ) -> tuple[Float, Float]:
        """See :meth:`MultibodyModel.initial_near`."""
        return self.inner.initial_near(pose, conditions)

    def set_frame(self, name: str, yaw: float) -> None:
        """See :meth:`MultibodyModel.set_frame`."""
        self.inner.set_frame(name, yaw)

    def retract(self, q: Float, displacement: Float) -> Float:
        """See :meth:`MultibodyModel.retract`."""
        return self.inner.retract(q, displacement)

    def difference(self, q: Float, origin: Float) -> Float:
        """See :meth:`MultibodyModel.difference`."""
        return self.inner.difference(q, origin)

    def project(self, g: Float) -> Float:
        """See :meth:`MultibodyModel.project`."""
        return self.inner.project(g)

    def project_mass(self, bodies: NDArray[np.intp], Ma: Float) -> Float:
        """See :meth:`MultibodyModel.project_mass`."""
        return self.inner.project_mass(bodies, Ma)

    def bias(self) -> Float:
        """See :meth:`MultibodyModel.bias`."""
        return self.inner.bias()

    def own_force(self) -> Float:
        """See :meth:`MultibodyModel.own_force`."""
        return self.inner.own_force()

    def energy(self) -> Energy:
        """See :meth:`MultibodyModel.energy`."""
        return self.inner.energy()

    def nonconservative_power(self) -> float:
        """See :meth:`MultibodyModel.nonconservative_power`."""
        return self.inner.nonconservative_power()

    def element_values(self) -> Float:
        """See :meth:`MultibodyModel.element_values`."""
        return self.inner.element_values()

    def reactions(self, g: Float, v_dot: Float, Ma: Float | None = None) -> Reactions:
        """See :meth:`MultibodyModel.reactions`; at the interface, the load of its mover."""
        return self.inner.reactions(g, v_dot, Ma)

    def velocity_transformation(self) -> Float:
        """See :meth:`MultibodyModel.velocity_transformation`."""
        return self.inner.velocity_transformation()

    def closed(self, q: Float, u: Float) -> tuple[Float, Float]:
        """See :meth:`MultibodyModel.closed`."""
        return self.inner.closed(*self.placed(q, u))

    def constraint_jacobian(self) -> Float:
        """See :meth:`MultibodyModel.constraint_jacobian`."""
        return self.inner.constraint_jacobian()

    def closure_findings(self) -> list[str]:
        """See :meth:`MultibodyModel.closure_findings`."""
        return self.inner.closure_findings()

    def constraint_violation(self) -> Float:
        """See :meth:`MultibodyModel.constraint_violation`."""
        return self.inner.constraint_violation()


def _place(model: MultibodyModel, interface: str) -> _Place:
    """Where the interface stands in all arrays."""
    system = model.system
    joint = _joint_of(system, interface)
    first = model.speeds.index(f"{joint}.surge")
    q, _ = model.initial()
    unit = np.zeros(model.nu)
    unit[first] = 1.0
    start = int(np.flatnonzero(model.retract(q, unit) != q)[0])
    return _Place(
        int(model.index([interface])[0]),
        slice(start, start + 7),
        slice(first, first + 6),
        np.array(system.bodies[interface].cog, dtype=float),
    )


def _joint_of(system: System, interface: str) -> str:
    if interface not in system.bodies:
        hint = nearest(interface, system.bodies) or f"; there are {', '.join(system.bodies)}"
        raise ModelError(f"there is no body '{interface}'{hint}")
    for name, joint in system.joints.items():
        if joint.child == interface and not joint.cut:
            if isinstance(joint, Floating) and joint.parent == EARTH:
                return name
            break
    raise ModelError(
        f"body '{interface}' does not float: give it a joint '{{type: floating, child: "
        f"{interface}}}', whose place the calling run takes"
    )
