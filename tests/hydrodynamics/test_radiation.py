import numpy as np
import pytest

from cosim.hydrodynamics.fit_cache import cached_fit
from cosim.hydrodynamics.kernel import (
    causal_added_mass,
    estimate_added_mass_inf,
    radiation_kernel,
)
from cosim.hydrodynamics.passivity import dense_frequencies, enforce_passivity, evaluate
from cosim.hydrodynamics.radiation import FitOptions, fit_radiation
from cosim.hydrodynamics.vector_fit import fit_rational

OMEGA = np.linspace(0.05, 12.0, 240)


def resonator(omega, w0=1.2, zeta=0.4):
    s = 1j * omega
    return s / (s**2 + 2.0 * zeta * w0 * s + w0**2)


def test_kernel_of_a_resonator_is_its_impulse_response():
    w0, zeta = 1.2, 0.4
    t = np.linspace(0.0, 20.0, 81)
    wd = w0 * np.sqrt(1.0 - zeta**2)
    exact = np.exp(-zeta * w0 * t) * (np.cos(wd * t) - zeta * w0 / wd * np.sin(wd * t))
    wide = np.linspace(0.05, 60.0, 1200)
    K = radiation_kernel(wide, resonator(wide).real, t)
    # what lies above 60 rad/s is 1e-2 of K(0)
    np.testing.assert_allclose(K[1:], exact[1:], atol=2e-3)
    assert K[0] == pytest.approx(1.0, abs=2e-2)


def test_added_mass_follows_from_damping():
    exact = resonator(OMEGA).imag / OMEGA
    np.testing.assert_allclose(
        causal_added_mass(OMEGA, resonator(OMEGA).real)[:160], exact[:160], atol=6e-3
    )


def test_ogilvie_finds_the_added_mass_at_infinity():
    A = (resonator(OMEGA).imag / OMEGA + 7.0)[:, None, None]
    B = resonator(OMEGA).real[:, None, None]
    assert estimate_added_mass_inf(OMEGA, A, B)[0, 0] == pytest.approx(7.0, abs=5e-3)


def test_vector_fit_finds_the_poles_of_a_rational_function(filters):
    T = filters(1j * OMEGA, 2)
    total = np.array([T.sum(axis=0), T[0] - 0.5 * T[1]])
    fit = fit_rational(1j * OMEGA, total, order=4, weight=np.full(total.shape, 1.0 + 1.0j))
    np.testing.assert_allclose(fit(1j * OMEGA), total, atol=1e-9)
    assert fit.poles.real.max() < 0.0
    np.testing.assert_allclose(fit(np.zeros(1, complex)), 0.0, atol=1e-12)


def test_noise_never_makes_a_pole_unstable(filters):
    random = np.random.default_rng(3)
    T = filters(1j * OMEGA, 2).sum(axis=0)[None]
    noise = random.normal(size=(2, *T.shape)) * 0.05
    for order in (2, 6, 10, 14):
        fit = fit_rational(
            1j * OMEGA, T + noise[0] + 1j * noise[1], order=order, weight=np.full(T.shape, 1 + 1j)
        )
        assert fit.poles.real.max() < 0.0


def test_passivity_is_enforced_by_a_small_change(filters):
    T = filters(1j * OMEGA, 2)
    rotation = np.array([[0.8, 0.6], [-0.6, 0.8]])
    matrix = np.einsum("ki,kw,kj->wij", rotation, T, rotation)
    entries = matrix[:, [0, 0, 1], [0, 1, 1]].T
    # more loss in the coupling than the diagonal can pay for
    entries[1] *= 2.5
    fit = fit_rational(1j * OMEGA, entries, order=4, weight=np.full(entries.shape, 1 + 1j))
    c = np.empty((2, 2, 4))
    c[0, 0], c[0, 1], c[1, 0], c[1, 1] = fit.coefficients[[0, 1, 1, 2]]
    done = enforce_passivity(c, fit.poles, OMEGA)
    assert done.violation_before > 1e-3
    assert done.violation_after == 0.0
    grid = dense_frequencies(fit.poles, OMEGA[-1])
    fine = np.sort(np.concatenate([grid, 0.63 * grid[1:] + 0.37 * grid[:-1]]))
    smallest = np.linalg.eigvalsh(evaluate(done.coefficients, fit.poles, fine).real)[:, 0]
    assert smallest.min() > -1e-6
    change = np.abs(evaluate(done.coefficients, fit.poles, OMEGA) - evaluate(c, fit.poles, OMEGA))
    assert change.max() < 0.2 * np.abs(matrix).max()


