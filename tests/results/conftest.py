import numpy as np
import pytest

from cosim.coupling.capabilities import Shape
from cosim.coupling.template import Channel
from cosim.integrate.sample import Sample
from cosim.model.system import System
from cosim.multibody.joint.model import JointModel
from cosim.results.layout import Layout
from cosim.results.sink import Constants

SYSTEM = {
    "environment": {
        "water_depth": 50,
        "waves": {"type": "regular", "height": 2, "period": 8, "ramp": 0},
    },
    "bodies": {
        "spar": {
            "mass": 1000,
            "cog": [0, 0, -5],
            "inertia": [800, 900, 400],
            "points": {"deck": [1, 0, 5]},
        },
        "arm": {"mass": 100, "cog": [3, 0, -5], "inertia": [10, 40, 50]},
    },
    "joints": {
        "free": {"type": "floating", "child": "spar"},
        "hinge": {
            "type": "revolute",
            "parent": "spar",
            "child": "arm",
            "at": [1, 0, -5],
            "axis": [0, 1, 0],
        },
    },
}


@pytest.fixture(scope="session")
def model():
    return JointModel(System.from_dict(SYSTEM))


@pytest.fixture(scope="session")
def probe(model):
    return JointModel(model.system)


@pytest.fixture(scope="session")
def layout(model):
    channels = {
        "lines": [Channel("tension_1", "N", "Tension", point="fairlead")],
        "push": [],
    }
    bodies = {"lines": ("spar",), "push": ("arm", "spar")}
    return Layout(model, bodies, channels, points=["spar/deck"])


@pytest.fixture(scope="session")
def samples(model):
    """A tumbling pair of bodies under two steady loads; exact equations at each sample."""
    q, u = model.initial({"free.yaw_deg": 20, "free.pitch_rate": 0.3, "hinge.angle_rate": -0.5})
    g = np.zeros((2, 6))
    g[0] = [100, 20, 5000, 10, 0, 5]
    g[1] = [0, 50, 300, 0, 20, 0]
    dt = 0.01
    found = []
    for k in range(40):
        state = model.kinematics(k * dt, q, u).copy()
        _, v_dot = model.accelerations(model.project(g))
        found.append(
            Sample(
                t=k * dt,
                q=q.copy(),
                u=u.copy(),
                state=state,
                v_dot=v_dot.copy(),
                loads={"lines": g[:1] * 0.25, "push": np.array([g[1], 0.75 * g[0]])},
                outputs={"lines": np.array([1000.0 + k])},
                scalars={"residual": 1e-14, "ledger/work/push": float(k)},
                shapes={"lines": [Shape("line1", "line", np.full((5, 3), float(k)))]},
            )
        )
        q, u = model.step(k * dt, dt, q, u, lambda t, state: (g, None))
    return found


@pytest.fixture
def constants():
    return Constants(
        attributes={"title": "two bodies"},
        arrays={"wave_omega": (("wave",), np.array([0.5, 0.7]), {"units": "rad/s"})},
        texts={"case_text": "case: 1\n# µ\n"},
    )
