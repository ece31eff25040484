import numpy as np

from cosim.coupling.capabilities import ContinuousStates, Restorable
from cosim.coupling.paper import PaperAdapter
from cosim.coupling.template import TemplateInterface
from cosim.model.system import System
from cosim.multibody.joint import JointModel
from cosim.testing import AdapterContract, AttachedMass, ContractCase, LaggingMass


def floating_model():
    return JointModel(
        System.from_dict(
            {
                "environment": {"gravity": 0.0},
                "bodies": {"a": {"mass": 3.0, "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
                "joints": {"free": {"type": "floating", "child": "a"}},
            }
        )
    )


class Filter(TemplateInterface, ContinuousStates, Restorable):
    """A drag that follows a filtered velocity and counts accepted points."""

    n_states = 3

    def __init__(self, model, name):
        super().__init__(model, name, self.Options())
        self.bodies = ("a",)
        self._accepted = 0

    def initialize(self, t0, state):
        self._accepted = 0

    def initial_states(self, t0, state):
        return state.v[0, :3].copy()

    def state_scales(self):
        return np.ones(3)

    def update(self, t, state, x):
        self._load = np.zeros((1, 6))
        self._load[0, :3] = -(1.0 + self._accepted) * x
        self._rate = state.v[0, :3] - x

    def forces(self):
        return self._load

    def derivatives(self):
        return self._rate

    def accept(self, t, state, x):
        self._accepted += 1

    def save_state(self):
        return bytes([self._accepted]) * 16

    def restore_state(self, state):
        if len(state) != 16:
            from cosim.errors import AdapterError

            raise AdapterError("not a state", adapter=self.name)
        self._accepted = state[0]


class TestAttachedMass(AdapterContract):
    def case(self):
        model = floating_model()
        options = AttachedMass.Options(body="a", mass=1.0, stiffness=4.0, damping=0.3)
        return ContractCase(model, AttachedMass(model, "attached", options), *model.initial())


class TestLaggingMass(AdapterContract):
    def case(self):
        model = floating_model()
        adapter = LaggingMass(model, "lagging", LaggingMass.Options(body="a", mass=1.0))
        return ContractCase(model, adapter, *model.initial())


class TestFilter(AdapterContract):
    def case(self):
        model = floating_model()
        return ContractCase(model, Filter(model, "filter"), *model.initial())


class Drag:
    def __init__(self, model, values):
        self.c = values["c"]

    def update(self, t, q, qd, values):
        self.load = np.concatenate([-self.c * qd[:3], np.zeros(3)])

    def forces(self):
        return self.load


class TestPaperAdapter(AdapterContract):
    def case(self):
        model = floating_model()
        adapter = PaperAdapter(Drag, {"c": 2.0}, model=model, name="drag")
        return ContractCase(model, adapter, *model.initial())
