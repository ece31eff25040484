"""Added mass ten times the body's mass: told as what it is, or hidden in a force."""

import sys

import numpy as np

from cosim.wire import Loads, Peer, Signal
from cosim.wire.server import run_peer

MASS = 20.0


def mass_of(count):
    return np.kron(np.eye(count), np.diag([MASS] * 3 + [0.0] * 3))


class Told(Peer):
    """Added mass and a damper, at any instant."""

    name = "told"
    added_mass = True
    outputs = (Signal("force", "N"),)

    def configure(self, setup):
        self.c = setup.settings.get("c", 0.0)
        self.max_step = setup.settings.get("max_step", self.max_step)

    def update(self, at):
        load = -self.c * at.v
        return Loads(wrenches=load, added_mass=mass_of(len(at.v)), outputs=load[0, :1])


class ToldInSteps(Peer):
    """The same at the ends of steps."""

    name = "told in steps"
    mode = "advance"
    added_mass = restorable = True

    def configure(self, setup):
        self.c = setup.settings.get("c", 0.0)

    def initialize(self, at):
        self.v = at.v.copy()

    def loads_now(self):
        return Loads(wrenches=-self.c * self.v, added_mass=mass_of(len(self.v)))

    def advance(self, step):
        self.v = step.end.v.copy()
        return self.loads_now()

    def save_state(self):
        return self.v.tobytes()

    def restore_state(self, state):
        self.v = np.frombuffer(state).reshape(-1, 6).copy()


class Held(ToldInSteps):
    """With a spring that it knows at rest too."""

    name = "held"
    static = True

    def initialize(self, at):
        self.note(at)

    def note(self, at):
        self.x, self.v = at.r[:, 0].copy(), at.v.copy()

    def static_loads(self, at):
        load = np.zeros_like(at.v)
        load[:, 0] = -10.0 * at.r[:, 0]
        return Loads(wrenches=load)

    def loads_now(self):
        load = np.zeros_like(self.v)
        load[:, 0] = -10.0 * self.x
        return Loads(wrenches=load, added_mass=mass_of(len(load)))

    def advance(self, step):
        self.note(step.end)
        return self.loads_now()

    def save_state(self):
        return np.column_stack([self.x, self.v]).tobytes()

    def restore_state(self, state):
        values = np.frombuffer(state).reshape(-1, 7).copy()
        self.x, self.v = values[:, 0], values[:, 1:]


class Hidden(Peer):
    """F = -m a with a the acceleration at the end of the cubic motion."""

    name = "hidden"
    mode = "advance"
    restorable = True

    def initialize(self, at):
        self.load = np.zeros((len(at.r), 6))

    def loads_now(self):
        return Loads(wrenches=self.load)

    def advance(self, step):
        h = step.end.t - step.start.t
        moved = step.end.r - step.start.r
        a = (4.0 * step.end.v[:, :3] + 2.0 * step.start.v[:, :3] - 6.0 * moved / h) / h
        self.load = np.hstack([-MASS * a, np.zeros_like(a)])
        return self.loads_now()

    def save_state(self):
        return self.load.tobytes()

    def restore_state(self, state):
        self.load = np.frombuffer(state).reshape(-1, 6).copy()


class Sealed(Hidden):
    """The same, and it cannot go back; it says how heavy it is."""

    name = "sealed"
    restorable = False

    def configure(self, setup):
        self.apparent_mass = mass_of(len(setup.bodies))


class Mute(Hidden):
    """The same, and it says nothing."""

    name = "mute"
    restorable = False


class Bang(Peer):
    """A force of one size against the motion, which turns at an event of the peer's."""

    name = "bang"
    event = history = restorable = True
    outputs = (Signal("force", "N"),)

    def initialize(self, at):
        self.side = 1.0

    def update(self, at):
        load = np.zeros_like(at.v)
        load[0, 0] = -3.0 * self.side
        return Loads(wrenches=load, event=at.r[0, 0], outputs=load[0, :1])

    def accept(self, at):
        x, v = at.r[0, 0], at.v[0, 0]
        self.side = float(np.sign(x if abs(x) > 1e-9 else v))

    def save_state(self):
        return np.array([self.side]).tobytes()

    def restore_state(self, state):
        self.side = float(np.frombuffer(state)[0])


if __name__ == "__main__":
    run_peer(globals()[sys.argv[1]]())
