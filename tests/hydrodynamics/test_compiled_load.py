"""The compiled load, called by its address, against `HydroLoads`."""

import ctypes

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from cosim.environment.sea_state import SeaState
from cosim.hydrodynamics.assemble import RadiationOptions, assemble
from cosim.hydrodynamics.compiled_load import compiled_load
from cosim.hydrodynamics.frame import FixedFrame, SlowFrame

STILL = SeaState.still()
SEA = SeaState.of(np.linspace(0.4, 1.4, 9), np.exp(1j * np.arange(9.0)), np.pi / 4, ramp=5.0)


def assembled(database, *, sea=STILL, frame=None, **options):
    fixed = FixedFrame(np.array([3.0, -2.0, np.radians(30.0)]))
    return assemble(database, database.names, frame=frame or fixed, sea=sea, **options).loads


def called(load, t, pose, x):
    """Load and derivatives, as a driver gets them."""
    double = ctypes.POINTER(ctypes.c_double)
    function = ctypes.CFUNCTYPE(None, ctypes.c_double, double, double, double, double)(load.address)
    out = np.zeros(pose[0].size * 2 + x.size)
    arrays = [np.concatenate([a.ravel() for a in pose]), x.copy(), load.memory.copy(), out]
    function(t, *(a.ctypes.data_as(double) for a in arrays))
    return out[: -x.size].reshape(-1, 6), out[-x.size :]


@pytest.mark.parametrize("sea", [STILL, SEA], ids=["still", "waves"])
def test_same_load_and_derivatives(pair, sea):
    """Two bodies, H turned and moved, in the ramp and after it; equal up to fused products."""
    loads = assembled(pair, sea=sea)
    load = compiled_load(loads)
    random = np.random.default_rng(3)
    for t in (0.0, 2.0, 40.0):
        r = np.array([b.reference_point for b in pair.bodies]) + random.normal(size=(2, 3))
        R = Rotation.from_rotvec(0.3 * random.normal(size=(2, 3))).as_matrix()
        pose, x = (r, R, random.normal(size=(2, 6))), random.normal(size=loads.n_states)
        loads.evaluate(t, pose, x)
        found, rates = called(load, t, pose, x)
        np.testing.assert_allclose(found, loads.load, rtol=1e-13, atol=1e-13 * loads.load.max())
        np.testing.assert_allclose(rates, loads.derivatives, rtol=1e-13, atol=1e-13)
    np.testing.assert_array_equal(load.added_mass, loads.added_mass)
    assert np.abs(loads.excited).max() > 0.0 or sea.is_still


def test_what_needs_python_has_none(pair):
    following = SlowFrame(np.zeros(3), body=0, centre=np.zeros(2), period=100.0)
    assert compiled_load(assembled(pair, frame=following)) is None
    convolution = RadiationOptions(method="convolution")
    assert compiled_load(assembled(pair, radiation=convolution)) is None
