"""The contract suite over MoorDyn, in still water and in waves."""

import pytest

from adapters.moordyn.adapter import MoorDynAdapter
from cosim.multibody.joint import JointModel
from cosim.testing import AdapterContract, ContractCase

WAVES = {"type": "regular", "height": 4.0, "period": 9.0, "ramp": 0.0}


class TestMoorDyn(AdapterContract):
    @pytest.fixture(autouse=True, params=[{"type": "still"}, WAVES])
    def _mooring(self, request, make_adapter):
        self._adapter = make_adapter(environment={"waves": request.param})

    def case(self):
        assert isinstance(self._adapter, MoorDynAdapter)
        model = self._adapter.model
        assert isinstance(model, JointModel)
        return ContractCase(model, self._adapter, *model.initial())
