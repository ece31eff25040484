"""The decay beside its closed form: the picture and the number of the README.

python cases/socket_damper/compare.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np

import cosim

HERE = Path(__file__).parent


def main() -> None:
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    results = cosim.run(cosim.read_case(HERE))
    t, x = results.time.values, results.joint_translation.values[:, 0]
    rate = 40 / (2 * 100)
    omega = np.sqrt(400 / 100 - rate**2)
    exact = 0.5 * np.exp(-rate * t) * (np.cos(omega * t) + rate / omega * np.sin(omega * t))
    print(f"largest difference: {abs(x - exact).max():.1e} m")
    figure, axes = plt.subplots(figsize=(8.0, 3.0), layout="constrained")
    axes.plot(t, exact, color="#1b5e8a", lw=1.4, label="closed form")
    axes.plot(t[::4], x[::4], "o", ms=3.5, color="#d9772b", label="damper behind a socket")
    axes.set(xlim=(0, 20), xlabel="time [s]", ylabel="position [m]")
    axes.legend(frameon=False)
    figure.savefig(HERE / "decay.png", dpi=100)


if __name__ == "__main__":
    main()
