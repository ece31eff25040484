"""Six damped bodies with their full added-mass matrix: the peer of the socket benchmarks.

It does as little as a peer can, so that what is measured is the way to it and back.
"""

from __future__ import annotations

import struct

import numpy as np

import cosim

BODIES = 6


class SixBodies(cosim.Peer):
    name = "six_bodies"
    added_mass = history = restorable = True

    def configure(self, setup: cosim.Setup) -> None:
        side = 6 * len(setup.bodies)
        self.mass = 20.0 * np.eye(side) + 1.0
        self.damping = 30.0
        self.accepted = 0

    def update(self, at: cosim.Instant) -> cosim.Loads:
        return cosim.Loads(wrenches=-self.damping * at.v, added_mass=self.mass)

    def accept(self, at: cosim.Instant) -> None:
        self.accepted += 1

    def save_state(self) -> bytes:
        return struct.pack("<q", self.accepted)

    def restore_state(self, state: bytes) -> None:
        (self.accepted,) = struct.unpack("<q", state)


if __name__ == "__main__":
    cosim.run_peer(SixBodies())
