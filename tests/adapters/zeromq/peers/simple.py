"""Small peers for the tests; run as a program, the one that the environment names."""

import math
import os
import signal
import threading
import time

import numpy as np

from cosim.wire import Loads, Peer, Signal
from cosim.wire.server import run_peer


class Damper(Peer):
    """F = -c v on every body, with added mass that couples the bodies."""

    name = "damper"
    static = added_mass = True
    outputs = (Signal("power", "W", long_name="power of the damper"),)

    def configure(self, setup):
        self.c = setup.settings.get("c", 10.0)
        count = 6 * len(setup.bodies)
        root = np.random.default_rng(1).normal(size=(count, count))
        self.mass = setup.settings.get("mass", 0.1) * (root @ root.T)

    def update(self, at):
        force = -self.c * at.v
        return Loads(wrenches=force, added_mass=self.mass, outputs=[np.sum(force * at.v)])

    def static_loads(self, at):
        return Loads(wrenches=np.zeros((len(at.r), 6)))


class Filtered(Peer):
    """Force that lags behind the velocity: x' = (v - x) / T, F = -c x."""

    name = "filtered"
    n_states = 3

    def initialize(self, at):
        self.x0 = at.v[0, :3] * 0.5
        self.x_scale = np.ones(3)

    def update(self, at):
        load = np.zeros((len(at.r), 6))
        load[0, :3] = -5.0 * at.x
        return Loads(wrenches=load, x_dot=(at.v[0, :3] - at.x) / 0.3)


class Counter(Peer):
    """Force that grows with every accepted point."""

    name = "counter"
    history = restorable = True

    def initialize(self, at):
        self.path = np.zeros(3)
        self.last = at.r[0].copy()

    def update(self, at):
        load = np.zeros((len(at.r), 6))
        load[0, :3] = -np.sign(at.v[0, :3]) * (1.0 + self.path)
        return Loads(wrenches=load)

    def accept(self, at):
        self.path = self.path + np.abs(at.r[0] - self.last)
        self.last = at.r[0].copy()

    def save_state(self):
        return np.concatenate([self.path, self.last]).tobytes()

    def restore_state(self, state):
        self.path, self.last = np.frombuffer(state).reshape(2, 3).copy()


class Spring(Peer):
    """Mass on a spring, hung on the first point; exact for a motion of constant velocity."""

    name = "spring"
    mode = "advance"
    restorable = added_mass = True
    inner_step = 0.01
    outputs = (Signal("x", "m", frame="world"),)

    def initialize(self, at):
        self.origin = at.r[0].copy()
        self.z = np.array([np.zeros(3), at.v[0, :3]])
        self.note(at)

    def loads_now(self):
        return self.loads

    def advance(self, step):
        h = step.end.t - step.start.t
        count = max(1, math.ceil(h / self.inner_step - 1e-9))
        motion = step.motion()
        dt = h / count
        for n in range(count):
            at = motion.at(step.start.t + (n + 0.5) * dt)
            a = -40.0 * (self.z[0] - (at.r[0] - self.origin))
            self.z[1] += dt * a
            self.z[0] += dt * self.z[1]
        self.note(step.end)
        return self.loads

    def note(self, at):
        load = np.zeros((len(at.r), 6))
        load[0, :3] = 8.0 * (self.z[0] - (at.r[0] - self.origin))
        mass = np.zeros((6 * len(at.r), 6 * len(at.r)))
        mass[:3, :3] = 0.05 * np.eye(3)
        self.loads = Loads(wrenches=load, added_mass=mass, outputs=self.z[0, :1].copy())

    def save_state(self):
        return np.concatenate([self.origin, self.z.ravel()]).tobytes()

    def restore_state(self, state):
        values = np.frombuffer(state)
        self.origin = values[:3].copy()
        self.z = values[3:].reshape(2, 3).copy()


class LastingSpring(Spring):
    """The same, but it cannot go back."""

    restorable = False
    apparent_mass = None

    def configure(self, setup):
        self.apparent_mass = np.eye(6 * len(setup.bodies))


class Swapped(Damper):
    """Knows its bodies by name."""

    bodies = ("float", "buoy")


class Wind(Damper):
    """Wants what there is not."""

    channels = (Signal("wind", "m/s"),)


class Feet(Damper):
    """Wants other units."""

    channels = (Signal("elevation:buoy", "ft"),)


class Stubborn(Damper):
    """Does not leave when it is told."""

    name = "stubborn"

    def end(self):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        threading.Thread(target=time.sleep, args=(60,)).start()


class Counting(Peer):
    """Says how often it was asked; that is not pure, and only a test may do it."""

    name = "counting"
    event = True
    outputs = (Signal("asked", "1"),)
    asked = 0

    def update(self, at):
        self.asked += 1
        return Loads(wrenches=0.0 * at.v, event=1.0, outputs=[self.asked])


if __name__ == "__main__":
    run_peer(globals()[os.environ["TEST_PEER"]]())
