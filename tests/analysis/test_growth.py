"""What grows from an equilibrium, against closed forms."""

import numpy as np
import pytest

from cosim.analysis.growth import growing
from cosim.analysis.linear import linearise
from cosim.model import System
from cosim.multibody.joint.model import JointModel


def rod(height):
    """A rod on a hinge, its centre of gravity at a height above it."""
    return JointModel(
        System.from_dict(
            {
                "bodies": {
                    "rod": {"mass": 3.0, "cog": [0, 0, height], "inertia": [0.2, 0.25, 0.1]}
                },
                "joints": {
                    "pin": {"type": "revolute", "child": "rod", "at": [0, 0, 0], "axis": [0, 1, 0]}
                },
            }
        )
    )


def test_a_rod_on_end_falls_at_its_rate():
    model = rod(0.5)
    (growth,) = growing(linearise(model, {}, model.initial()[0]))
    # s² (I + m h²) = m g h
    expected = np.sqrt((0.25 + 3.0 * 0.5**2) / (3.0 * 9.81 * 0.5))
    assert growth.time == pytest.approx(expected, rel=1e-6)
    assert growth.name == "pin.angle"


@pytest.mark.parametrize("height", [-0.5, 0.0])
def test_hanging_and_free_directions_do_not_grow(height):
    model = rod(height)
    assert growing(linearise(model, {}, model.initial()[0])) == []
