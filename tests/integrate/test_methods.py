"""Own Runge-Kutta methods against SciPy's, and orders of convergence."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from cosim.coupling.quadrature import NoQuadrature
from cosim.integrate.dop853 import DOP853
from cosim.integrate.method import Tolerances
from cosim.integrate.runge_kutta import FixedRungeKutta, RungeKutta
from cosim.integrate.scipy_methods import ScipyMethod
from cosim.integrate.tableaux import BOGACKI_SHAMPINE, CLASSICAL, DORMAND_PRINCE


class Rates:
    """A pendulum, with its power as quadrature."""

    def __init__(self, quadrature=True):
        self.quadrature = NoQuadrature()
        if quadrature:
            self.quadrature.values = np.zeros(1)
        self.count = 0

    def __call__(self, t, y):
        self.count += 1
        if self.quadrature.values.size:
            self.quadrature.values[0] = -np.sin(y[0]) * y[1]
        return np.array([y[1], -np.sin(y[0])])


START = np.array([1.0, 0.3])
END = 7.0


def run(method, end=END):
    method.restart(0.0, START)
    pieces = []
    while method.t < end:
        pieces.append(method.step(end))
    return pieces


def adaptive(name, rtol, quadrature=True):
    rates, tolerances = Rates(quadrature), Tolerances(rtol, np.full(2, 0.1 * rtol), np.inf)
    match name:
        case "RK45":
            return RungeKutta(rates, DORMAND_PRINCE, tolerances)
        case "RK23":
            return RungeKutta(rates, BOGACKI_SHAMPINE, tolerances)
        case "DOP853":
            return DOP853(rates, tolerances)
        case _:
            return ScipyMethod(rates, name, tolerances)


@pytest.mark.parametrize(
    # the error estimate of DOP853 is a small difference: round-off changes its steps by 1e-8
    ("name", "same_t", "same_y"),
    [("RK45", 1e-11, 1e-11), ("RK23", 1e-11, 1e-11), ("DOP853", 1e-6, 1e-8)],
)
def test_the_same_steps_and_values_as_scipy(name, same_t, same_y):
    method = adaptive(name, 1e-6)
    pieces = run(method)
    reference = solve_ivp(
        lambda t, y: [y[1], -np.sin(y[0])],
        (0.0, END),
        START,
        method=name,
        rtol=1e-6,
        atol=1e-7,
        dense_output=True,
    )
    # all steps but the last two, which are cut evenly here
    count = len(pieces) - 2
    assert count > 5
    t = np.array([p.t1 for p in pieces[:count]])
    assert t == pytest.approx(reference.t[1 : count + 1], rel=same_t)
    for piece in pieces[:count]:
        middle = 0.3 * piece.t0 + 0.7 * piece.t1
        assert piece.at(middle) == pytest.approx(reference.sol(middle), abs=same_y)
        assert piece.y1 == pytest.approx(reference.sol(piece.t1), abs=same_y)


@pytest.mark.parametrize("name", ["RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA"])
def test_error_follows_the_tolerance(name):
    exact = solve_ivp(
        lambda t, y: [y[1], -np.sin(y[0])], (0, END), START, method="DOP853", rtol=1e-13, atol=1e-14
    ).y[:, -1]
    for rtol in (1e-5, 1e-7):
        method = adaptive(name, rtol)
        run(method)
        assert method.t == END
        assert np.abs(method.y - exact).max() < 300 * rtol


@pytest.mark.parametrize(
    ("name", "tolerance"),
    [
        ("RK45", 1e-8),
        ("RK23", 1e-6),
        ("DOP853", 1e-8),
        ("Radau", 1e-7),
        ("BDF", 1e-5),
        ("LSODA", 1e-6),
    ],
)
def test_quadrature_uses_the_weights_of_the_method(name, tolerance):
    """Work of the weight is the change of kinetic energy."""
    pieces = run(adaptive(name, 1e-8))
    work = sum(p.total[0] for p in pieces)
    gain = 0.5 * (pieces[-1].y1[1] ** 2 - START[1] ** 2)
    assert work == pytest.approx(gain, abs=tolerance)
    inside = pieces[2]
    t = 0.4 * inside.t0 + 0.6 * inside.t1
    partial = 0.5 * (inside.at(t)[1] ** 2 - inside.at(inside.t0)[1] ** 2)
    assert inside.total_to(t)[0] == pytest.approx(partial, abs=tolerance)


@pytest.mark.parametrize("name", ["RK45", "RK23", "DOP853", "Radau", "BDF", "LSODA"])
def test_quadrature_changes_no_bit_of_the_solution(name):
    ends = [[p.y1 for p in run(adaptive(name, 1e-6, flag))] for flag in (True, False)]
    assert np.array_equal(ends[0], ends[1])


def test_classical_method_has_order_4_and_its_dense_output_order_3():
    exact = solve_ivp(
        lambda t, y: [y[1], -np.sin(y[0])],
        (0, 1),
        START,
        method="DOP853",
        rtol=1e-13,
        atol=1e-15,
        dense_output=True,
    ).sol
    end, inside = [], []
    for h in (0.1, 0.05):
        method = FixedRungeKutta(Rates(), CLASSICAL, h)
        pieces = run(method, 1.0)
        assert len(pieces) == round(1.0 / h)
        end.append(np.abs(pieces[-1].y1 - exact(1.0)).max())
        inside.append(
            max(np.abs(p.at(p.t0 + 0.37 * h) - exact(p.t0 + 0.37 * h)).max() for p in pieces)
        )
    assert np.log2(end[0] / end[1]) == pytest.approx(4, abs=0.3)
    assert np.log2(inside[0] / inside[1]) > 3.5  # one step: order 3 + 1


def test_a_repeated_pass_takes_the_same_steps_and_evaluates_the_start_once():
    method = adaptive("RK45", 1e-6)
    method.restart(0.0, START)
    first = []
    while method.t < 2.0:
        first.append(method.step(2.0))
    rejected, evaluations = method.rejected, method.evaluation.count
    method.restart(0.0, START, again=True)
    second = []
    while method.t < 2.0:
        second.append(method.step(2.0))
    assert [p.t1 for p in first] == [p.t1 for p in second]
    assert np.array_equal(first[-1].y1, second[-1].y1)
    assert method.rejected == rejected
    assert method.evaluation.count - evaluations == 6 * len(second)


def test_a_fixed_step_that_does_not_fit_is_cut_at_the_end():
    method = FixedRungeKutta(Rates(), CLASSICAL, 0.3)
    pieces = run(method, 1.0)
    assert [p.t1 for p in pieces] == pytest.approx([0.3, 0.6, 0.9, 1.0])


@pytest.mark.parametrize("name", ["BDF", "LSODA", "Radau"])
def test_a_method_that_begins_anew_after_each_step_gets_on(name):
    """As beside an adapter that keeps history; each step is that of the first order, or so."""
    rates = Rates()
    method = ScipyMethod(rates, name, Tolerances(1e-5, np.full(2, 1e-7), np.inf))
    method.restart(0.0, START)
    while method.t < END:
        method.step(END)
        method.refresh()
    exact = solve_ivp(lambda t, y: [y[1], -np.sin(y[0])], (0.0, END), START, rtol=1e-11, atol=1e-12)
    assert rates.count < 20_000
    error = np.abs(method.y - exact.y[:, -1]).max()
    assert error < method.steps * 2e-5  # the errors of all steps, each at most of its tolerance
