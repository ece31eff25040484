"""Force elements in words: what they act on and what load they give."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cosim.model.elements import (
    ElementKind,
    EndStop,
    JointLoad,
    MatrixLoad,
    PointForce,
    Tension,
    Torsion,
)

__all__ = ["element_ends", "element_text"]

_AXES = ("x", "y", "z", "rx", "ry", "rz")


def element_ends(element: ElementKind) -> str:
    """Points, bodies or joint that an element acts on."""
    match element:
        case PointForce(point=point):
            return point
        case JointLoad(joint=joint, coordinate=coordinate):
            return joint if coordinate is None else f"{joint}.{coordinate}"
        case Tension(points=(first, second)) | Torsion(bodies=(first, second)):
            return f"{first} - {second}"
        case MatrixLoad(body=body, reference=reference):
            return f"{reference} - {body}"


def element_text(element: ElementKind) -> str:
    """Its coefficients, SI units; what is zero is left out."""
    return ", ".join(_parts(element)) or "none"


def _parts(element: ElementKind) -> Iterator[str]:
    match element:
        case PointForce():
            yield from _vector("F", element.force)
            yield from _vector("M", element.moment)
            if element.axes == "body":
                yield "in body axes"
        case JointLoad():
            yield from _numbers(k=element.stiffness, rest=element.rest, c=element.damping)
            yield from _numbers(c2=element.quadratic_damping, preload=element.preload)
            yield from _law(element.law)
            if element.end_stop is not None:
                yield _stop(element.end_stop)
        case Tension():
            yield from _numbers(k=element.stiffness, c=element.damping)
            yield from _law(element.law)
            yield "L as described" if element.length is None else f"L={element.length:g}"
            if element.slack:
                yield "rope"
        case Torsion():
            axis = np.array(element.axis) / np.linalg.norm(element.axis)
            yield f"about ({', '.join(f'{a:.4g}' for a in axis + 0.0)})"
            yield from _numbers(k=element.stiffness, c=element.damping, rest=element.rest)
            yield from _law(element.law)
        case MatrixLoad():
            yield from _vector("F0", element.preload)
            yield from _matrix("K", element.matrix("stiffness"))
            yield from _matrix("C", element.matrix("damping"))
            yield from _matrix("C2", element.matrix("quadratic_damping"))


def _numbers(**values: float) -> Iterator[str]:
    for name, value in values.items():
        if value:
            yield f"{name}={value:.6g}"


def _law(law: str | None) -> Iterator[str]:
    if law is not None:
        yield f"law={law.lstrip('=')}"


def _vector(name: str, components: tuple[float | str, ...]) -> Iterator[str]:
    if any(components):
        texts = [c.lstrip("=") if isinstance(c, str) else f"{c:.6g}" for c in components]
        yield f"{name}=({', '.join(texts)})"


def _matrix(name: str, matrix: np.ndarray) -> Iterator[str]:
    if not np.any(matrix):
        return
    if np.any(matrix - np.diag(np.diag(matrix))):
        yield f"{name} full"
        return
    found = [f"{axis}:{v:.6g}" for axis, v in zip(_AXES, np.diag(matrix), strict=True) if v]
    yield f"{name}=({', '.join(found)})"


def _stop(stop: EndStop) -> str:
    lower = "" if stop.lower is None else f"{stop.lower:g}"
    upper = "" if stop.upper is None else f"{stop.upper:g}"
    return f"stops [{lower}, {upper}] k={stop.stiffness:.6g}"
