from dataclasses import dataclass, field

import numpy as np
import pytest

from cosim.coupling.manager import ExternalForcesManager
from cosim.integrate.settings import TimeSettings
from cosim.integrate.simulation import Simulation
from cosim.model.system import System
from cosim.multibody.joint import JointModel
from cosim.testing import AttachedMass


@dataclass
class Memory:
    """Keeps samples."""

    samples: list = field(default_factory=list)

    def record(self, sample):
        self.samples.append(sample)

    def __getattr__(self, name):
        return np.array([getattr(s, name) for s in self.samples])

    def scalar(self, name):
        return np.array([s.scalars[name] for s in self.samples])


def slider(mass=3.0, **parts):
    """A mass that slides along x, without gravity."""
    return JointModel(
        System.from_dict(
            {
                "environment": {"gravity": 0.0},
                "bodies": {"a": {"mass": mass, "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
                "joints": {
                    "s": {"type": "prismatic", "child": "a", "at": [0, 0, 0], "axis": [1, 0, 0]}
                },
                **parts,
            }
        )
    )


class RestingMass(AttachedMass):
    """An attached mass that starts at rest in the world."""

    def initialize(self, t0, state):
        super().initialize(t0, state)
        self._z[1] = 0.0
        self._set_force(state)


def attached(model, *, mass=1.0, stiffness=4.0, damping=0.3, name="mock"):
    options = AttachedMass.Options(body="a", mass=mass, stiffness=stiffness, damping=damping)
    return RestingMass(model, name, options)


@pytest.fixture
def simulate():
    """Run adapters on a model; returns the memory and the summary."""

    def run(model, adapters, *, start=None, output=0.5, prepare=None, **settings):
        memory = Memory()
        with ExternalForcesManager(model) as manager:
            for adapter in adapters:
                manager.register(adapter)
            q, u = model.initial(start or {})
            simulation = Simulation(manager, TimeSettings(**settings), q, u)
            if prepare is not None:
                prepare(simulation, memory)
            summary = simulation.run(memory, output)
        return memory, summary

    return run


@pytest.fixture
def make_slider():
    return slider


@pytest.fixture
def make_attached():
    return attached
