"""Error against tolerance of the double pendulum on a cart: figures 11 and 12 of the paper.

Run it from anywhere; it prints the tables of docs/convergence.md and draws its picture::

    python cases/planar/convergence.py
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np
from multipliers import Planar
from numpy.typing import NDArray

import cosim

HERE = Path(__file__).parent
CART = HERE.parent / "cart_pendulum"
COLOURS = ("#1b5e8a", "#d9772b", "#5a8f3c")
TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10, 1e-12)
"""Relative; the absolute ones are a thousandth of them (table 9 of the paper)."""
Float = NDArray[np.float64]


def run(rtol: float, end: float, method: str = "RK45") -> tuple[Float, Float]:
    """Instants, and x and z of cart and links, (times, 3, 2), with one pair of tolerances."""
    settings = {"method": method, "rtol": rtol, "atol": 1e-3 * rtol, "end": end}
    case = cosim.read_case(CART, [f"time.{key}={value}" for key, value in settings.items()])
    results = cosim.run(case)
    return results["time"].values, results["position"].sel(xyz=["x", "z"]).values


def exact(times: Float) -> Float:
    """The same places by the second formulation, to 1e-12."""
    return Planar(cosim.read_case(CART)).solve(times)[0][..., :2]


def nrmse(found: Float, expected: Float) -> Float:
    """Equations 9 to 11 of the paper, per body."""
    size = np.maximum(np.abs(expected).max(axis=0), 1e-12)
    each = np.sqrt(np.mean(((found - expected) / size) ** 2, axis=0))
    return np.asarray(np.sqrt(np.sum(each**2, axis=-1)))


def slope(tolerances: Sequence[float], errors: Float) -> Float:
    """Of log error over log tolerance, least squares, per body."""
    return np.asarray(np.polyfit(np.log(tolerances), np.log(errors), 1)[0])


def study(runs: Sequence[tuple[Float, Float]], reference: Float) -> tuple[Float, Float]:
    """Errors per tolerance and body: against the tightest run, and against the reference.

    Parameters
    ----------
    runs : sequence
        As :func:`run` returns them; the last is the tightest.
    reference : (times, 3, 2)

    Returns
    -------
    (m - 1, 3) and (m, 3) arrays
    """
    among = [nrmse(places, runs[-1][1]) for _, places in runs[:-1]]
    outside = [nrmse(places, reference) for _, places in runs]
    return np.array(among), np.array(outside)


def draw(among: Float, outside: Float) -> None:
    from matplotlib import pyplot as plt

    figure, both = plt.subplots(
        1, 2, figsize=(9.0, 3.6), layout="constrained", sharex=True, sharey=True
    )
    for axes, errors, title in (
        (both[0], among, "against the tightest run (figure 11)"),
        (both[1], outside, "against multipliers (exact)"),
    ):
        x = np.array(TOLERANCES[: len(errors)])
        for body, colour, values in zip(("cart", "upper link", "lower link"), COLOURS, errors.T,
                                        strict=True):  # fmt: skip
            axes.loglog(x, values, "o-", color=colour, lw=1.2, ms=4, label=body)
        axes.loglog(x, x * errors.max() / x[0], "--", color="0.6", lw=1.0, label="slope 1")
        axes.set(title=title, xlabel="relative tolerance")
        axes.grid(alpha=0.3)
    both[0].set(ylabel="NRMSE over 100 s (eq. 11)")
    both[0].invert_xaxis()
    both[0].legend(frameon=False)
    figure.savefig(HERE / "convergence.png", dpi=100)


def main() -> None:
    matplotlib.use("Agg")
    runs = [run(rtol, 100.0) for rtol in TOLERANCES]
    reference = exact(runs[0][0])
    among, outside = study(runs, reference)
    print("rtol    against the tightest run         against multipliers")
    for k, rtol in enumerate(TOLERANCES):
        first = among[k] if k < len(among) else [float("nan")] * 3
        print(f"{rtol:.0e} ", *(f"{e:.2e}" for e in (*first, *outside[k])))
    print("slope ", *(f"{s:.2f}" for s in slope(TOLERANCES[:-1], among)),
          *(f"{s:.2f}" for s in slope(TOLERANCES[:-1], outside[:-1])))  # fmt: skip
    for rtol, (_, places) in zip(TOLERANCES, runs, strict=True):
        z, off = places[-1, 1, 1], abs(places[-1, 1, 1] - reference[-1, 1, 1])
        print(f"{rtol:.0e}  z of the upper link at 100 s: {z:.12f} m, {off:.2e} m off")
    draw(among, outside)


if __name__ == "__main__":
    main()
