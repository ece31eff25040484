"""Pendulums in closed form. Published cases are in tests/verification, run from their files."""

import numpy as np
import pytest
from scipy.special import ellipj, ellipk, ellipkinc


def rod(z, *, mass=1.0, inertia=1.0):
    """A body hanging with its centre of gravity at height z; `inertia` about y."""
    return {"mass": mass, "cog": [0, 0, z], "inertia": [inertia] * 3}


def hinge(child, z, parent="earth"):
    return {
        "type": "revolute",
        "parent": parent,
        "child": child,
        "at": [0, 0, z],
        "axis": [0, 1, 0],
    }


def test_single_pendulum_against_elliptic_functions(trees, build):
    """theta = -2 asin(k sn(w0 t, k)) from theta' = -0.4 at the bottom."""
    model = build({"link": rod(-0.5)}, {"pin": hinge("link", 0.0)})
    w0 = np.sqrt(9.81 * 0.5 / 1.25)
    k = 0.4 / (2.0 * w0)
    assert 4.0 * ellipk(k * k) / w0 == pytest.approx(3.17999986093085585, abs=1e-13)
    times = np.array([1.0, 10.0, 30.0])
    qs, _ = trees.solve(model, *model.initial({"pin.angle_rate": -0.4}), times)
    exact = -2.0 * np.arcsin(k * ellipj(w0 * times, k * k)[0])
    np.testing.assert_allclose(qs[:, 0], exact, rtol=0.0, atol=1e-11)
    np.testing.assert_allclose(exact[:2], [-0.185929631478407, -0.159608119697401], atol=1e-13)


def test_pendulum_on_a_spherical_joint_swings_as_on_a_hinge(trees, build):
    """A quarter turn against the elliptic integral of the first kind."""
    body = {"mass": 2.0, "cog": [0.0, 0.0, -1.0], "inertia": [0.3, 0.2, 0.4]}
    model = build({"bob": body}, {"pin": {"type": "spherical", "child": "bob", "at": [0, 0, 0]}})
    amplitude = 1.2
    k = np.sin(0.5 * amplitude)
    frequency = np.sqrt(2.0 * 9.81 / (0.3 + 2.0))
    # from the amplitude to 0.4 rad
    t = (ellipk(k * k) - ellipkinc(np.arcsin(np.sin(0.2) / k), k * k)) / frequency
    q, u = model.initial({"pin.roll": amplitude})
    qs, us = trees.solve(model, q, u, np.array([t]))
    R = model.kinematics(0.0, qs[0], us[0]).R[0]
    assert np.arctan2(R[2, 1], R[2, 2]) == pytest.approx(0.4, abs=1e-11)
