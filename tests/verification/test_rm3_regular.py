"""RM3 in regular waves: motion and absorbed power against a frequency-domain solution.

The two heave equations with the power take-off, written here from the coefficients alone:

    [-w² (M + A) - i w (B + c N) + C] x = X a,    N = [[1, -1], [-1, 1]],    P = c w² |x1 - x2|² / 2

Tolerance 1 %, that of the response operators of the spar and the box (test_rao.py).
"""

from pathlib import Path

import numpy as np

import cosim
from cosim.hydrodynamics.read import read_database

FOLDER = Path(__file__).parents[2] / "cases" / "rm3"
HEAVE = [2, 8]


def steady_solution(case):
    database = read_database(FOLDER / "rm3.nc").select(["float", "spar"])
    w = 2.0 * np.pi / case.environment.waves.period

    def at(values):
        flat = values.reshape(database.omega.size, -1)
        return np.array([np.interp(w, database.omega, column) for column in flat.T])

    A = at(database.added_mass[:, HEAVE][:, :, HEAVE]).reshape(2, 2)
    B = at(database.damping[:, HEAVE][:, :, HEAVE]).reshape(2, 2)
    X = at(database.excitation[:, 0, HEAVE].real) + 1j * at(database.excitation[:, 0, HEAVE].imag)
    M = np.diag([case.bodies["float"].mass, case.bodies["spar"].mass])
    C = np.diag([body.stiffness[2, 2] for body in database.bodies])
    damper = case.elements["power_take_off"].damping
    N = np.array([[1.0, -1.0], [-1.0, 1.0]])
    x = np.linalg.solve(
        -w * w * (M + A) - 1j * w * (B + damper * N) + C, 0.5 * case.environment.waves.height * X
    )
    return w, x, 0.5 * damper * w * w * abs(x[0] - x[1]) ** 2


def test_motion_and_power_agree_with_frequency_domain():
    case = cosim.read_case(FOLDER / "regular.yaml")
    w, x, power = steady_solution(case)
    results = cosim.run(case)
    late = results["time"].values > 200.0 - 5 * 8.0 + 1e-9
    t = results["time"].values[late]
    z = results["position"].sel(xyz="z").values[late] - [-0.72, -21.29]
    there = np.real(x * np.exp(-1j * w * t[:, None]))
    assert np.abs(z - there).max() <= 0.01 * np.abs(x).max()
    absorbed = -results["element/power_take_off/power"].values[late]
    assert np.isclose(absorbed.mean(), power, rtol=0.02)  # power goes with the square
