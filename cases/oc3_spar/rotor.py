"""Rotor of the NREL 5-MW turbine with its blade-pitch controller, as a peer of a floating platform.

Loads from a table of power and thrust coefficients, in steady wind along x above rated (11.4 m/s):
thrust on the axis of the shaft and the torque of the generator, both at the hub. The controller is
that of NREL/TP-500-38060, section 7: a PI on the filtered generator speed, gains scheduled with
the pitch angle. Its states are integrated with the equations of motion.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.interpolate import RectBivariateSpline
from scipy.optimize import brentq

import cosim

RADIUS, AIR = 63.0, 1.225  # m, kg/m³
GEARBOX = 97.0
INERTIA = 38_759_228.0 + GEARBOX**2 * 534.116  # kg m², rotor and generator, about the slow shaft
RATED_SPEED = 12.1 * np.pi / 30.0 * GEARBOX  # rad/s, of the generator
RATED_POWER, EFFICIENCY = 5.296610e6, 0.944  # W at the fast shaft; generator
FILTER = 2.0 * np.pi * 0.25  # rad/s, corner of the speed filter
DOUBLED = np.radians(6.302336)  # blade pitch at which the rotor is twice as sensitive
FINE = np.radians(1.0)  # below, torque follows the speed (regions 2 and 2 1/2)
STEEPEST = np.radians(24.0)  # end of the table
# proportional, s, and integral gain, and what is kept above rated
CONTROLLERS = {
    "onshore": (0.01882681, 0.008068634, "power"),  # TP-500-38060, table 7-2
    "hywind": (0.006275604, 0.0008965149, "torque"),  # TP-500-47535, section 6
}


class Rotor(cosim.Peer):
    """States: rotor speed, rad/s; integral of the speed error, rad; filtered speed, rad/s."""

    name = "rotor"
    n_states = 3
    x_scale = np.array([1.0, 100.0, 100.0])
    static = True
    points = ("hub",)
    outputs = (
        cosim.Signal("rotor_speed", "rpm"),
        cosim.Signal("blade_pitch", "deg"),
        cosim.Signal("thrust", "N", point="hub"),
        cosim.Signal("power", "W", long_name="electrical power"),
    )

    def configure(self, setup: cosim.Setup) -> None:
        """Take wind and controller from the case, and the table from beside this file."""
        self.wind = float(setup.settings["wind_speed"])
        self.kp, self.ki, self.keep = CONTROLLERS[setup.settings["controller"]]
        tsr, pitch, cp, ct = np.loadtxt(Path(__file__).with_name("rotor.csv"), delimiter=",").T
        axes = np.unique(tsr), np.radians(np.unique(pitch))
        self.cp, self.ct = (RectBivariateSpline(*axes, c.reshape(12, 25)) for c in (cp, ct))

    def aero(self, speed: float, pitch: float, wind: float) -> tuple[float, float]:
        """Thrust, N, and torque, N m, of the rotor."""
        flow = 0.5 * AIR * np.pi * RADIUS**2 * wind**2
        ratio = speed * RADIUS / wind
        return flow * self.ct.ev(ratio, pitch), flow * wind * self.cp.ev(ratio, pitch) / speed

    def pitch(self, x: np.ndarray) -> float:
        """Blade pitch, rad: u / (1 + pitch / DOUBLED) solved for the pitch."""
        u = max(0.0, self.kp * (x[2] - RATED_SPEED) + self.ki * x[1])
        return 0.5 * DOUBLED * (np.sqrt(1.0 + 4.0 * u / DOUBLED) - 1.0)

    def torque(self, speed: float, pitch: float) -> float:
        """Torque of the generator, N m at the fast shaft, for its filtered speed."""
        rated = RATED_POWER / (speed if self.keep == "power" else RATED_SPEED)
        below = max(2.332287 * speed**2, 43_528.0 / 11.06 * (speed - 110.62))
        return rated if pitch > FINE else min(rated, below)

    def steady(self, wind: float) -> np.ndarray:
        """States at rated speed and power; at fine pitch where the wind is too weak for it."""
        speed = RATED_SPEED / GEARBOX

        def excess(pitch: float) -> float:
            return self.aero(speed, pitch, wind)[1] * speed - RATED_POWER

        pitch = brentq(excess, 0.0, STEEPEST) if excess(0.0) > 0.0 else 0.0
        return np.array([speed, pitch * (1.0 + pitch / DOUBLED) / self.ki, RATED_SPEED])

    def relative_wind(self, shaft: np.ndarray, hub: np.ndarray) -> float:
        """Speed of the air along the shaft as the hub sees it, m/s."""
        return max(1.0, shaft @ ([self.wind, 0.0, 0.0] - hub))

    def initialize(self, at: cosim.Instant) -> None:
        """Start in the steady state of the wind at the hub."""
        self.x0 = self.steady(self.relative_wind(at.R[0, :, 0], at.points[0, 3:]))

    def static_loads(self, at: cosim.Instant) -> cosim.Loads:
        """Steady loads on a platform at rest, for the equilibrium."""
        shaft = at.R[0, :, 0]
        wind = self.relative_wind(shaft, np.zeros(3))
        return self.loads(self.steady(wind), shaft, wind)

    def update(self, at: cosim.Instant) -> cosim.Loads:
        """Loads and derivatives of a trial instant."""
        shaft = at.R[0, :, 0]
        return self.loads(at.x, shaft, self.relative_wind(shaft, at.points[0, 3:]))

    def loads(self, x: np.ndarray, shaft: np.ndarray, wind: float) -> cosim.Loads:
        """Force and couple at the hub, and derivatives of the states."""
        speed, pitch = x[0], self.pitch(x)
        thrust, driving = self.aero(speed, pitch, wind)
        braking = GEARBOX * self.torque(x[2], pitch)
        error = x[2] - RATED_SPEED
        return cosim.Loads(
            at_points=np.concatenate([thrust * shaft, braking * shaft])[None],
            x_dot=[
                (driving - braking) / INERTIA,
                error if pitch > 0.0 or error > 0.0 else 0.0,  # no wind-up at fine pitch
                FILTER * (GEARBOX * speed - x[2]),
            ],
            outputs=[30.0 / np.pi * speed, np.degrees(pitch), thrust, EFFICIENCY * braking * speed],
        )


if __name__ == "__main__":
    cosim.run_peer(Rotor())
