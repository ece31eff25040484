"""Power take-offs as peers: a heaving sphere and RM3.

Closed forms: the mean power of a damper c in a regular wave, c |F|²/(2 |Z + c|²) with the
impedance Z = B + i (w (m + A) - C / w); it is largest for c = |Z|, and |F|²/(8 B) in resonance
(Falnes, Ocean Waves and Oscillating Systems, 2002, section 3.5). An axisymmetric body in heave
never takes more than rho g³ a²/(4 w³), the power of its wave over 1/k (Budal and Falnes 1975;
Evans 1976; Newman 1976), whatever holds and drives it.

Tolerances: 0.1 % of that bound for the panels of the database; 0.5 % of the power for the fit of
the memory (2 % are allowed in test_rm3_regular). The latched sphere is compared with a solution
of the same linear equations by matrix exponentials, to 0.2 % of the power.
"""

from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from scipy.linalg import expm
from scipy.optimize import brentq

import cosim
from cosim.case.build import build

CASES = Path(__file__).parents[2] / "cases"
FOLDER = CASES / "power_take_off"
INLINE = ("adapters.pto.launch=null", "adapters.pto.inline=pto.py:{}")
LINEAR = tuple(text.format("LinearPTO") for text in INLINE)
LATCHING = tuple(text.format("LatchingPTO") for text in INLINE)
RESONANCE, LONG = 4.3788, 9.6664  # s
MASS = 261.8e3


def run(name, *settings):
    return cosim.run(cosim.read_case(FOLDER / name, settings))


def mean_power(results, period, periods):
    """Mean of what the take-off took over the last periods, W, from the energy ledger."""
    t, work = results.time.values, -results["ledger/work/pto"].values
    return (work[-1] - np.interp(t[-1] - periods * period, t, work)) / (periods * period)


@pytest.fixture(scope="module")
def hydro():
    return build(cosim.read_case(FOLDER / "linear.yaml", LINEAR)).adapters["hydro"]


def heave(hydro, period):
    """Frequency, radiation damping, reactance, and excitation per metre."""
    omega = 2.0 * np.pi / period
    database = hydro.database
    A = np.interp(omega, database.omega, database.added_mass[:, 2, 2])
    B = np.interp(omega, database.omega, database.damping[:, 2, 2])
    C = database.bodies[0].stiffness[2, 2]
    F = abs(hydro.wave_excitation(np.array([omega]), 0.0)[0, 2])
    return omega, B, omega * (MASS + A) - C / omega, F


def closed_form(hydro, period, damping, amplitude):
    _, B, X, F = heave(hydro, period)
    return damping * (F * amplitude) ** 2 / (2.0 * ((B + damping) ** 2 + X**2))


def bound(period, amplitude):
    return 1000.0 * 9.81**3 * amplitude**2 / (4.0 * (2.0 * np.pi / period) ** 3)


def test_optimum_in_resonance_is_the_bound_of_a_heaving_body(hydro):
    _, B, X, F = heave(hydro, RESONANCE)
    assert abs(X) < 0.05 * B
    best = (0.25 * F) ** 2 / (8.0 * B)
    assert best == pytest.approx(bound(RESONANCE, 0.25), rel=1e-3)
    assert closed_form(hydro, RESONANCE, B, 0.25) == pytest.approx(bound(RESONANCE, 0.25), rel=1e-3)


@pytest.mark.parametrize("factor", [0.5, 1.0, 2.0])
def test_power_of_the_linear_one(hydro, factor):
    damping = factor * heave(hydro, RESONANCE)[1]
    results = run("linear.yaml", *LINEAR, f"adapters.pto.settings.damping={damping}", "time.end=80")
    expected = closed_form(hydro, RESONANCE, damping, 0.25)
    assert mean_power(results, RESONANCE, 5) == pytest.approx(expected, rel=5e-3)
    if factor != 1.0:
        best = closed_form(hydro, RESONANCE, damping / factor, 0.25)
        assert mean_power(results, RESONANCE, 5) < 0.95 * best


def test_the_case_has_the_best_damping(hydro):
    pto = build(cosim.read_case(FOLDER / "linear.yaml", LINEAR)).adapters["pto"]
    stated = pto.options.settings["damping"]
    _, B, X, _ = heave(hydro, RESONANCE)
    assert stated == pytest.approx(np.hypot(B, X), rel=1e-3)


def test_between_two_bodies_it_is_the_element():
    ours = run("rm3.yaml", *LINEAR, "time.end=60", "time.rtol=1e-8")
    case = cosim.read_case(CASES / "rm3" / "regular.yaml", ["time.end=60", "time.rtol=1e-8"])
    expected = cosim.run(case).joint_translation.values
    size = np.abs(expected).max()
    np.testing.assert_allclose(ours.joint_translation.values, expected, rtol=0, atol=1e-6 * size)


