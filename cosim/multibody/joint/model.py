"""Minimal coordinates of a tree of bodies, with or without closed loops."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from cosim.errors import ModelError
from cosim.model.system import System
from cosim.multibody.elements.force_elements import ForceElements
from cosim.multibody.elements.outputs import ElementOutputs
from cosim.multibody.interface import Energy, Float, MultibodyModel, Reactions, State
from cosim.multibody.joint import entry
from cosim.multibody.joint.arrays import BIAS, COLUMN, new_work, unnamed
from cosim.multibody.joint.articulated import SOLVED
from cosim.multibody.joint.assembly import start_near
from cosim.multibody.joint.closure_arrays import LoopMemory
from cosim.multibody.joint.joint_wrenches import joint_wrenches
from cosim.multibody.joint.loads import tables_of
from cosim.multibody.joint.loops import closed_loops
from cosim.multibody.joint.reactions import kinetic_energy, weight_potential
from cosim.multibody.joint.tangent import displaced, displacement_between
from cosim.multibody.joint.topology import topology, without_inertia

__all__ = ["JointModel"]

_NO_BODY_MASS = np.zeros((0, 6, 6))
_NO_WRENCH = np.zeros((0, 6))


class JointModel(MultibodyModel):
    """Equations of motion in joint coordinates, by compiled kernels over plain arrays.

    Arguments are copied into the model's own arrays first: a kernel is compiled once per
    layout of its arguments, and knows no lengths but its own.

    Coordinates and speeds follow the joints of the system as declared; those of one joint
    are its translations, then its rotations (angles, or a quaternion with three speeds).
    One model serves one thread: its arrays are the scratch of every call.

    Parameters
    ----------
    system : System
        A tree of joints, and those that are cut to close its loops.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self._topology = topology(system)
        self.bodies = self._topology.bodies
        self.speeds = self._topology.speeds
        self.nq, self.nu = self._topology.nq, len(self.speeds)
        n = len(self.bodies)
        self._work = new_work(n, self.nu)
        self._memory = unnamed(self._topology.tree, self._work)
        self._elements = ForceElements(system, self.bodies, weight=False)
        self.frames = self._elements.axes
        self._tables = tables_of(self._elements.arrays)
        self._outputs = ElementOutputs(system)
        self.element_channels = self._outputs.channels
        self._t = 0.0
        rows = self._topology.coordinate_rows(self._elements.coordinates)
        self._joint_coordinates = (rows, np.zeros((3, rows.shape[1])))
        self._energy = np.zeros(2)
        self._all = np.arange(n)
        self._q, self._u, self._Q = np.zeros(self.nq), np.zeros(self.nu), np.zeros(self.nu)
        self._g = np.zeros((n, 6))
        self._mass = np.zeros((self.nu, self.nu))
        self._scratch = np.zeros((2, 6 * n, self.nu))
        self._loops = closed_loops(system, self._topology, self._memory)
        self.closures = 0 if self._loops is None else self._loops.rank
        self._views = tuple(_read_only(a) for a in (self._work.r, self._work.R, self._work.v))

    def twin(self) -> JointModel:
        """See :meth:`MultibodyModel.twin`."""
        return JointModel(self.system)

    def initial(self, conditions: Mapping[str, float] | None = None) -> tuple[Float, Float]:
        """See :meth:`MultibodyModel.initial`."""
        return self.initial_near({}, conditions or {})

    def initial_near(
        self, pose: Mapping[str, float], conditions: Mapping[str, float]
    ) -> tuple[Float, Float]:
        """See :meth:`MultibodyModel.initial_near`."""
        return start_near(self.system, self._topology, self._loops, pose, conditions)

    def kinematics(self, t: float, q: Float, u: Float) -> State:
        """See :meth:`MultibodyModel.kinematics`."""
        self._t, self._q[:], self._u[:] = t, q, u
        if self._loops is not None:
            self._loops.close(self._q, self._u)
        if self.system.elements:
            entry.move_loaded(
                self._memory,
                self._tables,
                self._joint_coordinates,
                (t, self._q, self._u),
                self._energy,
            )
        else:
            entry.move(self._memory, self._q, self._u)
        return State(t, *self._views)

    def q_dot(self, q: Float, u: Float) -> Float:
        """See :meth:`MultibodyModel.q_dot`."""
        if self.nq == self.nu and self._loops is None:  # no quaternions
            return u.copy()
        out = np.empty(self.nq)
        self._q[:], self._u[:] = q, u
        if self._loops is None:
            entry.rates(self._memory, self._q, self._u, out)
        else:
            self._loops.rates_at(self._q, self._u, out)
        return out

    def retract(self, q: Float, displacement: Float) -> Float:
        """See :meth:`MultibodyModel.retract`."""
        out = np.empty(self.nq)
        self._q[:], self._u[:] = q, displacement
        displaced(self._topology.tree.joints, self._q, self._u, out)
        return out

    def difference(self, q: Float, origin: Float) -> Float:
        """See :meth:`MultibodyModel.difference`."""
        out = np.empty(self.nu)
        self._q[:] = q
        displacement_between(self._topology.tree.joints, self._q, np.array(origin), out)
        return out

    def project(self, g: Float) -> Float:
        """See :meth:`MultibodyModel.project`."""
        out = np.zeros(self.nu)
        self._g[:] = g
        entry.project_wrenches(self._memory, self._g, out)
        return out

    def project_mass(self, bodies: NDArray[np.intp], Ma: Float) -> Float:
        """See :meth:`MultibodyModel.project_mass`."""
        out = np.empty((self.nu, self.nu))
        matrix = np.ascontiguousarray(Ma)
        entry.project_added_mass(self._memory, (bodies, matrix, self._scratch), out)
        return out

    def bias(self) -> Float:
        """See :meth:`MultibodyModel.bias`."""
        return self._work.body[:, BIAS : BIAS + 6].copy()

    def accelerations(
        self, Q: Float, mass: Float | None = None, *, body_mass: Float | None = None
    ) -> tuple[Float, Float]:
        """See :meth:`MultibodyModel.accelerations`."""
        u_dot, v_dot = np.empty(self.nu), np.empty((len(self.bodies), 6))
        extra = _NO_BODY_MASS if body_mass is None else body_mass
        self._Q[:] = Q
        if self._loops is not None:
            self._mass[:] = 0.0 if mass is None else mass
            failed = self._loops.accelerate(self._Q, (self._mass, extra), u_dot, v_dot)
        elif mass is None:
            failed = entry.accelerate(self._memory, self._Q, extra, u_dot, v_dot)
        else:
            self._mass[:] = mass
            masses = (self._mass, extra)
            failed = entry.accelerate_coupled(self._memory, self._Q, masses, u_dot, v_dot)
        if failed != SOLVED:
            raise self.refuse(failed)
        return u_dot, v_dot

    def own_force(self) -> Float:
        """See :meth:`MultibodyModel.own_force`."""
        out = np.empty(self.nu)
        entry.own_force(self._memory, _NO_BODY_MASS, out)
        return out

    def derive(
        self,
        g: Float | None,
        u_dot: Float,
        v_dot: Float,
        *,
        body_mass: Float | None = None,
        added_mass: tuple[NDArray[np.intp], Float] | None = None,
    ) -> None:
        """Accelerations for wrenches and added mass in one call, without allocation.

        Parameters
        ----------
        g : (n, 6) or None
            External wrenches g_e at the centres of gravity, world axes.
        u_dot : (nu,)
            Written: time derivative of the speeds.
        v_dot : (n, 6)
            Written: time derivative of the twists.
        body_mass : (n, 6, 6), optional
            Block-diagonal M_a.
        added_mass : (bodies, (6k, 6k)), optional
            M_a that couples the bodies of these rows; the dense path.

        Raises
        ------
        ModelError
            The mass matrix is not positive definite; names the body and axis.
        """
        wrench = _NO_WRENCH
        if g is not None:
            self._g[:] = g
            wrench = self._g
        extra = _NO_BODY_MASS if body_mass is None else body_mass
        coupled = None if added_mass is None else (*added_mass, self._scratch)
        if self._loops is not None:
            failed = self._loops.derive((wrench, extra), coupled, u_dot, v_dot)
        elif coupled is None:
            failed = entry.derive(self._memory, wrench, extra, u_dot, v_dot)
        else:
            failed = entry.derive_coupled(
                self._memory, (wrench, extra), coupled, self._mass, (u_dot, v_dot)
            )
        if failed != SOLVED:
            raise self.refuse(failed)

    @property
    def plain(self) -> entry.Plain:
        """What a compiled driver passes to :mod:`cosim.multibody.joint.entry`."""
        return self._memory, self._tables, self._joint_coordinates, self._energy

    @property
    def loops(self) -> LoopMemory | None:
        """Closed loops for :mod:`cosim.multibody.joint.closed_entry`; None for a tree."""
        return None if self._loops is None else self._loops.memory

    def refuse(self, speed: int) -> ModelError:
        """The error for a speed without positive inertia, as a kernel returned it."""
        column = self._work.speed[speed, COLUMN : COLUMN + 6]
        return without_inertia(self.system, self._topology, speed, column)

    def set_frame(self, name: str, yaw: float) -> None:
        """See :meth:`MultibodyModel.set_frame`."""
        self._elements.set_frame(name, yaw)

    def energy(self) -> Energy:
        """See :meth:`MultibodyModel.energy`."""
        potential = weight_potential(self._memory) + float(self._energy[0])
        return Energy(kinetic_energy(self._memory), potential)

    def nonconservative_power(self) -> float:
        """See :meth:`MultibodyModel.nonconservative_power`."""
        return float(self._energy[1])

    def element_values(self) -> Float:
        """See :meth:`MultibodyModel.element_values`."""
        if self.system.elements:
            entry.show_elements(
                self._memory, self._tables, self._joint_coordinates, self._t, self._outputs.table
            )
        return self._outputs.values()

    def reactions(self, g: Float, v_dot: Float, Ma: Float | None = None) -> Reactions:
        """See :meth:`MultibodyModel.reactions`.

        The point of a joint moves with the child; that of fixed and floating joints is the
        child's centre of gravity. Where closure equations depend on each other, those of cut
        joints are the smallest that do.
        """
        tree = self.system, self._topology, self._memory
        return joint_wrenches(tree, self._loops, g, v_dot, Ma)

    def velocity_transformation(self) -> Float:
        """See :meth:`MultibodyModel.velocity_transformation`."""
        out = np.empty((6 * len(self.bodies), self.nu))
        entry.transformation(self._memory, self._all, out)
        return out

    def closed(self, q: Float, u: Float) -> tuple[Float, Float]:
        """See :meth:`MultibodyModel.closed`."""
        q, u = np.array(q), np.array(u)
        if self._loops is not None:
            self._loops.close(q, u)
        return q, u

    def constraint_jacobian(self) -> Float:
        """See :meth:`MultibodyModel.constraint_jacobian`."""
        return np.zeros((0, self.nu)) if self._loops is None else self._loops.jacobian

    def closure_findings(self) -> list[str]:
        """See :meth:`MultibodyModel.closure_findings`."""
        return [] if self._loops is None else self._loops.findings

    def constraint_violation(self) -> Float:
        """See :meth:`MultibodyModel.constraint_violation`."""
        return np.zeros(0) if self._loops is None else self._loops.gaps


def _read_only(array: Float) -> Float:
    view = array.view()
    view.setflags(write=False)
    return view
