r"""Time-domain load of a hydrodynamic database on its bodies.

About the centres of gravity, in the axes of H, with v the twists and d the heave, tilt and
turn from the reference pose,

.. math:: g_e = g_{buoyancy} - C d - (K * v) + f_{waves}(t),

turned to world axes, and M_a = A_inf turned with H. Where H turns with the rate W,
:math:`-(S M_a - M_a S) v / 2` with S = blkdiag(W~, ...) is added to g_e, so that the added
mass stores exactly v^T M_a v / 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cosim.algebra.attitude import yaw_matrix
from cosim.algebra.rotations import left_jacobian, rotation_from_vector
from cosim.algebra.rows import get_matrix
from cosim.algebra.vectors import Vector
from cosim.hydrodynamics.database import HydroDatabase
from cosim.hydrodynamics.excitation import Excitation
from cosim.hydrodynamics.frame import HydroFrame
from cosim.hydrodynamics.hydrostatics import load_at_rest
from cosim.hydrodynamics.load_kernels import (
    add_turning_load,
    hydrostatic_load,
    into_frame,
    tilt_and_turn,
    to_world,
    turn_mass,
)
from cosim.hydrodynamics.memory import Memory
from cosim.hydrodynamics.rigid import Float

__all__ = ["Buoyancy", "HydroLoads", "only_own_blocks"]


@dataclass(frozen=True)
class Buoyancy:
    """Linear hydrostatics of k bodies about their centres of gravity, in the axes of H.

    Attributes
    ----------
    height : (k,)
        z of the centres of gravity in the reference configuration, m.
    rest : (k, 6)
        Buoyancy in the reference pose.
    stiffness : (k, 6, 6)
    """

    height: Float
    rest: Float
    stiffness: Float

    @classmethod
    def of(cls, database: HydroDatabase) -> Buoyancy:
        """From a database about the centres of gravity."""
        specific = database.water_density * database.gravity
        return cls(
            height=np.array([b.reference_point[2] for b in database.bodies]),
            rest=np.array(
                [
                    load_at_rest(
                        buoyancy=specific * b.volume,
                        centre=b.centre_of_buoyancy - b.reference_point,
                    )
                    for b in database.bodies
                ]
            ),
            stiffness=np.array([b.stiffness for b in database.bodies]),
        )


class HydroLoads:
    """Load and added mass of a database; nothing is allocated per call.

    Parameters
    ----------
    database : HydroDatabase
        About the centres of gravity, `added_mass_inf` symmetric.
    memory : Memory
    excitation : Excitation
    frame : HydroFrame
    interaction : bool
        Whether bodies radiate into each other; False drops the blocks of A_inf between them
        (the memory has to be built so, too).

    Attributes
    ----------
    load : (k, 6)
        g_e of the last `evaluate`, N and N m, world axes.
    added_mass : (6k, 6k)
        M_a of the same instant.
    derivatives : (n_states,)
        Of memory and frame.
    buoyant, radiated, excited : (k, 6)
        Parts of the load in the axes of H: hydrostatics, radiation memory, waves.
    """

    def __init__(
        self,
        database: HydroDatabase,
        *,
        memory: Memory,
        excitation: Excitation,
        frame: HydroFrame,
        interaction: bool = True,
    ) -> None:
        k = len(database.bodies)
        self.memory, self.excitation, self.frame = memory, excitation, frame
        self.n_states = memory.n_states + frame.n_states
        self._split = memory.n_states
        self.buoyancy = Buoyancy.of(database)
        self.mass_in_frame = _added_mass(database, interaction)
        self.load = np.zeros((k, 6))
        self.added_mass = np.zeros((6 * k, 6 * k))
        self.derivatives = np.zeros(self.n_states)
        self.buoyant, self.radiated, self.excited = (np.zeros((k, 6)) for _ in range(3))
        self._v = np.zeros((k, 6))
        self._turn_mass()

    def initial(self, r: Float, R: Float) -> Float:
        """States at the start, (n_states,)."""
        return np.concatenate([np.zeros(self._split), self.frame.initial(r, R)])

    def frame_yaw(self, x: Float) -> float:
        """Heading of H, rad, for the states x; that of the reference without states."""
        if self.frame.moves and x.size:
            return float(x[self._split + 2])
        return self.frame.reference_yaw

    def evaluate(self, t: float, pose: tuple[Float, Float, Float], x: Float) -> None:
        """Load, added mass and derivatives at one instant.

        Parameters
        ----------
        t : float
            s.
        pose : (r, R, v)
            Centres of gravity (k, 3), rotations (k, 3, 3) and twists (k, 6), world frame.
        x : (n_states,)
        """
        r, R, v = pose
        frame = self.frame
        if frame.moves:
            frame.evaluate(x[self._split :], r, R, self.derivatives[self._split :])
            self._turn_mass()
        h, b = frame.pose, self.buoyancy
        yaws = (float(h[2]), frame.reference_yaw)
        into_frame(yaws[0], v, self._v)
        hydrostatic_load(yaws, (r, R), (b.height, b.rest, b.stiffness), self.buoyant)
        out = (self.radiated.reshape(-1), self.derivatives[: self._split])
        self.memory.evaluate(t, self._v.reshape(-1), x[: self._split], out)
        self.excitation.force_into(t, h, self.excited.reshape(-1))
        to_world(yaws[0], (self.buoyant, self.radiated, self.excited), self.load)
        if frame.moves:
            add_turning_load(float(frame.rate[2]), self.added_mass, v, self.load)

    def parts(self) -> Float:
        """Buoyancy, radiation and waves on every body, (k, 3, 6), at the last `evaluate`."""
        turn = self.turn()
        found = [turn @ p.ravel() for p in (self.buoyant, self.radiated, self.excited)]
        return np.stack([p.reshape(-1, 6) for p in found], axis=1)

    def radiation_power(self) -> float:
        """Power of the radiation memory on all bodies at the last `evaluate`, W.

        Its integral from rest never becomes positive (passivity).
        """
        return float(np.vdot(self._v, self.radiated))

    def start(self, t: float, pose: tuple[Float, Float, Float], x: Float) -> None:
        """Begin at time t; the bodies were at rest before."""
        self.memory.start(t, self._twists(pose, x))

    def accept(self, t: float, pose: tuple[Float, Float, Float], x: Float) -> None:
        """Note that this motion is history now."""
        self.memory.accept(t, self._twists(pose, x))

    def _twists(self, pose: tuple[Float, Float, Float], x: Float) -> Float:
        r, R, v = pose
        if self.frame.moves:
            self.frame.evaluate(x[self._split :], r, R, self.derivatives[self._split :])
        into_frame(float(self.frame.pose[2]), v, self._v)
        return self._v.reshape(-1)

    def static(self, r: Float, R: Float) -> Float:
        """Load at rest in still water, (k, 6), world axes."""
        yaw, b = float(self.frame.settled(r, R)[2]), self.buoyancy
        out, load = np.zeros_like(self.buoyant), np.zeros_like(self.load)
        yaws = (yaw, self.frame.reference_yaw)
        hydrostatic_load(yaws, (r, R), (b.height, b.rest, b.stiffness), out)
        nothing = np.zeros_like(out)
        to_world(yaw, (out, nothing, nothing), load)
        return load

    def stiffness(self, r: Float, R: Float) -> Float:
        """-d(static)/d(displacement) with H held, (6k, 6k), world axes, about a pose."""
        yaw = float(self.frame.settled(r, R)[2])
        T, T0 = yaw_matrix(yaw), yaw_matrix(self.frame.reference_yaw)
        turn = np.kron(np.eye(2), T)
        K = np.zeros_like(self.added_mass)
        relative = T.T @ R @ T0
        for i, C in enumerate(self.buoyancy.stiffness):
            inner = C.copy()
            inner[:, 3:] = C[:, 3:] @ _angle_rates(tilt_and_turn(get_matrix(relative, i)))
            K[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = turn @ inner @ turn.T
        return K

    def turn(self) -> Float:
        """World axes from the axes of H for twists and loads, (6k, 6k), at the last pose."""
        yaw = yaw_matrix(float(self.frame.pose[2]))
        return np.asarray(np.kron(np.eye(2 * len(self.load)), yaw), dtype=np.float64)

    def _turn_mass(self) -> None:
        turn_mass(float(self.frame.pose[2]), self.mass_in_frame, self.added_mass)


def _angle_rates(theta: Vector) -> Float:
    """Rates of tilt and turn by angular velocity, (3, 3)."""
    tilt = (theta[0], theta[1], 0.0)
    axis = rotation_from_vector(tilt)[2::3]  # about which the body turns: its own vertical
    x, y = left_jacobian(tilt, (1.0, 0.0, 0.0)), left_jacobian(tilt, (0.0, 1.0, 0.0))
    return np.asarray(np.linalg.inv(np.column_stack([x, y, axis])))


def _added_mass(database: HydroDatabase, interaction: bool) -> Float:
    """A_inf with or without the blocks between bodies, (6k, 6k)."""
    if database.added_mass_inf is None:
        raise ValueError("the database was not checked: it has no added mass at infinity")
    A = np.array(database.added_mass_inf)
    return A if interaction else only_own_blocks(A)


def only_own_blocks(M: Float) -> Float:
    """Copy of (..., 6k, 6k) without the blocks between bodies."""
    owner = np.arange(M.shape[-1]) // 6
    return np.asarray(np.where(owner[:, None] == owner, M, 0.0))
