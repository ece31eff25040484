"""Rates of joint coordinates from the initial velocities of Chrono's bodies."""

from __future__ import annotations

import numpy as np

from cosim.algebra.types import Float
from cosim.model.system import System
from cosim.multibody.joint import JointModel
from cosim.readers.chrono_workspace import Workspace

__all__ = ["start_rates"]

_CONSISTENT = 1e-6
"""Of the largest velocity: what the file's decimals may leave."""


def start_rates(space: Workspace, system: System) -> dict[str, float]:
    """``joint.coordinate_rate`` of the velocities that the file gives.

    Velocities are those of the centres of mass; angular ones are in the axes of the frame
    there. What the file gives is met, by the least rates that do; where it leaves freedom,
    bodies do not turn. Velocities that the joints do not allow are noted as problems.
    """
    given = [b for b in space.model.bodies if not b.fixed]
    told = [b.initial_linear_velocity for b in given] + [b.initial_angular_velocity for b in given]
    if not any(v is not None and any(v) for v in told):
        return {}
    model = JointModel(system)
    model.kinematics(0.0, *model.initial())
    B = model.velocity_transformation().reshape(len(model.bodies), 6, model.nu)
    target, known = np.zeros((len(given), 6)), np.zeros((len(given), 6), dtype=bool)
    order = []
    for row, body in enumerate(given):
        order.append(int(model.index([space.end(body.name, ())])[0]))
        if body.initial_linear_velocity is not None:
            target[row, :3], known[row, :3] = body.initial_linear_velocity, True
        if body.initial_angular_velocity is not None:
            turned = space.frames[body.name].R @ np.asarray(body.initial_angular_velocity)
            target[row, 3:], known[row, 3:] = turned, True
    B = B[order]
    u = _solve(B, target, known, model.constraint_jacobian())
    _check(space, np.where(known, B @ u - target, 0.0), B @ u, float(np.abs(target).max()))
    return {f"{name}_rate": float(rate) for name, rate in zip(model.speeds, u, strict=True) if rate}


def _solve(B: Float, target: Float, known: np.ndarray, closures: Float) -> Float:
    """Least squares for what is given; then, in what is left, the least angular velocities."""
    A = np.vstack([B[known], closures])
    b = np.concatenate([target[known], np.zeros(len(closures))])
    u = np.linalg.lstsq(A, b, rcond=1e-10)[0]
    _, s, Vt = np.linalg.svd(A, full_matrices=True)
    rank = int(np.sum(s > 1e-10 * s.max(initial=0.0)))
    free = Vt[rank:].T
    turning = B[:, 3:].reshape(-1, len(u))
    u = u - free @ np.linalg.lstsq(turning @ free, turning @ u, rcond=1e-10)[0]
    return np.where(np.abs(u) < 1e-12 * np.abs(u).max(initial=0.0), 0.0, u)


def _check(space: Workspace, miss: Float, possible: Float, scale: float) -> None:
    positions = [i for i, b in enumerate(space.model.bodies) if not b.fixed]
    for row, index in enumerate(positions):
        body = space.model.bodies[index]
        for key, part in (
            ("initial_linear_velocity", slice(0, 3)),
            ("initial_angular_velocity", slice(3, 6)),
        ):
            if np.abs(miss[row, part]).max() > _CONSISTENT * scale:
                R = space.frames[body.name].R if part.start else np.eye(3)
                near = ", ".join(f"{v:.6g}" for v in R.T @ possible[row, part])
                space.refuse(
                    ("bodies", index, key),
                    f"the joints do not allow its '{key}'; nearest to all that is given is "
                    f"[{near}] (leave the key out to have it follow from the others)",
                )
