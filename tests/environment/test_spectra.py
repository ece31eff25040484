import math

import numpy as np
import pytest
from scipy.integrate import quad

from cosim.environment import JonswapWaves, PiersonMoskowitzWaves, SpectrumWaves
from cosim.environment.spectra import (
    band_energies,
    dnv_gamma,
    draw_components,
    jonswap,
    jonswap_energies,
    pierson_moskowitz,
    table_energies,
)

DEEP = {"depth": math.inf, "gravity": 9.81}


def test_pierson_moskowitz_bands_have_the_closed_form_energy():
    hs, tp = 6.0, 10.0
    edges = np.linspace(0.3, 3.0, 41)
    peak = 2.0 * math.pi / tp
    # integral of S from 0 to omega: Hs^2/16 exp(-5/4 (omega_p/omega)^4)
    below = hs**2 / 16.0 * np.exp(-1.25 * (peak / edges) ** 4)
    energy = band_energies(lambda omega: pierson_moskowitz(omega, hs=hs, tp=tp), edges)
    assert energy == pytest.approx(np.diff(below), rel=1e-9, abs=1e-13)


def test_jonswap_peaks_at_tp_with_gamma():
    peak = np.array([2.0 * math.pi / 9.0])
    ratio = jonswap(peak, hs=3.0, tp=9.0, gamma=3.3) / pierson_moskowitz(peak, hs=3.0, tp=9.0)
    assert ratio == pytest.approx(3.3, rel=1e-14)


def test_jonswap_energies_follow_the_spectrum_and_sum_to_the_height():
    edges = np.linspace(0.2, 4.0, 201)
    energy = jonswap_energies(edges, hs=4.0, tp=11.0, gamma=3.3)
    assert energy.sum() == pytest.approx(1.0, rel=1e-14)

    def density(omega):
        return jonswap(np.array([omega]), hs=4.0, tp=11.0, gamma=3.3)[0]

    peak = 2.0 * math.pi / 11.0
    total = quad(density, 0.2, 4.0, points=[peak], limit=200, epsabs=1e-10)[0]
    some = quad(density, edges[30], edges[40], epsabs=1e-12)[0]
    assert energy[30:40].sum() == pytest.approx(some / total, rel=1e-5)


@pytest.mark.parametrize(("hs", "tp", "gamma"), [(9.0, 9.0, 5.0), (1.0, 9.0, 1.0)])
def test_dnv_gamma_is_bounded(hs, tp, gamma):
    assert dnv_gamma(hs, tp) == gamma


def test_dnv_gamma_between_the_bounds():
    # T_p / sqrt(H_s) = 4.2 is between 3.6 and 5
    assert dnv_gamma(4.0, 8.4) == pytest.approx(math.exp(5.75 - 1.15 * 4.2), rel=1e-15)
    sea = JonswapWaves(hs=4.0, tp=8.4, gamma="auto").sea_state(**DEEP)
    same = JonswapWaves(hs=4.0, tp=8.4, gamma=dnv_gamma(4.0, 8.4)).sea_state(**DEEP)
    assert np.array_equal(sea.amplitude, same.amplitude)


def test_table_is_integrated_exactly():
    omega, density = np.array([0.5, 1.0, 2.0]), np.array([0.0, 2.0, 1.0])
    energy = table_energies(omega, density, np.array([0.5, 0.75, 1.5, 2.0]))
    # trapezia: 0.5 * 0.25 * 1;  0.25 * 1.5 + 0.5 * 1.75;  0.5 * 1.25
    assert energy == pytest.approx([0.125, 0.375 + 0.875, 0.625], rel=1e-14)


def test_one_random_frequency_per_band_and_the_energy_of_the_band():
    edges, energy = np.linspace(0.3, 3.0, 51), np.linspace(0.1, 1.0, 50)
    omega, amplitude = draw_components(edges, energy, seed=5)
    assert np.all((edges[:-1] <= omega) & (omega < edges[1:]))
    assert 0.5 * np.abs(amplitude) ** 2 == pytest.approx(energy, rel=1e-13)
    place = (omega - edges[:-1]) / np.diff(edges)
    assert place.std() > 0.2  # uniform in the band: 0.289
    draws = np.random.Generator(np.random.PCG64(5))
    assert place == pytest.approx(draws.random(50), abs=1e-12)
    assert np.angle(amplitude) % (2 * np.pi) == pytest.approx(2 * np.pi * draws.random(50))


@pytest.mark.parametrize("kind", [JonswapWaves, PiersonMoskowitzWaves])
def test_height_is_exact_for_any_number_of_components(kind):
    for components in (10, 200):
        sea = kind(hs=2.5, tp=8.0, components=components).sea_state(**DEEP)
        assert sea.significant_height == pytest.approx(2.5, rel=1e-13)
        assert len(sea.omega) == components


def test_table_waves_have_the_area_of_the_table():
    waves = SpectrumWaves(omega=(0.4, 0.8, 2.0), density=(0.0, 3.0, 0.0), components=37)
    assert waves.sea_state(**DEEP).m0 == pytest.approx(0.5 * 3.0 * 1.6, rel=1e-12)


def test_range_can_be_chosen():
    sea = JonswapWaves(hs=2.0, tp=8.0, omega_min=0.6, omega_max=1.2).sea_state(**DEEP)
    assert sea.omega[0] >= 0.6
    assert sea.omega[-1] <= 1.2
    waves = SpectrumWaves(omega=(0.4, 2.0), density=(1.0, 1.0), omega_min=0.1, omega_max=1.4)
    assert waves.sea_state(**DEEP).m0 == pytest.approx(1.0, rel=1e-12)
