"""A solver with its own clock by its dynamic impedance, against the whole system."""

import numpy as np
import pytest

import cosim
from cosim.case.modes import case_modes
from cosim.coupling.capabilities import StaticLoads, Stepper
from cosim.coupling.template import TemplateInterface
from cosim.errors import AdapterError
from cosim.testing import AttachedMass

BODY, SPRING = 3.0, 20.0
MASS, STIFFNESS, DAMPING = 0.6, 30.0, 0.3


class Attached(AttachedMass, StaticLoads):
    """A mass on a spring below body 'a', which is at rest where the body is."""

    def static_forces(self, state):
        return np.zeros((1, 6))


class Stuck(TemplateInterface, Stepper, StaticLoads):
    """A solver that cannot go back."""

    class Options(TemplateInterface.Options, extra="allow"):
        body: str

    max_step = np.inf

    def __init__(self, model, name, options):
        super().__init__(model, name, options)
        self.bodies = (options.body,)

    def initialize(self, t0, state): ...

    def advance(self, motion): ...

    def forces(self):
        return np.zeros((1, 6))

    def static_forces(self, state):
        return np.zeros((1, 6))


def case_with(kind="attached"):
    return cosim.Case.from_dict(
        {
            "environment": {"gravity": 0.0},
            "bodies": {"a": {"mass": BODY, "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
            "joints": {
                "s": {"type": "prismatic", "child": "a", "at": [0, 0, 0], "axis": [1, 0, 0]}
            },
            "elements": {"k": {"type": "joint", "joint": "s", "stiffness": SPRING}},
            "adapters": {
                "other": {
                    "type": kind,
                    "body": "a",
                    "mass": MASS,
                    "stiffness": STIFFNESS,
                    "damping": DAMPING,
                }
            },
            "time": {"end": 1},
        }
    )


def slow_root():
    """Root of the two masses in which they move together."""
    M = np.diag([BODY, MASS])
    step = np.array([[1.0, -1.0], [-1.0, 1.0]])
    K, C = np.diag([SPRING, 0.0]) + STIFFNESS * step, DAMPING * step
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    values = np.linalg.eigvals(A)
    return min(values[values.imag > 0.0], key=abs)


def test_mode_with_a_mass_in_another_solver():
    """What is measured at one frequency is exact there; the damping sees how it goes on.

    The apparent mass m / (1 - w^2 m / k) is taken for its change with w^2: an error of the
    damping of about its difference from m / (1 - w^2 m / k)^2 relative to all mass, 0.02.
    """
    found = case_modes(case_with(), types={"attached": Attached})
    (mode,) = found.modes
    exact = slow_root()
    assert abs(mode.value - exact) < 2e-5 * abs(exact)
    assert mode.damping_ratio == pytest.approx(-exact.real / abs(exact), rel=0.03)
    (told,) = found.system.contributions
    assert told.manner == "impedance"
    assert told.error < 1e-3


def test_rest_alone_leaves_the_mass_out():
    found = case_modes(case_with(), static=True, types={"attached": Attached})
    assert found.modes[0].value.imag == pytest.approx(np.sqrt(SPRING / BODY), rel=1e-12)
    assert found.system.contributions[0].manner == "static"


def test_a_solver_that_cannot_go_back_is_named():
    with pytest.raises(AdapterError, match=r"'other': it cannot go back .* stiffness at rest"):
        case_modes(case_with("stuck"), types={"stuck": Stuck})
    found = case_modes(case_with("stuck"), static=True, types={"stuck": Stuck})
    assert found.modes[0].value.imag == pytest.approx(np.sqrt(SPRING / BODY), rel=1e-12)
