"""Peers of the C kit and of its tests, in Python."""

import numpy as np

from cosim.wire import Loads, Peer, Signal
from cosim.wire.server import run_peer


class Damper(Peer):
    name = "damper in Python"

    def configure(self, setup):
        self.c = setup.settings.get("c", 10.0)

    def update(self, at):
        return Loads(wrenches=-self.c * at.v)


class Everything(Peer):
    """That of everything.c, operation by operation."""

    name = "everything"
    n_states = 3
    history = restorable = static = event = added_mass = True
    outputs = (Signal("hours", "1", long_name="accepted instants"),)

    def initialize(self, at):
        self.hours = 0.0
        self.x0, self.x_scale = 0.5 * at.v[0, :3], np.full(3, 2.0)

    def static_loads(self, at):
        load = np.zeros((len(at.r), 6))
        load[0, 2] = -0.5 * at.r[0, 2]
        return Loads(wrenches=load)

    def update(self, at):
        load, push = np.zeros((len(at.r), 6)), np.zeros((1, 6))
        load[0, :3] = -(3.0 + self.hours) * at.x
        push[0, :3] = -0.25 * at.points[0, 3:]
        mass = np.zeros((6 * len(load), 6 * len(load)))
        mass[[0, 1, 2], [0, 1, 2]] = 4.0
        return Loads(
            wrenches=load,
            at_points=push,
            added_mass=mass,
            x_dot=(at.v[0, :3] - at.x) / 0.5,
            event=1.0,
            outputs=[self.hours],
        )

    def accept(self, at):
        self.hours += 1e-3 * (at.t > 0.0)

    def save_state(self):
        return np.array([self.hours]).tobytes()

    def restore_state(self, state):
        (self.hours,) = np.frombuffer(state).tolist()


if __name__ == "__main__":
    run_peer(Damper())
