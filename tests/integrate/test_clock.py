import pytest

from cosim.integrate.clock import TICKS, Clock


def instants(clock, end):
    t, found = clock.start, []
    while t < end:
        t = clock.target(end)
        clock.reached(t)
        found.append(t)
    return found


@pytest.mark.parametrize("count", [7, 64, 6400, 100_000])
def test_exactly_as_many_steps_as_the_quotient(count):
    # preCICE #1866: 6401 steps of 1/6400 instead of 6400
    found = instants(Clock(0.0, 1.0 / count), 1.0)
    assert len(found) == count
    assert found[-1] == 1.0
    assert found[2] == 3 * TICKS * (1.0 / count / TICKS)


def test_a_last_step_that_does_not_fit_is_cut():
    found = instants(Clock(2.0, 0.1), 3.05)
    assert found[-2:] == pytest.approx([3.0, 3.05], abs=1e-12)


def test_halved_steps_stay_on_ticks_and_grow_again():
    clock = Clock(0.0, 0.1)
    assert clock.halve()
    assert clock.target(1.0) == pytest.approx(0.05)
    clock.reached(clock.target(1.0))
    assert clock.target(1.0) == pytest.approx(0.1)
    clock.reached(clock.target(1.0))
    assert clock.ticks == TICKS
    assert clock.target(1.0) == pytest.approx(0.2)


def test_halving_ends_at_one_tick():
    clock = Clock(0.0, 0.1)
    assert [clock.halve() for _ in range(7)] == [True] * 6 + [False]


def test_after_an_event_between_ticks_the_next_step_ends_on_the_grid():
    clock = Clock(0.0, 0.1)
    clock.reached(0.03217)
    assert clock.target(1.0) == clock.time(TICKS)
