"""Rotor of the NREL 5-MW turbine as a peer: steady values, and the pitch of the OC3 spar.

Published steady values: NREL/TP-500-38060, table 7-1 (blade pitch), and NREL/turbine-models,
Offshore/NREL_5MW_126_RWT.csv (thrust). That thrust is the force along a shaft tilted
by 5 degrees and carries the weight of the rotor, 110 t, along it, which is taken off. Tolerances:
0.5 degrees and 5 %, since table (CCBlade, stiff blades) and published values (FAST with AeroDyn)
come from two programs.

The pitch of the spar in time is compared with two linear systems: periods to 0.5 % as in
test_linear_oc3, the decay rate to 5 % with the time series and to 1 % with the rotor's terms by
hand.
"""

from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import cosim

CASE = Path(__file__).parents[2] / "cases" / "oc3_spar" / "rotor.yaml"
INLINE = ("adapters.rotor.launch=null", "adapters.rotor.inline=rotor.py:Rotor")
STEADY = {  # m/s: blade pitch, degrees; thrust, kN
    13.0: (6.60, 608.4),
    15.0: (10.45, 520.5),
    18.0: (14.92, 448.4),
    20.0: (17.47, 418.8),
    25.0: (23.47, 369.3),
}
WEIGHT = 110.0 * 9.80665 * np.sin(np.radians(5.0))  # kN, of the rotor along its shaft


@pytest.fixture(scope="module")
def study(script):
    return script("oc3_spar", "negative_damping")


@pytest.mark.parametrize("wind", STEADY)
def test_steady_values(study, wind):
    rotor = study.rotor_with("hywind", wind)
    shaft = np.array([1.0, 0.0, 0.0])
    loads = rotor.loads(rotor.steady(wind), shaft, wind)
    speed, pitch, thrust, power = loads.outputs
    assert speed == pytest.approx(12.1, rel=1e-12)
    assert pitch == pytest.approx(STEADY[wind][0], abs=0.5)
    assert 1e-3 * thrust == pytest.approx(STEADY[wind][1] - WEIGHT, rel=0.05)
    assert power == pytest.approx(5e6, rel=1e-6)
    np.testing.assert_allclose(loads.x_dot, 0.0, atol=1e-9)


def test_drive_train_is_that_of_the_report(study):
    assert pytest.approx(43_784_725.0, rel=1e-6) == study.INERTIA


def test_a_program_gives_the_same_bits():
    settings = ("time.end=10",)
    here = cosim.run(cosim.read_case(CASE, (*settings, *INLINE)))
    there = cosim.run(cosim.read_case(CASE, settings))
    same = [name for name in here.data_vars if name != "case_text"]
    xr.testing.assert_equal(here[same], there[same])


def test_it_goes_on_from_a_checkpoint_beside_moordyn(tmp_path):
    settings = ("output.checkpoint=2", "output.step=0.2")
    whole = cosim.run(cosim.read_case(CASE, [*settings, "time.end=12"]))
    part = cosim.read_case(CASE, [*settings, "time.end=6"])
    cosim.run(part, out=tmp_path / "part.nc")
    resumed = cosim.resume(tmp_path / "part.nc", end=12.0)
    same = [name for name in whole.data_vars if name != "case_text"]
    xr.testing.assert_equal(whole[same], resumed[same])


def test_it_starts_at_rest():
    """Thrust at rest and rotor states at the start agree: nothing moves from the equilibrium."""
    settings = ("time.end=20", "start.set={}", *INLINE)
    results = cosim.run(cosim.read_case(CASE, settings))
    assert np.ptp(results.attitude_deg.sel(rpy="pitch").values) < 1e-4
    assert np.ptp(results["rotor/rotor_speed"].values) < 1e-3


@pytest.mark.slow
@pytest.mark.parametrize(("controller", "sign"), [("onshore", 1.0), ("hywind", -1.0)])
def test_pitch_grows_onshore_and_decays_detuned(study, controller, sign):
    mode, hand = study.pitch_mode(controller, *INLINE)
    settings = study.settings(controller, "time.end=220", *INLINE)
    run = study.in_time(cosim.run(cosim.read_case(CASE, settings)), mode)
    assert sign * run.real > 0.0
    for found, tolerance in ((run, 0.05), (hand, 0.01)):
        assert found.real == pytest.approx(mode.real, rel=tolerance)
        assert found.imag == pytest.approx(mode.imag, rel=0.005)
