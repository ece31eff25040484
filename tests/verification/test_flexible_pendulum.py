"""The flexible pendulum of the joint-coordinate paper, section 4.4: on a spring, and on MoorDyn.

Reference values: two formulations (Cartesian, polar) that agree to 9e-14 m. Periods: equations
12 to 14 of the paper within 0.7 %, which the issue asks for; the paper itself reaches 0.68, 0.23
and 1.57 % with MoorDyn.
"""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import cosim
from cosim.errors import EquilibriumError

CASES = Path(__file__).parents[2] / "cases" / "flexible_pendulum"
M, G, L0, STIFFNESS = 1e5, 9.80665, 100.5, 1e9 / 100.5
SWING = 2.0 * math.pi * math.sqrt(L0 / G)
ANALYTIC = (SWING, SWING / 2.0, 2.0 * math.pi * math.sqrt(M / STIFFNESS))
WITHIN = 7e-3

# t, x, z, vx, vz
TABLE = np.array(
    [
        (0.1, 9.99956927994, -100.04688829522, -0.0160725155, -0.8198906899),
        (1.0, 9.53600130830, -100.22839677148, -1.0029990337, 0.4134146019),
        (5.0, 0.10704981104, -100.50960788817, -3.1321514243, 0.3648033031),
        (12.0, -8.24315305432, -100.16774915616, 1.7436412514, -0.4510725222),
    ]
)


def series(results):
    """Times, x and z of the bob."""
    place = results.position.sel(body="bob")
    return results.time.values, place.sel(xyz="x").values, place.sel(xyz="z").values


def passages(results):
    t, x, _ = series(results)
    return CubicSpline(t, x).roots(extrapolate=False)


def strongest(results, shortest, longest):
    """Period of the largest peak of the spectrum of z between two periods, s."""
    t, _, z = series(results)
    size = 2**20
    spectrum = np.abs(np.fft.rfft((z - z.mean()) * np.hanning(z.size), size))
    frequency = np.fft.rfftfreq(size, t[1] - t[0])
    band = (frequency > 1.0 / longest) & (frequency < 1.0 / shortest)
    return 1.0 / frequency[np.argmax(spectrum * band)]


def periods(results):
    """Swing, slow and fast vertical period, s."""
    swing = np.diff(passages(results)[::2]).mean()
    return swing, strongest(results, 5.0, 20.0), strongest(results, 0.4, 1.0)


@pytest.fixture(scope="module")
def moordyn():
    return cosim.run(cosim.read_case(CASES / "moordyn.yaml"))


@pytest.fixture(scope="module")
def spring():
    return cosim.run(cosim.read_case(CASES / "spring.yaml"))


def test_spring_pointwise(tight):
    results = tight("flexible_pendulum/spring.yaml", step=0.1, end=12.0)
    energy = results["energy/kinetic"] + results["energy/potential"]
    np.testing.assert_allclose(energy, -98068617.192501, rtol=1e-11)
    chosen = results.sel(time=TABLE[:, 0], method="nearest", body="bob")
    found = np.hstack([chosen[name].values[:, [0, 2]] for name in ("position", "velocity")])
    np.testing.assert_allclose(found, TABLE[:, 1:], rtol=0, atol=1e-8)


def test_spring_passes_the_vertical_when_it_should(tight):
    """Half the swing period of the nonlinear motion, 20.1367 s, apart."""
    found = passages(tight("flexible_pendulum/spring.yaml", step=0.005, end=36.0))
    expected = [5.03417763, 15.10253281, 25.17088771, 35.23924218]
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-8)


@pytest.mark.parametrize("line", ["spring", "moordyn"])
def test_periods_of_the_paper(line, request):
    found = periods(request.getfixturevalue(line))
    np.testing.assert_allclose(found, ANALYTIC, rtol=WITHIN)


def test_fast_period_is_long_by_what_linear_interpolation_makes_of_it(moordyn):
    """(w H)² / 24 of the iterated scheme, w = 9.97 rad/s, H = 0.03 s (design 6)."""
    w, H = math.sqrt(STIFFNESS / M), 0.3 / math.sqrt(STIFFNESS / M)
    assert pytest.approx(0.030, abs=1e-4) == H
    assert periods(moordyn)[2] / ANALYTIC[2] - 1.0 == pytest.approx((w * H) ** 2 / 24.0, rel=0.05)


def test_moordyn_follows_the_spring(moordyn, spring):
    """The swing to 0.2 % of its amplitude; the fast motion drifts in phase by its period."""
    (_, x, z), (_, expected, height) = series(moordyn), series(spring)
    assert np.abs(x - expected).max() < 2e-3 * np.abs(expected).max()
    fast = 0.1  # m, amplitude: let go without the static stretch of 0.0986 m
    assert np.abs(z - height).max() < 2.0 * fast
    np.testing.assert_allclose(passages(moordyn)[:4], passages(spring)[:4], atol=4e-4)


def test_smaller_communication_steps_come_closer():
    """Second order in H: the vertical motion in the first two seconds."""

    def fall(name, *settings):
        settings = [*settings, "time.end=2", "time.rtol=1e-9", "time.atol=1e-11"]
        return series(cosim.run(cosim.read_case(CASES / name, settings)))[2]

    exact = fall("spring.yaml")
    errors = [
        np.abs(fall("moordyn.yaml", f"time.communication_step={H}") - exact).max()
        for H in (0.02, 0.01, 0.005)
    ]
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    np.testing.assert_allclose(orders, 2.0, atol=0.2)


def test_tension_is_that_of_the_spring(moordyn):
    """Between communication instants it is interpolated linearly: to (w H)² / 8 = 0.09 / 8."""
    _, x, z = series(moordyn)
    tension = STIFFNESS * (np.hypot(x, z) - L0)
    found = moordyn["line/line/fairlead_tension"].values
    np.testing.assert_allclose(found, tension, rtol=0, atol=0.09 / 8.0 * M * G)


def test_a_search_that_meets_a_slack_line_ends_in_a_sentence():
    """Stretched by 0.9 mm, the line is slack where its stiffness is measured, 5 mm nearer."""
    place = "[10, 0, -100.00216312373226]"
    names = ("bodies.bob.cog", "bodies.bob.points.eye", "joints.free.at")
    case = cosim.read_case(CASES / "moordyn.yaml", [f"{name}={place}" for name in names])
    with pytest.raises(EquilibriumError, match=r"out of balance in 'free\.z'"):
        cosim.run(case)
