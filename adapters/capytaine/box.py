"""Rectangular boxes: exact hydrostatics, panels of one quarter mirrored twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from adapters.capytaine.panels import Float, PanelMesh, welded
from adapters.capytaine.revolution import graded, toward_edge, waterline_size
from adapters.capytaine.shapes import ParametricHull
from adapters.capytaine.submerged import Submerged
from cosim.model.base import Number, Positive

__all__ = ["Box"]


class Box(ParametricHull):
    """Rectangular box.

    Attributes
    ----------
    length, width : float
        Along its own x and y axis, m.
    bottom, top : float
        Heights of its ends, m.
    yaw_deg : float
        Direction of its x axis from the world's, deg.
    """

    shape: Literal["box"] = "box"
    length: Positive
    width: Positive
    bottom: Number = Field(lt=0)
    top: Number = 0.0
    yaw_deg: Number = 0.0

    @model_validator(mode="after")
    def _ordered(self) -> Box:
        if self.top <= self.bottom:
            raise ValueError("'top' must be above 'bottom'")
        return self

    @property
    def yaw(self) -> float:
        """Rotation about the vertical axis, rad."""
        return float(np.radians(self.yaw_deg))

    def submerged(self) -> Submerged:
        """Exact volume and waterplane, axis at the origin, not turned."""
        top = min(self.top, 0.0)
        area = self.length * self.width
        inertia = np.array([1.0, self.length**2 / 12.0, self.width**2 / 12.0])
        waterplane = np.diag(area * inertia) if self.top >= 0.0 else np.zeros((3, 3))
        centre = np.array([0.0, 0.0, (self.bottom + top) / 2.0])
        return Submerged(area * (top - self.bottom), centre, waterplane)

    def panels(self) -> tuple[PanelMesh, PanelMesh | None]:
        """Wetted panels and lid: a quarter, mirrored."""
        L, W, top = self.length / 2.0, self.width / 2.0, min(self.top, 0.0)
        wetted = 4.0 * L * W + 4.0 * (L + W) * (top - self.bottom)
        size = self.panel_size or float(np.sqrt(wetted / 600.0))
        x = _Edge(np.array([L, 0.0, 0.0]), toward_edge(L, size))
        y = _Edge(np.array([0.0, W, 0.0]), toward_edge(W, size))
        height = top - self.bottom
        end = size if self.top < 0.0 else waterline_size(size)
        z = _Edge(np.array([0.0, 0.0, height]), graded(height, size, end))
        keel = np.array([0.0, 0.0, self.bottom])
        sides = [_patch(keel, y, x), _patch(keel + x.vector, y, z), _patch(keel + y.vector, z, x)]
        if self.top < 0.0:
            return _joined([*sides, _patch(keel + z.vector, x, y)]), None
        return _joined(sides), _joined([_patch(keel + z.vector, y, x)])


@dataclass(frozen=True)
class _Edge:
    """An edge of a rectangle and the positions on it, in [0, 1]."""

    vector: Float
    positions: Float


def _patch(corner: Float, u: _Edge, v: _Edge) -> PanelMesh:
    """Panels of a rectangle; the normal is along u x v."""
    n, m = len(u.positions), len(v.positions)
    grid = u.positions[:, None, None] * u.vector + v.positions[:, None] * v.vector
    i = (np.arange(n - 1)[:, None] * m + np.arange(m - 1)).ravel()
    return PanelMesh(
        corner + grid.reshape(-1, 3), np.column_stack([i, i + m, i + m + 1, i + 1]).astype(np.int64)
    )


def _joined(patches: list[PanelMesh]) -> PanelMesh:
    offsets = np.cumsum([0, *(len(p.vertices) for p in patches)])
    faces = np.vstack([p.faces + o for p, o in zip(patches, offsets, strict=False)])
    part = welded(np.vstack([p.vertices for p in patches]), faces)
    return PanelMesh(part.vertices, part.faces, planes=("xOz", "yOz"))
