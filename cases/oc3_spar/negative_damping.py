"""The rotor on the spar with two controllers: the picture and the numbers of README.md.

Each run is a decay from half a degree off rest. The decay rate of the pitch is compared with two
linear systems: that of the package (`cosim modes`), and one closed by hand from the slopes of the
rotor's table around the spar alone::

    python cases/oc3_spar/negative_damping.py
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import xarray as xr
from scipy.linalg import block_diag
from scipy.optimize import least_squares

import cosim

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from rotor import DOUBLED, FILTER, GEARBOX, INERTIA, RATED_POWER, RATED_SPEED, Rotor  # noqa: E402

CASE = HERE / "rotor.yaml"
WIND = 18.0


def rotor_with(controller: str, wind: float = WIND) -> Rotor:
    """The peer by itself."""
    rotor = Rotor()
    rotor.configure(cosim.Setup(settings={"wind_speed": wind, "controller": controller}))
    return rotor


def spar_alone(rotor: Rotor) -> cosim.Case:
    """The spar under thrust and torque that follow it but do not change."""
    x = rotor.steady(WIND)
    thrust, torque = rotor.aero(x[0], rotor.pitch(x), WIND)
    data = cosim.read_case(CASE).model_dump(by_alias=True, exclude_unset=True)
    del data["adapters"]["rotor"]
    data["adapters"]["hydro"]["database"] = HERE / "hydrodynamics.nc"
    data["adapters"]["lines"]["file"] = HERE / "mooring.txt"
    data["elements"]["rotor"] = {
        "type": "force", "point": "spar/hub", "axes": "body",
        "force": [float(thrust), 0, 0], "moment": [float(torque), 0, 0],
    }  # fmt: skip
    return cosim.Case.model_validate(data)


def closed_by_hand(spar: cosim.CaseModes, rotor: Rotor) -> np.ndarray:
    """Eigenvalues of the spar with the rotor's first-order terms around it, 1/s."""
    tilt = spar.assembly.model.kinematics(0.0, spar.equilibrium.q, np.zeros(6)).R[0][:, 0]
    hub = [f"spar/hub.{axis}" for axis in ("fx", "fz")]
    seen = ["spar/hub.vx", "spar/hub.vz", "spar.ry"]
    plant = spar.state_space(inputs=hub, outputs=seen)
    wind = WIND * tilt[0]
    x = rotor.steady(wind)
    pitch = rotor.pitch(x)
    point = np.array([wind, x[0], pitch])
    slopes = np.array([_slope(lambda *p: rotor.aero(p[1], p[2], p[0]), point, k) for k in range(3)])
    # [wind along the shaft, rotor speed, blade pitch] of [spar..., rotor speed, integral, filter]
    n = len(plant.A)
    rows = np.zeros((3, n + 3))
    rows[0, :n] = np.array([-tilt[0], -tilt[2], WIND * tilt[2]]) @ plant.C
    rows[1, n] = 1.0
    rows[2, n + 1 :] = np.array([rotor.ki, rotor.kp]) / (1.0 + 2.0 * pitch / DOUBLED)
    thrust, torque = slopes.T @ rows
    braking = -RATED_POWER / RATED_SPEED**2 if rotor.keep == "power" else 0.0
    A = block_diag(plant.A, np.zeros((3, 3)))
    A[:n] += np.outer(plant.B @ [tilt[0], tilt[2]], thrust)
    A[n] += torque / INERTIA
    A[n, n + 2] -= GEARBOX * braking / INERTIA
    A[n + 1, n + 2] = 1.0
    A[n + 2, [n, n + 2]] += [FILTER * GEARBOX, -FILTER]
    return np.linalg.eigvals(A)


def _slope(function: Callable[..., tuple], point: np.ndarray, k: int) -> np.ndarray:
    step = np.zeros(3)
    step[k] = 1e-4 * point[k]
    ahead, behind = (np.array(function(*(point + sign * step))) for sign in (1, -1))
    return (ahead - behind) / (2.0 * step[k])


def fitted(t: np.ndarray, x: np.ndarray, guesses: list[complex]) -> np.ndarray:
    """Complex frequencies of damped oscillations about an offset that fit a record best."""

    def basis(p: np.ndarray) -> np.ndarray:
        waves = [np.exp((a + 1j * w) * t) for a, w in p.reshape(-1, 2)]
        return np.column_stack([np.ones_like(t), *(c for w in waves for c in (w.real, w.imag))])

    def error(p: np.ndarray) -> np.ndarray:
        columns = basis(p)
        return columns @ np.linalg.lstsq(columns, x, rcond=None)[0] - x

    start = np.ravel([(s.real, s.imag) for s in guesses])
    return least_squares(error, start, x_scale=0.01).x.view(complex)


def nearest(values: np.ndarray, to: complex) -> complex:
    """The one of several complex numbers that is nearest to a given one."""
    return complex(values[np.argmin(abs(np.asarray(values) - to))])


def settings(controller: str, *more: str) -> list[str]:
    """Of a run of the case."""
    return [f"adapters.rotor.settings.controller={controller}", *more]


def pitch_mode(controller: str, *more: str) -> tuple[complex, complex]:
    """Complex frequency of the spar's pitch, 1/s: of the package, and closed by hand."""
    found = cosim.case_modes(cosim.read_case(CASE, settings(controller, *more)))
    mode = next(mode.value for mode in found.modes if mode.name == "free.pitch")
    rotor = rotor_with(controller)
    spar = cosim.case_modes(spar_alone(rotor), static=True)
    return mode, nearest(closed_by_hand(spar, rotor), mode)


def in_time(results: xr.Dataset, mode: complex) -> complex:
    """That of a run, from its decay between 20 and 220 s."""
    part = results.sel(time=slice(20.0, 220.0))
    pitch = part.attitude_deg.sel(body="spar", rpy="pitch").values
    return nearest(fitted(part.time.values - 20.0, pitch, [mode, -0.003 + 0.047j]), mode)


def main() -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(3, 1, figsize=(8.0, 5.6), sharex=True, layout="constrained")
    for controller, colour in (("onshore", "#d9772b"), ("hywind", "#1b5e8a")):
        results = cosim.run(cosim.read_case(CASE, settings(controller)))
        mode, hand = pitch_mode(controller)
        for name, s in (("run", in_time(results, mode)), ("modes", mode), ("by hand", hand)):
            print(f"{controller:8} {name:8} {s:.5f} 1/s, damping ratio {-s.real / abs(s):.4f}")
        shown = {
            "platform pitch [deg]": results.attitude_deg.sel(body="spar", rpy="pitch"),
            "rotor speed [rpm]": results["rotor/rotor_speed"],
            "blade pitch [deg]": results["rotor/blade_pitch"],
        }
        for axis, (label, y) in zip(axes, shown.items(), strict=True):
            axis.plot(results.time, y, color=colour, lw=1.4, label=f"{controller} controller")
            axis.set_ylabel(label)
    axes[0].legend(frameon=False, loc="upper left")
    axes[-1].set(xlim=(0, 300), xlabel="time [s]")
    figure.savefig(HERE / "rotor.png", dpi=100)


if __name__ == "__main__":
    main()
