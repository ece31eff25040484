"""Compare the slider-crank with the published solution of the IFToMM library; draw both.

Run it from anywhere: ``python cases/slider_crank/compare.py``. It prints the differences and
writes ``motion.png`` beside itself.
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from scipy.interpolate import CubicSpline

import cosim

HERE = Path(__file__).parent
VARIANTS = {"A": ["along=0.004", "across=0.0004"], "B": []}
PUBLISHED = {  # P. Masoudi, IFToMM library: t, s, and position of the slider, m
    0.016722408: 0.204068794,
    0.100334448: 0.22678101,
    0.200668896: 0.262960732,
    0.284280976: 0.290155796,
    0.401337793: 0.235293252,
    0.501672241: 0.188148922,
    1.003344482: 0.234415945,
    1.755852843: 0.189536383,
}


def run(variant: str) -> xr.Dataset:
    """The case with one of the two inertias of the rod."""
    return cosim.run(cosim.read_case(HERE / "case.yaml", [*VARIANTS[variant], "output.step=0.002"]))


def main() -> None:
    """Run both, print and draw."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for variant, colour in zip(VARIANTS, ("#1b5e8a", "#d9772b"), strict=True):
        results = run(variant)
        times = results.time.values
        slider = results.position.sel(body="slider", xyz="x").values
        left.plot(times, slider, color=colour, label=f"rod {variant}")
        load = np.linalg.norm(results.joint_force.sel(joint="B"), axis=1)
        right.plot(times, load, color=colour, label=f"rod {variant}")
        gap = np.diff(results.point_position.values, axis=1)
        energy = (results["energy/kinetic"] + results["energy/potential"]).values
        print(
            f"rod {variant}: gap up to {np.abs(gap).max():.1e} m, energy {energy[0]:.8f} J", end=""
        )
        print(f" within {np.abs(energy - energy[0]).max():.1e} J")
        if variant == "A":
            found = CubicSpline(times, slider)(list(PUBLISHED))
            difference = np.abs(found - list(PUBLISHED.values())).max()
            print(f"from the published solution by up to {difference:.1e} m")
    left.plot(list(PUBLISHED), list(PUBLISHED.values()), "k+", label="published")
    left.set(xlim=(0, 2), xlabel="time [s]", ylabel="slider [m]")
    right.set(xlim=(0, 2), xlabel="time [s]", ylabel="force in the spherical joint [N]")
    left.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, frameon=False)
    figure.savefig(HERE / "motion.png", dpi=110)


if __name__ == "__main__":
    main()
