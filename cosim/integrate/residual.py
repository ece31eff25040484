"""How well the recorded motion balances the recorded loads."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cosim.coupling.entry import Entry
from cosim.multibody.interface import Float, MultibodyModel, State

__all__ = ["Residual"]


class Residual:
    r"""Relative residual of the equations of motion with the loads as they are recorded.

    The recorded loads g = g_e - M_a v' of all adapters go into the equations as plain
    forces, without added mass; the twist derivatives v'_c that follow are compared with
    the recorded ones:

    .. math:: \max \frac{|M (\dot v - \dot v_c)|}{|M \dot v| + \sum |g| + |g_{weight}|},

    forces and moments apart, over all bodies.

    Parameters
    ----------
    model : MultibodyModel
    entries : sequence of Entry
    """

    def __init__(self, model: MultibodyModel, entries: Iterable[Entry]) -> None:
        self._model = model
        self._index = {entry.name: entry.index for entry in entries}
        bodies = [model.system.bodies[name] for name in model.bodies]
        self._mass = np.array([body.mass for body in bodies])
        self._inertia = np.array([body.inertia_tensor() for body in bodies])
        gravity = model.system.environment.gravity
        self._weight = float(sum(b.mass * abs(b.gravity_scale) for b in bodies)) * gravity

    def __call__(self, state: State, v_dot: Float, loads: dict[str, Float]) -> float:
        """Residual after an evaluation at `state`; overwrites the model's accelerations."""
        g = np.zeros_like(v_dot)
        size = np.array([self._weight, 0.0])
        for name, load in loads.items():
            g[self._index[name]] += load
            size += _size(load)
        _, check = self._model.accelerations(self._model.project(g))
        size += _size(self._inertial(state, v_dot))
        size[size == 0.0] = 1.0
        return float(np.max(_size(self._inertial(state, v_dot - check)) / size))

    def _inertial(self, state: State, a: Float) -> Float:
        inertia = state.R @ self._inertia @ state.R.transpose(0, 2, 1)
        force = self._mass[:, None] * a[:, :3]
        moment = (inertia @ a[:, 3:, None])[..., 0]
        return np.hstack([force, moment])


def _size(wrenches: Float) -> Float:
    """Largest force and largest moment."""
    magnitude = np.abs(wrenches)
    return np.array([magnitude[:, :3].max(), magnitude[:, 3:].max()])
