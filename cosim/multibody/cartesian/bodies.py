"""Bodies of a system as frames of directors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cosim.algebra.types import Float
from cosim.errors import ModelError
from cosim.model.body import Body
from cosim.model.sentences import nearest
from cosim.model.system import System
from cosim.multibody.cartesian.arrays import FULL, REDUCED, SIZES, Frames
from cosim.multibody.cartesian.options import CartesianOptions

__all__ = [
    "coordinates_at",
    "frames_of",
    "kinds_of",
    "names_of_speeds",
    "principal_axes",
    "reference_of",
]

_NAMES = ("x", "y", "z", *(f"d{k}{c}" for k in (1, 2, 3) for c in "xyz"))

_DIAGONAL = 1e-14
"""Products of inertia, beside the moments, that count as zero."""
_FLAT = 1e-9
"""E_i, beside the largest, that count as zero: plates, and rods without thickness."""


def kinds_of(bodies: Sequence[str], options: CartesianOptions) -> list[int]:
    """`FULL` or `REDUCED` of every body.

    Raises
    ------
    ModelError
        The options name a body that is not there.
    """
    chosen = options.bodies
    if isinstance(chosen, str):
        chosen = dict.fromkeys(bodies, chosen)
    unknown = [name for name in chosen if name not in bodies]
    if unknown:
        raise ModelError(
            f"formulation.bodies: there is no body '{unknown[0]}'"
            f"{nearest(unknown[0], list(bodies))}"
        )
    return [REDUCED if chosen.get(name) == "reduced" else FULL for name in bodies]


def names_of_speeds(bodies: Sequence[str], kinds: Sequence[int]) -> tuple[str, ...]:
    """``body.x`` to ``body.d3z``, as far as each kind goes."""
    return tuple(
        f"{body}.{name}"
        for body, kind in zip(bodies, kinds, strict=True)
        for name in _NAMES[: SIZES[kind]]
    )


def frames_of(system: System, kinds: Sequence[int]) -> Frames:
    """Constants of all bodies, in the order of the system.

    Parameters
    ----------
    system : System
    kinds : sequence of int
        `FULL` or `REDUCED` of every body.
    """
    gravity = system.environment.gravity
    inertia, axes, weight = [], [], []
    for body in system.bodies.values():
        moments, D0 = principal_axes(body)
        inertia.append([body.mass, *_director_moments(moments)])
        axes.append(D0.ravel())
        weight.append(body.mass * body.gravity_scale * gravity)
    sizes = [SIZES[kind] for kind in kinds]
    return Frames(
        np.array(kinds, dtype=np.int64),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        np.array(inertia),
        np.array(axes),
        np.array(weight),
    )


def principal_axes(body: Body) -> tuple[Float, Float]:
    """Principal moments of inertia, (3,) kg m², and axes, columns of (3, 3), world axes.

    The axes are right-handed. A tensor that is diagonal keeps the world's axes in their order;
    otherwise moments ascend, and the largest component of the first two axes is positive.
    """
    J = body.inertia_tensor()
    moments = np.diag(J).copy()
    if np.abs(J - np.diag(moments)).max() <= _DIAGONAL * moments.max():
        return moments, np.eye(3)
    moments, axes = np.linalg.eigh(J)
    for k in range(2):
        axes[:, k] *= np.sign(axes[np.argmax(np.abs(axes[:, k])), k])
    axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
    return moments, axes


def coordinates_at(frames: Frames, r: Float, R: Float, twist: Float) -> tuple[Float, Float]:
    """Coordinates and their time derivatives, (nu,) each, of rigid bodies in given motion.

    Parameters
    ----------
    frames : Frames
    r : (n, 3)
        Centres of gravity, m.
    R : (n, 3, 3)
        Rotations from the reference configuration.
    twist : (n, 6)
        World axes, at the centres of gravity.
    """
    D = np.swapaxes(R @ frames.axes.reshape(-1, 3, 3), 1, 2)
    rates = np.cross(twist[:, None, 3:], D)
    x = np.concatenate([r[:, None], D], axis=1).reshape(len(r), 12)
    v = np.concatenate([twist[:, None, :3], rates], axis=1).reshape(len(r), 12)
    kept = [slice(SIZES[kind]) for kind in frames.kind]
    return (
        np.concatenate([x[i, part] for i, part in enumerate(kept)]),
        np.concatenate([v[i, part] for i, part in enumerate(kept)]),
    )


def reference_of(system: System, frames: Frames) -> Float:
    """Centres of gravity and directors in the reference configuration, (n, 12)."""
    r = np.array([body.cog for body in system.bodies.values()])
    D = np.swapaxes(frames.axes.reshape(-1, 3, 3), 1, 2)
    return np.concatenate([r[:, None], D], axis=1).reshape(len(r), 12)


def _director_moments(J: Float) -> Float:
    """E_i = (J_j + J_k - J_i) / 2; those of flat bodies are exactly zero."""
    E = 0.5 * J.sum() - J
    return np.where(np.abs(E) > _FLAT * E.max(), E, 0.0)