def test_a_passive_fit_is_left_alone():
    fit = fit_rational(
        1j * OMEGA, resonator(OMEGA)[None], order=2, weight=np.full((1, 240), 1 + 1j)
    )
    c = fit.coefficients[None]
    done = enforce_passivity(c, fit.poles, OMEGA)
    assert done.violation_before == 0.0
    np.testing.assert_array_equal(done.coefficients, c)


def test_fit_of_two_bodies_is_passive_small_and_good(pair):
    fit = fit_radiation(pair.omega, pair.damping)
    assert fit.states.size <= 12 * 8
    assert fit.r2 > 0.999
    T = pair.damping + 1j * pair.omega[:, None, None] * (pair.added_mass - pair.added_mass_inf)
    size = np.sqrt(np.abs(np.diagonal(T, axis1=1, axis2=2)).max(axis=0))
    error = np.abs(fit.states.transfer(1j * pair.omega) - T) / np.outer(size, size)
    # the source of the error is the damping left above 8 rad/s (0.5 %)
    assert error[5:60].max() < 0.03
    for group in fit.quality:
        assert group.violation_after == 0.0


def test_order_of_bodies_changes_no_number(pair):
    fit = fit_radiation(pair.omega, pair.damping).states
    rows = np.r_[6:12, 0:6]
    swapped = fit.reorder(rows)
    s = 1j * np.array([0.3, 1.0, 4.0])
    T = fit.transfer(s)[:, rows[:, None], rows]
    np.testing.assert_allclose(swapped.transfer(s), T, atol=1e-12 * np.abs(T).max())


def test_subset_of_degrees_of_freedom_keeps_its_own_states(pair):
    fit = fit_radiation(pair.omega, pair.damping).states
    part = fit.reorder(np.array([2, 8]))
    assert part.size < fit.size
    s = 1j * np.array([0.5, 2.0])
    np.testing.assert_allclose(part.transfer(s), fit.transfer(s)[:, [[2], [8]], [2, 8]])


def test_degrees_of_freedom_that_do_not_radiate_get_no_states(database):
    db = database
    B = np.zeros_like(db.damping)
    B[:, 2, 2] = db.damping[:, 2, 2]
    fit = fit_radiation(db.omega, B)
    assert set(fit.states.dof) == {2}
    assert [group.dofs for group in fit.quality] == [(2,)]


def test_no_radiation_at_all():
    fit = fit_radiation(OMEGA, np.zeros((240, 6, 6)))
    assert fit.states.size == 0
    assert fit.r2 == 1.0


def test_fits_are_kept_on_disk(pair, tmp_path):
    first = cached_fit(pair.omega, pair.damping, FitOptions(), folder=tmp_path)
    assert len(list(tmp_path.iterdir())) == 1
    again = cached_fit(pair.omega, pair.damping, FitOptions(), folder=tmp_path)
    np.testing.assert_array_equal(first.states.C, again.states.C)
    assert first.quality == again.quality
    cached_fit(pair.omega, pair.damping, FitOptions(tolerance=0.02), folder=tmp_path)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_broken_cache_is_made_again(pair, tmp_path):
    cached_fit(pair.omega, pair.damping, FitOptions(), folder=tmp_path)
    next(tmp_path.iterdir()).write_bytes(b"rubbish")
    fit = cached_fit(pair.omega, pair.damping, FitOptions(), folder=tmp_path)
    assert fit.states.size > 0


def test_few_frequencies_determine_few_poles(database):
    few = np.arange(0, database.omega.size, database.omega.size // 8)
    options = FitOptions(tolerance=1e-9, max_order=60)
    fit = fit_radiation(database.omega[few], database.damping[few], options)
    assert all(group.order <= few.size for group in fit.quality)
