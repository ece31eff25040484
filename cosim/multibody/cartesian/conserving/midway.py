"""The state in the middle of a step, as adapters see it."""

from __future__ import annotations

from cosim.algebra.types import Float
from cosim.multibody.cartesian.directors import expand, poses, twists
from cosim.multibody.cartesian.memory import Memory
from cosim.multibody.interface import State

__all__ = ["midway", "twist_gain"]

Ends = tuple[tuple[Float, Float], tuple[Float, Float]]
"""Coordinates and speeds at the start and at the end."""


def midway(memory: Memory, t: float, ends: Ends) -> State:
    """Mean position, nearest rotation to the mean of the directors, mean of the twists.

    Parameters
    ----------
    memory : Memory
        Its space is overwritten.
    t : float
        s.
    ends : (((nq,), (nu,)), ((nq,), (nu,)))
    """
    (q0, u0), (q1, u1) = ends
    nu = len(u0)
    twist = 0.5 * (_twist(memory, q0, u0) + _twist(memory, q1, u1))
    expand(memory.frames, 0.5 * (q0 + q1)[:nu], u1, memory.space)
    poses(memory.frames, memory.space)
    return State(t, memory.space.r.copy(), memory.space.R.copy(), twist)


def twist_gain(memory: Memory, ends: Ends) -> Float:
    """Change of the twists, (n, 6)."""
    return _twist(memory, *ends[1]) - _twist(memory, *ends[0])


def _twist(memory: Memory, q: Float, u: Float) -> Float:
    expand(memory.frames, q[: len(u)], u, memory.space)
    twists(memory.space)
    out: Float = memory.space.twist.copy()
    return out
