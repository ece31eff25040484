"""The contract suite over hydrodynamic databases: turned and in waves, and of two bodies."""

from pathlib import Path

import pytest

import cosim
from cosim.case.build import build
from cosim.testing import AdapterContract, ContractCase

ROOT = Path(__file__).parents[3]
WAVES = {"type": "regular", "height": 2.0, "period": 7.0, "ramp": 0.0}
BOX = {
    "environment": {"gravity": 9.81, "water_density": 1025.0, "waves": WAVES},
    "bodies": {"box": {"mass": 2.05e6, "cog": [0, 0, -1], "inertia": [8.5e7, 8.5e7, 1.4e8]}},
    "joints": {"free": {"type": "floating", "child": "box"}},
    "adapters": {
        "hydro": {
            "type": "capytaine",
            "bodies": ["box"],
            "database": str(ROOT / "tests" / "verification" / "data" / "box.nc"),
            "frame": {"yaw_deg": 30.0},
        }
    },
    "time": {"end": 1},
}


class TestHydrodynamics(AdapterContract):
    @pytest.fixture(autouse=True, params=["turned, in waves", "two bodies, still"])
    def _described(self, request):
        if request.param.startswith("two"):
            self._case = cosim.read_case(ROOT / "cases" / "rm3" / "decay.yaml")
        else:
            self._case = cosim.Case.from_dict(BOX)

    def case(self):
        assembly = build(self._case)
        return ContractCase(assembly.model, assembly.adapters["hydro"], *assembly.model.initial())
