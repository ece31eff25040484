"""A linear damper at the other end of a socket: F = -c v on each of its bodies."""

from __future__ import annotations

import numpy as np

import cosim


class Damper(cosim.Peer):
    """It has no states and no memory: a load for every instant is all."""

    name = "damper"
    outputs = (cosim.Signal("power", "W", long_name="power taken out"),)

    def configure(self, setup: cosim.Setup) -> None:
        """Take c from the case, N s/m."""
        self.damping = float(setup.settings["damping"])

    def update(self, at: cosim.Instant) -> cosim.Loads:
        """Wrenches at the centres of gravity, and the power."""
        velocity = at.v[:, :3]
        wrenches = np.zeros(at.v.shape)
        wrenches[:, :3] = -self.damping * velocity
        return cosim.Loads(wrenches=wrenches, outputs=[self.damping * np.sum(velocity**2)])


if __name__ == "__main__":
    cosim.run_peer(Damper())
