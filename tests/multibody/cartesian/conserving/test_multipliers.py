"""Orders of the compiled midpoint rules on the heavy top.

Reference: the same rule with a step 16 times smaller, whose own error is 1/256 of the smallest for
coordinates and speeds, and 1/16 for multipliers: slopes of 2 and 1 within 0.1 and 0.15.
"""

from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.multibody.cartesian.conserving.steps import ConservingSteps
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.cartesian.options import CartesianOptions

CASE = Path(__file__).parents[4] / "cases" / "heavy_top"
END, COARSE = 0.2, 100


@pytest.mark.parametrize("variant", ["midpoint", "midpoint_ggl"])
def test_states_are_of_second_order_and_multipliers_of_first(variant):
    case = cosim.read_case(CASE)
    model = CartesianModel(case, CartesianOptions(constraints="free"))
    start = model.initial(dict(case.start.set))

    def last(steps):
        made = ConservingSteps(model.parts, variant=variant)
        return made.march(0.0, END / steps, start, steps)

    exact = last(64 * COARSE)
    runs = [last(factor * COARSE) for factor in (1, 2, 4)]
    for name, order, close in (("q", 2.0, 0.1), ("u", 2.0, 0.1), ("multipliers", 1.0, 0.15)):
        errors = [np.abs(getattr(run, name) - getattr(exact, name)).max() for run in runs]
        slopes = np.log2(np.array(errors[:-1]) / errors[1:])
        np.testing.assert_allclose(slopes, order, rtol=0, atol=close)
