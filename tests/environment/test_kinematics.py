import math
import tracemalloc

import numpy as np
import pytest
from numba import njit

from cosim.environment import SeaState
from cosim.environment.kinematics import _cos_sin, _decay

G = 9.81


@pytest.fixture
def rng():
    return np.random.default_rng(11)


def mixed_sea(rng, depth, *, n=40, ramp=0.0):
    amplitude = rng.normal(size=n) + 1j * rng.normal(size=n)
    return SeaState.of(
        rng.uniform(0.2, 2.5, n),
        amplitude,
        rng.uniform(-np.pi, np.pi, n),
        depth=depth,
        gravity=G,
        ramp=ramp,
    )


def reference(sea, t, point):
    """The textbook formulae with cosh and sinh."""
    x, y, z = point
    k, w, h = sea.wavenumber, sea.omega, sea.depth
    phase = k * (x * np.cos(sea.heading) + y * np.sin(sea.heading)) - w * t
    a = sea.amplitude * np.exp(1j * phase)
    if math.isinf(h):
        c = s = np.exp(k * z)
    else:
        c, s = np.cosh(k * (z + h)) / np.sinh(k * h), np.sinh(k * (z + h)) / np.sinh(k * h)
    horizontal, vertical = w * c * a, -1j * w * s * a
    columns = (horizontal * np.cos(sea.heading), horizontal * np.sin(sea.heading), vertical)
    velocity = [column.sum().real for column in columns]
    return velocity, [(-1j * w * column).sum().real for column in columns]


@pytest.mark.parametrize("depth", [8.0, 50.0, math.inf])
@pytest.mark.parametrize("t", [0.0, 7.3, 10_000.0])
def test_sum_agrees_with_textbook_formulae(rng, depth, t):
    sea = mixed_sea(rng, depth)
    points = rng.uniform([-500, -500, -min(depth, 60.0)], [500, 500, 0], (30, 3))
    velocity, acceleration = sea.kinematics(t, points)
    for i, point in enumerate(points):
        u, a = reference(sea, t, point)
        assert velocity[i] == pytest.approx(u, abs=1e-10)
        assert acceleration[i] == pytest.approx(a, abs=1e-10)


def test_regular_wave_below_a_crest():
    # deep water, H = 2 m, T = 8 s, to the north: u = a w e^{kz} at the crest, dw/dt = -a w^2 e^{kz}
    omega = 2.0 * math.pi / 8.0
    sea = SeaState.of(omega, 1.0, math.pi / 2.0)
    velocity, acceleration = sea.kinematics(0.0, [[3.0, 0.0, -5.0]])
    decay = math.exp(-5.0 * omega**2 / G)
    assert velocity[0] == pytest.approx([0.0, omega * decay, 0.0], abs=1e-13)
    assert acceleration[0] == pytest.approx([0.0, 0.0, -(omega**2) * decay], abs=1e-13)


def test_shallow_limit_moves_as_one_column():
    # k h -> 0: u = eta sqrt(g/h) over the whole depth
    sea = SeaState.of(1e-3, 0.5, depth=10.0)
    velocity, _ = sea.kinematics(0.0, [[0, 0, 0], [0, 0, -10.0]])
    assert velocity[:, 0] == pytest.approx(0.5 * math.sqrt(G / 10.0), rel=1e-6)


def difference(f, h):
    """Central difference of order 4."""
    return (8.0 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12.0 * h)


@pytest.mark.parametrize("depth", [25.0, math.inf])
def test_flow_is_free_of_divergence_and_rotation(rng, depth):
    sea = mixed_sea(rng, depth)
    points = rng.uniform([-100, -100, -20], [100, 100, -1], (10, 3))
    gradient = np.empty((10, 3, 3))
    for axis in range(3):
        unit = np.eye(3)[axis]
        gradient[:, :, axis] = difference(
            lambda h, unit=unit: sea.kinematics(3.0, points + h * unit)[0], 0.02
        )
    scale = np.abs(gradient).max()
    divergence = np.trace(gradient, axis1=1, axis2=2)
    assert np.abs(divergence).max() < 1e-7 * scale
    assert np.abs(gradient - gradient.transpose(0, 2, 1)).max() < 1e-7 * scale


@pytest.mark.parametrize("t", [4.0, 60.0])  # within the ramp and after it
def test_acceleration_is_the_rate_of_velocity(rng, t):
    sea = mixed_sea(rng, 30.0, ramp=20.0)
    points = rng.uniform([-100, -100, -30], [100, 100, 0], (10, 3))
    rate = difference(lambda h: sea.kinematics(t + h, points)[0], 0.01)
    assert sea.kinematics(t, points)[1] == pytest.approx(rate, abs=1e-7)


@pytest.mark.parametrize("depth", [25.0, math.inf])
def test_surface_moves_with_the_water(rng, depth):
    sea = mixed_sea(rng, depth)
    for x, y, t in rng.uniform(-50, 50, (5, 3)):
        rate = difference(lambda h, x=x, y=y, t=t: sea.elevation(t + h, x, y), 0.01)
        velocity, _ = sea.kinematics(t, [[x, y, 0.0]])
        assert velocity[0, 2] == pytest.approx(rate, abs=1e-7)