@pytest.mark.parametrize(
    ("name", "settings", "inline"),
    [
        ("linear.yaml", ("time.end=15",), LINEAR),
        ("rm3.yaml", ("time.end=10",), LINEAR),
        ("latching.yaml", ("time.end=30", "environment.waves.ramp=5"), LATCHING),
    ],
    ids=["linear", "rm3", "latching"],
)
def test_a_program_gives_the_same_bits(name, settings, inline):
    here, there = run(name, *settings, *inline), run(name, *settings)
    same = [name for name in here.data_vars if name != "case_text"]
    xr.testing.assert_equal(here[same], there[same])
    if "pto/latched" in here:
        assert (np.diff(here["pto/latched"]) != 0.0).sum() >= 8


def test_a_latched_run_goes_on_from_a_checkpoint(tmp_path):
    """Stopped while the sphere is held by a program, and gone on with a new one."""
    settings = ("environment.waves.ramp=5", "output.checkpoint=1")
    whole = run("latching.yaml", *settings, "time.end=24")
    held = whole["pto/latched"].sel(time=np.arange(12.0, 23.0), method="nearest")
    stop = round(float(held.time[int(np.argmax(held.values))]))
    assert held.max() == 1.0
    part = cosim.read_case(FOLDER / "latching.yaml", [*settings, f"time.end={stop}"])
    cosim.run(part, out=tmp_path / "part.nc")
    resumed = cosim.resume(tmp_path / "part.nc", end=24.0)
    same = [name for name in whole.data_vars if name != "case_text"]
    xr.testing.assert_equal(whole[same], resumed[same])


@pytest.fixture(scope="module")
def latched():
    return run("latching.yaml", *LATCHING)


def test_the_latch_holds(latched):
    z = latched.joint_translation.values[:, 0]
    held = latched["pto/latched"].values > 0.5
    moved = np.abs(np.diff(z))[held[1:] & held[:-1]]
    assert moved.max() < 1e-6 * np.abs(z).max()


def test_latching_takes_more(latched, hydro):
    """Five times the best linear damper in the same waves, and less than the bound."""
    _, B, X, _ = heave(hydro, LONG)
    linear = closed_form(hydro, LONG, np.hypot(B, X), 0.5)
    power = mean_power(latched, LONG, 5)
    assert 5.0 * linear < power < bound(LONG, 0.5)


def piecewise_linear(hydro, damping, delay, end):
    """Time, height and power of the latched sphere, by matrix exponentials.

    States: z, z', memory, cos and sin of the wave; the latch takes z' out of the equations.
    """
    omega, _, _, F = heave(hydro, LONG)
    states = hydro.assembly.states
    A, B = states.matrices()
    n = len(A)
    mass = MASS + hydro.database.added_mass_inf[2, 2]
    free = np.zeros((n + 4, n + 4))
    free[0, 1] = 1.0
    free[1, 0] = -hydro.database.bodies[0].stiffness[2, 2] / mass
    free[1, 1] = -damping / mass
    free[1, 2 : n + 2] = -states.C[2] / mass
    free[1, n + 2] = 0.5 * F / mass
    free[2 : n + 2, 1] = B[:, 2]
    free[2 : n + 2, 2 : n + 2] = A
    free[n + 2, n + 3], free[n + 3, n + 2] = -omega, omega
    held = free.copy()
    held[1] = 0.0
    held[:, 1] = 0.0
    step = 0.01
    advance = expm(step * free)
    y = np.zeros(n + 4)
    y[n + 2] = 1.0
    t, times, speeds = 0.0, [0.0], [0.0]
    while t < end:
        after = advance @ y
        if y[1] * after[1] < 0.0:
            stop = brentq(lambda s, y=y: (expm(s * free) @ y)[1], 1e-9, step, xtol=1e-13)
            y = expm(stop * free) @ y
            y[1] = 0.0
            y = expm(delay * held) @ y
            times += [t + stop, t + stop + delay]
            speeds += [0.0, 0.0]
            t += stop + delay
        else:
            y, t = after, t + step
            times.append(t)
            speeds.append(y[1])
    return np.array(times), damping * np.array(speeds) ** 2


def test_latching_against_matrix_exponentials(latched, hydro):
    t, power = piecewise_linear(hydro, 1.0e5, 2.6, 250.0)
    work = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(t) * (power[1:] + power[:-1]))])
    expected = (work[-1] - np.interp(t[-1] - 8 * LONG, t, work)) / (8 * LONG)
    assert mean_power(latched, LONG, 5) == pytest.approx(expected, rel=2e-3)


@pytest.mark.slow
def test_best_delay_is_half_of_what_the_wave_is_longer(latched):
    """The rule of Babarit and Clément (2006), which WEC-Sim's manual gives too."""
    best = mean_power(latched, LONG, 5)
    for delay in (2.4, 2.8):
        settings = (*LATCHING, f"adapters.pto.settings.delay={delay}")
        assert mean_power(run("latching.yaml", *settings), LONG, 5) < 0.9 * best
    assert abs(0.5 * (LONG - RESONANCE) - 2.6) < 0.05
