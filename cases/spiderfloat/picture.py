"""Run the case and draw what the README shows: the float in its waves, and loads of its joints.

Run it from anywhere::

    python cases/spiderfloat/picture.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
import properties as p
import xarray as xr
from matplotlib.axes import Axes
from numpy.typing import NDArray

import cosim

HERE = Path(__file__).parent
HULL, STEEL, ROPE, SEA = "#d9772b", "#37474f", "#8d99a6", "#1b5e8a"
LEGS = (1, 2, 3)

Float = NDArray[np.float64]


def rotation(attitude_deg: Float) -> Float:
    (sx, sy, sz), (cx, cy, cz) = np.sin(np.radians(attitude_deg)), np.cos(np.radians(attitude_deg))
    about_x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    about_y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    about_z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return np.asarray(about_z @ about_y @ about_x)


def moved(now: xr.Dataset, body: str, points: Float) -> Float:
    """Where points of the reference configuration are now."""
    here = now.sel(body=body)
    lever = points - here["reference_position"].values
    return np.asarray(here["position"].values + lever @ rotation(here["attitude_deg"].values).T)


def tube(now: xr.Dataset, body: str, profile: tuple[tuple[float, float], ...]) -> list[Float]:
    """Surface of revolution (radius, z) about the axis of a body."""
    x, y, _ = now["reference_position"].sel(body=body).values
    angle = np.linspace(0.0, 2.0 * np.pi, 25)
    rings = [
        np.column_stack([x + r * np.cos(angle), y + r * np.sin(angle), 0 * angle + z])
        for r, z in profile
    ]
    return list(np.moveaxis([moved(now, body, ring) for ring in rings], 2, 0))


def draw_float(axes: Axes, case: cosim.Case, now: xr.Dataset) -> None:
    def line(points: Float, **style: object) -> None:
        axes.plot(*points.T, **style)

    axes.plot_surface(*tube(now, "platform", p.STEM), color=HULL)
    tower = ((3.2, 10.0), (2.0, 87.6))
    axes.plot_surface(*tube(now, "platform", tower), color="0.85")
    can = ((0, -p.BUOY_DRAFT), (p.BUOY_RADIUS, -p.BUOY_DRAFT), (p.BUOY_RADIUS, p.BUOY_TOP))
    for k in LEGS:
        joints = now["joint_point"].sel(joint=[f"leg{k}/hinge", f"leg{k}/slide", f"leg{k}/pivot"])
        line(joints.values, color=STEEL, lw=3)
        axes.plot_surface(*tube(now, f"leg{k}/buoy", can), color=HULL)
        for height in ("upper", "lower"):
            ends = case.elements[f"{height}{k}"].points
            at = [moved(now, *_place(case, address)) for address in ends]
            line(np.array(at), color=STEEL, lw=0.8)
        chain = now[f"shape/lines/line{k}"].values
        line(chain[np.hypot(*chain.T[:2]) < 90], color=ROPE, lw=1.2)
    edge = np.array([[-60.0, 60.0], [-60.0, 60.0]])
    axes.plot_surface(edge, edge.T, 0.0 * edge, color=SEA, alpha=0.15)
    axes.set(xlim=(-55, 55), ylim=(-55, 55), zlim=(-65, 90), aspect="equal")
    axes.set_axis_off()
    axes.view_init(elev=11, azim=-35)


def _place(case: cosim.Case, address: str) -> tuple[str, Float]:
    body, point = case.point(address)
    return body, np.array(point)


def draw_loads(both: list[Axes], results: xr.Dataset) -> None:
    force, t = results["joint_force"], results["time"]
    for k in LEGS:
        hinge = force.sel(joint=f"leg{k}/hinge")
        both[0].plot(t, 1e-6 * np.linalg.norm(hinge, axis=1), lw=1, label=f"leg {k}")
        slide = results["joint_translation"].sel(translation=f"leg{k}/slide.position")
        both[1].plot(t, slide, lw=1)
    both[0].set(ylabel="force of the hinge [MN]")
    both[0].legend(frameon=False, ncols=3, loc="upper right")
    both[1].set(ylabel="arm out of the leg [m]", xlabel="time [s]")


def main() -> None:
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    case = cosim.read_case(HERE)
    results = cosim.run(case)
    figure = plt.figure(figsize=(10.0, 4.8), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(1.0, 1.1))
    instant = results.isel(time=-1, shape_time=-1)
    draw_float(left.add_subplot(projection="3d"), case, instant)
    draw_loads(list(right.subplots(2, 1, sharex=True)), results)
    figure.savefig(HERE / "float.png", dpi=100)


if __name__ == "__main__":
    main()
