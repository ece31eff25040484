r"""What every formulation of the equations of motion keeps.

The equations that a :class:`MultibodyModel` and the loads of all adapters close are

.. math::

    [B^T (M + M_a) B] \dot u = B^T ( g_{weight} + g_{elements} + g_e - c
        - (M + M_a) \dot B u ) + Q_{joint},

with v = B u the twists of all bodies at their centres of gravity in world axes,
M = diag(m 1, R J Rᵀ) and c = [0; ω × R J Rᵀ ω].
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cosim.algebra.types import Float
from cosim.errors import ModelError
from cosim.model.system import System
from cosim.multibody.channel import Channel
from cosim.multibody.start_values import given_values
from cosim.multibody.state import Energy, Reactions, State

__all__ = ["Energy", "Float", "Loads", "MultibodyModel", "Reactions", "State"]


Loads = Callable[[float, State], tuple[Float, Float | None]]
"""``loads(t, state) -> (g, Ma)``: wrenches (n, 6) of all bodies and (6n, 6n) or None."""


class MultibodyModel(ABC):
    """Equations of motion of a :class:`~cosim.model.system.System`.

    Call order within one evaluation: `kinematics`, then any of the others; they use the
    configuration of the last `kinematics`. Nothing here knows about adapters or owns time.

    Attributes
    ----------
    system : System
    bodies : tuple of str
        Order of all body arrays.
    nq, nu : int
        Number of coordinates q and of generalised speeds u.
    speeds : tuple of str
        One name per generalised speed, ``joint.coordinate``.
    frames : tuple of str
        Adapters whose horizontal frame H is used as axes by elements.
    element_channels : tuple of Channel
        ``element/quantity`` of all force elements: what `element_values` returns.
    closures : int
        Number of independent equations that closed loops put on the speeds; 0 for a tree.
        The system has nu - closures degrees of freedom.
    """

    system: System
    bodies: tuple[str, ...]
    nq: int
    nu: int
    speeds: tuple[str, ...]
    frames: tuple[str, ...]
    element_channels: tuple[Channel, ...]
    closures: int = 0

    @property
    def coordinates(self) -> tuple[str, ...]:
        """``joint.coordinate`` of every freedom of a joint, as users know them.

        They are the `speeds` where these are those of the joints.
        """
        return self.speeds

    def index(self, bodies: Sequence[str]) -> NDArray[np.intp]:
        """Rows of `bodies` in the body arrays.

        Raises
        ------
        ModelError
            Unknown body.
        """
        unknown = [name for name in bodies if name not in self.bodies]
        if unknown:
            raise ModelError(f"there is no body '{unknown[0]}'; there are {', '.join(self.bodies)}")
        return np.array([self.bodies.index(name) for name in bodies], dtype=np.intp)

    @abstractmethod
    def twin(self) -> MultibodyModel:
        """The same equations with memory of its own, for another user at another instant."""

    @abstractmethod
    def initial(self, conditions: Mapping[str, float] | None = None) -> tuple[Float, Float]:
        """Coordinates and speeds at the start.

        Parameters
        ----------
        conditions : mapping, optional
            ``name.coordinate`` to displacement from the reference configuration (m, rad),
            ``name.coordinate_deg`` in degrees, ``name.coordinate_rate`` to speed; `name`
            is a joint or the child body of one.

        Returns
        -------
        q : (nq,)
        u : (nu,)

        Raises
        ------
        ModelError
            Unknown joint or coordinate.
        """

    def initial_near(
        self, pose: Mapping[str, float], conditions: Mapping[str, float]
    ) -> tuple[Float, Float]:
        """Start in another pose than the reference configuration, changed by `conditions`.

        Closed loops may change what `pose` says, not what `conditions` do.

        Parameters
        ----------
        pose : mapping
            Displacements by the names in `speeds`.
        conditions : mapping
            As for `initial`.
        """
        given, _ = given_values(self.system, self.speeds, conditions)
        kept = {s: pose[s] for s, g in zip(self.speeds, given, strict=True) if not g}
        return self.initial({**kept, **conditions})

    @abstractmethod
    def set_frame(self, name: str, yaw: float) -> None:
        """Heading, rad, of the frame H of an adapter in `frames`, for the elements in it."""

    @abstractmethod
    def kinematics(self, t: float, q: Float, u: Float) -> State:
        """Positions, attitudes and twists of all bodies; prepares all other methods."""

    @abstractmethod
    def q_dot(self, q: Float, u: Float) -> Float:
        """Time derivative of the coordinates, (nq,)."""

    @abstractmethod
    def retract(self, q: Float, displacement: Float) -> Float:
        """Coordinates reached from q by a displacement (nu,) in the tangent space."""

    @abstractmethod
    def difference(self, q: Float, origin: Float) -> Float:
        """Displacement (nu,) in the tangent space that takes `origin` to q."""

    def coordinate_values(self, t: float, q: Float, u: Float) -> tuple[Float, Float]:
        """Displacements from the reference configuration and speeds, in order of `coordinates`.

        Rotations without axes are rotation vectors; m, rad, m/s, rad/s.
        """
        return self.difference(q, self.initial()[0]), np.array(u)

    @abstractmethod
    def project(self, g: Float) -> Float:
        """Generalised force Bᵀ g, (nu,), of the wrenches g, (n, 6)."""

    @abstractmethod
    def project_mass(self, bodies: NDArray[np.intp], Ma: Float) -> Float:
        """Generalised added mass Bᵀ M_a B, (nu, nu), of M_a, (6k, 6k), on `bodies`."""

    @abstractmethod
    def bias(self) -> Float:
        """Velocity-dependent part Ḃ u of the twist derivatives, (n, 6)."""

    @abstractmethod
    def accelerations(
        self, Q: Float, mass: Float | None = None, *, body_mass: Float | None = None
    ) -> tuple[Float, Float]:
        """Solve the equations of motion; weight and elements are added here.

        Parameters
        ----------
        Q : (nu,)
            Generalised force of all external loads, ``Bᵀ (g_e - M_a Ḃ u)``.
        mass : (nu, nu), optional
            ``Bᵀ M_a B`` where it couples bodies; the dense path with Cholesky.
        body_mass : (n, 6, 6), optional
            Block-diagonal M_a; the articulated-body path, O(n).

        Returns
        -------
        u_dot : (nu,)
        v_dot : (n, 6)
            Time derivative of the world components of the twists, ``B u' + Ḃ u``.

        Raises
        ------
        ModelError
            The mass matrix is not positive definite; names the body and axis.
        """

    def own_force(self) -> Float:
        """Generalised force, (nu,), of weight, elements and velocities: M u' without adapters.

        Models with a direct way replace this one, which solves nu + 1 times.
        """
        none = np.zeros(self.nu)
        rest, _ = self.accelerations(none)
        columns = [self.accelerations(unit)[0] - rest for unit in np.eye(self.nu)]
        inverse = np.array(columns).reshape(self.nu, self.nu).T
        return np.asarray(np.linalg.solve(inverse, rest), dtype=np.float64)

    def step(
        self, t: float, dt: float, q: Float, u: Float, loads: Loads | None = None
    ) -> tuple[Float, Float]:
        """One classical fourth-order Runge-Kutta step for callers with their own loop.

        Parameters
        ----------
        t, dt : float
            Start and length of the step, s.
        q : (nq,)
        u : (nu,)
        loads : callable, optional
            Called at each stage as ``loads(t, state) -> (g, Ma)``.

        Returns
        -------
        q, u : at t + dt
        """
        q1, u1 = q.copy(), u.copy()
        dq, du = np.zeros(self.nq), np.zeros(self.nu)
        for weight, place in ((1.0, 0.0), (2.0, 0.5), (2.0, 0.5), (1.0, 1.0)):
            h = place * dt
            dq, du = self._rates(t + h, q + h * dq, u + h * du, loads)
            q1 += weight * dt / 6.0 * dq
            u1 += weight * dt / 6.0 * du
        return q1, u1

    def _rates(self, t: float, q: Float, u: Float, loads: Loads | None) -> tuple[Float, Float]:
        state = self.kinematics(t, q, u)
        Q, mass = np.zeros(self.nu), None
        if loads is not None:
            g, Ma = loads(t, state)
            if Ma is not None:
                g = g - (Ma @ self.bias().ravel()).reshape(-1, 6)
                mass = self.project_mass(np.arange(len(self.bodies)), Ma)
            Q = self.project(g)
        u_dot, _ = self.accelerations(Q, mass)
        return self.q_dot(q, u), u_dot

    @abstractmethod
    def energy(self) -> Energy:
        """Kinetic and potential energy."""

    @abstractmethod
    def nonconservative_power(self) -> float:
        """Power, W, of dampers, force laws, stops and time-dependent forces of the system."""

    @abstractmethod
    def element_values(self) -> Float:
        """Values of `element_channels` at the last `kinematics`: loads as the equations use them.

        The power of an element is that of all it does to the bodies: negative for a damper,
        of either sign for a spring. A power take-off absorbs minus its power.
        """

    def elements_without_value(self) -> tuple[str, ...]:
        """Force elements whose load is not finite at the last `kinematics`."""
        bad = ~np.isfinite(self.element_values())
        names = (self.element_channels[k].name.rpartition("/")[0] for k in np.flatnonzero(bad))
        return tuple(dict.fromkeys(names))

    @abstractmethod
    def reactions(self, g: Float, v_dot: Float, Ma: Float | None = None) -> Reactions:
        """Load in every joint for given external wrenches (n, 6) and twist derivatives.

        `Ma` is the (6n, 6n) added mass of the adapters: they load the bodies with
        ``g - Ma v_dot``.
        """

    @abstractmethod
    def velocity_transformation(self) -> Float:
        """B, (6n, nu), for reading and tests; no solver forms it."""

    def closed(self, q: Float, u: Float) -> tuple[Float, Float]:
        """The coordinates and speeds nearest to (q, u) that keep all loops closed.

        `kinematics` and all that follows it use these: loads, energy and accelerations are
        those of the closed system wherever an integrator puts its trial points. For a tree
        they are (q, u). What the last `kinematics` prepared is lost.
        """
        return q, u

    def constraint_jacobian(self) -> Float:
        """G, (m, nu), of the closure equations G u = 0 at the last `kinematics`.

        Rows may depend on each other: m >= `closures`.
        """
        return np.zeros((0, self.nu))

    def closure_findings(self) -> list[str]:
        """Sentences about closure equations that depend on each other; none for a tree."""
        return []

    def constraint_violation(self) -> Float:
        """Gap of every closure equation, (m,), m and rad, at the last `kinematics`."""
        return np.zeros(0)
