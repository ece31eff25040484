"""Prescribed motions in words: what they lead and where."""

from __future__ import annotations

from cosim.model.motions import AngleMotion, DirectionMotion, JointMotion, MotionKind, PointMotion

__all__ = ["motion_of", "motion_text"]


def motion_of(motion: MotionKind) -> str:
    """What a motion leads: a coordinate, a point, a direction, an angle."""
    match motion:
        case JointMotion(joint=joint, coordinate=coordinate):
            return joint if coordinate is None else f"{joint}.{coordinate}"
        case PointMotion(point=point):
            return point
        case DirectionMotion(body=body, direction=direction):
            return f"{body}, {_vector(direction)}"
        case AngleMotion(bodies=bodies, directions=directions):
            ends = zip(bodies, directions, strict=True)
            return " - ".join(f"{body}, {_vector(direction)}" for body, direction in ends)


def motion_text(motion: MotionKind) -> str:
    """Its laws as written."""
    match motion:
        case PointMotion(x=x, y=y, z=z):
            given = zip("xyz", (x, y, z), strict=True)
            return ", ".join(f"{name} = {law}" for name, law in given if law is not None)
        case DirectionMotion(towards=towards):
            return ", ".join(f"{name}: {law}" for name, law in zip("xyz", towards, strict=True))
        case JointMotion(law=law) | AngleMotion(law=law):
            return str(law)


def _vector(numbers: tuple[float, float, float]) -> str:
    return f"({', '.join(f'{number:g}' for number in numbers)})"
