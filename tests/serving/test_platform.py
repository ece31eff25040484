"""Another master moves our platform: spar, hydrodynamics and mooring behind one peer."""

from pathlib import Path

import numpy as np
import pytest

import cosim

ROOT = Path(__file__).parents[2]
SPAR = ROOT / "cases" / "oc3_spar" / "case.yaml"
PEER = f"""\
from cosim.case.read import read_case
from cosim.serving.case_peer import CasePeer

class Platform(CasePeer):
    def __init__(self):
        mass = ["bodies.spar.mass=8000000", "bodies.spar.inertia=[1.88e10, 1.88e10, 1.88e8]"]
        super().__init__(read_case({str(SPAR)!r}, mass), "spar")
"""


@pytest.mark.slow
def test_the_spar_on_a_body_of_a_hundredth_of_its_mass(tmp_path):
    """Equilibrium, waves and lines in the served case; order 2 in the step of the other."""
    (tmp_path / "platform.py").write_text(PEER)
    whole = cosim.run(cosim.read_case(SPAR, ["time.end=6"]))
    sea = cosim.read_case(SPAR).environment.model_dump()
    errors = []
    for step in (0.2, 0.1):
        upper = cosim.Case.from_dict(
            {
                "case": 1,
                "environment": sea,
                "bodies": {
                    "spar": {"mass": 66048, "cog": [0, 0, -78], "inertia": [1.3e8, 1.3e8, 1.1e6]}
                },
                "joints": {"free": {"type": "floating", "child": "spar"}},
                "adapters": {
                    "platform": {
                        "type": "zeromq",
                        "mode": "advance",
                        "bodies": ["spar"],
                        "settles": True,
                        "inline": "platform.py:Platform",
                    }
                },
                "time": {"end": 6, "communication_step": step},
                "output": {"step": 0.1},
            },
            folder=tmp_path,
        )
        results = cosim.run(upper)
        errors.append(float(abs(results["position"] - whole["position"]).max()))
    path = float(abs(whole["position"] - whole["position"][0]).max())
    # 1.1e-6 m of 4.5e-3 m
    assert errors[1] < 1e-3 * path
    # linear interpolation of loads is of order 2: measured 1.98
    assert np.log2(errors[0] / errors[1]) > 1.9
