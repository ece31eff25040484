"""Forces and motions of a linear system by name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cosim.algebra.attitude import skew
from cosim.analysis.kinematics import BodyMotion
from cosim.analysis.linear_system import LinearSystem
from cosim.errors import ModelError
from cosim.model.base import EARTH
from cosim.model.sentences import nearest
from cosim.multibody.interface import Float, MultibodyModel

__all__ = ["Row", "Signals"]

_FORCES = ("fx", "fy", "fz", "mx", "my", "mz")
_POSITIONS = ("x", "y", "z", "rx", "ry", "rz")
_VELOCITIES = ("vx", "vy", "vz", "wx", "wy", "wz")
_ACCELERATIONS = ("ax", "ay", "az")


@dataclass(frozen=True)
class Row:
    """A motion as ``d . displacement + u . speeds + u_dot . accelerations``, (nu,) each."""

    d: Float
    u: Float
    u_dot: Float


@dataclass(frozen=True)
class _Place:
    """Motion of a point of a body: six rows of position, velocity and acceleration."""

    position: Float
    velocity: tuple[Float, Float]
    acceleration: tuple[Float, Float, Float]


class Signals:
    """Inputs and outputs of a linear system.

    Parameters
    ----------
    system : LinearSystem
        With its `motion`.
    model : MultibodyModel
    """

    def __init__(self, system: LinearSystem, model: MultibodyModel) -> None:
        self._system, self._model = system, model

    def force(self, name: str) -> Float:
        """Generalised force, (nu,), of a unit of an input.

        Raises
        ------
        ModelError
        """
        if name in self._model.speeds:
            return self._basis(name)
        address, _, axis = name.rpartition(".")
        if axis not in _FORCES:
            raise self._unknown(name, _FORCES)
        return np.asarray(self._place(name, address).position[_FORCES.index(axis)])

    def output(self, name: str) -> Row:
        """An output as a row.

        Raises
        ------
        ModelError
        """
        stem, kind = name, 0
        for suffix, order in (("_rate", 1), ("_acceleration", 2)):
            if name.endswith(suffix):
                stem, kind = name.removesuffix(suffix), order
        if stem in self._model.speeds:
            return self._coordinate(stem, kind)
        address, _, axis = name.rpartition(".")
        none = np.zeros(len(self._system.speeds))
        if axis in _POSITIONS:
            return Row(self._place(name, address).position[_POSITIONS.index(axis)], none, none)
        if axis in _VELOCITIES:
            by_d, by_u = self._place(name, address).velocity
            k = _VELOCITIES.index(axis)
            return Row(by_d[k], by_u[k], none)
        if axis in _ACCELERATIONS:
            parts = self._place(name, address).acceleration
            return Row(*(part[_ACCELERATIONS.index(axis)] for part in parts))
        raise self._unknown(name, (*_POSITIONS, *_VELOCITIES, *_ACCELERATIONS))

    def _basis(self, speed: str) -> Float:
        return np.asarray(self._system.basis[self._model.speeds.index(speed)])

    def _coordinate(self, speed: str, order: int) -> Row:
        own, none = self._basis(speed), np.zeros(len(self._system.speeds))
        if order == 0:
            return Row(own, none, none)
        k, motion = self._model.speeds.index(speed), self._system.motion
        if motion is None:
            raise self._without_motion(speed)
        if order == 1:
            return Row(motion.S[k], own, none)
        return Row(motion.R_d[k], motion.R_u[k], own)

    def _place(self, name: str, address: str) -> _Place:
        motion = self._system.motion
        if motion is None:
            raise self._without_motion(name)
        try:
            body, place = self._model.system.point(address)
        except ModelError as error:
            raise ModelError(f"'{name}': {error}") from None
        if body == EARTH:
            raise ModelError(f"'{name}': '{address}' is fixed to earth and does not move")
        i = int(self._model.index([body])[0])
        arm = np.array(place) - np.array(self._model.system.bodies[body].cog)
        return _carried(motion, i, motion.state.R[i] @ arm)

    def _without_motion(self, name: str) -> ModelError:
        return ModelError(f"'{name}': this linear system was made without the bodies' motion")

    def _unknown(self, name: str, axes: tuple[str, ...]) -> ModelError:
        stem = name.rpartition(".")[0]
        known = [*self._model.speeds, *(f"{stem}.{a}" for a in axes)]
        return ModelError(
            f"there is no signal '{name}'{nearest(name, known)}; write a coordinate of a joint "
            f"({', '.join(self._model.speeds[:3])} ...), or a body or body/point with one of "
            f"{', '.join(axes)} behind a dot"
        )


def _carried(motion: BodyMotion, body: int, arm: Float) -> _Place:
    """First-order motion of a point at `arm` (m, world axes) from the centre of gravity."""
    rows = motion.rows(body)
    shift = np.eye(6)
    shift[:3, 3:] = -skew(arm)
    w, alpha = skew(motion.state.v[body, 3:]), skew(motion.v_dot[body, 3:])
    s, ws = skew(arm), skew(np.cross(motion.state.v[body, 3:], arm))
    turn, spin = motion.B[rows][3:], motion.V[rows][3:]
    by_d, by_u = shift @ motion.V[rows], shift @ motion.B[rows]
    by_d[:3] -= w @ s @ turn
    # of w x (w x s): what changes is w, twice, and s
    swing = -(ws + w @ s)
    acceleration_d = (shift @ motion.A_d[rows])[:3] + swing @ spin - (alpha + w @ w) @ s @ turn
    acceleration_u = (shift @ motion.A_u[rows])[:3] + swing @ turn
    return _Place(
        position=shift @ motion.B[rows],
        velocity=(by_d, by_u),
        acceleration=(acceleration_d, acceleration_u, (shift @ motion.B[rows])[:3]),
    )
