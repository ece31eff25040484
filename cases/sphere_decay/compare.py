"""Both sphere decays against the published series: the picture and the table of the README.

Run it in the repository, where the reduced series lie in tests/verification/data::

    python cases/sphere_decay/compare.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd

import cosim

HERE = Path(__file__).parent
REFERENCE = HERE.parents[1] / "tests" / "verification" / "data" / "sphere_decay.csv"
BIAS = {"InWave": -0.005, "Marin": -0.012}  # m, what their series end at


def heave(name: str) -> np.ndarray:
    results = cosim.run(cosim.read_case(HERE / name))
    return np.asarray(results["joint_translation"].values[:, 0])


def main() -> None:
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    published = pd.read_csv(REFERENCE, comment="#")
    ours = {"case.yaml": heave("case.yaml"), "own.yaml": heave("own.yaml")}
    for code in published.columns[1:]:
        series = published[code] - BIAS.get(code, 0.0)
        errors = [float(np.sqrt(np.nanmean((z - series) ** 2))) for z in ours.values()]
        print(f"{code:12} {errors[0]:.4f} {errors[1]:.4f}")
    figure, axes = plt.subplots(figsize=(8.0, 3.4), layout="constrained")
    t = published["t"]
    for code in published.columns[1:]:
        shade = "0.75" if code not in ("InWaveH", "HydroChrono") else "0.45"
        axes.plot(t, published[code] - BIAS.get(code, 0.0), color=shade, lw=1.0)
    axes.plot([], [], color="0.6", label="seven other codes")
    axes.plot(t, ours["case.yaml"], color="#1b5e8a", lw=1.6, label="case.yaml")
    axes.plot(t, ours["own.yaml"], "--", color="#d9772b", lw=1.2, label="own.yaml")
    axes.set(xlim=(0, 20), xlabel="time [s]", ylabel="heave [m]")
    axes.legend(frameon=False)
    figure.savefig(HERE / "decay.png", dpi=110)


if __name__ == "__main__":
    main()
