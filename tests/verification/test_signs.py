"""Signs and phases that anyone at sea would notice, each against the water or statics itself."""

from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.case.build import build

CASES = Path(__file__).parents[2] / "cases"
RHO, GRAVITY, RADIUS = 1000.0, 9.81, 5.0
MASS = 261.8e3


@pytest.fixture(autouse=True, scope="module")
def _private_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COSIM_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def sphere(*, waves=None, at=(0.0, 0.0), joint="floating", start=None, end=16.0):
    """The sphere of 5 m radius, held sideways by soft springs where it floats freely."""
    cog = [*at, -2]
    held = {"type": "matrix", "body": "s", "at": cog, "stiffness": [5e4, 5e4, 0, 0, 0, 1e6]}
    slide = {"at": cog, "axis": [0, 0, 1]} if joint == "prismatic" else {}
    return cosim.Case.from_dict(
        {
            "environment": {
                "gravity": GRAVITY,
                "water_density": RHO,
                "waves": waves or {"type": "still"},
            },
            "bodies": {"s": {"mass": MASS, "cog": cog, "inertia": [2.618e6] * 3}},
            "joints": {"j": {"type": joint, "child": "s", **slide}},
            "elements": {} if slide else {"held": held},
            "adapters": {
                "hydro": {
                    "type": "capytaine",
                    "bodies": {"s": "sphere"},
                    "database": str(CASES / "sphere_decay" / "capytaine.nc"),
                }
            },
            "start": {"from": "reference", "set": start or {}},
            "time": {"end": end},
            "output": {"step": 0.1},
        }
    )


def regular(period, heading=0.0, ramp=0.0):
    return {
        "type": "regular",
        "height": 1.0,
        "period": period,
        "heading_deg": heading,
        "ramp": ramp,
    }


def amplitude(t, values, omega):
    """Complex a of values = Re a exp(-i omega t)."""
    basis = np.column_stack([np.cos(omega * t), np.sin(omega * t)])
    cosine, sine = np.linalg.lstsq(basis, values, rcond=None)[0]
    return cosine + 1j * sine


@pytest.mark.parametrize(
    ("heading", "at"), [(0, (100, 0)), (180, (100, 0)), (90, (0, 70)), (217, (40, -30))]
)
def test_a_small_buoy_feels_the_wave_where_it_floats(heading, at):
    """Heave with the elevation, and the push with the acceleration of the water around it.

    In a wave of 625 m the load of a sphere of 5 m is rho g A_w eta (1 - 3 k R / 4 - ...) and
    3/2 times the displaced mass times the acceleration (half of it added mass): within 8 and
    2 %, the order of k R = 0.05; phases within 0.02 rad.
    """
    period = 20.0
    omega = 2 * np.pi / period
    case = sphere(waves=regular(period, heading), at=at, end=2 * period)
    results = cosim.run(case)
    t, sea = results.time.values, case.environment.sea_state
    eta = amplitude(t, sea.elevation(t, *(np.full_like(t, x) for x in at)), omega)
    heave = amplitude(t, results["hydro/s.waves_fz"].values, omega) / eta
    assert heave.real == pytest.approx(RHO * GRAVITY * np.pi * RADIUS**2, rel=0.08)
    assert abs(np.angle(heave)) < 0.02
    water = np.array([sea.kinematics(i, [[*at, -0.375 * RADIUS]])[1][0, :2] for i in t])
    along = np.array([np.cos(np.radians(heading)), np.sin(np.radians(heading))])
    push = np.column_stack([results[f"hydro/s.waves_f{axis}"].values for axis in "xy"])
    ratio = amplitude(t, push @ along, omega) / amplitude(t, water @ along, omega)
    assert ratio.real == pytest.approx(1.5 * MASS, rel=0.02)
    assert abs(np.angle(ratio)) < 0.02


def test_waves_from_the_other_side_give_the_mirror_image():
    there, back = (cosim.run(sphere(waves=regular(8.0, heading))) for heading in (0.0, 180.0))
    surge, mirrored = (r["position"].sel(body="s", xyz="x").values for r in (there, back))
    assert np.abs(surge).max() > 0.1
    np.testing.assert_allclose(surge, -mirrored, atol=1e-9)
    heave, same = (r["position"].sel(body="s", xyz="z").values for r in (there, back))
    np.testing.assert_allclose(heave, same, atol=1e-9)


