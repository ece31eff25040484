"""Default communication step: min(Tp/50, 0.3/w_max), 10 to 40 inner steps (design 6)."""

import math

import numpy as np
import pytest

from cosim.coupling.manager import ExternalForcesManager
from cosim.environment import Environment
from cosim.integrate.step_choice import choose_step, default_step, fastest_mode, peak_period


@pytest.mark.parametrize(
    ("period", "fastest", "inner", "longest", "step"),
    [
        (10.0, 0.8, 0.005, math.inf, 0.2),  # Tp / 50
        (10.0, 3.0, 0.005, math.inf, 0.1),  # 0.3 / w
        (10.0, 60.0, 0.005, math.inf, 0.05),  # not below 10 inner steps
        (None, 0.3, 0.005, math.inf, 0.2),  # not above 40
        (10.0, 0.8, 0.005, 0.08, 0.08),  # a Stepper that takes no more
        (None, 3.0, 0.0, math.inf, 0.1),
        (None, 0.0, 0.0, math.inf, 0.1),  # nothing to go by
    ],
)
def test_rule(period, fastest, inner, longest, step):
    found = default_step(period=period, fastest=fastest, inner=inner, longest=longest)
    assert found == pytest.approx(step)


@pytest.mark.parametrize(
    ("waves", "period"),
    [
        ({"type": "regular", "height": 2.0, "period": 7.0}, 7.0),
        ({"type": "jonswap", "hs": 3.0, "tp": 9.0, "gamma": 3.3, "seed": 2}, 9.0),
        ({"type": "still"}, None),
        # a single band about 0.8 rad/s
        ({"type": "spectrum", "omega": [0.79, 0.8, 0.81], "density": [0, 1, 0]}, 7.85),
    ],
)
def test_peak_period(waves, period):
    found = peak_period(Environment.model_validate({"waves": waves}))
    assert found == (None if period is None else pytest.approx(period, rel=1e-3))


def test_fastest_mode_of_a_mass_on_a_spring(make_slider, make_attached):
    model = make_slider(
        4.0, elements={"k": {"type": "joint", "joint": "s", "stiffness": 36.0, "damping": 1.0}}
    )
    manager = ExternalForcesManager(model)
    adapter = make_attached(model)
    adapter.inner_step = 0.004
    manager.register(adapter)
    y = manager.initialize(0.0, *model.initial())
    exact = np.sqrt(9.0 - 0.125**2)
    assert fastest_mode(manager.equations, 0.0, y) == pytest.approx(exact, rel=1e-6)
    assert choose_step(manager.equations, 0.0, y) == pytest.approx(0.3 / exact, rel=1e-6)
