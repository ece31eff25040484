"""Motion of the water between evaluations of the waves."""

import numpy as np
import pytest

from adapters.moordyn.water import Water
from cosim.environment import Environment

POINTS = np.array([[10.0, 5.0, -3.0], [-40.0, 0.0, -20.0], [200.0, 90.0, -80.0]])
RANDOM = {"type": "jonswap", "hs": 6.0, "tp": 8.0, "ramp": 20.0, "omega_max": 2.0}


def _environment(**changes):
    return Environment.model_validate({"water_depth": 100, "waves": RANDOM} | changes)


@pytest.mark.parametrize("span", [(12.0, 12.1), (30.0, 31.0)])
def test_interpolated_motion_is_that_of_the_waves(span):
    """Velocity to (w h)^4/384 and acceleration to its slope, for w = 2 rad/s, h = 0.25 s."""
    environment = _environment(current={"type": "uniform", "speed": 0.7, "heading_deg": 90})
    times = np.linspace(*span, 23)
    water = Water(environment)
    water.begin(span[0], POINTS)
    velocities, accelerations = water.during(span, POINTS, times)
    for t, u, a in zip(times, velocities, accelerations, strict=True):
        velocity, acceleration = environment.sea_state.kinematics(t, POINTS)
        velocity = np.add(velocity, [0.0, 0.7, 0.0])
        np.testing.assert_allclose(np.reshape(u, (-1, 3)), velocity, atol=2e-4 * 3.0)
        np.testing.assert_allclose(np.reshape(a, (-1, 3)), acceleration, atol=5e-3 * 3.0)


def test_the_start_is_exact():
    environment = _environment()
    velocity, acceleration = Water(environment).begin(25.0, POINTS)
    expected = environment.sea_state.kinematics(25.0, POINTS)
    np.testing.assert_array_equal(np.reshape(velocity, (-1, 3)), expected[0])
    np.testing.assert_array_equal(np.reshape(acceleration, (-1, 3)), expected[1])


def test_a_repeated_call_gives_the_same_and_leaves_the_same_memory():
    water, span, times = Water(_environment()), (30.0, 30.1), np.array([30.05, 30.1])
    water.begin(30.0, POINTS)
    start = water.memory.copy()
    first, end = water.during(span, POINTS, times), water.memory.copy()
    assert end[0] == 30.1
    water.memory[:] = start
    assert water.during(span, POINTS.copy(), times.copy()) is first
    np.testing.assert_array_equal(water.memory, end)
    for other in ((span, POINTS + 1.0, times), ((30.0, 30.2), POINTS, times)):
        water.memory[:] = start
        assert water.during(*other) != first
    water.memory[:] = start
    assert water.during(span, POINTS, times) == first


def test_the_water_does_not_jump_between_advances():
    water = Water(_environment())
    water.begin(30.0, POINTS)
    before = water.during((30.0, 30.1), POINTS, np.array([30.1]))
    after = water.during((30.1, 30.2), POINTS + 1.0, np.array([30.1]))
    np.testing.assert_allclose(after, before, rtol=1e-12)


def test_still_water_is_known_to_be_still():
    assert not Water(_environment(waves={"type": "still"})).moves
    assert Water(_environment()).moves
    current = {"type": "uniform", "speed": 1.0}
    flowing = Water(_environment(waves={"type": "still"}, current=current))
    assert flowing.moves
    velocities, accelerations = flowing.during((0.0, 1.0), POINTS, np.array([0.5, 1.0]))
    assert flowing.begin(0.0, POINTS) == ([1.0, 0.0, 0.0] * 3, [0.0] * 9)
    assert velocities == [[1.0, 0.0, 0.0] * 3] * 2
    assert accelerations == [[0.0] * 9] * 2
