"""Orders of convergence and agreement of the coupling schemes on an exact inner solver.

The whole system, a body and a mass on a spring and damper behind a Stepper, is linear; its
exact solution is a matrix exponential. Tolerances: order +-0.2 (issue, "What it must show").
"""

import numpy as np
import pytest
from scipy.linalg import expm

from cosim.errors import StabilityError
from cosim.testing import LaggingMass

M, m, k, c = 3.0, 1.0, 4.0, 1.0
T = 4.0
EXACT = (
    expm(
        T
        * np.array(
            [
                [0, 1, 0, 0],
                [-k / M, -c / M, k / M, c / M],
                [0, 0, 0, 1],
                [k / m, c / m, -k / m, -c / m],
            ]
        )
    )
    @ [0, 1, 0, 0]
)[:2]


def error(simulate, make_slider, make_attached, **settings):
    model = make_slider(M)
    memory, summary = simulate(
        model,
        [make_attached(model, damping=c)],
        start={"s.position_rate": 1.0},
        end=T,
        **({"rtol": 1e-10, "atol": 1e-11} | settings),
    )
    last = memory.samples[-1]
    return np.hypot(last.q[0] - EXACT[0], last.u[0] - EXACT[1]), memory, summary


@pytest.mark.parametrize(
    ("settings", "order"),
    [
        ({"scheme": "explicit", "order": 0, "unchecked": True}, 1),
        ({"scheme": "explicit", "order": 1}, 2),
        ({"scheme": "explicit", "order": 2}, 3),
        ({"scheme": "iterated", "order": 1, "tolerance": 1e-9}, 2),
        ({"scheme": "iterated", "order": 2, "tolerance": 1e-9}, 3),
    ],
)
def test_order_of_convergence(simulate, make_slider, make_attached, settings, order):
    errors = [
        error(simulate, make_slider, make_attached, communication_step=H, **settings)[0]
        for H in (0.05, 0.025)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.2)


def test_solver_call_follows_the_tolerance(simulate, make_slider, make_attached):
    errors = [
        error(
            simulate, make_slider, make_attached, scheme="solver-call", rtol=rtol, atol=0.1 * rtol
        )[0]
        for rtol in (1e-4, 1e-6, 1e-8)
    ]
    assert errors[0] > 10 * errors[1] > 100 * errors[2]
    assert errors[2] < 100 * 1e-8


def test_ledger_shows_what_each_scheme_makes(simulate, make_slider, make_attached):
    """Iterated reaches 1e-6 or better, explicit order 2 about 1e-4 (design 6)."""
    common = {"communication_step": 0.05}
    coupling = {}
    for scheme in ("iterated", "explicit"):
        _, memory, summary = error(simulate, make_slider, make_attached, scheme=scheme, **common)
        coupling[scheme] = np.abs(memory.scalar("ledger/coupling/mock")).max()
        assert abs(summary.balance) < 1e-6
    assert coupling["iterated"] < 1e-6
    assert 1e-6 < coupling["explicit"] < 1e-3


def test_explicit_starts_without_loss_and_does_not_iterate_later(
    simulate, make_slider, make_attached
):
    _, _, summary = error(
        simulate, make_slider, make_attached, scheme="explicit", communication_step=0.1
    )
    assert summary.communications == 40
    assert summary.passes <= 38 + 2 * 4


def test_light_body_under_a_heavy_force_only_stepper(simulate, make_slider):
    """Issue: a light buoy under heavy chain runs in `iterated`, is refused in `explicit`.

    The added mass is 17 times the body's (bindings A) and returned as a force only. With a
    spring on the body the period is that of both masses; linear interpolation shortens the
    motion by (w H)^2 / 24 (design 6).
    """
    added, stiffness, H = 17.0, 18.0, 0.05
    spring = {"spring": {"type": "joint", "joint": "s", "stiffness": stiffness}}

    def system():
        model = make_slider(1.0, elements=spring)
        options = LaggingMass.Options(body="a", mass=added)
        return model, [LaggingMass(model, "heavy", options)]

    w = np.sqrt(stiffness / (1.0 + added))
    start = {"s.position": 1.0}
    memory, summary = simulate(
        *system(), start=start, end=20.0, output=0.05, communication_step=H, rtol=1e-9, atol=1e-10
    )
    # the first load is zero, so the motion starts a fraction of a step early
    zeros = np.flatnonzero(np.diff(np.sign(memory.q[:, 0])))
    times = memory.t[zeros] - memory.q[zeros, 0] * 0.05 / np.diff(memory.q[:, 0])[zeros]
    period = 2.0 * np.polyfit(np.arange(times.size), times, 1)[0]
    assert period == pytest.approx(2.0 * np.pi / w, rel=2e-3)
    assert summary.passes / summary.communications <= 3.0
    with pytest.raises(StabilityError, match=r"growth 16\.7\d* per step of 0\.05 s .* S = 17"):
        simulate(*system(), start=start, end=2.0, communication_step=H, scheme="explicit", order=0)
