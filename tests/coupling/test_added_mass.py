"""Added mass in the equations: published corrections and what leaving them out costs.

Design 4: the B' term (without it 8 % of the energy of two hinged bodies in 10 s) and the
term of a turning added mass (without it 2000 %). Tolerances: issue, "Added mass".
"""

import numpy as np
import pytest

from cosim.coupling.manager import ExternalForcesManager
from cosim.errors import SolverError
from cosim.integrate.settings import TimeSettings
from cosim.integrate.simulation import Simulation
from cosim.model.system import System
from cosim.multibody.joint import JointModel


class Memory(list):
    def record(self, sample):
        self.append(sample)


def run(model, adapter, q, u, end, output=0.1, **settings):
    memory = Memory()
    settings = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13} | settings
    with ExternalForcesManager(model) as manager:
        manager.register(adapter)
        Simulation(manager, TimeSettings(end=end, **settings), q, u).run(memory, output)
    return memory


def test_constant_added_mass_of_five_masses_on_a_spring(given):
    """Period 2 pi sqrt(6 m / k) within 1e-6."""
    model = JointModel(
        System.from_dict(
            {
                "environment": {"gravity": 0.0},
                "bodies": {"a": {"mass": 2.0, "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
                "joints": {
                    "s": {"type": "prismatic", "child": "a", "at": [0, 0, 0], "axis": [0, 0, 1]}
                },
                "elements": {"k": {"type": "joint", "joint": "s", "stiffness": 3.0}},
            }
        )
    )
    mass = 10.0 * np.eye(6)
    adapter = given(model, "water", ("a",), lambda s: np.zeros((1, 6)), lambda s: mass)
    period = 2.0 * np.pi * np.sqrt(12.0 / 3.0)
    samples = run(
        model, adapter, *model.initial({"s.position": 1.0}), end=10 * period, output=period
    )
    # after ten periods: back at the crest; a period off by e moves the phase by 20 pi e
    phase = np.arctan2(-samples[-1].u[0] * period / (2.0 * np.pi), samples[-1].q[0])
    assert abs(phase) / (20.0 * np.pi) < 1e-6


def blocks(R):
    T = np.zeros((12, 12))
    for i in range(4):
        T[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = R[i // 2]
    return T


def rates(v):
    S = np.zeros((12, 12))
    for i in range(4):
        x, y, z = v[i // 2, 3:]
        S[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    return S


def total_energy(samples, mass):
    return np.array(
        [
            s.scalars["energy/kinetic"]
            + 0.5 * s.state.v.ravel() @ mass(s.state) @ s.state.v.ravel()
            for s in samples
        ]
    )


@pytest.mark.parametrize("turning", [False, True])
def test_energy_of_hinged_bodies_with_full_added_mass(
    hinged, given, moving, added_mass, turning, monkeypatch
):
    """Energy to 1e-9 over 10 s; the losses without either correction."""

    def mass(state):
        T = blocks(state.R) if turning else np.eye(12)
        M = T @ added_mass @ T.T
        return 0.5 * (M + M.T)

    def load(state, correct=True):
        if not (turning and correct):
            return np.zeros((2, 6))
        S, M = rates(state.v), mass(state)
        return (-0.5 * (S @ M - M @ S) @ state.v.ravel()).reshape(2, 6)

    def drift(load):
        adapter = given(hinged, "water", ("a", "b"), load, mass)
        try:
            samples = run(hinged, adapter, *moving, end=10.0)
        except SolverError:  # the energy gained ends the run
            return np.inf
        energy = total_energy(samples, mass)
        return np.abs(energy / energy[0] - 1.0).max()

    assert drift(load) < 1e-9
    if turning:
        assert drift(lambda state: load(state, correct=False)) > 0.05
    monkeypatch.setattr("cosim.coupling.evaluation.subtract_bias", lambda *a: None)
    assert drift(load) > 0.01


def test_ledger_knows_the_energy_stored_in_added_mass(hinged, given, moving, added_mass):
    """Work of a constant added mass is minus the change of v M_a v / 2."""
    adapter = given(hinged, "water", ("a", "b"), lambda s: np.zeros((2, 6)), lambda s: added_mass)
    samples = run(hinged, adapter, *moving, end=3.0)
    stored = [0.5 * s.state.v.ravel() @ added_mass @ s.state.v.ravel() for s in samples]
    work = [s.scalars["ledger/work/water"] for s in samples]
    assert np.array(work) == pytest.approx(stored[0] - np.array(stored), abs=1e-9 * stored[0])
