"""Pictures of the planar cases: positions of the links over time, and motions with references.

Run it from anywhere; without names it draws all::

    python cases/planar/pictures.py cart_pendulum
"""

from __future__ import annotations

import argparse
import fnmatch
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import matplotlib
import numpy as np
import xarray as xr
from matplotlib.axes import Axes
from multipliers import Planar, turned
from numpy.typing import NDArray

import cosim

CASES = Path(__file__).parents[1]
COLOURS = ("#1b5e8a", "#d9772b", "#5a8f3c", "#8a3b6b")
STEEL = "#37474f"
Float = NDArray[np.float64]
Segment = tuple[str, tuple[float, float], tuple[float, float]]
"""Body, and two points of it in the x-z plane of the reference configuration."""


@dataclass(frozen=True)
class Picture:
    """One case: what is drawn of it.

    Attributes
    ----------
    file : str
        Case file.
    curves : callable
        Names and values over time, from places (times, n, 3) of the bodies.
    label : str
        Of the axis of the curves.
    instants : sequence of float
        At which the links are drawn, s; the last one in full colour.
    end : float
        Of the run shown, s.
    beside : str
        Another case file of the folder, whose curves are dashed.
    """

    file: str
    curves: Callable[[cosim.Case, Float], dict[str, Float]]
    label: str
    instants: tuple[float, ...]
    end: float
    beside: str = ""


def links(case: cosim.Case) -> list[Segment]:
    """Members of the drawing of a case, as lines."""
    found = []
    for pattern, members in case.output.drawing.items():
        for body in fnmatch.filter(case.bodies, pattern):
            for member in members:
                ends = [_place(case, body, end) for end in (member.from_, member.to)]
                found.append((body, ends[0], ends[1]))
    return found


def _place(case: cosim.Case, body: str, end: object) -> tuple[float, float]:
    x, _, z = case.bodies[body].points[end] if isinstance(end, str) else end
    return x, z


def draw_links(axes: Axes, case: cosim.Case, places: Float, **style: object) -> None:
    """Draw the members of a case where the bodies are, (n, 3)."""
    names = list(case.bodies)
    for body, *ends in links(case):
        r = places[names.index(body)]
        cog = np.array([case.bodies[body].cog[0], case.bodies[body].cog[2]])
        line = np.array([r[:2] + turned(r[2], np.array(end) - cog) for end in ends])
        axes.plot(*line.T, solid_capstyle="round", **style)


def draw_springs(axes: Axes, case: cosim.Case, places: Float) -> None:
    """Draw springs and dampers between points as thin lines."""
    names = list(case.bodies)
    for element in case.elements.values():
        if element.type != "tension":
            continue
        ends = []
        for address in element.points:
            body, (x, _, z) = case.point(address)
            if body == "earth":
                ends.append((x, z))
                continue
            r = places[names.index(body)]
            cog = np.array([case.bodies[body].cog[0], case.bodies[body].cog[2]])
            ends.append(tuple(r[:2] + turned(r[2], np.array([x, z]) - cog)))
        axes.plot(*np.array(ends).T, color=COLOURS[1], lw=0.8)


def of_results(case: cosim.Case, results: xr.Dataset) -> Float:
    """Places (x, z, angle) of all bodies, (times, n, 3), as the multipliers give them."""
    angle = {"earth": np.zeros(results.sizes["time"])}
    rotation = np.radians(results["joint_rotation_deg"])
    for name, joint in case.joints.items():
        own = f"{name}.angle"
        turn = rotation.sel(rotation=own).values if "angle" in joint.coordinates else 0.0
        angle[joint.child] = angle[joint.parent] + turn
    planes = results["position"].sel(xyz=["x", "z"]).values
    angles = np.stack([angle[body] for body in case.bodies], axis=1)
    return np.concatenate([planes, angles[..., np.newaxis]], axis=2)


def degrees(*bodies: str) -> Callable[[cosim.Case, Float], dict[str, Float]]:
    """Absolute angles of some bodies."""

    def curves(case: cosim.Case, places: Float) -> dict[str, Float]:
        names = list(case.bodies)
        return {body: np.degrees(places[:, names.index(body), 2]) for body in bodies}

    return curves


def heights(*bodies: str, less: float = 0.0) -> Callable[[cosim.Case, Float], dict[str, Float]]:
    """Heights of some centres of gravity."""

    def curves(case: cosim.Case, places: Float) -> dict[str, Float]:
        names = list(case.bodies)
        return {body: places[:, names.index(body), 1] - less for body in bodies}

    return curves


