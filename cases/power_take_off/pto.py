"""Power take-offs of wave energy converters, as peers: a linear damper, and one that latches."""

from __future__ import annotations

import struct
import sys

import numpy as np

import cosim

HELD = 1e13  # kg; what a latched body weighs along the stroke, 1e7 times itself and more
SLOWEST = 1e-3  # m/s; a peak below is no stroke that could end in a latch


class LinearPTO(cosim.Peer):
    """A damper between two points, or between a point and `anchor`, on the line through both."""

    name = "linear"
    outputs = (cosim.Signal("force", "N"), cosim.Signal("power", "W", long_name="power taken out"))

    def configure(self, setup: cosim.Setup) -> None:
        """Take the damping, N s/m, and the place of the other end, m."""
        self.damping = float(setup.settings["damping"])
        self.anchor = np.array([*setup.settings.get("anchor", ()), 0.0, 0.0, 0.0])

    def stroke(self, at: cosim.Instant) -> tuple[np.ndarray, float]:
        """Axis, towards the first point, and speed, m/s, of its stroke."""
        first, second = at.points if len(at.points) == 2 else (at.points[0], self.anchor)
        axis = first[:3] - second[:3]
        axis /= np.linalg.norm(axis)
        return axis, float(axis @ (first[3:] - second[3:]))

    def update(self, at: cosim.Instant) -> cosim.Loads:
        """Opposite forces at the two points."""
        axis, speed = self.stroke(at)
        force = -self.damping * speed
        ends = np.zeros((2, 6))
        ends[:, :3] = force * axis, -force * axis
        return cosim.Loads(
            at_points=ends[: len(at.points)], outputs=[force, self.damping * speed**2]
        )


class LatchingPTO(LinearPTO):
    """Holds one body where its stroke ends, and lets it go `delay` later.

    A latch is an added mass along the stroke that nothing moves. It closes and opens only in
    `accept`, where zeros of the event function end the steps: those of the speed of a free
    body, and of the time to go of a held one.
    """

    name = "latching"
    history = restorable = event = added_mass = True
    outputs = (*LinearPTO.outputs, cosim.Signal("latched", "1"))

    def configure(self, setup: cosim.Setup) -> None:
        """Take the delay too, s."""
        super().configure(setup)
        self.delay = float(setup.settings["delay"])
        self.latched, self.until, self.peak = False, 0.0, 0.0

    def update(self, at: cosim.Instant) -> cosim.Loads:
        """Add what holds it, and when the mode changes."""
        loads = super().update(at)
        axis, speed = self.stroke(at)
        reach = np.concatenate([axis, np.cross(at.points[0, :3] - at.r[0], axis)])
        loads.added_mass = HELD * self.latched * np.outer(reach, reach)
        loads.event = at.t - self.until if self.latched else speed
        loads.outputs = [*loads.outputs, float(self.latched)]
        return loads

    def accept(self, at: cosim.Instant) -> None:
        """Change the mode where it is time."""
        _, speed = self.stroke(at)
        if self.latched:
            if at.t > self.until - 1e-9:
                self.latched, self.peak = False, 0.0
            return
        if abs(speed) > abs(self.peak):
            self.peak = speed
        if abs(self.peak) > SLOWEST and speed * self.peak <= 1e-4 * self.peak**2:
            self.latched, self.until = True, at.t + self.delay

    def save_state(self) -> bytes:
        """The mode, and what the next change depends on."""
        return struct.pack("<?2d", self.latched, self.until, self.peak)

    def restore_state(self, state: bytes) -> None:
        """Go back to a saved mode."""
        self.latched, self.until, self.peak = struct.unpack("<?2d", state)


if __name__ == "__main__":
    cosim.run_peer({"linear": LinearPTO, "latching": LatchingPTO}[sys.argv[1]]())
