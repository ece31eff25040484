"""Adapters in the style of the paper, unchanged, planar and 3D (issue, point 4)."""

import numpy as np
import pytest

from cosim.coupling.manager import ExternalForcesManager
from cosim.coupling.paper import PaperAdapter
from cosim.errors import AdapterError, CaseError
from cosim.integrate.settings import TimeSettings
from cosim.integrate.simulation import Simulation
from cosim.model.system import System
from cosim.multibody.joint import JointModel

MASS, DAMPING = 2.0, 0.5


class PaperDamper:
    """Fifteen lines in the paper's style: a damper on the first translation, planar."""

    def __init__(self, mbd_sys, numericalValuesTuple, **kwargs):
        self.system = mbd_sys
        self.calls = kwargs.get("calls", [])
        self._cached_forces = np.zeros(3)

    def update(self, t, q, qd, mainNumVars):
        self.calls.append(t)
        self._cached_forces = np.array([-mainNumVars[0] * qd[0], 0.0, 0.0])

    def forces(self):
        return self._cached_forces

    def end(self):
        self.calls.append("end")


class PaperDamper3D(PaperDamper):
    def update(self, t, q, qd, mainNumVars):
        self.calls.append(t)
        self._cached_forces = np.array([-mainNumVars[0] * qd[0], 0, 0, 0, 0, 0])


class PaperCartList(PaperDamper):
    """The same force at a point (x, z), and its moment taken back by a pair of forces."""

    def update(self, t, q, qd, mainNumVars):
        self.calls.append(t)
        self._cached_forces = [(1, (-mainNumVars[0] * qd[0], 0.0), (q[0], q[1]))]


def planar_model():
    return JointModel(
        System.from_dict(
            {
                "environment": {"gravity": 0.0},
                "bodies": {"box": {"mass": MASS, "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
                "joints": {"p": {"type": "planar", "child": "box", "at": [0, 0, 0], "plane": "xz"}},
            }
        )
    )


def floating_model():
    return JointModel(
        System.from_dict(
            {
                "environment": {"gravity": 0.0},
                "bodies": {"box": {"mass": MASS, "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
                "joints": {"free": {"type": "floating", "child": "box"}},
            }
        )
    )


class Memory(list):
    def record(self, sample):
        self.append(sample)


def run(model, cls, **settings):
    calls, memory = [], Memory()
    q, u = model.initial()
    u[0] = 1.0
    with ExternalForcesManager(model) as manager:
        manager.register(PaperAdapter(cls, (DAMPING,), model=model, name="damper", calls=calls))
        Simulation(manager, TimeSettings(end=2.0, **settings), q, u).run(memory, 0.5)
    return memory, calls


@pytest.mark.parametrize(
    ("model", "cls"),
    [
        (planar_model, PaperDamper),
        (floating_model, PaperDamper3D),
        (floating_model, PaperCartList),
    ],
)
def test_a_damper_slows_the_body_down(model, cls):
    """u = exp(-c t / m), to the third order of explicit coupling; one call per step."""
    H = 0.05
    settings = {"scheme": "explicit", "unchecked": True, "communication_step": H}
    memory, calls = run(model(), cls, **settings)
    assert calls[-1] == "end"
    assert calls[:-1] == pytest.approx(H * np.arange(41), abs=1e-12)
    # the first steps have no past: order 1 and 2
    assert memory[-1].u[0] == pytest.approx(np.exp(-DAMPING * 2.0 / MASS), rel=1e-3)


def test_it_runs_in_explicit_only():
    with pytest.raises(CaseError, match="'damper' cannot be restored; use scheme: explicit"):
        run(planar_model(), PaperDamper, scheme="iterated", communication_step=0.1)


def test_planar_loads_are_fx_fz_my():
    class Loads(PaperDamper):
        def forces(self):
            return np.array([1.0, 2.0, 3.0])

    model = planar_model()
    manager = ExternalForcesManager(model)
    manager.register(PaperAdapter(Loads, (0.0,), model=model, name="loads"))
    manager.initialize(0.0, *model.initial())
    Q, mass = manager.generalized_forces(0.0, *model.initial())
    assert pytest.approx([1.0, 2.0, 3.0]) == Q
    assert mass is None


@pytest.mark.parametrize(
    ("loads", "message"),
    [
        (np.zeros(4), r"forces\(\) has 4 components; 1 bodies need 3 \(planar Fx, Fz, My\) or 6"),
        ([(2, (0.0, 0.0), None)], "names body 2; bodies are counted 1 to 1"),
    ],
)
def test_wrong_loads_are_refused(loads, message):
    class Loads(PaperDamper):
        def forces(self):
            return loads

    model = planar_model()
    manager = ExternalForcesManager(model)
    manager.register(PaperAdapter(Loads, (0.0,), model=model, name="loads"))
    with pytest.raises(AdapterError, match=message):
        manager.initialize(0.0, *model.initial())
