import numpy as np
import pytest
import xarray as xr

from cosim.results.drawing import Member
from cosim.results.memory import MemorySink
from cosim.results.provenance import provenance
from cosim.results.recorder import Instants, ResultRecorder

# a machine without a graphics card or a screen draws WebGL by software
OPTIONS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


@pytest.fixture(scope="session")
def space_run(layout, probe, samples):
    """Two bodies that tumble in waves, one of them drawn, with a line."""
    sink = MemorySink()
    drawing = {"spar": [Member(from_=(0, 0, -10), to="deck", diameter=3)]}
    constants = provenance(layout.model.system, title="Two bodies <in waves>", drawing=drawing)
    instants = Instants(0.0, 0.39, 0.01, shape_step=0.05)
    with ResultRecorder(layout, probe, [sink], instants, constants=constants) as recorder:
        for sample in samples:
            recorder.record(sample)
    return sink.dataset()


@pytest.fixture(scope="session")
def planar_run():
    """A pendulum of 1 m that turns about y with 1 rad/s, a coil spring on its tip."""
    t = np.linspace(0.0, 3.0, 61)
    zero = np.zeros_like(t)
    r = np.stack([-np.sin(t), zero, -np.cos(t)], axis=-1)
    xyz, rpy = ["x", "y", "z"], ["roll", "pitch", "yaw"]
    return xr.Dataset(
        {
            "position": (("time", "body", "xyz"), r[:, None]),
            "attitude_deg": (
                ("time", "body", "rpy"),
                np.degrees(np.stack([zero, t, zero], axis=-1))[:, None],
            ),
            "joint_rotation_deg": (
                ("time", "rotation"),
                np.degrees(t)[:, None],
                {"units": "degree"},
            ),
            "reference_position": (("body", "xyz"), [[0.0, 0.0, -1.0]]),
            "joint_location": (("joint", "xyz"), [[0.0, 0.0, 0.0]]),
            "joint_axis": (("joint", "xyz"), [[0.0, 1.0, 0.0]]),
            "joint_type": (("joint",), np.array(["revolute"], dtype=object)),
            "joint_parent": (("joint",), np.array(["earth"], dtype=object)),
            "joint_child": (("joint",), np.array(["bob"], dtype=object)),
            "spring_name": (("spring",), np.array(["coil"], dtype=object)),
            "spring_body": (("spring", "end"), [[-1, 0]]),
            "spring_place": (("spring", "end", "xyz"), [[[1.0, 0, 0], [0, 0, 0]]]),
            "spring_rope": (("spring",), [0]),
        },
        coords={
            "time": t,
            "body": ["bob"],
            "joint": ["hinge"],
            "rotation": ["hinge.angle"],
            "xyz": xyz,
            "rpy": rpy,
        },
        attrs={"title": "Pendulum", "water_depth": "inf"},
    )


@pytest.fixture(scope="session")
def browser(browser_path):
    """A browser without a window."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs the extra 'test'")
    with sync_api.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=browser_path, args=OPTIONS)
        yield started
        started.close()
