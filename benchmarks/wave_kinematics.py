"""Time of one call of the wave kinematics: 70 points, 200 components.

Run ``python benchmarks/wave_kinematics.py``. The compiled sum is printed beside the same sum
in numpy and, compiled, with the library's sine, cosine and exponential.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np
from numba import njit

from cosim.environment import JonswapWaves, SeaState


def numpy_velocity(sea: SeaState, t: float, points: np.ndarray) -> np.ndarray:
    along = points[:, :1] * np.cos(sea.heading) + points[:, 1:2] * np.sin(sea.heading)
    flow = sea.omega * sea.amplitude * np.exp(1j * (sea.wavenumber * along - sea.omega * t))
    down = np.exp(sea.wavenumber * points[:, 2:])
    up = np.exp(-sea.wavenumber * (points[:, 2:] + 2.0 * sea.depth))
    flow = flow / -np.expm1(-2.0 * sea.wavenumber * sea.depth)
    horizontal = (flow * (down + up)).real
    vertical = (-1j * flow * (down - up)).real
    columns = horizontal @ np.cos(sea.heading), horizontal @ np.sin(sea.heading)
    return np.column_stack((*columns, vertical.sum(axis=1)))


@njit(fastmath=True)
def library_velocity(table: np.ndarray, depth: float, t: float, points: np.ndarray) -> np.ndarray:
    out = np.zeros_like(points)
    for i in range(len(points)):
        for j in range(table.shape[1]):
            w, k, kx, ky, cos, sin, real, imag, speed = table[:, j]
            phase = kx * points[i, 0] + ky * points[i, 1] - w * t
            c, s = speed * math.cos(phase), speed * math.sin(phase)
            down = math.exp(k * points[i, 2])
            up = math.exp(-k * (points[i, 2] + 2.0 * depth))
            horizontal = (real * c - imag * s) * (down + up)
            out[i, 0] += horizontal * cos
            out[i, 1] += horizontal * sin
            out[i, 2] += (real * s + imag * c) * (down - up)
    return out


def microseconds(call: Callable[[], object], repeats: int) -> float:
    call()
    best = math.inf
    for _ in range(5):
        start = time.perf_counter()
        for _ in range(repeats):
            call()
        best = min(best, (time.perf_counter() - start) / repeats)
    return 1e6 * best


def main() -> None:
    sea = JonswapWaves(hs=6.0, tp=10.0).sea_state(depth=320.0, gravity=9.81)
    rng = np.random.default_rng(1)
    for label, top, bottom in (("near the surface", 0.0, -10.0), ("mooring lines", -70.0, -320.0)):
        points = rng.uniform([-800, -800, bottom], [800, 800, top], (70, 3))
        velocity, acceleration = np.empty_like(points), np.empty_like(points)

        def compiled(
            points: np.ndarray = points, u: np.ndarray = velocity, a: np.ndarray = acceleration
        ) -> None:
            sea.kinematics_into(300.0, points, u, a)

        def library(points: np.ndarray = points) -> np.ndarray:
            return library_velocity(sea.table, sea.depth, 300.0, points)

        def plain(points: np.ndarray = points) -> np.ndarray:
            return numpy_velocity(sea, 300.0, points)

        compiled()
        error = max(np.abs(velocity - f()).max() for f in (library, plain))
        print(f"{label}: velocity and acceleration {microseconds(compiled, 200):.0f} us; ", end="")
        print(f"velocity alone with library functions {microseconds(library, 50):.0f} us, ", end="")
        print(f"in numpy {microseconds(plain, 20):.0f} us; difference {error:.1e} m/s")


if __name__ == "__main__":
    main()
