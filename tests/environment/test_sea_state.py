import math
from itertools import pairwise

import numpy as np
import pytest

from cosim.environment import JonswapWaves, RegularWaves, SeaState, ramp_factor
from cosim.environment.spectra import jonswap_energies
from cosim.errors import ModelError

DEEP = {"depth": math.inf, "gravity": 9.81}
STEP = 0.25
THREE_HOURS = np.arange(0.0, 10_800.0, STEP)


def jonswap_sea(**changes):
    return JonswapWaves(**({"hs": 6.0, "tp": 10.0, "ramp": 0.0} | changes)).sea_state(**DEEP)


def test_three_hour_record_has_the_spectrum():
    """Energies by band and peak of a record, by FFT, against the JONSWAP integrals.

    An estimate over T has the relative standard deviation sqrt(2 pi / (T width)) in a band
    of this width; 4 of them are allowed.
    """
    eta = jonswap_sea(components=2000, seed=4).elevation(THREE_HOURS)
    energy = 2.0 * np.abs(np.fft.rfft(eta) / len(eta)) ** 2
    omega = 2.0 * math.pi * np.fft.rfftfreq(len(eta), STEP)
    edges = np.array([0.35, 0.5, 0.6, 0.7, 0.9, 1.3, 3.1])
    fine = np.union1d(np.linspace(math.pi / 10.0, math.pi, 2001), edges)
    density = jonswap_energies(fine, hs=6.0, tp=10.0, gamma=3.3)
    for low, high in pairwise(edges):
        expected = density[(fine[:-1] >= low - 1e-12) & (fine[1:] <= high + 1e-12)].sum()
        got = energy[(omega >= low) & (omega < high)].sum()
        spread = math.sqrt(2.0 * math.pi / (10_800.0 * (high - low)))
        assert got == pytest.approx(expected, rel=4.0 * spread)
    width = 12  # samples of the spectrum: 0.007 rad/s
    smooth = np.convolve(energy, np.ones(width) / width, "same")
    assert 2.0 * math.pi / omega[smooth.argmax()] == pytest.approx(10.0, rel=0.05)
    # the variance of a record of this length scatters by 4 %
    assert 4.0 * eta.std() == pytest.approx(6.0, rel=0.06)


def repetition(sea):
    """Largest correlation of the record with itself, at least one minute later."""
    eta = sea.elevation(THREE_HOURS)
    padded = np.fft.rfft(eta, 2 * len(eta))
    lags = np.fft.irfft(np.abs(padded) ** 2)[: len(eta) // 2]
    overlap = len(eta) - np.arange(len(lags))
    return float((lags / overlap / eta.var())[int(60.0 / STEP) :].max())


def test_record_does_not_repeat():
    sea = jonswap_sea(components=200)
    even = SeaState.of(np.linspace(0.32, 3.14, 200), sea.amplitude, **DEEP)
    assert repetition(even) > 0.95  # what evenly spaced frequencies do, every 443 s
    assert repetition(sea) < 0.6


def test_same_seed_same_sea_other_seed_other_sea():
    one, two, other = jonswap_sea(seed=7), jonswap_sea(seed=7), jonswap_sea(seed=8)
    assert np.array_equal(one.elevation(THREE_HOURS), two.elevation(THREE_HOURS))
    assert np.array_equal(one.omega, two.omega)
    eta, different = one.elevation(THREE_HOURS), other.elevation(THREE_HOURS)
    assert abs(np.corrcoef(eta, different)[0, 1]) < 0.3


def test_heading_changes_nothing_at_the_origin():
    east, north = jonswap_sea(), jonswap_sea(heading_deg=90.0)
    assert np.array_equal(east.elevation(THREE_HOURS[:100]), north.elevation(THREE_HOURS[:100]))
    assert east.elevation(3.0, 20.0, 0.0) == pytest.approx(north.elevation(3.0, 0.0, 20.0))


def test_regular_wave_starts_with_a_crest_and_travels_to_its_heading():
    waves = RegularWaves(height=2.0, period=8.0, heading_deg=30.0, phase_deg=20.0, ramp=0.0)
    sea = waves.sea_state(depth=40.0, gravity=9.81)
    k, w = float(sea.wavenumber[0]), 2.0 * math.pi / 8.0
    along = 12.0 * math.cos(math.pi / 6.0) - 5.0 * math.sin(math.pi / 6.0)
    expected = math.cos(k * along - w * 3.0 + math.radians(20.0))
    assert sea.elevation(3.0, 12.0, -5.0) == pytest.approx(expected, abs=1e-13)


def test_default_ramp_is_five_periods_and_recorded():
    sea = RegularWaves(height=2.0, period=8.0).sea_state(**DEEP)
    assert sea.ramp_duration == pytest.approx(40.0)
    assert sea.elevation(10.0) == pytest.approx(
        ramp_factor(10.0, 40.0) * math.cos(2.0 * math.pi / 8.0 * 10.0), abs=1e-12
    )
    assert sea.ramp(20.0) == pytest.approx(0.5)
    assert jonswap_sea(ramp=None).ramp_duration == pytest.approx(5.0 * jonswap_sea().energy_period)


def test_energy_period_of_jonswap():
    # T_e / T_p = 0.903 for gamma = 3.3 (DNV-RP-C205, 3.5.5.4 gives T_-1,0 close to it)
    assert jonswap_sea(components=2000, omega_max=20.0).energy_period == pytest.approx(9.03, 0.005)


def test_elevation_broadcasts():
    sea = jonswap_sea()
    eta = sea.elevation(np.arange(4.0)[:, None], np.array([0.0, 10.0, 20.0]))
    assert eta.shape == (4, 3)
    assert eta[2, 1] == pytest.approx(float(sea.elevation(2.0, 10.0)), abs=1e-14)


def test_arrays_cannot_be_changed():
    sea = jonswap_sea()
    for array in (sea.omega, sea.wavenumber, sea.amplitude, sea.heading, sea.table):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


def test_given_arrays_stay_writable():
    omega = np.array([0.5, 0.6])
    SeaState.of(omega, [1.0, 1.0])
    omega[0] = 1.0


@pytest.mark.parametrize(("omega", "gravity"), [([0.0, 1.0], 9.81), ([1.0], 0.0)])
def test_components_without_waves_are_refused(omega, gravity):
    with pytest.raises(ModelError, match="waves need gravity and frequencies above zero"):
        SeaState.of(omega, np.ones(len(omega)), gravity=gravity)


def test_sample_is_the_elevation_without_the_ramp():
    sea = jonswap_sea(ramp=30.0, heading_deg=45.0)
    record = sea.sample(np.arange(-5.0, 60.0, 0.5), x=3.0, y=1.0)
    assert record.ramp() * record.eta == pytest.approx(
        sea.elevation(record.time, 3.0, 1.0), abs=1e-12
    )
    assert record.position == (3.0, 1.0)
    assert record.heading == pytest.approx(math.pi / 4.0)


def test_sample_of_crossing_seas_is_refused():
    with pytest.raises(ModelError, match="one heading"):
        SeaState.of([0.5, 0.6], [1.0, 1.0], [0.0, 1.0]).sample(np.arange(10.0))


def test_elevation_of_one_instant_given_as_an_array():
    """A broadcast view must not reach the compiled kernel (numpy warns of writing to it)."""
    sea = SeaState.of([1.0], [0.5])
    assert sea.elevation(np.array([100.0])).shape == (1,)
