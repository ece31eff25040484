"""Which waves a panel mesh can resolve."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from adapters.capytaine.hulls import WettedHull
from adapters.capytaine.panels import PanelMesh

__all__ = ["resolution_remarks", "resolved_omega"]

PANELS_PER_WAVE = 4.0


def resolved_omega(hull: WettedHull, *, g: float) -> float:
    """Highest frequency (rad/s, deep water) whose wave is four panels long at the water.

    Capytaine asks for the same: no panel radius above an eighth of the wavelength. A submerged
    hull has no limit.
    """
    longest = _longest(hull)
    return float(np.sqrt(2.0 * np.pi * g / (PANELS_PER_WAVE * longest))) if longest else np.inf


def resolution_remarks(hulls: Sequence[WettedHull], *, omega: float, g: float) -> tuple[str, ...]:
    """One sentence for each hull whose panels are too large for waves of `omega` (rad/s)."""
    needed = 2.0 * np.pi * g / (PANELS_PER_WAVE * omega**2)
    return tuple(
        f"body '{hull.name}': its panels at the waterline, up to {_longest(hull):.3g} m long, "
        f"resolve waves up to omega = {resolved_omega(hull, g=g):.2f} rad/s only; the database "
        f"goes to {omega:.2f}, which needs {needed:.3g} m; use smaller panels (panel_size) if "
        "those short waves matter"
        for hull in hulls
        if omega > resolved_omega(hull, g=g)
    )


def _longest(hull: WettedHull) -> float:
    """Longest edge at the water, lid included, m."""
    return max(_at_water(mesh) for mesh in (hull.hull, hull.lid) if mesh is not None)


def _at_water(mesh: PanelMesh) -> float:
    """Longest edge of the panels that touch the water, m."""
    corners = mesh.vertices[mesh.faces]
    touching = corners[(corners[:, :, 2] == 0.0).any(axis=1)]
    edges = np.linalg.norm(touching - np.roll(touching, 1, axis=1), axis=2)
    return float(edges.max()) if edges.size else 0.0
