"""The numeric linear system against the symbolic one, which shares no code with it."""

import numpy as np
import pytest

from cosim.analysis.linear import linearise
from cosim.model import System
from cosim.multibody.joint.model import JointModel
from cosim.multibody.joint.symbolic.equations import derive
from cosim.multibody.joint.symbolic.linear import linearise as linearise_symbols

PIN = {"type": "revolute", "axis": [0, 1, 0]}
CART = {
    "bodies": {
        "cart": {"mass": 2.0, "cog": [0, 0, 0], "inertia": [1, 1, 1]},
        "rod": {"mass": 1.0, "cog": [0, 0, -0.5], "inertia": [0.1, 0.1, 0.05]},
        "tip": {"mass": 0.7, "cog": [0.1, 0, -1.4], "inertia": [0.06, 0.07, 0.05]},
    },
    "joints": {
        "rail": {"type": "prismatic", "child": "cart", "at": [0, 0, 0], "axis": [1, 0, 0]},
        "hip": {**PIN, "parent": "cart", "child": "rod", "at": [0, 0, 0]},
        "knee": {**PIN, "parent": "rod", "child": "tip", "at": [0, 0, -1]},
    },
    "elements": {
        "spring": {"type": "joint", "joint": "knee", "stiffness": 12.0, "damping": 0.4},
        "tie": {
            "type": "tension",
            "points": ["earth/wall", "tip"],
            "stiffness": 30.0,
            "damping": 0.9,
        },
    },
    "earth_points": {"wall": [1.5, 0, -0.8]},
}
TOP = {
    "bodies": {"top": {"mass": 1.5, "cog": [0.02, 0, 0.3], "inertia": [0.02, 0.025, 0.03]}},
    "joints": {"tip": {"type": "spherical", "child": "top", "at": [0, 0, 0]}},
}


@pytest.mark.parametrize("moves", [False, True], ids=["at rest", "moving"])
@pytest.mark.parametrize("description", [CART, TOP], ids=["cart", "top"])
def test_matrices_agree(description, moves):
    system = System.from_dict(description)
    model = JointModel(system)
    random = np.random.default_rng(5)
    q, _ = model.initial()
    q = model.retract(q, 0.4 * random.normal(size=model.nu))
    u = random.normal(size=model.nu) if moves else np.zeros(model.nu)
    equations = derive(system)
    state = dict(zip(equations.kin.q, q.tolist(), strict=True))
    if moves:
        state |= dict(zip(equations.kin.u, u.tolist(), strict=True))
    symbols = linearise_symbols(equations, state)
    numeric = linearise(model, {}, q, u if moves else None)
    exact = symbols.evaluate()
    for found, expected in zip((numeric.M, numeric.C, numeric.K), exact, strict=True):
        scale = max(np.abs(expected).max(), 1.0)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * scale)
    drift = np.array(symbols.N.evalf(), dtype=float)
    np.testing.assert_allclose(numeric.N, drift, rtol=0, atol=1e-12)
