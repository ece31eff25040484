"""The compiled driver against the same method with Python evaluations, and closed forms."""

import numpy as np
import pytest
from scipy.special import ellipj

from cosim.coupling.capabilities import Stepper
from cosim.coupling.manager import ExternalForcesManager
from cosim.coupling.template import TemplateInterface
from cosim.errors import CaseError, SolverError
from cosim.integrate.settings import TimeSettings
from cosim.integrate.simulation import Simulation
from cosim.model import System
from cosim.multibody.joint import JointModel


def chain(links, **more):
    """Rods of 2 m stretched out along x, hinged about y and z in turn."""
    bodies = {
        f"rod{i}": {"mass": 10.0, "cog": [2.0 * i + 1.0, 0, 0], "inertia": [0.1, 3.3, 3.3]}
        for i in range(links)
    }
    joints = {
        f"hinge{i}": {
            "type": "revolute",
            "parent": f"rod{i - 1}" if i else "earth",
            "child": f"rod{i}",
            "at": [2.0 * i, 0, 0],
            "axis": [[0, 1, 0], [0, 0, 1]][i % 2],
        }
        for i in range(links)
    }
    return JointModel(System.from_dict({"bodies": bodies, "joints": joints, **more}))


class Kept(list):
    record = list.append


def run(model, start=None, *, adapters=(), end=2.0, step=0.1, **settings):
    """Samples and summary of a run."""
    kept = Kept()
    with ExternalForcesManager(model) as manager:
        for adapter in adapters:
            manager.register(adapter)
        time = TimeSettings(end=end, **settings)
        summary = Simulation(manager, time, *model.initial(start)).run(kept, step)
    return kept, summary


TIGHT = {"rtol": 1e-8, "atol": 1e-8}
ELEMENTS = {
    "push": {"type": "force", "point": "rod2", "force": [0, "40*sin(3*t)", 0]},
    "brake": {"type": "joint", "joint": "hinge1", "damping": 5.0, "stiffness": 20.0},
}


def test_same_steps_as_with_python_evaluations():
    """Elements that depend on time and dissipate, the ledger, output between the steps."""
    model = chain(3, elements=ELEMENTS)
    ours, summary = run(model, method="compiled", **TIGHT)
    theirs, reference = run(model, method="DOP853", **TIGHT)
    assert (summary.steps, summary.rejected) == (reference.steps, reference.rejected)
    for a, b in zip(ours, theirs, strict=True):
        assert a.t == b.t
        np.testing.assert_allclose(a.q, b.q, rtol=0.0, atol=1e-12)
        np.testing.assert_allclose(a.u, b.u, rtol=0.0, atol=1e-11)
        np.testing.assert_allclose(a.v_dot, b.v_dot, rtol=0.0, atol=1e-9)
        for name in ("energy/kinetic", "ledger/work/elements", "ledger/exchanged"):
            assert a.scalars[name] == pytest.approx(b.scalars[name], rel=1e-10, abs=1e-10)


def test_ledger_balances():
    """The issue's tolerance at rtol 1e-8."""
    _, summary = run(chain(3, elements=ELEMENTS), method="compiled", **TIGHT)
    assert abs(summary.balance) <= 1e-6


def test_ledger_changes_nothing():
    model = chain(3, elements=ELEMENTS)
    kept = [run(model, method="compiled", ledger=ledger, **TIGHT)[0] for ledger in (True, False)]
    for a, b in zip(*kept, strict=True):
        np.testing.assert_array_equal(a.q, b.q)
        np.testing.assert_array_equal(a.u, b.u)


def test_pendulum_against_elliptic_functions():
    """Rods about y: one of them swings through the bottom."""
    model = chain(1)
    start = {"hinge0.angle_deg": 90.0, "hinge0.angle_rate": 1.0}
    kept, _ = run(model, start, method="compiled", end=5.0, rtol=1e-11, atol=1e-11)
    w0 = np.sqrt(10.0 * 9.81 / (3.3 + 10.0))
    k = 1.0 / (2.0 * w0)
    for sample in kept:
        exact = 2.0 * np.arcsin(k * ellipj(w0 * sample.t, k * k)[0])
        assert sample.q[0] - np.pi / 2.0 == pytest.approx(exact, abs=1e-9)


def test_a_long_chain_keeps_its_energy():
    kept, _ = run(chain(20), method="compiled", end=3.0, step=1.0, **TIGHT)
    energies = [s.scalars["energy/kinetic"] + s.scalars["energy/potential"] for s in kept]
    assert max(abs(e) for e in energies) <= 1e-6 * kept[-1].scalars["energy/kinetic"]


def test_divergence_ends_in_one_sentence():
    law = {"blow": {"type": "joint", "joint": "hinge0", "law": "1e3*v**3"}}
    model = chain(1, elements=law)
    with pytest.raises(SolverError, match=r"t = .*'rod0' moves fastest"):
        run(model, {"hinge0.angle_rate": 1.0}, method="compiled", **TIGHT)


class Nothing(TemplateInterface):
    """An adapter that does nothing but take part."""

    bodies = ("rod0",)

    def initialize(self, t0, state):
        """Nothing to start."""

    def forces(self):
        return np.zeros((1, 6))


def test_adapters_without_compiled_load_are_refused():
    model = chain(1)
    adapter = Nothing(model, "held", Nothing.Options())
    with pytest.raises(CaseError, match="compiled load of every adapter, and 'held' has none"):
        run(model, adapters=[adapter], method="compiled")


class Clocked(Nothing, Stepper):
    """A Stepper that does nothing."""

    max_step = 1.0

    def advance(self, motion):
        """Nothing to follow."""


def test_steppers_are_refused():
    model = chain(1)
    adapter = Clocked(model, "lines", Nothing.Options())
    how = {"scheme": "explicit", "communication_step": 0.1, "unchecked": True}
    with pytest.raises(CaseError, match="without Steppers, and adapter 'lines' is one; use RK45"):
        run(model, adapters=[adapter], method="compiled", **how)
