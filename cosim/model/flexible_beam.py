r"""Flexible beams of rigid segments: the finite-segment method.

The beam is cut into n equal lengths h = L/n. The flexibility of each, h/EI, is put into one
hinge in its middle, with the spring

.. math:: k = EI / h, \qquad k_{twist} = GJ / h, \qquad c = \beta k.

Between the hinges lie rigid pieces that carry the mass where it is: n - 1 of length h, and
one of h/2 at either end, which makes every end condition natural: a clamped end is a fixed
joint, a pinned one a hinge without a spring, a free one nothing.

Under a bending moment M(x) the rotation of the hinge at x_i is M(x_i) h / EI. The
deflection at the tip of a cantilever is then the sum over hinges of M(x_i) (L - x_i) h / EI,
the midpoint rule for the integral of beam theory: its error is of second order in h, for the
tip load P exactly ``w = P L^3 / (3 EI) (1 - 1/(4 n^2))``. Rows of whole segments with the
hinges at their ends are the trapezoidal rule, with twice the error of opposite sign. The
rigid pieces interpolate the motion linearly between the hinges, so that the frequencies of a
cantilever converge at second order too. The error is that of the clamp: without one, springs
and masses err alike and frequencies converge at fourth order. Rotations are exact:
deflections may be large.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from pydantic import Field, ValidationError, model_validator

from cosim.algebra.types import Float
from cosim.errors import ModelError
from cosim.model.base import EARTH, Integer, Name, NonNegative, Number, Positive, Strict, Vector3
from cosim.model.beam_section import BeamSection, RoundSection
from cosim.model.sentences import sentences

__all__ = ["FlexibleBeam", "flexible_beam"]

Part = dict[str, dict[str, Any]]

_FIRST_MODE = {"clamped": 1.8751040687119611, "pinned": 3.9266023120479188, "free": 4.7300407448627}
"""First root of the frequency equation by the condition at the root, the tip free: cos x cosh x
= -1, tan x = tanh x and cos x cosh x = 1."""

_CROSSES = ((2, 1), (1, 2))
"""Which of the axes of bending comes first in even and odd hinges of universal joints: a cross
bent both ways also turns the beam about itself, by a second-order angle that would add up."""


class FlexibleBeam(Strict):
    """A straight, uniform beam; `part` gives it as a part of rigid pieces.

    Parameters
    ----------
    start, end : (3,) sequence
        The root, by which the beam is held, and its tip; m, world coordinates of the
        reference configuration.
    segments : int
        n, the number of hinges.
    section : BeamSection or RoundSection
        By stiffness and mass per length, or a round bar or tube of one material.
    motion : {"planar", "spatial"}
        Bending about `normal` only, or about both axes, with twist where there is `GJ`.
    normal : (3,) sequence
        Axis of bending, made perpendicular to the beam.
    root : {"clamped", "pinned", "free"}
        How the root is held. The `normal` of a free planar beam must be a world axis.
    parent : str
        Body that holds the root, or ``earth``.
    damping : float
        β of the damping proportional to stiffness, s.
    damping_ratio : float or None
        In place of `damping`: of the first bending mode of the beam alone, its tip free.
    gravity_scale : float
        Multiplies its weight.
    """

    start: Vector3
    end: Vector3
    segments: Integer = Field(ge=1, le=1000)
    section: BeamSection | RoundSection
    motion: Literal["planar", "spatial"] = "planar"
    normal: Vector3 = (0.0, 1.0, 0.0)
    root: Literal["clamped", "pinned", "free"] = "clamped"
    parent: Name = EARTH
    damping: NonNegative = 0.0
    damping_ratio: Positive | None = None
    gravity_scale: Number = 1.0

    @model_validator(mode="after")
    def _parts_agree(self) -> FlexibleBeam:
        along = np.subtract(self.end, self.start)
        if np.linalg.norm(along) < 1e-12:
            raise ValueError("'start' and 'end' are the same point")
        if np.linalg.norm(np.cross(along, self.normal)) < 1e-9 * np.linalg.norm(along):
            raise ValueError("'normal' lies along the beam; it must point across it")
        if self.damping and self.damping_ratio is not None:
            raise ValueError("'damping' and 'damping_ratio' are both given; keep one")
        if self.spatial and min(self.properties.inertias()) == 0.0:
            raise ValueError(
                "a beam that moves in space turns about its own axis: its section needs "
                "'rotary_inertia' (density times second moment of area)"
            )
        if self.root == "free" and self.motion == "planar":
            self._plane()
        return self

    @property
    def properties(self) -> BeamSection:
        """Its section by stiffness and mass per length."""
        return self.section if isinstance(self.section, BeamSection) else self.section.section()

    @property
    def length(self) -> float:
        """L, m."""
        return float(np.linalg.norm(np.subtract(self.end, self.start)))

    @property
    def axes(self) -> tuple[Float, Float, Float]:
        """Unit vectors along the beam, of bending (EI) and of the other bending (EI2)."""
        along = np.subtract(self.end, self.start) / self.length
        normal = np.asarray(self.normal) - along * (along @ self.normal)
        normal /= np.linalg.norm(normal)
        return along, normal, np.cross(along, normal)

    def first_frequency(self) -> float:
        """Of the first bending mode by Euler and Bernoulli, the tip free, rad/s."""
        section = self.properties
        softest = min(section.EI, section.EI2 or section.EI) if self.spatial else section.EI
        wave_number = _FIRST_MODE[self.root] / self.length
        return wave_number**2 * math.sqrt(softest / section.mass_per_length)

    @property
    def spatial(self) -> bool:
        """Whether it moves in space."""
        return self.motion == "spatial"

    def part(self) -> Part:
        """Bodies `piece0` to `piecen`, joints `root` and `hinge1` to `hingen`, and the springs.

        The first piece has the point `root`, the last one `tip`.
        """
        n = self.segments
        cuts = np.concatenate(([0.0], (np.arange(n) + 0.5) / n, [1.0])) * self.length
        bodies = {f"piece{i}": self._piece(cuts[i], cuts[i + 1]) for i in range(n + 1)}
        bodies["piece0"]["points"] = {"root": list(self.start)}
        bodies[f"piece{n}"].setdefault("points", {})["tip"] = list(self.end)
        joints, elements = {"root": self._root_joint()}, {}
        for i in range(1, n + 1):
            joints[f"hinge{i}"] = self._hinge(i, self._at(cuts[i]))
            elements.update(self._springs(i))
        return {"bodies": bodies, "joints": joints, "elements": elements}

    def _at(self, x: float) -> list[float]:
        return [float(c) for c in np.asarray(self.start) + x * self.axes[0]]

    def _piece(self, x0: float, x1: float) -> dict[str, Any]:
        section, length = self.properties, float(x1 - x0)
        mass = section.mass_per_length * length
        slender = mass * length**2 / 12.0
        moments_of_section = length * np.array(section.inertias())
        principal = moments_of_section + np.array([0.0, slender, slender])
        if principal[0] == 0.0:
            principal[0] = slender  # any will do: in a plane nothing turns about the beam
        turn = np.column_stack(self.axes)
        J = turn @ np.diag(principal) @ turn.T
        products = [float(J[0, 1]), float(J[0, 2]), float(J[1, 2])]
        moments = [float(J[i, i]) for i in range(3)]
        piece = {
            "mass": mass,
            "cog": self._at(0.5 * (x0 + x1)),
            "inertia": moments + products if any(products) else moments,
        }
        return piece if self.gravity_scale == 1.0 else piece | {"gravity_scale": self.gravity_scale}

    def _root_joint(self) -> dict[str, Any]:
        ends = {"parent": self.parent, "child": "piece0"}
        match self.root, self.motion:
            case "clamped", _:
                return {"type": "fixed", **ends}
            case "pinned", "planar":
                return {"type": "revolute", **ends, "at": list(self.start), "axis": self._axis(1)}
            case "pinned", _:
                return {"type": "spherical", **ends, "at": list(self.start)}
            case _, "planar":
                return {"type": "planar", **ends, "at": list(self.start), "plane": self._plane()}
        return {"type": "floating", **ends}

    def _plane(self) -> str:
        for plane, axis in (("yz", 0), ("xz", 1), ("xy", 2)):
            if abs(self.axes[1][axis]) > 1.0 - 1e-12:
                return plane
        raise ValueError(
            "a free beam with planar motion needs a 'normal' along a world axis; "
            "use 'motion: spatial'"
        )

    def _axis(self, which: int) -> list[float]:
        return [float(c) for c in self.axes[which]]

    def _hinge(self, i: int, at: list[float]) -> dict[str, Any]:
        ends = {"parent": f"piece{i - 1}", "child": f"piece{i}", "at": at}
        if not self.spatial:
            return {"type": "revolute", **ends, "axis": self._axis(1)}
        if self.properties.GJ is not None:
            return {"type": "spherical", **ends}
        axis1, axis2 = (self._axis(which) for which in _CROSSES[i % 2])
        return {"type": "universal", **ends, "axis1": axis1, "axis2": axis2}

    def _springs(self, i: int) -> dict[str, dict[str, Any]]:
        section, joint = self.properties, f"hinge{i}"
        first = self._spring(section.EI)
        if not self.spatial:
            return {f"bend{i}": {"type": "joint", "joint": joint, **first}}
        second = self._spring(section.EI2 or section.EI)
        if section.GJ is None:
            load = {"type": "joint", "joint": joint}
            place = _CROSSES[i % 2].index
            return {
                f"bend{i}": {**load, "coordinate": f"angle{place(1) + 1}", **first},
                f"sway{i}": {**load, "coordinate": f"angle{place(2) + 1}", **second},
            }
        pair = {"type": "torsion", "bodies": [f"piece{i - 1}", f"piece{i}"]}
        return {
            f"bend{i}": {**pair, "axis": self._axis(1), **first},
            f"sway{i}": {**pair, "axis": self._axis(2), **second},
            f"twist{i}": {**pair, "axis": self._axis(0), **self._spring(section.GJ)},
        }

    def _spring(self, stiffness: float) -> dict[str, float]:
        k = stiffness * self.segments / self.length
        beta = self.damping
        if self.damping_ratio is not None:
            beta = 2.0 * self.damping_ratio / self.first_frequency()
        return {"stiffness": k, "damping": beta * k} if beta else {"stiffness": k}


def flexible_beam(
    start: Vector3,
    end: Vector3,
    segments: int,
    section: BeamSection | RoundSection,
    *,
    motion: Literal["planar", "spatial"] = "planar",
    normal: Vector3 = (0.0, 1.0, 0.0),
    root: Literal["clamped", "pinned", "free"] = "clamped",
    parent: str = EARTH,
    damping: float = 0.0,
    damping_ratio: float | None = None,
    gravity_scale: float = 1.0,
) -> Part:
    """Make a flexible beam of rigid pieces with springs between them.

    At least of second order in the length of the segments against beam theory.

    Parameters
    ----------
    start, end : (3,) sequence
        Root and tip, m, world coordinates of the reference configuration.
    segments : int
        Number of hinges.
    section : BeamSection or RoundSection
    motion, normal, root, parent
        In a plane or in space, about which axis, how it is held and by which body.
    damping, damping_ratio : float
        β = c / k, s; or the damping ratio of the first bending mode.
    gravity_scale : float
        Multiplies its weight.

    Returns
    -------
    dict
        ``bodies``, ``joints`` and ``elements``: an entry of ``parts``, or to be merged into
        a description.

    Raises
    ------
    ModelError
        What does not make a beam.
    """
    data = {
        "start": start,
        "end": end,
        "segments": segments,
        "section": section,
        "motion": motion,
        "normal": normal,
        "root": root,
        "parent": parent,
        "damping": damping,
        "damping_ratio": damping_ratio,
        "gravity_scale": gravity_scale,
    }
    try:
        return FlexibleBeam.model_validate(data).part()
    except ValidationError as error:
        raise ModelError("\n".join(sentences(error, data, FlexibleBeam))) from None
