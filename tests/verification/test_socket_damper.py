"""A damper at the other end of a socket: the decay of a cart on a spring in closed form.

Tolerance: 1e-8 of the release, a hundred times the relative tolerance of the case.
"""

from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import cosim

CASE = Path(__file__).parents[2] / "cases" / "socket_damper" / "case.yaml"
INLINE = ("adapters.damper.launch=null", "adapters.damper.inline=damper.py:Damper")
TCP = ("adapters.damper.transport=tcp",)


@pytest.fixture(scope="module")
def inline():
    return cosim.run(cosim.read_case(CASE, INLINE))


def test_decay_in_closed_form(inline):
    mass, stiffness, damping, release = 100.0, 400.0, 40.0, 0.5
    rate = damping / (2.0 * mass)
    omega = np.sqrt(stiffness / mass - rate**2)
    t = inline.time.values
    exact = release * np.exp(-rate * t) * (np.cos(omega * t) + rate / omega * np.sin(omega * t))
    x = inline.joint_translation.sel(translation="rail.position").values
    np.testing.assert_allclose(x, exact, rtol=0.0, atol=1e-8 * release)


def test_power_is_what_the_cart_loses(inline):
    energy = inline["energy/kinetic"] + inline["energy/potential"]
    lost = energy[0] - energy[-1]
    assert -inline["ledger/work/damper"][-1] == pytest.approx(float(lost), rel=1e-8)
    assert inline["damper/power"].attrs["units"] == "W"


@pytest.mark.parametrize("way", [(), TCP], ids=["ipc", "tcp"])
def test_a_program_gives_the_same_bits(inline, way):
    launched = cosim.run(cosim.read_case(CASE, way))
    same = [name for name in inline.data_vars if name != "case_text"]
    xr.testing.assert_equal(inline[same], launched[same])
