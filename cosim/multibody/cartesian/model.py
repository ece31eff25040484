"""Fully Cartesian coordinates of rigid bodies, with constraints between them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cosim.algebra.types import Float
from cosim.errors import ModelError
from cosim.model.system import System
from cosim.multibody.cartesian import entry
from cosim.multibody.cartesian.bodies import (
    coordinates_at,
    frames_of,
    kinds_of,
    names_of_speeds,
    reference_of,
)
from cosim.multibody.cartesian.constraints import build_constraints
from cosim.multibody.cartesian.coordinates import coordinates_of
from cosim.multibody.cartesian.dependence import SOFTNESS, dependent_rows
from cosim.multibody.cartesian.directors import kinetic_energy
from cosim.multibody.cartesian.drivers import Driver
from cosim.multibody.cartesian.efforts import (
    driving_power,
    effort_channels,
    efforts,
    independent_rows,
)
from cosim.multibody.cartesian.equations import forces, velocity_bias
from cosim.multibody.cartesian.jacobian import constraint_jacobian, velocity_map
from cosim.multibody.cartesian.joint_values import joint_values
from cosim.multibody.cartesian.memory import GAMMA, GAP, MULTIPLIER, new_memory
from cosim.multibody.cartesian.options import CartesianOptions
from cosim.multibody.cartesian.parts import Parts
from cosim.multibody.cartesian.reactions import joint_reactions
from cosim.multibody.cartesian.room import Room, flat_bodies
from cosim.multibody.cartesian.saddle.dense import solve_dense
from cosim.multibody.cartesian.saddle.system import new_saddle
from cosim.multibody.elements.force_elements import ForceElements
from cosim.multibody.elements.outputs import ElementOutputs
from cosim.multibody.interface import Energy, MultibodyModel, Reactions, State
from cosim.multibody.joint.loads import tables_of
from cosim.multibody.joint.model import JointModel

__all__ = ["CartesianModel"]

_OPEN = 1e-9
_MISSED = 1e-8
# coordinates beyond which the loops in joint coordinates take minutes to count
_MANY = 1500
_NO_MASS = np.zeros((0, 6, 6))
_NO_PAIRS = np.zeros((0, 0))
_UNSHOWN = np.zeros((0, 0))


class CartesianModel(MultibodyModel):
    """Equations of motion in fully Cartesian coordinates: a point and directors of every body.

    The coordinates are those of all bodies, in the order of the system (12 or 9 each), then one
    winding angle for every angle of a joint; the speeds are the time derivatives of the former.

    Parameters
    ----------
    system : System
        Closed loops are no different from trees.
    options : CartesianOptions, optional
    drivers : mapping of name to Driver, optional
        Prescribed motions beside those of the system.

    Attributes
    ----------
    options : CartesianOptions
    drivers : mapping of name to Driver
    constraints : Constraints
        What the rows of multipliers mean.

    Raises
    ------
    ModelError
        Unknown body in the options, or joints that cannot all be kept.
    """

    def __init__(
        self,
        system: System,
        options: CartesianOptions | None = None,
        *,
        drivers: Mapping[str, Driver] | None = None,
    ) -> None:
        self.system, self.options = system, options or CartesianOptions()
        self.drivers = {**_drivers(system), **(drivers or {})}
        self.bodies = tuple(system.bodies)
        kinds = kinds_of(self.bodies, self.options)
        frames = frames_of(system, kinds)
        self.constraints = build_constraints(
            system, frames, redundant=self.options.joints == "redundant", drivers=self.drivers
        )
        table, names = coordinates_of(system)
        self._elements = ForceElements(system, self.bodies, weight=False)
        self.frames = self._elements.axes
        self._outputs = ElementOutputs(system)
        self.element_channels = (*self._outputs.channels, *effort_channels(self.constraints))
        chosen = np.array([names.index(c) for c in self._elements.coordinates], dtype=np.int64)
        saddle = new_saddle(
            frames, self.constraints.rows, self.constraints.rigid, dense=flat_bodies(frames)
        )
        acting = (tables_of(self._elements.arrays), chosen)
        self._memory = new_memory(frames, self.constraints.rows, table, saddle, acting)
        self._room = Room(self._memory, self.constraints.rigid)
        self._handle, _ = self._room.for_masses(None, None)
        self._wound = [name for name, k in zip(names, table.winding, strict=True) if k >= 0]
        self.nu = int(frames.start[-1])
        self.nq = self.nu + len(self._wound)
        self.speeds = names_of_speeds(self.bodies, kinds)
        self._projects = self.options.constraints == "projection"
        stable = self.options.constraints in ("baumgarte", "augmented_lagrangian")
        self._damping = (self.options.alpha, self.options.beta) if stable else (0.0, 0.0)
        self._t, self._q, self._u = 0.0, np.zeros(self.nq), np.zeros(self.nu)
        self._Q = np.zeros(self.nu)
        space = self._memory.space
        self._views = tuple(_read_only(a) for a in (space.r, space.R, space.twist))
        self._yaws: dict[str, float] = {}
        self._torn = False
        rows = len(self.constraints.labels)
        driven = independent_rows(self.constraints)
        idle = self._idle_rows(reference_of(system, frames))
        self.closures = rows - idle + driven  # drivers ask for nothing yet
        if self.options.constraints == "augmented_lagrangian":
            self._memory.saddle.softness[0] = 1.0 / self.options.penalty
        elif idle:
            self._memory.saddle.softness[0] = SOFTNESS

    def _idle_rows(self, x: Float) -> int:
        """Constraints that follow from others, drivers not among them."""
        if self.nu > _MANY:
            return dependent_rows(self._memory, self._handle, x)
        independent = self.nu - self._tree.nu + self._tree.closures
        return len(self.constraints.labels) - independent

    @cached_property
    def _tree(self) -> JointModel:
        """Of the same system in joint coordinates, for start values."""
        tree = JointModel(self.system)
        for name, yaw in self._yaws.items():
            tree.set_frame(name, yaw)
        return tree

    @property
    def coordinates(self) -> tuple[str, ...]:
        """See :class:`MultibodyModel`: those of all joints that are not cut."""
        return self._tree.coordinates

    @property
    def parts(self) -> Parts:
        """Arrays for compiled integrators; they share this model's memory."""
        memory = self._memory
        flat = tuple(flat_bodies(memory.frames))
        return Parts(memory, self.constraints.rigid, flat, self.bodies)

    def twin(self) -> CartesianModel:
        """See :meth:`MultibodyModel.twin`."""
        return CartesianModel(self.system, self.options, drivers=self.drivers)

    def initial(self, conditions: Mapping[str, float] | None = None) -> tuple[Float, Float]:
        """See :meth:`MultibodyModel.initial`: by the joint coordinates of the same system."""
        return self.from_tree(self._tree, *self._tree.initial(conditions))

    def initial_near(
        self, pose: Mapping[str, float], conditions: Mapping[str, float]
    ) -> tuple[Float, Float]:
        """See :meth:`MultibodyModel.initial_near`; `pose` by names of joint coordinates."""
        return self.from_tree(self._tree, *self._tree.initial_near(pose, conditions))

    def from_tree(
        self, tree: MultibodyModel, q: Float, u: Float, *, t: float = 0.0
    ) -> tuple[Float, Float]:
        """The motion of a model in joint coordinates of the same system.

        Parameters
        ----------
        tree : MultibodyModel
        q, u : (tree.nq,), (tree.nu,)
        t : float
            When drivers are followed there, s.

        Raises
        ------
        ModelError
            The constraints cannot be kept near it.
        """
        state = tree.kinematics(t, q, u)
        directors, rates = coordinates_at(self._memory.frames, state.r, state.R, state.v)
        values = tree.difference(q, tree.initial()[0])
        windings = [values[tree.speeds.index(f"{j}.{c}")] for j, c in self._wound]
        self.constraints.set_time(t)
        gap = entry.close_state(self._handle, directors, rates, _NO_MASS)
        if not gap <= self._bound():
            led = self._led()
            raise ModelError(
                f"the constraints {led and f'and {led} '}cannot be kept near the start: "
                f"{self.widest()}; check places and axes of the joints, and the start values"
            )
        return np.concatenate([directors, windings]), rates

    def kinematics(self, t: float, q: Float, u: Float) -> State:
        """See :meth:`MultibodyModel.kinematics`."""
        self.constraints.set_time(t)
        self._t, self._q[:], self._u[:] = t, q, u
        gap = entry.move(self._handle, self._q, self._u, self._projects, _NO_MASS)
        self._torn = self._projects and not gap <= self._bound()
        if self._torn and self.drivers:
            raise ModelError(
                f"{self._led()} cannot be followed at t = {t:g} s: {self.widest()}; what is "
                "prescribed is out of reach or contradicts itself"
            )
        if self.system.elements:
            entry.load(self._handle, t, _UNSHOWN)
        return State(t, *self._views)

    def _acceptable(self) -> float:
        """By how much accelerations may miss the constraints; a penalty is taken as it is."""
        if self.options.constraints == "augmented_lagrangian":
            return np.inf
        return _MISSED * max(1.0, float(np.abs(self._memory.row[GAMMA]).max(initial=0.0)))

    def _bound(self) -> float:
        """Largest gap that counts as closed: relative to how far from the origin bodies are."""
        return _OPEN * max(1.0, float(np.abs(self._memory.space.x[:, :3]).max()))

    def _led(self) -> str:
        return " and ".join(f"the motion '{name}'" for name in self.drivers)

    def q_dot(self, q: Float, u: Float) -> Float:
        """See :meth:`MultibodyModel.q_dot`; with the closed speeds of the last `kinematics`."""
        table = self._memory.coordinates
        return np.concatenate([self._u, table.rate[table.winding >= 0]])

    def retract(self, q: Float, displacement: Float) -> Float:
        """See :meth:`MultibodyModel.retract`."""
        out = np.array(q)
        out[: self.nu] += displacement
        return out

    def difference(self, q: Float, origin: Float) -> Float:
        """See :meth:`MultibodyModel.difference`."""
        return np.asarray(q[: self.nu] - origin[: self.nu])

    def coordinate_values(self, t: float, q: Float, u: Float) -> tuple[Float, Float]:
        """See :meth:`MultibodyModel.coordinate_values`."""
        state = self.kinematics(t, q, u)
        return joint_values(self.system, self._memory.coordinates, state)

    def project(self, g: Float) -> Float:
        """See :meth:`MultibodyModel.project`."""
        out = np.zeros(self.nu)
        entry.project_wrenches(self._handle, np.ascontiguousarray(g, dtype=np.float64), out)
        return out

    def project_mass(self, bodies: NDArray[np.intp], Ma: Float) -> Float:
        """See :meth:`MultibodyModel.project_mass`."""
        B = velocity_map(self._memory, bodies)
        return np.asarray(B.T @ Ma @ B)

    def bias(self) -> Float:
        """See :meth:`MultibodyModel.bias`: zero for bodies with three directors."""
        out = np.zeros((len(self.bodies), 6))
        velocity_bias(self._handle, out)
        return out

    def accelerations(
        self, Q: Float, mass: Float | None = None, *, body_mass: Float | None = None
    ) -> tuple[Float, Float]:
        """See :meth:`MultibodyModel.accelerations`."""
        handle, saddle = self._room.for_masses(mass, body_mass)
        self._Q[:] = Q
        missed = entry.accelerate(
            handle,
            self._u,
            self._Q,
            (_NO_MASS if body_mass is None else body_mass, _NO_PAIRS if mass is None else mass),
            self._damping,
        )
        if missed > self._acceptable():
            memory = self._memory
            memory.speed[1], memory.row[MULTIPLIER] = solve_dense(
                saddle, memory.speed[0], memory.row[GAMMA]
            )
        u_dot = self._memory.speed[1].copy()
        if self._torn:  # no integrator accepts a step through such a point
            u_dot[:] = np.nan
        elif not np.isfinite(u_dot).all():
            raise ModelError(
                "the equations of motion have no solution; check masses, inertias and added mass"
            )
        v_dot = np.empty((len(self.bodies), 6))
        entry.rates_of_twists(handle, u_dot, v_dot)
        return u_dot, v_dot

    def own_force(self) -> Float:
        """See :meth:`MultibodyModel.own_force`."""
        forces(self._handle, np.zeros(self.nu))
        out: Float = self._memory.speed[0].copy()
        return out

    def set_frame(self, name: str, yaw: float) -> None:
        """See :meth:`MultibodyModel.set_frame`."""
        self._elements.set_frame(name, yaw)
        self._yaws[name] = yaw
        if "_tree" in self.__dict__:
            self._tree.set_frame(name, yaw)

    def energy(self) -> Energy:
        """See :meth:`MultibodyModel.energy`: u . M u / 2, also where u is not rigid."""
        frames, space = self._memory.frames, self._memory.space
        potential = float(frames.weight @ space.x[:, 2]) + float(self._memory.energy[0])
        return Energy(float(kinetic_energy(frames, space)), potential)

    def nonconservative_power(self) -> float:
        """See :meth:`MultibodyModel.nonconservative_power`."""
        driven = driving_power(self.constraints, self._memory)
        return float(self._memory.energy[1]) + driven

    def element_values(self) -> Float:
        """See :meth:`MultibodyModel.element_values`."""
        if self.system.elements:
            entry.load(self._handle, self._t, self._outputs.table)
        values = self._outputs.values()
        if not self.drivers:
            return values
        return np.concatenate([values, *self.driver_efforts().values()])

    def reactions(self, g: Float, v_dot: Float, Ma: Float | None = None) -> Reactions:
        """See :meth:`MultibodyModel.reactions`; the smallest where rows depend on each other."""
        net = np.array(g, dtype=np.float64)
        if Ma is not None:
            net -= (Ma @ np.asarray(v_dot).ravel()).reshape(-1, 6)
        self.accelerations(self.project(net))
        return joint_reactions(self.system, self.constraints, self._memory)

    def driver_efforts(self) -> dict[str, Float]:
        """What every driver does at the last `accelerations`: see the drivers' ``efforts``."""
        return efforts(self.constraints, self._memory, self._t)

    def velocity_transformation(self) -> Float:
        """See :meth:`MultibodyModel.velocity_transformation`."""
        return velocity_map(self._memory, np.arange(len(self.bodies)))

    def closed(self, q: Float, u: Float) -> tuple[Float, Float]:
        """See :meth:`MultibodyModel.closed`; unchanged where nothing is projected."""
        q, u = np.array(q), np.array(u)
        if self._projects:
            directors = q[: self.nu].copy()
            entry.close_state(self._handle, directors, u, _NO_MASS)
            q[: self.nu] = directors
        return q, u

    def constraint_jacobian(self) -> Float:
        """See :meth:`MultibodyModel.constraint_jacobian`."""
        return constraint_jacobian(self._memory)

    def constraint_violation(self) -> Float:
        """See :meth:`MultibodyModel.constraint_violation`."""
        out: Float = self._memory.row[GAP].copy()
        return out

    def closure_findings(self) -> list[str]:
        """See :meth:`MultibodyModel.closure_findings`."""
        idle = len(self.constraints.labels) - self.closures
        if self.options.joints != "redundant" or not idle:
            return self._tree.closure_findings()
        return [
            f"{idle} of the {len(self.constraints.labels)} constraints follow from the others; "
            "the smallest loads that keep them all are shown"
        ]

    def widest(self) -> str:
        """What the constraint with the largest gap at the last `kinematics` asks for."""
        gaps = np.abs(self._memory.row[GAP])
        worst = int(np.argmax(gaps))
        return f"{self.constraints.labels[worst]}, and misses by {gaps[worst]:.3g}"


def _drivers(system: System) -> dict[str, Driver]:
    if not system.motions:
        return {}
    # SymPy takes half a second to import, and only prescribed motions need it
    from cosim.multibody.cartesian.motions import drivers_of

    return drivers_of(system)


def _read_only(array: Float) -> Float:
    view = array.view()
    view.setflags(write=False)
    return view
