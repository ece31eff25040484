import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cosim.coupling.entry import NO_MASS
from cosim.coupling.held import HeldLoads


class StepperStub:
    """What HeldLoads reads of an Entry."""

    def __init__(self, mass=NO_MASS):
        self.index = np.array([0])
        self.load = np.zeros((1, 6))
        self.mass = mass


def held_through(function, times):
    held = HeldLoads([StepperStub()])
    for t in times:
        held.push(t, function(t))
    return held


def value(held, t):
    held.fill(t, None)
    return held._steppers[0].load.ravel().copy()


@pytest.fixture
def show(monkeypatch):
    """Point the stub's load at the values that `fill` writes."""

    def connect(held):
        held._steppers[0].load, _ = held._views[0]
        return held

    return connect


numbers = st.floats(-5.0, 5.0)


@settings(deadline=None)
@given(c=st.tuples(numbers, numbers, numbers), last=st.floats(0.1, 1.0), step=st.floats(0.05, 1.0))
def test_extrapolation_of_order_2_is_exact_for_parabolas_on_uneven_instants(c, last, step):
    def parabola(t):
        return np.full(6, c[0] + c[1] * t + c[2] * t * t)

    held = held_through(parabola, (0.0, 0.3, 0.3 + last))
    held._steppers[0].load, _ = held._views[0]
    end = 0.3 + last + step
    predicted = held.extrapolate(end, 2)
    assert predicted == pytest.approx(parabola(end), abs=1e-9)
    middle = 0.3 + last + 0.4 * step
    assert value(held, middle) == pytest.approx(parabola(middle), abs=1e-9)


def test_interpolation_goes_through_the_iterate_and_the_last_value_exactly(show):
    held = show(held_through(lambda t: np.arange(6.0) * np.sin(t), (0.0, 0.2, 0.4)))
    iterate = np.linspace(1.0, 2.0, 6)
    for order in (1, 2):
        held.interpolate(0.6, iterate, order)
        assert np.array_equal(value(held, 0.4), held.latest)
        assert value(held, 0.6) == pytest.approx(iterate, abs=1e-15)


def test_weight_is_the_polynomial_that_takes_up_the_error_at_the_end(show):
    # ledger: z(s) + l(s) d is the polynomial of one degree more through the returned value
    held = show(held_through(lambda t: np.full(6, t**3), (0.0, 0.1, 0.2)))
    predicted = held.extrapolate(0.3, 2)
    error = np.full(6, 0.3**3) - predicted
    for t in (0.2, 0.23, 0.27, 0.3):
        assert value(held, t) + held.weight(t) * error == pytest.approx(t**3, abs=1e-15)


def test_only_three_instants_are_kept_and_an_event_drops_all_but_the_last():
    held = held_through(lambda t: np.full(6, t), (0.0, 0.1, 0.2, 0.3))
    assert held.depth == 3
    held.forget()
    assert held.depth == 1
    assert np.array_equal(held.extrapolate(0.4, 2), held.latest)
