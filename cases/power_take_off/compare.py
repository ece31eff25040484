"""Linear and latching power take-off in the same waves: the picture and the numbers of the README.

The peers run in this process (`inline`), which gives the same bits and takes less time::

    python cases/power_take_off/compare.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
import xarray as xr

import cosim

HERE = Path(__file__).parent
INLINE = ("adapters.pto.launch=null", "adapters.pto.inline=pto.py:{}")
LONG = 9.6664  # s
BEST_LINEAR = 883.4e3  # N s/m, |Z| of the sphere in these waves


def run(name: str, peer: str, *settings: str) -> xr.Dataset:
    """A case of this folder with its peer in this process."""
    inline = [text.format(peer) for text in INLINE]
    return cosim.run(cosim.read_case(HERE / name, [*inline, *settings]))


def mean_power(results: xr.Dataset, period: float, periods: int = 5) -> float:
    """Mean of what the take-off took over the last periods, W."""
    t, work = results.time.values, -results["ledger/work/pto"].values
    return float(work[-1] - np.interp(t[-1] - periods * period, t, work)) / (periods * period)


def bound(period: float, amplitude: float) -> float:
    """Most that a heaving axisymmetric body takes from deep water, W."""
    return 1000 * 9.81**3 * amplitude**2 / (4 * (2 * np.pi / period) ** 3)


def main() -> None:
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    resonant = mean_power(run("linear.yaml", "LinearPTO"), 4.3788)
    print(f"resonance: {resonant:.0f} W of at most {bound(4.3788, 0.25):.0f} W")
    linear = run(
        "latching.yaml",
        "LinearPTO",
        "adapters.pto.history=false",
        f"adapters.pto.settings.damping={BEST_LINEAR}",
    )
    latched = run("latching.yaml", "LatchingPTO")
    powers = [mean_power(results, LONG) for results in (linear, latched)]
    print(f"long waves: {powers[0]:.0f} W, latched {powers[1]:.0f} W, {powers[1] / powers[0]:.2f}")
    print(f"at most {bound(LONG, 0.5):.0f} W")
    figure, axes = plt.subplots(2, 1, figsize=(8.0, 4.6), sharex=True, layout="constrained")
    axes[0].plot(latched.time, latched.wave_elevation, color="0.7", label="wave")
    for results, colour, label in (
        (linear, "#d9772b", "best linear damper"),
        (latched, "#1b5e8a", "latched"),
    ):
        axes[0].plot(results.time, results.joint_translation[:, 0], color=colour, label=label)
        axes[1].plot(results.time, results["pto/power"] / 1e3, color=colour)
    axes[0].set_ylabel("heave [m]")
    axes[0].legend(frameon=False, ncols=3, loc="upper center")
    axes[0].set_ylim(-2.0, 2.6)
    axes[1].set(xlim=(110, 150), xlabel="time [s]", ylabel="power [kW]")
    figure.savefig(HERE / "latching.png", dpi=100)


if __name__ == "__main__":
    main()
