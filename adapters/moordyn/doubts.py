"""Numbers of a mooring file that are possible and probably wrong."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator

from adapters.moordyn.records import LineType, MooringFile

__all__ = ["doubts", "tell_doubts"]

LOG = logging.getLogger(__name__)

_AS_HIGH_AS_DEEP = 0.1
"""Share of the depth within which an anchor's z looks like the bed's with the wrong sign."""
_FLOATS = 2.0
"""Displaced water over mass that no rope reaches; polypropylene has 1.13."""


def tell_doubts(file: MooringFile, max_strain: float) -> None:
    """Warn of everything that `doubts` finds."""
    for sentence in doubts(file, max_strain):
        LOG.warning("%s: %s", file.path, sentence)


def doubts(file: MooringFile, max_strain: float) -> Iterator[str]:
    """One sentence for every number that looks like a wrong sign or unit.

    Parameters
    ----------
    file : MooringFile
        With its options: WtrDpth, rho and g.
    max_strain : float
        Strain that is accepted; steel breaks near 0.01.
    """
    depth, rho, g = (float(file.options[name].value) for name in ("WtrDpth", "rho", "g"))
    for point in file.points:
        z = point.position[2]
        if point.attachment == "fixed" and abs(z - depth) < _AS_HIGH_AS_DEEP * depth:
            yield (
                f"anchor {point.name or point.id} is {z:g} m above the water, which is {depth:g} m "
                "deep; z points up, the sea bed is at negative z"
            )
    for kind in file.line_types:
        yield from _of_type(kind, depth, rho, g, max_strain)


def _of_type(kind: LineType, depth: float, rho: float, g: float, limit: float) -> Iterator[str]:
    displaced = rho * math.pi / 4.0 * kind.diameter**2
    if displaced > _FLOATS * kind.mass:
        yield (
            f"line type '{kind.name}' has {kind.mass:g} kg/m and displaces {displaced:.3g} kg/m of "
            "water; check its diameter, in m"
        )
    if kind.stiffness is not None:
        strain = (kind.mass - displaced) * g * depth / kind.stiffness
        if strain > limit:
            yield (
                f"line type '{kind.name}' would stretch by {100.0 * strain:.2g} % under its own "
                "weight from the sea bed to the surface; check its stiffness EA, in N"
            )
