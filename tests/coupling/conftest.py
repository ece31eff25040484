import numpy as np
import pytest

from cosim.coupling.template import TemplateInterface
from cosim.model.system import System
from cosim.multibody.joint import JointModel


class Given(TemplateInterface):
    """Loads and added mass as functions of the state."""

    def __init__(self, model, name, bodies, load, mass=lambda state: None):
        super().__init__(model, name, self.Options())
        self.bodies = tuple(bodies)
        self._functions = load, mass
        self.ended = 0

    def initialize(self, t0, state):
        pass

    def update(self, t, state, x):
        load, mass = self._functions
        self._load, self._mass = load(state), mass(state)

    def forces(self):
        return self._load

    def added_mass(self):
        return self._mass

    def end(self):
        self.ended += 1


@pytest.fixture
def given():
    return Given


@pytest.fixture
def hinged():
    """Two free bodies joined by a hinge, without gravity."""
    return JointModel(
        System.from_dict(
            {
                "environment": {"gravity": 0.0},
                "bodies": {
                    "a": {"mass": 2.0, "cog": [0, 0, 0], "inertia": [1.0, 1.5, 2.0]},
                    "b": {"mass": 1.0, "cog": [1, 0, 0.2], "inertia": [0.5, 0.7, 0.6]},
                },
                "joints": {
                    "free": {"type": "floating", "child": "a"},
                    "hinge": {
                        "type": "revolute",
                        "parent": "a",
                        "child": "b",
                        "at": [0.5, 0, 0.1],
                        "axis": [0.2, 1, 0.3],
                    },
                },
            }
        )
    )


@pytest.fixture
def moving(hinged):
    """(q, u) of the hinged bodies, well away from the reference."""
    q, _ = hinged.initial()
    rng = np.random.default_rng(3)
    return hinged.retract(q, rng.normal(size=hinged.nu)), rng.normal(size=hinged.nu)


@pytest.fixture
def added_mass():
    """A full, symmetric, positive definite (12, 12)."""
    A = np.random.default_rng(4).normal(size=(12, 12))
    return A @ A.T + 2.0 * np.eye(12)
