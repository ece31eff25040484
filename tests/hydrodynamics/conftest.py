"""Synthetic databases whose every number is known in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from cosim.hydrodynamics.database import HydroBody, HydroDatabase, Source

RHO, GRAVITY = 1000.0, 9.81


def band_passes(s, count, seed=1):
    """Passive functions g s / (s^2 + 2 zeta w0 s + w0^2), (count, len(s))."""
    random = np.random.default_rng(seed)
    w0 = random.uniform(0.7, 1.6, count)[:, None]
    zeta = random.uniform(0.3, 0.6, count)[:, None]
    gain = random.uniform(1.0, 2.0, count)[:, None]
    return gain * s / (s**2 + 2.0 * zeta * w0 * s + w0**2)


def make_database(names=("buoy",), *, headings=(0.0,), points=None, seed=1, modes=3):
    """A symmetric, passive, causal database of boxes 10 x 10 m with draft 5 m."""
    k = len(names)
    omega = np.linspace(0.1, 8.0, 80)
    random = np.random.default_rng(seed)
    G = random.normal(size=(modes, 6 * k)) * np.tile([200.0, 200, 200, 900, 900, 900], k)
    T = np.einsum("mi,mw,mj->wij", G, band_passes(1j * omega, modes, seed), G)
    L = random.normal(size=(6 * k, 6 * k)) * 200.0
    limit = L @ L.T + np.diag(np.tile([3e5, 3e5, 4e5, 4e6, 4e6, 4e6], k))
    points = np.zeros((k, 3)) if points is None else np.asarray(points, dtype=float)
    return HydroDatabase(
        bodies=tuple(box(name, point) for name, point in zip(names, points, strict=True)),
        omega=omega,
        added_mass=T.imag / omega[:, None, None] + limit,
        damping=T.real,
        added_mass_inf=limit,
        added_mass_zero=None,
        headings=np.asarray(headings, dtype=float),
        excitation=long_wave_excitation(omega, np.asarray(headings), points),
        phase_reference=np.zeros((k, 2)),
        water_depth=np.inf,
        water_density=RHO,
        gravity=GRAVITY,
        source=Source("synthetic", "1"),
    )


def box(name, point):
    """Box 10 x 10 m, draft 5 m, about its reference point."""
    volume, area = 500.0, 100.0
    centre = np.array([point[0], point[1], -2.5])
    d = centre - point
    C = np.zeros((6, 6))
    C[2, 2] = RHO * GRAVITY * area
    C[3, 3] = C[4, 4] = RHO * GRAVITY * (area * 100.0 / 12.0 + volume * d[2])
    return HydroBody(name, np.array(point), centre, volume, C, area, np.array(point))


def long_wave_excitation(omega, headings, points):
    """Froude-Krylov load of a slender body with its phase at the body."""
    k = omega[:, None] ** 2 / GRAVITY
    decay = np.exp(-2.5 * k)
    X = np.zeros((omega.size, headings.size, 6 * len(points)), dtype=complex)
    for b, point in enumerate(points):
        along = point[0] * np.cos(headings) + point[1] * np.sin(headings)
        phase = np.exp(1j * k * along)
        surge = -1j * omega[:, None] ** 2 * 2.0 * RHO * 500.0 * decay * phase
        X[:, :, 6 * b] = surge * np.cos(headings)
        X[:, :, 6 * b + 1] = surge * np.sin(headings)
        X[:, :, 6 * b + 2] = RHO * GRAVITY * 100.0 * decay * phase
        X[:, :, 6 * b + 3] = -surge * np.sin(headings) * -1.0
        X[:, :, 6 * b + 4] = surge * np.cos(headings) * -1.0
    return X


@pytest.fixture
def filters():
    """`band_passes`."""
    return band_passes


@pytest.fixture
def build():
    """`make_database`."""
    return make_database


@pytest.fixture
def database():
    return make_database()


@pytest.fixture
def pair():
    points = [(0.0, 0.0, -1.0), (30.0, 5.0, -2.0)]
    return make_database(("left", "right"), headings=np.radians([0.0, 45.0, 90.0]), points=points)