def test_the_ramp_starts_at_zero_and_ends_without_a_trace():
    plain, ramped = (
        cosim.run(sphere(waves=regular(8.0, ramp=ramp), joint="prismatic")) for ramp in (0.0, 10.0)
    )
    t = plain.time.values
    for name in ("wave_elevation", "hydro/s.waves_fz"):
        before, after = plain[name].values, ramped[name].values
        assert after[0] == 0.0
        middle = np.argmin(np.abs(t - 5.0))
        assert after[middle] == pytest.approx(0.5 * before[middle], rel=1e-9)
        np.testing.assert_allclose(after[t >= 10.0], before[t >= 10.0], rtol=1e-12)


def test_radiated_waves_take_energy_at_every_instant():
    results = cosim.run(sphere(joint="prismatic", start={"j.position": 1.0}, end=25.0))
    power, t = results["hydro/radiation_power"].values, results.time.values
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(t))])
    assert work.max() <= 0.0
    # nearly all of the energy of the release, C z0^2 / 2, has gone out with the waves
    released = 0.5 * RHO * GRAVITY * np.pi * RADIUS**2
    assert work[-1] == pytest.approx(-released, rel=0.02)


@pytest.mark.parametrize(("damping", "sign"), [(0.5, -1), (-0.5, 1)])
def test_a_damper_of_either_sign_shows_in_the_ledger(damping, sign):
    """A damper with its sign wrong drives the pendulum: its work tells, the books still balance."""
    case = cosim.Case.from_dict(
        {
            "bodies": {"bob": {"mass": 2, "cog": [0, 0, -1], "inertia": [0.1, 0.1, 0.1]}},
            "joints": {
                "hinge": {"type": "revolute", "child": "bob", "at": [0, 0, 0], "axis": [0, 1, 0]}
            },
            "elements": {"damper": {"type": "joint", "joint": "hinge", "damping": damping}},
            "start": {"from": "reference", "set": {"hinge.angle_deg": 20}},
            "time": {"end": 4, "rtol": 1e-8, "atol": 1e-10},
            "output": {"step": 0.05},
        }
    )
    results = cosim.run(case)
    work = results["ledger/work/elements"].values
    assert np.all(np.diff(work) * sign >= 0.0)
    rate = results["joint_rate"].sel(rotation="hinge.angle").values
    dissipated = np.trapezoid(-damping * rate**2, results.time.values)
    assert work[-1] == pytest.approx(dissipated, rel=1e-3)  # trapezoids of 0.05 s
    late = results["ledger/exchanged"].values > 0.01 * results["ledger/exchanged"].values[-1]
    assert np.abs(results["ledger/balance"].values[late]).max() <= 1e-6


def oc3(*settings):
    return cosim.read_case(CASES / "oc3_spar", ["environment.waves={type: still}", *settings])


def static_loads(case, **pose):
    """Loads at rest on the spar by adapter, (6,) each."""
    assembly = build(case)
    model = assembly.model
    q, u = model.initial({key.replace("__", "."): value for key, value in pose.items()})
    state = model.kinematics(0.0, q, u)
    try:
        return {
            name: adapter.static_forces(state.select(model.index(adapter.bodies)))[0]
            for name, adapter in assembly.adapters.items()
        }
    finally:
        for adapter in assembly.adapters.values():
            adapter.end()


@pytest.mark.parametrize(
    ("coordinate", "value", "adapter", "component"),
    [
        ("surge", 10.0, "lines", 0),
        ("sway", -10.0, "lines", 1),
        ("yaw_deg", 10.0, "lines", 5),
        ("heave", 2.0, "hydro", 2),
        ("roll_deg", -5.0, "hydro", 3),
        ("pitch_deg", 5.0, "hydro", 4),
    ],
)
def test_a_displaced_spar_is_pulled_back(coordinate, value, adapter, component):
    rest = static_loads(oc3())[adapter][component]
    load = static_loads(oc3(), **{f"spar__{coordinate}": value})[adapter][component]
    assert np.sign(load - rest) == -np.sign(value)


@pytest.mark.parametrize("heading", [90.0, 200.0])
def test_a_current_drags_lines_and_spar_downstream(heading):
    current = f"environment.current={{type: uniform, speed: 1.5, heading_deg: {heading}}}"
    along = np.array([np.cos(np.radians(heading)), np.sin(np.radians(heading))])
    with_current = static_loads(oc3(current))["lines"][:2]
    calm = static_loads(oc3())["lines"][:2]
    assert (with_current - calm) @ along > 1e4
    results = cosim.run(oc3(current, "start.from=reference", "time.end=12"))
    moved = results["position"].sel(body="spar").values[-1, :2]
    assert moved @ along > 0.1
