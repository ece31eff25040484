import math

import numpy as np
import pytest
from scipy.optimize import brentq

from cosim.environment import group_speed, wavenumber

G = 9.81
OMEGA = np.geomspace(1e-3, 50.0, 60)


@pytest.mark.parametrize("depth", [0.5, 20.0, 320.0, 5000.0])
def test_wavenumber_agrees_with_bracketed_root(depth):
    k = wavenumber(OMEGA, depth=depth, gravity=G)
    for omega, value in zip(OMEGA, k, strict=True):
        y = omega**2 * depth / G
        x = brentq(lambda x, y=y: x * math.tanh(x) - y, 0.0, y + 1.0, xtol=1e-300, rtol=1e-14)
        assert value == pytest.approx(x / depth, rel=1e-12)


def test_deep_and_shallow_limits():
    assert wavenumber(OMEGA, depth=math.inf, gravity=G) == pytest.approx(OMEGA**2 / G, rel=1e-15)
    assert wavenumber(5.0, depth=1e4, gravity=G) == pytest.approx(25.0 / G, rel=1e-14)
    # k h = s (1 + s^2/6 + 11 s^4/360 + ...), s = omega sqrt(h/g)
    s = 1e-3 * math.sqrt(10.0 / G)
    series = s * (1 + s**2 / 6 + 11 * s**4 / 360) / 10.0
    assert wavenumber(1e-3, depth=10.0, gravity=G) == pytest.approx(series, rel=1e-14)


@pytest.mark.parametrize("depth", [1.0, 30.0, math.inf])
def test_group_speed_is_the_slope_of_the_dispersion_curve(depth):
    omega, h = np.array([0.3, 0.8, 2.0]), 1e-4
    k_plus = wavenumber(omega + h, depth=depth, gravity=G)
    k_minus = wavenumber(omega - h, depth=depth, gravity=G)
    slope = 2.0 * h / (k_plus - k_minus)
    assert group_speed(omega, depth=depth, gravity=G) == pytest.approx(slope, rel=1e-6)


def test_group_speed_does_not_overflow():
    assert group_speed(30.0, depth=8000.0, gravity=G) == pytest.approx(0.5 * G / 30.0, rel=1e-14)
