"""Complex response of moored bodies: time domain against frequency domain.

The frequency-domain side is written here from the coefficients alone,

    [-w^2 (M + A(w)) - i w (B(w) + C) + K] d = X(w) a,

so that the memory fit, the excitation sum, the frames and the signs of the time domain all
have to agree with it. Tolerance 1 % of max|RAO| at ten periods; the coupled surge-pitch case is
the one that a wrong sign of time cannot pass (digitalmodel issue 2147), and conjugating the
excitation must show.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import cosim
from cosim.analysis.equilibrium import find_equilibrium
from cosim.analysis.linear import linearise
from cosim.analysis.waves import wave_response
from cosim.case.build import build

DATA = Path(__file__).parent / "data"
CASES = Path(__file__).parents[2] / "cases"
SURGE, HEAVE, PITCH = 0, 2, 4
TEN = 10


@dataclass(frozen=True)
class Moored:
    """A body on a linear mooring with its range of wave periods, s."""

    name: str
    database: Path
    mass: float
    cog: tuple[float, float, float]
    inertia: tuple[float, float, float]
    depth: float
    gravity: float
    periods: tuple[float, float]
    pull: float
    stiffness: tuple[float, ...]
    damping: tuple[float, ...]
    end: float


# the linear mooring gives periods away from the waves and damping that ends the transient
SPAR = Moored(
    "spar",
    CASES / "oc3_spar" / "hydrodynamics.nc",
    8066048.0,
    (0.0, 0.0, -78.0),
    (1.893e10, 1.893e10, 1.891e8),
    320.0,
    9.80665,
    (5.0, 25.0),
    (8066048.0 - 1025.0 * 8029.21) * 9.80665,
    (1.6e5, 1.6e5, 0.0, 0.0, 0.0, 1.1e8),
    (6e5, 6e5, 4e5, 2e9, 2e9, 3e7),
    900.0,
)
BOX = Moored(
    "box",
    DATA / "box.nc",
    2050000.0,
    (0.0, 0.0, -1.0),
    (8.5e7, 8.5e7, 1.4e8),
    np.inf,
    9.81,
    (4.0, 14.0),
    0.0,
    (1.0e5, 1.0e5, 0.0, 0.0, 0.0, 5e6),
    (3e5, 3e5, 0.0, 6e6, 6e6, 3e7),
    700.0,
)


def waves_of(moored):
    """A flat spectrum of ten components, each of some mm: the box resonates in pitch."""
    low, high = 2 * np.pi / moored.periods[1], 2 * np.pi / moored.periods[0]
    return {
        "type": "spectrum",
        "omega": [low, high],
        "density": [5e-5, 5e-5],
        "components": TEN,
        "seed": 3,
        "ramp": 60.0,
    }


def case_of(moored):
    return cosim.Case.model_validate(
        {
            "environment": {
                "gravity": moored.gravity,
                "water_density": 1025.0,
                "water_depth": moored.depth,
                "waves": waves_of(moored),
            },
            "bodies": {
                moored.name: {"mass": moored.mass, "cog": moored.cog, "inertia": moored.inertia}
            },
            "joints": {"free": {"type": "floating", "child": moored.name}},
            "elements": {
                "mooring": {
                    "type": "matrix",
                    "body": moored.name,
                    "at": moored.cog,
                    "preload": (0.0, 0.0, moored.pull, 0.0, 0.0, 0.0),
                    "stiffness": moored.stiffness,
                    "damping": moored.damping,
                }
            },
            "adapters": {
                "hydro": {
                    "type": "capytaine",
                    "bodies": [moored.name],
                    "database": str(moored.database),
                }
            },
            "start": {"from": "equilibrium"},
            "time": {"end": moored.end, "rtol": 1e-7, "atol": 1e-9},
            "output": {"step": 0.25},
        }
    )


def amplitudes_in_time(case, moored, sea):
    """Complex amplitudes of the six motions at each component, by least squares."""
    result = cosim.run(case)
    t = result.time.values
    motion = np.hstack(
        [
            result.position.sel(body=moored.name).values - np.array(moored.cog),
            np.radians(result.attitude_deg.sel(body=moored.name).values),
        ]
    )
    late = t > 0.45 * moored.end
    phase = np.outer(t[late], sea.omega)
    basis = np.hstack([np.cos(phase), np.sin(phase), np.ones((late.sum(), 1))])
    fit = np.linalg.lstsq(basis, motion[late], rcond=None)[0]
    # Re(d exp(-iwt)) = Re d cos + Im d sin
    return fit[:TEN] + 1j * fit[TEN : 2 * TEN]


def amplitudes_in_frequency(database, moored, sea, *, conjugate=False):
    omega = sea.omega
    added_mass = CubicSpline(database.omega, database.added_mass)(omega)
    damping = CubicSpline(database.omega, database.damping)(omega)
    heading = int(np.argmin(np.abs(database.headings)))
    excitation = CubicSpline(database.omega, database.excitation[:, heading])(omega)
    if conjugate:
        excitation = excitation.conj()
    mass = np.diag([moored.mass] * 3 + list(moored.inertia))
    stiffness = database.bodies[0].stiffness + np.diag(moored.stiffness)
    response = np.empty((TEN, 6), dtype=complex)
    for k, w in enumerate(omega):
        dynamic = (
            -(w**2) * (mass + added_mass[k])
            - 1j * w * (damping[k] + np.diag(moored.damping))
            + stiffness
        )
        response[k] = np.linalg.solve(dynamic, excitation[k] * sea.amplitude[k])
    return response


def worst(difference, reference, dof):
    return np.max(np.abs(difference[:, dof])) / np.max(np.abs(reference[:, dof]))


@pytest.mark.slow
@pytest.mark.parametrize("moored", [SPAR, BOX], ids=["spar", "box"])
def test_time_domain_equals_frequency_domain(moored):
    case = case_of(moored)
    assembly = build(case)
    sea = case.environment.sea_state
    database = assembly.adapters["hydro"].database
    expected = amplitudes_in_frequency(database, moored, sea) / sea.amplitude[:, None]
    found = amplitudes_in_time(case, moored, sea) / sea.amplitude[:, None]
    for dof in (SURGE, HEAVE, PITCH):
        assert worst(found - expected, expected, dof) <= 0.01
    wrong = amplitudes_in_frequency(database, moored, sea, conjugate=True)
    wrong /= sea.amplitude[:, None]
    assert worst(found - wrong, expected, SURGE) > 0.10
    assert worst(found - wrong, expected, PITCH) > 0.10


@pytest.mark.parametrize("moored", [SPAR, BOX], ids=["spar", "box"])
def test_linear_system_equals_frequency_domain(moored):
    """The linear system about the equilibrium has the memory as states: the same 1 %."""
    case = case_of(moored)
    assembly = build(case)
    sea = case.environment.sea_state
    q = find_equilibrium(assembly.model, assembly.adapters, assembly.model.initial()[0]).q
    system = linearise(assembly.model, assembly.adapters, q)
    found = wave_response(system, assembly.model, assembly.adapters, sea.omega)
    # the phases of the sea are part of its amplitudes
    found *= (sea.amplitude / np.abs(sea.amplitude))[:, None]
    database = assembly.adapters["hydro"].database
    expected = amplitudes_in_frequency(database, moored, sea) / np.abs(sea.amplitude)[:, None]
    for dof in (SURGE, HEAVE, PITCH):
        assert worst(found - expected, expected, dof) <= 0.01
