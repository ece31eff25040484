"""Orders of the compiled midpoint rules on the heavy top.

Reference: the same rule with a step 16 times smaller than the smallest, whose own error is 1/256
of the smallest for coordinates and speeds, and 1/16 for multipliers: slopes of 2 and 1 within 0.1
and 0.15. The multipliers are those of the equations of motion too, solved at the end of the step
for accelerations: a second derivation, which knows nothing of the step.
"""

from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.multibody.cartesian.conserving.steps import ConservingSteps
from cosim.multibody.cartesian.memory import MULTIPLIER
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.cartesian.options import CartesianOptions

CASE = Path(__file__).parents[4] / "cases" / "heavy_top"
END, COARSE = 0.2, 100
VARIANTS = ("midpoint", "midpoint_ggl")


class Top:
    """The heavy top under one of the rules."""

    def __init__(self, variant):
        case = cosim.read_case(CASE)
        self.variant = variant
        self.model = CartesianModel(case, CartesianOptions(constraints="free"))
        self.start = self.model.initial(dict(case.start.set))

    def last(self, factor):
        steps = factor * COARSE
        made = ConservingSteps(self.model.parts, variant=self.variant)
        return made.march(0.0, END / steps, self.start, steps)

    def index_one(self, q, u):
        """Multipliers of M u' + Gᵀ λ = f, G u' = γ."""
        self.model.kinematics(END, q, u)
        self.model.accelerations(np.zeros(self.model.nu))
        return self.model.parts.memory.row[MULTIPLIER].copy()


def slopes(errors):
    return np.log2(np.array(errors[:-1]) / errors[1:])


@pytest.mark.parametrize("variant", VARIANTS)
def test_states_are_of_second_order_and_multipliers_of_first(variant):
    top = Top(variant)
    exact = top.last(64)
    runs = [top.last(factor) for factor in (1, 2, 4)]
    for name, order, close in (("q", 2.0, 0.1), ("u", 2.0, 0.1), ("multipliers", 1.0, 0.15)):
        errors = [np.abs(getattr(run, name) - getattr(exact, name)).max() for run in runs]
        np.testing.assert_allclose(slopes(errors), order, rtol=0, atol=close)


@pytest.mark.parametrize("variant", VARIANTS)
def test_multipliers_come_to_those_of_the_accelerations(variant):
    top = Top(variant)
    fine = top.last(64)
    exact = top.index_one(fine.q, fine.u)
    errors = [np.abs(top.last(factor).multipliers - exact).max() for factor in (1, 2, 4, 8)]
    np.testing.assert_allclose(slopes(errors), 1.0, rtol=0, atol=0.15)


def test_multipliers_of_ggl_are_of_second_order_for_the_middle_of_the_step():
    """Their error at its end is that of the place: half a step.

    Those of the plain rule stay of first order, for its speeds leave the constraints by h^2 in
    every second step. Reference: states in the middle of the last step, of a run with eight times
    the steps, whose own error is 1/64 of what is measured.
    """
    top = Top("midpoint_ggl")
    errors = []
    for factor in (1, 2, 4):
        count = 8 * factor * COARSE
        made = ConservingSteps(top.model.parts, variant=top.variant)
        near = made.march(0.0, END / count, top.start, count - 4)
        exact = top.index_one(near.q, near.u)
        errors.append(np.abs(top.last(factor).multipliers - exact).max())
    np.testing.assert_allclose(slopes(errors), 2.0, rtol=0, atol=0.1)
