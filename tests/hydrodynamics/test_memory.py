import itertools

import numpy as np
import pytest

from cosim.errors import DatabaseError
from cosim.hydrodynamics.kernel import radiation_kernel
from cosim.hydrodynamics.memory import ConvolutionMemory, StateSpaceMemory
from cosim.hydrodynamics.radiation import fit_radiation

STEP = 0.05


@pytest.fixture
def heave(database):
    """State space and convolution of the heave memory alone, and its transfer function."""
    B = database.damping[:, 2:3, 2:3]
    wide = np.zeros((database.omega.size, 6, 6))
    wide[:, 2:3, 2:3] = B
    states = fit_radiation(database.omega, wide).states.reorder(np.array([2]))
    t = STEP * np.arange(1201)
    K = radiation_kernel(database.omega, B, t)
    A = database.added_mass[:, 2, 2] - database.added_mass_inf[2, 2]
    T = B[:, 0, 0] + 1j * database.omega * A
    return StateSpaceMemory(states), ConvolutionMemory(K, STEP), (database.omega, T)


def decay(memory, times, *, mass=9e5, stiffness=9.81e5):
    """Heave from 1 m with semi-implicit trial points like those of an integrator."""
    x, z, v = np.zeros(memory.n_states), 1.0, 0.0
    load, dx = np.zeros(1), np.zeros(memory.n_states)
    memory.start(times[0], np.zeros(1))
    out = [z]

    def rates(t, z, v, x):
        memory.evaluate(t, np.array([v]), x, (load, dx))
        return v, (load[0] - stiffness * z) / mass, dx.copy()

    for t, end in itertools.pairwise(times):
        h = end - t
        k1 = rates(t, z, v, x)
        k2 = rates(t + h / 2, z + h / 2 * k1[0], v + h / 2 * k1[1], x + h / 2 * k1[2])
        k3 = rates(t + h / 2, z + h / 2 * k2[0], v + h / 2 * k2[1], x + h / 2 * k2[2])
        k4 = rates(end, z + h * k3[0], v + h * k3[1], x + h * k3[2])
        z, v, x = (
            y + h / 6 * (a + 2 * b + 2 * c + d)
            for y, a, b, c, d in zip((z, v, x), k1, k2, k3, k4, strict=True)
        )
        memory.accept(end, np.array([v]))
        out.append(z)
    return np.array(out)


def test_state_space_and_convolution_give_the_same_decay(heave):
    times = np.arange(0.0, 40.0, 0.05)
    states, convolution, _ = heave
    z = decay(states, times)
    assert 0.1 < np.abs(z[200:]).max() < 0.9
    # pitfalls list, acceptance test 14: below 1 %
    assert np.abs(decay(convolution, times) - z).max() < 0.01


def test_convolution_takes_any_steps(heave):
    _, convolution, _ = heave
    random = np.random.default_rng(2)
    uneven = np.concatenate([[0.0], np.cumsum(random.uniform(0.01, 0.12, 600))])
    fine = np.arange(0.0, uneven[-1] + 0.02, 0.02)
    reference = np.interp(uneven, fine, decay(convolution, fine))
    # acceptance test 14: below 0.5 %
    assert np.abs(decay(convolution, uneven) - reference).max() < 0.005


@pytest.mark.parametrize("kind", [0, 1])
def test_steady_oscillation_feels_the_transfer_function(heave, kind):
    memory, (omega, T) = heave[kind], heave[2]
    w = omega[11]
    times = np.arange(0.0, 70.0, 0.05)
    x, load, dx = np.zeros(memory.n_states), np.zeros(1), np.zeros(memory.n_states)
    memory.start(0.0, np.array([1.0]))
    forces = []
    for t, end in itertools.pairwise(times):
        middle = 0.5 * (t + end)
        memory.evaluate(t, np.array([np.cos(w * t)]), x, (load, dx))
        forces.append(load[0])
        half = x + 0.5 * (end - t) * dx
        memory.evaluate(middle, np.array([np.cos(w * middle)]), half, (load, dx))
        x = x + (end - t) * dx
        memory.accept(end, np.array([np.cos(w * end)]))
    late = times[:-1] > 50.0
    expected = -np.real(T[11] * np.exp(1j * w * times[:-1][late]))
    np.testing.assert_allclose(np.array(forces)[late], expected, atol=0.01 * np.abs(T[11]))


def test_trial_evaluations_leave_no_trace(heave):
    _, memory, _ = heave
    memory.start(0.0, np.zeros(1))
    for n in range(1, 50):
        memory.accept(0.07 * n, np.array([np.sin(n)]))
    out = (np.zeros(1), np.zeros(0))
    memory.evaluate(3.5, np.array([0.3]), np.zeros(0), out)
    first = out[0].copy()
    memory.evaluate(3.9, np.array([-5.0]), np.zeros(0), out)
    memory.evaluate(3.5, np.array([0.3]), np.zeros(0), out)
    np.testing.assert_array_equal(out[0], first)


def test_save_and_restore_are_bit_exact(heave):
    _, memory, _ = heave
    memory.start(0.0, np.zeros(1))
    memory.accept(1.0, np.array([0.7]))
    saved = memory.save()
    out = (np.zeros(1), np.zeros(0))
    memory.accept(2.0, np.array([0.1]))
    memory.evaluate(2.1, np.array([0.2]), np.zeros(0), out)
    first = out[0].copy()
    memory.accept(5.0, np.array([9.0]))
    memory.restore(saved)
    memory.accept(2.0, np.array([0.1]))
    memory.evaluate(2.1, np.array([0.2]), np.zeros(0), out)
    np.testing.assert_array_equal(out[0], first)


def test_errors_of_the_convolution(heave):
    _, memory, _ = heave
    memory.start(0.0, np.zeros(1))
    memory.accept(1.0, np.zeros(1))
    with pytest.raises(DatabaseError, match=r"went back from 1 to 0.5 s"):
        memory.accept(0.5, np.zeros(1))
    with pytest.raises(DatabaseError, match="not one of its saved states"):
        memory.restore(b"rubbish")


def test_radiation_never_gives_work_whatever_the_motion(pair):
    states = fit_radiation(pair.omega, pair.damping).states
    memory = StateSpaceMemory(states)
    A, B = states.matrices()
    step = 0.02
    random = np.random.default_rng(6)
    phases, w = random.uniform(0, 6, (12, 8)), random.uniform(0.02, 3.0, 8)
    x, load, dx = np.zeros(states.size), np.zeros(12), np.zeros(states.size)
    # trapezoidal rule in time: as passive as the system itself
    solve = np.linalg.inv(np.eye(states.size) - 0.5 * step * A)
    work, largest, last = 0.0, 0.0, np.zeros(12)
    for n in range(1, 4000):
        v = np.tile([1.0, 1.0, 1.0, 0.05, 0.05, 0.05], 2) * np.sin(w * step * n + phases).sum(
            axis=1
        )
        v *= min(1.0, n / 200)
        middle = 0.5 * (last + v)
        x_new = solve @ (x + 0.5 * step * (A @ x) + step * (B @ middle))
        memory.evaluate(0.0, middle, 0.5 * (x + x_new), (load, dx))
        work += step * float(load @ middle)
        largest = max(largest, work)
        x, last = x_new, v
    assert largest <= 0.0
    assert work < -1e4
