"""Equilibrium of systems with closed-form answers."""

import numpy as np
import pytest

from cosim.analysis.equilibrium import find_equilibrium
from cosim.coupling.capabilities import StaticLoads
from cosim.coupling.template import TemplateInterface
from cosim.errors import AdapterError, EquilibriumError
from cosim.model import System
from cosim.multibody.joint.model import JointModel


def hanging_mass(**changes):
    """Mass below two inclined springs; symmetric, so that only heave is loaded."""
    data = {
        "environment": {"gravity": 9.81},
        "bodies": {"mass": {"mass": 2.0, "cog": [0, 0, -1.0], "inertia": [1, 1, 1]}},
        "joints": {"slide": {"type": "planar", "child": "mass", "at": [0, 0, -1.0]}},
        "earth_points": {"left": [-1, 0, 0], "right": [1, 0, 0]},
        "elements": {
            "a": {"type": "tension", "points": ["earth/left", "mass"], "stiffness": 50.0},
            "b": {"type": "tension", "points": ["earth/right", "mass"], "stiffness": 50.0},
        },
    }
    data.update(changes)
    return JointModel(System.from_dict(data))


def test_heave_of_a_mass_between_two_inclined_springs():
    model = hanging_mass()
    q, _ = model.initial()
    found = find_equilibrium(model, {}, q)
    z = -1.0 + found.q[1]
    length, rest = np.hypot(1.0, z), np.sqrt(2.0)
    # 2 k (L - L0) |z| / L = m g
    assert 100.0 * (length - rest) * -z / length == pytest.approx(2.0 * 9.81, rel=1e-9)
    assert found.q[0] == pytest.approx(0.0, abs=1e-12)


def test_directions_without_stiffness_are_named_and_held():
    found = find_equilibrium(hanging_mass(), {}, hanging_mass().initial()[0])
    assert found.held == ("slide.angle",)
    assert found.q[2] == 0.0


def test_load_without_stiffness_is_refused_with_its_source():
    model = hanging_mass(elements={})
    with pytest.raises(EquilibriumError, match=r"'slide\.z' carries -19\.62 N.*weight and elem"):
        find_equilibrium(model, {}, model.initial()[0])


def test_pendulum_with_torque_hangs_at_the_closed_form_angle():
    system = System.from_dict(
        {
            "bodies": {"rod": {"mass": 3.0, "cog": [0, 0, -0.5], "inertia": [1, 1, 1]}},
            "joints": {
                "pin": {"type": "revolute", "child": "rod", "at": [0, 0, 0], "axis": [0, 1, 0]}
            },
            "elements": {"motor": {"type": "joint", "joint": "pin", "preload": 7.0}},
        }
    )
    model = JointModel(system)
    found = find_equilibrium(model, {}, model.initial()[0])
    # preload = m g l sin(angle)
    assert np.sin(found.q[0]) == pytest.approx(7.0 / (3.0 * 9.81 * 0.5), rel=1e-8)
    assert np.max(np.abs(found.residual)) < 1e-6


def test_search_from_far_away_converges_along_the_tangent_space():
    model = hanging_mass()
    q, _ = model.initial({"slide.z": -3.0, "slide.x": 0.4})
    near = find_equilibrium(model, {}, model.initial()[0])
    far = find_equilibrium(model, {}, q)
    np.testing.assert_allclose(far.q[:2], near.q[:2], atol=1e-7)


class Faulty(TemplateInterface, StaticLoads):
    """Its loads at rest are what the test says."""

    bodies = ("mass",)

    def __init__(self, model, load):
        super().__init__(model, "faulty", self.Options())
        self.load = load

    def initialize(self, t0, state): ...

    def update(self, t, state, x): ...

    def forces(self):
        return np.zeros((1, 6))

    def static_forces(self, state):
        return self.load()


@pytest.mark.parametrize(
    ("load", "text"),
    [
        (lambda: np.zeros(6), r"'faulty': static_forces\(\) has the shape \(6,\); 1 bodies need"),
        (lambda: 1 / 0, "'faulty': ZeroDivisionError"),
    ],
)
def test_mistakes_in_static_forces_name_the_adapter(load, text):
    model = hanging_mass()
    with pytest.raises(AdapterError, match=text):
        find_equilibrium(model, {"faulty": Faulty(model, load)}, model.initial()[0])


def test_a_law_without_value_is_named():
    model = hanging_mass(
        elements={
            "root": {"type": "joint", "joint": "slide", "coordinate": "x", "law": "sqrt(x-1)"}
        }
    )
    q, _ = model.initial()
    with pytest.raises(EquilibriumError, match="element 'root' has no value"):
        find_equilibrium(model, {}, q)
