"""A rigid body as a port-Hamiltonian system, its ports force and torque."""

from __future__ import annotations

import numpy as np

from cosim.algebra.attitude import skew
from cosim.algebra.types import Float
from cosim.multibody.port_hamiltonian.mechanics import ConstrainedMechanics, Potential
from cosim.multibody.port_hamiltonian.quadratic import Quadratic

__all__ = ["RigidBody"]

_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


class RigidBody(ConstrainedMechanics):
    """Position of the centre of gravity and three directors along the principal axes.

    Ports are force and torque at the centre of gravity, world axes; outputs velocity and angular
    velocity (PH paper, section 4.1).

    Parameters
    ----------
    name : str
    mass : float
        kg.
    moments : (3,)
        Principal moments of inertia, kg m².
    gravity : (3,)
        Acceleration, m/s², world axes.
    """

    def __init__(
        self, name: str, mass: float, moments: Float, gravity: Float | None = None
    ) -> None:
        J = np.asarray(moments, dtype=np.float64)
        weight = (
            np.concatenate([mass * np.asarray(gravity), np.zeros(9)])
            if gravity is not None
            else np.zeros(12)
        )
        E = 0.5 * J.sum() - J
        super().__init__(
            M=np.diag(np.repeat([mass, *E], 3)),
            potential=Potential(lambda q: -float(weight @ q), lambda q: -weight),
            constraints=Quadratic.products(
                [(director(k), director(l), float(k == l)) for k, l in _PAIRS]  # noqa: E741
            ),
            inputs=_inputs,
            ports=tuple(f"{name}/{c}" for c in ("Fx", "Fy", "Fz", "Mx", "My", "Mz")),
        )

    @staticmethod
    def state(r: Float, R: Float, v: Float, omega: Float) -> tuple[Float, Float]:
        """Coordinates and velocities, (12,) each, of a pose and a twist, world axes."""
        directors = np.asarray(R).T
        rates = np.cross(omega, directors)
        return np.concatenate([r, directors.ravel()]), np.concatenate([v, rates.ravel()])


def director(k: int) -> Float:
    """The map [A a], (3, 13), from q to the director d_k, k = 0, 1, 2."""
    rows = np.zeros((3, 13))
    rows[:, 3 + 3 * k : 6 + 3 * k] = np.eye(3)
    return rows


def _inputs(q: Float) -> Float:
    """F on φ and τ × d_k / 2 on d_k, (12, 6)."""
    B = np.zeros((12, 6))
    B[:3, :3] = np.eye(3)
    for k in range(3):
        B[3 + 3 * k : 6 + 3 * k, 3:] = -0.5 * skew(q[3 + 3 * k : 6 + 3 * k])
    return B