ANGLE = "angle from the reference [deg]"
PICTURES = {
    "single_pendulum": Picture(
        "case.yaml", degrees("link"), ANGLE, (0.4, 0.8, 1.6, 2.0, 2.4), 10.0
    ),
    "double_pendulum": Picture(
        "case.yaml", degrees("upper", "lower"), ANGLE, (0.0, 0.4, 0.8, 1.2, 1.6), 10.0
    ),
    "double_pendulum/forced": Picture(
        "forced.yaml", degrees("upper", "lower"), ANGLE, (0.0, 0.5, 1.0, 1.5, 10.0), 10.0
    ),
    "cart_pendulum": Picture(
        "case.yaml", degrees("upper", "lower"), ANGLE, (0.0, 0.5, 1.0, 1.5, 2.0), 20.0
    ),
    "spiderfloat_sliders": Picture(
        "case.yaml",
        heights("platform", "right_leg", "right_arm", "right_buoy"),
        "height of centre of gravity",
        (0.0, 2.5, 5.0),
        10.0,
    ),
    "inverted_pendulum": Picture("case.yaml", degrees("rod"), ANGLE, (0.0, 0.32, 0.64), 5.0),
    "n_pendulum": Picture(
        "case.yaml", degrees("link1/rod", "link10/rod"), ANGLE, (0.0, 0.5, 1.0, 1.5, 2.0), 2.0
    ),
    "flexible_pendulum": Picture(
        "spring.yaml",
        heights("bob", less=-100.5),
        "z + 100.5 [m]",
        (0.0, 2.5, 5.0, 7.5),
        12.0,
        "moordyn.yaml",
    ),
}


def draw(name: str, into: Path | None = None) -> Path:
    """Run a case and draw it, beside its file or in another folder; the picture."""
    from matplotlib import pyplot as plt

    picture = PICTURES[name]
    folder, _, special = name.partition("/")
    case = cosim.read_case(CASES / folder / picture.file, [f"time.end={picture.end}"])
    results = cosim.run(case)
    places = of_results(case, results)
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(9.0, 3.4), layout="constrained", width_ratios=(1.0, 1.7)
    )
    for instant in picture.instants:
        k = int(np.argmin(np.abs(results["time"].values - instant)))
        shade = 0.25 + 0.75 * (instant == picture.instants[-1])
        draw_links(left, case, places[k], color=STEEL, lw=2.5, alpha=shade)
    draw_springs(left, case, places[k])
    left.set(aspect="equal", xlabel="x [m]", ylabel="z [m]", title=_title(picture.instants))
    draw_curves(right, picture, case, results)
    target = (into or CASES / folder) / f"{special or 'motion'}.png"
    figure.savefig(target, dpi=100)
    plt.close(figure)
    return target


def draw_curves(axes: Axes, picture: Picture, case: cosim.Case, results: xr.Dataset) -> None:
    """Motions of the run, and twenty points of the second formulation."""
    times = np.linspace(0.0, picture.end, 21)
    exact = picture.curves(case, Planar(case).solve(times)[0])
    ours = picture.curves(case, of_results(case, results))
    for colour, (body, values) in zip(COLOURS, ours.items(), strict=False):
        axes.plot(results["time"], values, color=colour, lw=1.2, label=body.replace("_", " "))
        axes.plot(times, exact[body], "o", ms=3.5, mfc="none", color=colour)
    if picture.beside:
        file = case.origin.path.parent / picture.beside
        other = cosim.read_case(file, [f"time.end={picture.end}"])
        results = cosim.run(other)
        for body, values in picture.curves(other, of_results(other, results)).items():
            name = f"{body} with {file.stem}"
            axes.plot(results["time"], values, "--", color=COLOURS[1], lw=1.2, label=name)
    axes.plot([], [], "o", ms=3.5, mfc="none", color=STEEL, label="with multipliers")
    axes.set(xlabel="time [s]", ylabel=picture.label, xlim=(0.0, picture.end))
    figure = axes.figure
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper right", ncols=5,
                  frameon=False, fontsize=9)  # fmt: skip


def _title(instants: tuple[float, ...]) -> str:
    return "t = " + ", ".join(f"{t:g}" for t in instants) + " s"


def main() -> None:
    matplotlib.use("Agg")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[*PICTURES, []], default=[])
    for name in parser.parse_args().names or PICTURES:
        print(draw(name))


if __name__ == "__main__":
    main()
