"""Compare the four-bar with the one equation of its parallelogram branch; draw both.

Run it from anywhere: ``python cases/four_bar/compare.py``. It prints errors against tolerance
and writes ``motion.png`` beside itself.
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from scipy.integrate import solve_ivp

import cosim

HERE = Path(__file__).parent
G = 9.81
INSTANTS = (0.0, 0.45, 0.65, 0.708450008836, 0.78, 0.9)
TOLERANCES = (1e-6, 1e-8, 1e-10)


def run(rtol: float) -> xr.Dataset:
    """The case with this tolerance."""
    settings = [f"time.rtol={rtol}", f"time.atol={1e-2 * rtol}", "output.step=0.01"]
    return cosim.run(cosim.read_case(HERE / "case.yaml", settings))


def one_equation(times: np.ndarray, rtol: float = 1e-13) -> np.ndarray:
    """Angle from the vertical by J th'' = P g sin th, J = 5/3 kg m2, P = 2 kg m."""
    solution = solve_ivp(
        lambda t, y: (y[1], 2.0 * G / (5.0 / 3.0) * np.sin(y[0])),
        *((0.0, times[-1]), (0.0, 1.0), "DOP853", times),
        rtol=rtol,
        atol=max(1e-2 * rtol, 1e-15),
    )
    return solution.y[0]


def print_errors() -> xr.Dataset:
    """Largest error of the angle in 20 s, with the loop and without; returns the last run."""
    print("| rtol | four-bar | one equation | energy, J | gap, m |\n|---|---|---|---|---|")
    for rtol in TOLERANCES:
        results = run(rtol)
        times = results.time.values
        exact = one_equation(times)
        found = np.radians(results.joint_rotation_deg.sel(rotation="A.angle").values)
        energy = (results["energy/kinetic"] + results["energy/potential"]).values
        hinge = results.point_position.sel(point="rocker/D").values - [1.0, 0.0, 0.0]
        errors = np.abs(found - exact).max(), np.abs(one_equation(times, rtol) - exact).max()
        drift = np.abs(energy - energy[0]).max(), np.abs(hinge).max()
        print(f"| {rtol:.0e} | " + " | ".join(f"{x:.1e}" for x in (*errors, *drift)) + " |")
    return results


def draw(results: xr.Dataset) -> None:
    """The linkage through its singular point, and the crank's turns against the equation."""
    times = results.time.values
    angle = np.radians(results.joint_rotation_deg.sel(rotation="A.angle").values)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for shade, t in zip(np.linspace(0.25, 1.0, len(INSTANTS)), INSTANTS, strict=True):
        s, c = np.sin(np.interp(t, times, angle)), np.cos(np.interp(t, times, angle))
        left.plot([0, s, 1 + s, 1], [0, c, c, 0], "o-", color="#1b5e8a", alpha=shade, ms=3)
    left.set(aspect="equal", xlabel="x [m]", ylabel="z [m]", title="0 to 0.9 s, through one line")
    right.plot(times, angle / (2 * np.pi), color="#1b5e8a", label="cosim")
    right.plot(times, one_equation(times) / (2 * np.pi), "k:", label="one equation")
    right.set(xlabel="time [s]", ylabel="turns of the crank")
    right.legend()
    figure.savefig(HERE / "motion.png", dpi=110)


if __name__ == "__main__":
    draw(print_errors())
