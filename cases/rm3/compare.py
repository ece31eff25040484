"""RM3 against WEC-Sim and SEA-Stack: the pictures and the numbers of the README.

Run it in the repository, where the reduced series lie in tests/verification/data::

    python cases/rm3/compare.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd

import cosim

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "tests" / "verification" / "data"
OURS, THEIRS = "#1b5e8a", "#d9772b"


def decay() -> None:
    from matplotlib import pyplot as plt

    results = cosim.run(cosim.read_case(HERE / "decay.yaml"))
    published = pd.read_csv(DATA / "rm3_decay.csv", comment="#").iloc[: results.sizes["time"]]
    figure, both = plt.subplots(2, 1, figsize=(8.0, 4.4), sharex=True, layout="constrained")
    for axes, body, rest in zip(both, ("float", "spar"), (-0.72, -21.29), strict=True):
        z = results["position"].sel(body=body, xyz="z").values - rest
        for code in ("wecsim", "seastack"):
            error = np.sqrt(np.nanmean((z - published[f"{body}_{code}"]) ** 2)) / 0.1
            print(f"decay of {body} against {code}: {error:.4f} of the release height")
        axes.plot(published["t"], 1e3 * published[f"{body}_wecsim"], color=THEIRS, label="WEC-Sim")
        axes.plot(results["time"], 1e3 * z, "--", color=OURS, label="decay.yaml")
        axes.set_ylabel(f"{body} [mm]")
    both[0].legend(frameon=False)
    both[1].set(xlim=(0, 40), xlabel="time [s]")
    figure.savefig(HERE / "decay.png", dpi=110)


def moored() -> None:
    from matplotlib import pyplot as plt

    results = cosim.run(cosim.read_case(HERE / "moored.yaml"))
    t = results["time"].values
    published = pd.read_csv(DATA / "rm3_moored.csv", comment="#").iloc[np.rint(t / 0.05)]
    height = results["position"].sel(xyz="z")
    rows = {
        "float [m]": (height.sel(body="float"), published["float_z"]),
        "spar [m]": (height.sel(body="spar"), published["spar_z"]),
        "tension 4 [kN]": (1e-3 * results["lines/line4/fairlead_tension"], published["tension4"]),
        "tension 5 [kN]": (1e-3 * results["lines/line5/fairlead_tension"], published["tension5"]),
    }
    figure, all_axes = plt.subplots(4, 1, figsize=(8.0, 6.0), sharex=True, layout="constrained")
    for axes, (label, (ours, theirs)) in zip(all_axes, rows.items(), strict=True):
        error = (ours.values - theirs.to_numpy())[t > 40.0]
        print(f"moored, {label}: at most {np.abs(error).max():.4f}, rms {error.std():.4f}")
        axes.plot(t, theirs, color=THEIRS, label="WEC-Sim + MoorDyn")
        axes.plot(t, ours, "--", color=OURS, label="moored.yaml")
        axes.set_ylabel(label)
        late = theirs[t > 40.0]
        axes.set_ylim(late.min() - 0.1 * np.ptp(late), late.max() + 0.1 * np.ptp(late))
    all_axes[0].legend(frameon=False, loc="upper left", ncols=2)
    all_axes[-1].set(xlim=(100, 200), xlabel="time [s]")
    figure.savefig(HERE / "moored.png", dpi=90)


def main() -> None:
    matplotlib.use("Agg")
    decay()
    moored()


if __name__ == "__main__":
    main()
