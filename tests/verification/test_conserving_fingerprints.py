"""The midpoint rule with the published step, to the published digits.

Closed loop of four bars (port-Hamiltonian paper, 7.2) with h = 0.1 s, whose stored data these are.
"""

from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.multibody.cartesian.conserving.steps import ConservingSteps
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.cartesian.options import CartesianOptions

CASE = Path(__file__).parents[2] / "cases" / "bar_loop"


def test_closed_loop():
    case = cosim.read_case(CASE)
    model = CartesianModel(case, CartesianOptions(constraints="free"))
    steps, start = ConservingSteps(model.parts), model.initial(dict(case.start.set))
    first, last = (steps.march(0.0, 0.1, start, count) for count in (1, 100))
    model.kinematics(0.1, first.q, first.u)
    assert model.energy().kinetic == pytest.approx(0.880081744, abs=1e-9)
    state = model.kinematics(10.0, last.q, last.u)
    assert model.energy().kinetic == pytest.approx(2095.376897, abs=1e-6)
    np.testing.assert_allclose(state.r[0], (99.90860439, 0.0, 0.0), atol=1e-8)
    np.testing.assert_allclose(state.r[1], (95.0, 2.347642014, -4.310797377), atol=1e-8)
