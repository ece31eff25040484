"""Whole runs: the same in this process and over sockets; added mass above the body's own."""

import sys
from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.errors import CaseError, StabilityError

PEERS = Path(__file__).parent / "peers" / "added.py"


def case(peer, how="inline", *, mode="evaluate", time=None, start=None, **options):
    source = (
        {"inline": f"{PEERS}:{peer}"}
        if how == "inline"
        else {"launch": [sys.executable, str(PEERS), peer], "transport": how}
    )
    adapter = {"type": "zeromq", "mode": mode, "bodies": ["buoy"], **source, **options}
    return cosim.Case.from_dict(
        {
            "bodies": {"buoy": {"mass": 2, "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
            "joints": {
                "rail": {"type": "prismatic", "child": "buoy", "at": [0, 0, 0], "axis": [1, 0, 0]}
            },
            "elements": {"spring": {"type": "joint", "joint": "rail", "stiffness": 20.0}},
            "adapters": {"water": adapter},
            "start": {"from": "reference", "set": start or {"rail.position_rate": 2.0}},
            "time": {"end": 3, "communication_step": 0.02, **(time or {})},
            "output": {"step": 0.05},
        }
    )


def run(*arguments, **options):
    return cosim.run(case(*arguments, **options))


def displacement(results):
    return results["position"].sel(body="buoy", xyz="x").values


def exact(results, mass=2.0 + 20.0):
    """Of m x'' + k x = 0 from 0 with 2 m/s."""
    omega = np.sqrt(20.0 / mass)
    return 2.0 / omega * np.sin(omega * results["time"].values)


RUNS = {
    "evaluate": ("Told", {"settings": {"c": 3.0}}),
    "event and history": ("Bang", {"history": True}),
    "iterated": ("ToldInSteps", {"mode": "advance", "settings": {"c": 3.0}}),
    "explicit": (
        "ToldInSteps",
        {"mode": "advance", "settings": {"c": 3.0}, "time": {"scheme": "explicit"}},
    ),
    "solver-call": ("ToldInSteps", {"mode": "advance", "time": {"scheme": "solver-call"}}),
    "hidden": ("Hidden", {"mode": "advance"}),
}


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("how", ["ipc", "tcp"])
def test_a_socket_changes_no_bit(name, how):
    peer, options = RUNS[name]
    inside, outside = run(peer, **options), run(peer, how, **options)
    assert inside.equals(outside)


@pytest.mark.parametrize("scheme", ["iterated", "explicit", "solver-call"])
def test_added_mass_above_the_mass_is_stable_in_every_scheme_when_told(scheme):
    """Exact solution; the tolerance is that of the integrator (rtol 1e-6) over the run."""
    results = run("ToldInSteps", mode="advance", time={"scheme": scheme, "end": 10})
    assert displacement(results) == pytest.approx(exact(results), abs=2e-5)


def test_added_mass_above_the_mass_is_exact_at_trial_points():
    results = run("Told", time={"end": 10})
    assert displacement(results) == pytest.approx(exact(results), abs=2e-5)


def test_added_mass_hidden_in_a_force_is_refused_by_the_explicit_scheme():
    with pytest.raises(StabilityError, match="scheme 'explicit' of order 2 is unstable"):
        run("Hidden", mode="advance", time={"scheme": "explicit"})


def test_added_mass_hidden_in_a_force_converges_when_iterated():
    """Linear interpolation of the load is of order 2 (docs/convergence): half of H, a quarter."""
    errors = []
    for step in (0.04, 0.02):
        time = {"communication_step": step, "tolerance": 1e-9, "rtol": 1e-9}
        results = run("Hidden", mode="advance", time=time)
        errors.append(np.abs(displacement(results) - exact(results)).max())
    assert errors[1] < 2e-4
    assert errors[0] / errors[1] > 3.5


def test_one_that_cannot_go_back_is_judged_by_what_it_declares():
    options = {"mode": "advance", "restorable": False, "time": {"scheme": "explicit"}}
    with pytest.raises(StabilityError, match="scheme 'explicit' of order 2 is unstable"):
        run("Sealed", **options)
    with pytest.raises(StabilityError, match="'water' cannot be restored and declares no apparent"):
        run("Mute", **options)


def test_the_guard_stops_what_was_not_checked():
    time = {"scheme": "explicit", "unchecked": True}
    with pytest.raises(StabilityError, match="the explicit coupling is unstable: at t = "):
        run("Mute", mode="advance", restorable=False, time=time)


def test_events_of_a_peer_end_steps():
    """m x'' + k x = -3 sign(x): every half swing of a Coulomb-like load, by parts exact."""
    results = run("Bang", history=True, start={"rail.position": 1.0}, time={"end": 2, "rtol": 1e-9})
    t, w = results["time"].values, np.sqrt(10.0)
    first = np.arccos(0.15 / 1.15) / w  # x = 1.15 cos(w t) - 0.15 until x = 0
    speed = -1.15 * w * np.sin(w * first)
    s = t - first
    after = 0.15 - 0.15 * np.cos(w * s) + speed / w * np.sin(w * s)
    expected = np.where(t < first, 1.15 * np.cos(w * t) - 0.15, after)
    until = t < first + 0.8
    assert displacement(results)[until] == pytest.approx(expected[until], abs=1e-6)


def test_no_step_is_longer_than_a_peer_can_follow():
    def error(**settings):
        time = {"method": "RK23", "rtol": 1e-2, "communication_step": 1.0}
        results = run("Told", settings=settings, time=time)
        return abs(displacement(results) - exact(results)).max()

    assert error(max_step=0.01) < 0.01 * error()
    with pytest.raises(CaseError, match=r"adapter 'water' can follow; take 0.01 s or less"):
        run("Told", settings={"max_step": 0.01}, time={"method": "RK4", "step": 0.02})
