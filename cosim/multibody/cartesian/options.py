"""How a model in Cartesian coordinates is made."""

from __future__ import annotations

from typing import Literal

from cosim.model.base import Name, NonNegative, Positive, Strict

__all__ = ["BodyKind", "CartesianOptions"]

BodyKind = Literal["full", "reduced"]


class CartesianOptions(Strict):
    """Choices within the Cartesian formulation.

    Parameters
    ----------
    bodies : {"full", "reduced"} or mapping of body to it
        Position and three directors (12 coordinates, constant mass), or two (9); bodies that a
        mapping does not name are full.
    joints : {"minimal", "redundant"}
        Joints with independent equations, or with those of the FCC-GRB paper, some of which
        depend on others.
    constraints : {"projection", "baumgarte", "augmented_lagrangian", "free"}
        How positions and velocities are kept on the constraints; ``free`` leaves it to the
        method of integration.
    alpha, beta : float
        Of Baumgarte's method and of the augmented Lagrangian, 1/s: deviations Φ obey
        Φ'' + 2 α Φ' + β² Φ = 0.
    penalty : float
        Of the augmented Lagrangian, beside the inertia that the most compliant constraint meets;
        its multipliers are improved until they settle.
    """

    bodies: BodyKind | dict[Name, BodyKind] = "full"
    joints: Literal["minimal", "redundant"] = "minimal"
    constraints: Literal["projection", "baumgarte", "augmented_lagrangian", "free"] = "projection"
    alpha: NonNegative = 10.0
    beta: NonNegative = 10.0
    penalty: Positive = 1e7
