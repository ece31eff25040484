import math

import pytest

from cosim.environment import ramp_factor, ramp_rate


@pytest.mark.parametrize("t", [0.0, 3.0, 20.0, 39.9, 40.0, 90.0])
def test_cosine_between_zero_and_duration(t):
    expected = 0.5 * (1.0 - math.cos(math.pi * min(t, 40.0) / 40.0))
    assert ramp_factor(t, 40.0) == pytest.approx(expected, abs=1e-15)


def test_nothing_before_zero_and_no_ramp_without_duration():
    assert ramp_factor(-1.0, 40.0) == 0.0
    assert ramp_rate(-1.0, 40.0) == 0.0
    assert [ramp_factor(t, 0.0) for t in (-1.0, 0.0, 1.0)] == [1.0, 1.0, 1.0]
    assert ramp_rate(0.0, 0.0) == 0.0


@pytest.mark.parametrize("t", [0.5, 10.0, 31.0, 50.0])
def test_rate_is_the_derivative(t):
    h = 1e-5
    slope = (ramp_factor(t + h, 40.0) - ramp_factor(t - h, 40.0)) / (2.0 * h)
    assert ramp_rate(t, 40.0) == pytest.approx(slope, abs=1e-10)
