r"""Independent coordinates about a point: all of a tree, some of a system with closed loops.

The closure equations G u = 0 leave as many speeds w free as G has no rank for,

.. math:: u = Z w, \qquad Z = \begin{bmatrix} 1 \\ -G_d^+ G_i \end{bmatrix},

with G_d the columns of the dependent speeds, which are chosen once, where G_d is best
conditioned. The pose that belongs to displacements y of the independent coordinates closes the
loops and has exactly these displacements. Forces are reduced with Z of the same pose, so that
their derivatives contain what the constraint forces do when Z turns.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr

from cosim.errors import ModelError
from cosim.multibody.interface import Float, MultibodyModel

__all__ = ["Chart", "chart_about"]

_PASSES = 12
_CLOSE = 1e-13
"""What an independent coordinate may differ from the one asked for, m or rad."""
_OPEN = 1e-6
"""Gap, m, at which loops count as impossible to close."""


class Chart(ABC):
    """Displacements y and speeds w of the independent coordinates.

    Attributes
    ----------
    speeds : tuple of str
        Names, `size` of them.
    index : (size,)
        Their rows among the speeds of the model.
    basis : (nu, size)
        Z at the point.
    """

    speeds: tuple[str, ...]
    index: NDArray[np.intp]
    basis: Float

    @property
    def size(self) -> int:
        """Number of independent coordinates."""
        return len(self.speeds)

    @abstractmethod
    def place(self, y: Float, w: Float) -> tuple[Float, Float]:
        """Coordinates (nq,) and speeds (nu,) at displacements y and speeds w."""

    @abstractmethod
    def accelerations(self, w_dot: Float) -> Float:
        """Accelerations (nu,) from those of the independent speeds, at the last kinematics."""

    @abstractmethod
    def reduce(self, Q: Float) -> Float:
        """Zᵀ Q of a generalised force or a matrix, at the pose of the last kinematics."""


def chart_about(model: MultibodyModel, t: float, q: Float) -> Chart:
    """The chart about a pose.

    Parameters
    ----------
    model : MultibodyModel
    t : float
        s.
    q : (nq,)
    """
    return _Closed(model, t, q) if model.closures else _Tree(model, q)


class _Tree(Chart):
    def __init__(self, model: MultibodyModel, q: Float) -> None:
        self._model, self._q = model, q.copy()
        self.speeds = model.speeds
        self.index = np.arange(model.nu)
        self.basis = np.eye(model.nu)

    def place(self, y: Float, w: Float) -> tuple[Float, Float]:
        return self._model.retract(self._q, y), w

    def accelerations(self, w_dot: Float) -> Float:
        return w_dot

    def reduce(self, Q: Float) -> Float:
        return Q


class _Closed(Chart):
    def __init__(self, model: MultibodyModel, t: float, q: Float) -> None:
        self._model, self._t = model, t
        self._still = np.zeros(model.nu)
        self._q, _ = model.closed(q, self._still)
        model.kinematics(t, self._q, self._still)
        G = model.constraint_jacobian()
        order = qr(G, pivoting=True, mode="r")[1]
        self._dependent = np.sort(order[: model.closures])
        self.index = np.sort(order[model.closures :])
        self.speeds = tuple(model.speeds[k] for k in self.index)
        self.basis = self._null_space()

    def place(self, y: Float, w: Float) -> tuple[Float, Float]:
        model = self._model
        q, missing = self._q, y
        for _ in range(_PASSES):
            q, _ = model.closed(model.retract(q, self._null_space() @ missing), self._still)
            model.kinematics(self._t, q, self._still)
            if np.abs(model.constraint_violation()).max() > _OPEN:
                break
            missing = y - model.difference(q, self._q)[self.index]
            if np.abs(missing).max(initial=0.0) <= _CLOSE * (1.0 + np.abs(y).max(initial=0.0)):
                return q, self._null_space() @ w
        raise ModelError(
            "the loops cannot be closed near this pose: "
            f"{', '.join(self.speeds)} do not determine the others there"
        )

    def accelerations(self, w_dot: Float) -> Float:
        # G u' is the same for all accelerations that keep the loops closed
        G = self._model.constraint_jacobian()
        some, _ = self._model.accelerations(self._still)
        u_dot = self._null_space() @ w_dot
        u_dot[self._dependent] += np.linalg.pinv(G[:, self._dependent]) @ (G @ some)
        return u_dot

    def reduce(self, Q: Float) -> Float:
        return self._null_space().T @ Q

    def _null_space(self) -> Float:
        """Z at the pose of the last kinematics, (nu, size)."""
        G = self._model.constraint_jacobian()
        Z = np.zeros((self._model.nu, len(self.index)))
        Z[self.index] = np.eye(len(self.index))
        Z[self._dependent] = -np.linalg.lstsq(G[:, self._dependent], G[:, self.index], rcond=None)[
            0
        ]
        return Z
