"""What each body looks like: its members, or else sticks to what is attached to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from cosim.multibody.interface import Float

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Solid", "body_solids"]

_SLENDER = 0.05
"""Diameter of a stick, relative to the median length of all."""
_BROAD = 0.5
"""Largest diameter of a ball, relative to the median length of sticks and members."""
_LIGHT = 500.0
"""Density of a body of which nothing but the mass is known, kg/m3: half of water's."""
_SAME = 1e-9


@dataclass(frozen=True)
class Solid:
    """A piece of a body.

    Attributes
    ----------
    body : int
    kind : {"member", "stick", "ball"}
        A tapered cylinder; a cylinder with round ends; a ball around the first end.
    ends : (2, 3)
        From the centre of gravity, body axes, m.
    diameters : (2,)
        m.
    """

    body: int
    kind: Literal["member", "stick", "ball"]
    ends: Float
    diameters: Float


def body_solids(dataset: xr.Dataset) -> list[Solid]:
    """Solids of all bodies.

    A body that ``output.drawing`` describes has its members. Another one has sticks from its
    centre of gravity to its joints, named points and springs; without any of these it is a
    ball of half the density of water, small beside the others.
    """
    solids = _members(dataset)
    drawn = {solid.body for solid in solids}
    sticks = {
        body: _arms(dataset, body) for body in range(dataset.sizes["body"]) if body not in drawn
    }
    lengths = [float(np.linalg.norm(end)) for ends in sticks.values() for end in ends]
    thickness = _SLENDER * float(np.median(lengths)) if lengths else 0.0
    drawn_lengths = [float(np.linalg.norm(np.diff(s.ends, axis=0))) for s in solids]
    others = [*lengths, *drawn_lengths]
    largest = _BROAD * float(np.median(others)) if others else np.inf
    for body, ends in sticks.items():
        for end in ends:
            pair = np.array([np.zeros(3), end])
            solids.append(Solid(body, "stick", pair, np.full(2, thickness)))
        if not ends:
            diameter = min(_ball(dataset, body), largest)
            solids.append(Solid(body, "ball", np.zeros((2, 3)), np.full(2, diameter)))
    return solids


def _ball(dataset: xr.Dataset, body: int) -> float:
    """Diameter of a ball of the mass of a body."""
    volume = float(dataset["mass"].values[body]) / _LIGHT if "mass" in dataset else 1.0
    return float((6.0 * volume / np.pi) ** (1.0 / 3.0))


def _members(dataset: xr.Dataset) -> list[Solid]:
    if "member_body" not in dataset:
        return []
    return [
        Solid(int(body), "member", ends, diameters)
        for body, ends, diameters in zip(
            dataset["member_body"].values,
            dataset["member_ends"].values,
            dataset["member_diameters"].values,
            strict=True,
        )
    ]


def _arms(dataset: xr.Dataset, body: int) -> list[Float]:
    """Places on a body that something is attached to, away from its centre of gravity."""
    places: list[Float] = []
    if "joint_location" in dataset:
        name = str(dataset["body"].values[body])
        own = dataset["reference_position"].values[body]
        for end in ("joint_parent", "joint_child"):
            joints = dataset["joint_location"].values[dataset[end].values == name]
            places.extend(joints - own)
    for which in ("site", "spring"):
        if f"{which}_body" in dataset:
            here = dataset[f"{which}_body"].values == body
            places.extend(dataset[f"{which}_place"].values[here])
    reach = max((float(np.linalg.norm(place)) for place in places), default=0.0)
    unlike: list[Float] = []
    for place in places:
        if np.linalg.norm(place) > _SAME * reach and not any(np.allclose(place, p) for p in unlike):
            unlike.append(place)
    return unlike
