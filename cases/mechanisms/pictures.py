"""Pictures of the mechanisms: rods at some instants, and motions with the points of the tables.

Run it from anywhere; without names it draws all::

    python cases/mechanisms/pictures.py heavy_top
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from motions import CASES, MECHANISMS, attitudes, table

import cosim

COLOURS = ("#1b5e8a", "#d9772b", "#5a8f3c", "#8a3b6b")
VIEWS = {  # what of the world goes to the right and upwards
    "front": ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    "above": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
    "oblique": ((0.8, -0.6, 0.0), (0.24, 0.32, 0.917)),
}


@dataclass(frozen=True)
class Picture:
    """One case.

    Attributes
    ----------
    columns : tuple of str
        Of its table, drawn over time.
    instants : tuple of float
        At which the rods are drawn, s; the last one in full colour.
    label : str
        Of the curves, with the unit.
    end : float
        Of the run, s.
    view : str
        From where it is seen.
    """

    columns: tuple[str, ...]
    instants: tuple[float, ...]
    label: str
    end: float
    view: str = "front"


PICTURES = {
    "point_pendulum": Picture(("x", "z"), (0.0, 0.3, 0.45, 0.6), "place of the point [m]", 10.0),
    "four_bar_chain": Picture(("x", "z"), (0.0, 0.4, 0.714, 0.85), "place of B0 [m]", 5.0),
    "squeezing_mechanism": Picture(
        ("gamma", "delta", "epsilon"), (0.0, 0.01, 0.02), "angle [rad]", 0.03, "above"
    ),
    "bricard_mechanism": Picture(
        ("x", "y", "z"), (0.0, 0.6, 1.0, 1.5), "place of the second corner [m]", 10.0, "oblique"
    ),
    "flyball_governor": Picture(
        ("alpha", "s"), (0.0, 0.2, 0.35), "alpha [rad], s [m]", 2.0, "oblique"
    ),
    "heavy_top": Picture(
        ("x", "y", "z"), (0.0, 0.2, 0.4, 0.6), "place of the tip [m]", 3.0, "oblique"
    ),
    "free_body": Picture(("w1", "w2", "w3"), (), "about own axes [rad/s]", 40.0),
    "flying_pair": Picture(
        ("rod_z", "sleeve_z"), (0.0, 0.2, 0.4, 0.7), "height of the centre [m]", 0.7, "oblique"
    ),
    "bar_loop": Picture(
        ("back_y", "back_z"), (0.0, 2.5, 5.0, 10.0), "centre of the back bar [m]", 10.0, "oblique"
    ),
}


def draw_rods(axes: Axes, results: xr.Dataset, picture: Picture) -> None:
    """Members of the drawing of the case at the instants, as seen from the side of the picture."""
    right, up = VIEWS[picture.view]
    onto = np.array([right, up])
    for instant in picture.instants:
        now = results.sel(time=[instant], method="nearest")
        place, R = now["position"].values[0], attitudes(now)[0]
        full = instant == picture.instants[-1]
        for body, ends in zip(now["member_body"].values, now["member_ends"].values, strict=True):
            line = onto @ (place[body] + ends @ R[body].T).T
            axes.plot(*line, "-", color="#37474f", lw=2.5, alpha=1.0 if full else 0.3)
    shown = ", ".join(f"{t:g}" for t in picture.instants)
    axes.set(aspect="equal", xlabel="[m]", ylabel="[m]", title=f"t = {shown} s")


def draw_other_axis(axes: Axes) -> None:
    """The free body about its middle axis."""
    case = cosim.read_case(CASES / "free_body" / "middle_axis.yaml")
    results = cosim.run(case)
    values = MECHANISMS["free_body"].columns(results)
    for k, column in enumerate(values.T):
        axes.plot(results["time"], column, color=COLOURS[k], label=f"w{k + 1}")
    axes.set(xlabel="time [s]", ylabel="about own axes [rad/s]", title="about the middle axis")


def draw(name: str) -> None:
    """Run a case and draw it beside its file."""
    picture = PICTURES[name]
    results = cosim.run(cosim.read_case(CASES / name, [f"time.end={picture.end}"]))
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(9.0, 3.4), layout="constrained", width_ratios=(1.0, 1.7)
    )
    if picture.instants:
        draw_rods(left, results, picture)
    else:
        draw_other_axis(left)
    columns, _, times, expected = table(name)
    values, within = MECHANISMS[name].columns(results), times <= picture.end
    for k, column in enumerate(picture.columns):
        at = columns.index(column)
        right.plot(results["time"], values[:, at], color=COLOURS[k], label=column)
        right.plot(times[within], expected[within, at], "ko", ms=4, mfc="none")
    right.plot([], [], "ko", ms=4, mfc="none", label="table")
    right.set(xlabel="time [s]", ylabel=picture.label)
    right.legend(loc="upper right")
    figure.savefig(CASES / name / "motion.png", dpi=100)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help=", ".join(PICTURES))
    for name in parser.parse_args().names or PICTURES:
        draw(name)


if __name__ == "__main__":
    main()
