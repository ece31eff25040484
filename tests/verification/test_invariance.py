"""What must not matter: order and names of bodies, and the heading of the whole model.

Tolerances (of each channel's maximum, fixed step, same radiation fit, no Steppers): 1e-10 for
order and names, 1e-9 for the whole database used at 37 degrees.
"""

import numpy as np
import pytest

import cosim

FIXED = {"end": 20.0, "method": "RK4", "step": 0.05}


def test_order_and_names_of_bodies_do_not_matter(rm3):
    waves = {"type": "regular", "height": 1.0, "period": 7.0, "ramp": 10.0}
    changes = {"environment": {"waves": waves}, "time": FIXED}
    plain = cosim.run(rm3({"float": "float", "spar": "spar"}, ["float", "spar"], changes))
    other = cosim.run(rm3({"float": "zebra", "spar": "ant"}, ["spar", "float"], changes))
    for ours, theirs in (("float", "zebra"), ("spar", "ant")):
        for channel in ("position", "velocity", "acceleration", "attitude_deg"):
            a = plain[channel].sel(body=ours).values
            b = other[channel].sel(body=theirs).values
            # components that symmetry keeps at zero are measured by their vector
            assert np.max(np.abs(a - b)) <= 1e-10 * np.max(np.abs(a)), (ours, channel)


@pytest.mark.parametrize("yaw_deg", [37.0, 90.0, -163.0])
def test_the_whole_model_may_lie_at_any_heading(box, yaw_deg):
    def lying(yaw_deg):
        waves = {"hs": 1.0, "heading_deg": 20.0 + yaw_deg, "components": 40, "seed": 2, "ramp": 5.0}
        changes = {"environment": {"waves": waves}, "time": FIXED}
        return cosim.run(box(changes, yaw_deg)).sel(body="box")

    straight, turned = lying(0.0), lying(yaw_deg)
    angle = np.radians(yaw_deg)
    c, s = np.cos(angle), np.sin(angle)
    back = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    for channel in ("position", "velocity", "acceleration", "angular_velocity"):
        a = straight[channel].values
        b = turned[channel].values @ back.T
        assert np.max(np.abs(a - b)) <= 1e-9 * np.max(np.abs(a)), channel