def test_dynamic_condition_at_the_surface(rng):
    # on z = 0: du/dt = -g d(eta)/dx
    sea = mixed_sea(rng, 25.0)
    _, acceleration = sea.kinematics(2.0, [[4.0, -7.0, 0.0]])
    for axis, unit in enumerate(np.eye(2)):
        slope = difference(
            lambda h, u=unit: sea.elevation(2.0, 4.0 + h * u[0], -7.0 + h * u[1]), 0.02
        )
        assert acceleration[0, axis] == pytest.approx(-G * slope, abs=1e-6)


def test_no_flow_through_the_bottom_and_constant_extension(rng):
    sea = mixed_sea(rng, 12.0)
    velocity, acceleration = sea.kinematics(5.0, [[1, 2, -12.0], [1, 2, 0.0], [1, 2, 3.0]])
    assert abs(velocity[0, 2]) < 1e-12
    assert abs(acceleration[0, 2]) < 1e-12
    assert np.array_equal(velocity[1], velocity[2])
    below, _ = sea.kinematics(5.0, [[1, 2, -13.0]])
    assert np.array_equal(below[0], velocity[0])


def test_very_deep_water_equals_infinite_depth(rng):
    omega, amplitude = np.linspace(0.2, 4.0, 30), np.ones(30)
    points = rng.uniform([-100, -100, -300], [100, 100, 0], (20, 3))
    deep = SeaState.of(omega, amplitude, depth=20_000.0)
    infinite = SeaState.of(omega, amplitude)
    for got, expected in zip(
        deep.kinematics(9.0, points), infinite.kinematics(9.0, points), strict=True
    ):
        assert got == pytest.approx(expected, abs=1e-12)


def test_turning_sea_and_points_turns_the_result(rng):
    angle = math.radians(37.0)
    R = np.array(
        [[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]]
    )
    sea = mixed_sea(rng, 40.0)
    turned = SeaState.of(sea.omega, sea.amplitude, sea.heading + angle, depth=sea.depth, gravity=G)
    points = rng.uniform([-300, -300, -40], [300, 300, 0], (20, 3))
    velocity, acceleration = sea.kinematics(33.0, points)
    velocity_turned, acceleration_turned = turned.kinematics(33.0, points @ R.T)
    assert velocity_turned == pytest.approx(velocity @ R.T, abs=1e-11)
    assert acceleration_turned == pytest.approx(acceleration @ R.T, abs=1e-11)
    x, y = (points @ R.T)[:, 0], (points @ R.T)[:, 1]
    assert turned.elevation(33.0, x, y) == pytest.approx(
        sea.elevation(33.0, points[:, 0], points[:, 1]), abs=1e-11
    )


def test_order_of_components_does_not_matter(rng):
    sea = mixed_sea(rng, 40.0)
    order = rng.permutation(len(sea.omega))
    shuffled = SeaState.of(
        sea.omega[order], sea.amplitude[order], sea.heading[order], depth=40.0, gravity=G
    )
    assert np.array_equal(shuffled.omega, sea.omega)
    assert np.array_equal(shuffled.kinematics(3.0, [[1, 2, -3]]), sea.kinematics(3.0, [[1, 2, -3]]))


def test_moving_in_space_is_waiting_in_time_for_a_regular_wave():
    sea = SeaState.of(0.9, 1.3, 0.4, depth=30.0)
    speed = float(sea.omega[0] / sea.wavenumber[0])
    shift = speed * 2.0 * np.array([math.cos(0.4), math.sin(0.4), 0.0])
    start = np.array([[5.0, -3.0, -4.0]])
    assert sea.kinematics(12.0, start + shift)[0] == pytest.approx(
        sea.kinematics(10.0, start)[0], abs=1e-12
    )


def test_polynomials_agree_with_the_library():
    @njit
    def worst(angles, exponents):
        trig = decay = 0.0
        for x in angles:
            cos, sin = _cos_sin(x)
            trig = max(trig, abs(cos - math.cos(x)), abs(sin - math.sin(x)))
        for x in exponents:
            decay = max(decay, abs(_decay(x) / math.exp(x) - 1.0))
        return trig, decay

    angles = np.concatenate((np.linspace(-1e5, 1e5, 100_001), np.arange(-8, 9) * math.pi / 4))
    trig, decay = worst(angles, np.linspace(-40.0, 0.0, 10_001))
    assert trig < 5e-16
    assert decay < 1e-13
    assert _decay(-math.inf) < 1e-17


def test_kept_arrays_are_filled_without_allocation(rng):
    sea = mixed_sea(rng, 40.0)
    points = rng.uniform(-30, 0, (70, 3))
    velocity, acceleration = np.empty((70, 3)), np.empty((70, 3))
    sea.kinematics_into(1.0, points, velocity, acceleration)
    expected = sea.kinematics(1.0, points)
    assert np.array_equal(velocity, expected[0])
    assert np.array_equal(acceleration, expected[1])
    tracemalloc.start()
    try:
        for i in range(200):
            sea.kinematics_into(float(i), points, velocity, acceleration)
        assert tracemalloc.get_traced_memory()[1] < 2_000
    finally:
        tracemalloc.stop()


def test_still_water_is_still():
    sea = SeaState.still(depth=20.0)
    velocity, acceleration = sea.kinematics(3.0, np.zeros((2, 3)))
    assert sea.is_still
    assert not velocity.any()
    assert not acceleration.any()
    assert not sea.elevation(np.arange(3.0)).any()
