import math

import numpy as np
import pytest

from cosim.environment import Environment, PowerLawCurrent, TableCurrent, UniformCurrent

POINTS = np.array([[0.0, 0.0, 0.0], [10.0, 5.0, -25.0], [0.0, 0.0, -50.0], [0.0, 0.0, 2.0]])


def test_current_flows_to_its_heading():
    """A body at rest is pushed to where the current goes: the water's velocity points there."""
    along_x = UniformCurrent(speed=0.8).velocity(POINTS)
    assert along_x == pytest.approx(np.tile([0.8, 0.0, 0.0], (4, 1)))
    along_y = UniformCurrent(speed=0.8, heading_deg=90.0).velocity(POINTS)
    assert along_y == pytest.approx(np.tile([0.0, 0.8, 0.0], (4, 1)), abs=1e-15)


def test_power_law_over_the_water_depth():
    environment = Environment(water_depth=50.0, current={"type": "power_law", "speed": 1.2})
    speed = environment.current_velocity(POINTS)[:, 0]
    assert speed == pytest.approx([1.2, 1.2 * 0.5 ** (1.0 / 7.0), 0.0, 1.2])


def test_linear_wind_driven_layer_in_deep_water():
    current = PowerLawCurrent(speed=1.0, exponent=1.0, layer=40.0, heading_deg=180.0)
    assert current.velocity(POINTS)[:, 0] == pytest.approx([-1.0, -0.375, 0.0, -1.0])


def test_table_turns_without_jumps_and_ends_constant():
    current = TableCurrent(depth=(0.0, 50.0), speed=(1.0, 1.0), heading_deg=(0.0, 90.0))
    velocity = current.velocity([*POINTS, [0.0, 0.0, -80.0]])
    assert velocity[0] == pytest.approx([1.0, 0.0, 0.0], abs=1e-15)
    assert velocity[1] == pytest.approx([0.5, 0.5, 0.0], abs=1e-15)
    assert velocity[2] == pytest.approx([0.0, 1.0, 0.0], abs=1e-15)
    assert velocity[4] == pytest.approx(velocity[2])


def test_table_with_one_heading():
    current = TableCurrent(depth=(0.0, 50.0), speed=(1.0, 0.0), heading_deg=60.0)
    assert current.velocity(POINTS)[1] == pytest.approx(
        [0.5 * math.cos(math.pi / 3.0), 0.5 * math.sin(math.pi / 3.0), 0.0]
    )
