"""How well the recorded motion balances the recorded loads."""

from __future__ import annotations

from collections.abc import Iterable

import numba as nb
import numpy as np
from numpy.typing import NDArray

from cosim.algebra.rows import get_matrix, get_vector
from cosim.algebra.vectors import Matrix, Vector, apply, apply_transposed, subtract
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
            _add(g, self._index[name], load, size)
        _, check = self._model.accelerations(self._model.project(g))
        return float(_relative(state.R, (v_dot, check), (self._mass, self._inertia), size))


@nb.njit(cache=True)
def _add(g: Float, index: NDArray[np.intp], load: Float, size: Float) -> None:
    """Add a load, and its largest force and moment to `size`."""
    for kind in range(2):
        largest = 0.0
        for k in range(index.size):
            for i in range(3 * kind, 3 * kind + 3):
                g[index[k], i] += load[k, i]
                largest = max(largest, abs(load[k, i]))
        size[kind] += largest


@nb.njit(cache=True)
def _largest(v: Vector) -> float:
    return max(abs(v[0]), abs(v[1]), abs(v[2]))


@nb.njit(cache=True)
def _turned(R: Matrix, J: Matrix, w: Vector) -> Vector:
    """R J Rᵀ w."""
    return apply(R, apply(J, apply_transposed(R, w)))


@nb.njit(cache=True)
def _relative(
    R: Float, accelerations: tuple[Float, Float], inertia: tuple[Float, Float], size: Float
) -> float:
    """Largest M (a - a_c) over the largest M a plus `size`, forces and moments apart."""
    (a, check), (mass, J) = accelerations, inertia
    force = moment = lost_force = lost_moment = 0.0
    for b in range(mass.size):
        linear, angular = get_vector(a, b, 0), get_vector(a, b, 3)
        force = max(force, mass[b] * _largest(linear))
        lost = subtract(linear, get_vector(check, b, 0))
        lost_force = max(lost_force, mass[b] * _largest(lost))
        turn, body = get_matrix(R, b), get_matrix(J, b)
        moment = max(moment, _largest(_turned(turn, body, angular)))
        lost = subtract(angular, get_vector(check, b, 3))
        lost_moment = max(lost_moment, _largest(_turned(turn, body, lost)))
    worst = 0.0
    if size[0] + force > 0.0:
        worst = lost_force / (size[0] + force)
    if size[1] + moment > 0.0:
        worst = max(worst, lost_moment / (size[1] + moment))
    return worst
