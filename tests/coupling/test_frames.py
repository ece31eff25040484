"""Matrix loads in the horizontal frame H of an adapter."""

from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.case.build import build
from cosim.coupling import ExternalForcesManager
from cosim.errors import ModelError

BOX = Path(__file__).parents[1] / "verification" / "data" / "box.nc"


def box(axes, yaw_deg=0.0, **frame):
    """A box whose linear mooring is stiff along x and soft along y of its axes."""
    return cosim.Case.model_validate(
        {
            "environment": {"gravity": 9.81, "water_density": 1025},
            "bodies": {
                "box": {
                    "mass": 2050000.0,
                    "cog": [0, 0, -1],
                    "inertia": [8.5e7, 8.5e7, 1.4e8],
                    "attitude_deg": [0, 0, yaw_deg],
                }
            },
            "joints": {"free": {"type": "floating", "child": "box"}},
            "elements": {
                "mooring": {
                    "type": "matrix",
                    "body": "box",
                    "at": [0, 0, -1],
                    "axes": axes,
                    "stiffness": [4e5, 1e5, 0, 0, 0, 1e7],
                    "damping": [2e5, 1e5, 0, 0, 0, 1e7],
                }
            },
            "adapters": {
                "hydro": {
                    "type": "capytaine",
                    "bodies": ["box"],
                    "database": str(BOX),
                    "frame": {"yaw_deg": yaw_deg, **frame},
                }
            },
            "start": {"from": "reference", "set": {"box.surge": 1.0}},
            "time": {"end": 5.0, "method": "RK4", "step": 0.05},
            "output": {"step": 0.5},
        }
    )


def test_a_load_in_h_turns_with_the_database():
    """At 90 degrees a surge of 1 m in the world is a sway in H."""
    straight = cosim.run(box("hydro"))
    turned_case = box("hydro", 90.0)
    turned = cosim.run(turned_case)
    world = cosim.run(box("world", 90.0))
    first = {"time": 0}
    assert straight["element/mooring/force_x"].isel(first) == pytest.approx(-4e5)
    assert turned["element/mooring/force_x"].isel(first) == pytest.approx(-1e5)
    assert world["element/mooring/force_x"].isel(first) == pytest.approx(-4e5)


def test_statics_and_joint_loads_see_the_same_axes():
    case = box("hydro", 90.0)
    assembly = build(case)
    assert assembly.model.frames == ("hydro",)
    q, u = assembly.model.initial({"box.surge": 1.0})
    assembly.model.kinematics(0.0, q, u)
    acceleration, _ = assembly.model.accelerations(np.zeros(6))
    assert acceleration[0] == pytest.approx(-1e5 / 2050000.0)


def test_a_frame_that_follows_takes_the_load_along():
    """H starts under the body, which starts at a yaw of 90 degrees."""
    case = box("hydro", follow="slow", period=600.0)
    start = cosim.Start.model_validate(
        {"from": "reference", "set": {"box.surge": 1.0, "box.yaw_deg": 90.0}}
    )
    result = cosim.run(case.model_copy(update={"start": start}))
    assert result["element/mooring/force_x"].isel(time=0) == pytest.approx(-1e5)


def test_an_adapter_without_a_frame_is_refused():
    case = box("hydro")
    model = build(case).model
    with (
        ExternalForcesManager(model) as manager,
        pytest.raises(ModelError, match=r"axes: hydro.*frame"),
    ):
        manager.initialize(0.0, *model.initial())
