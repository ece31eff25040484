"""What runs are loaded with, and how two are compared."""

import math

import numpy as np

from cosim.coupling.capabilities import Restorable, Stepper
from cosim.coupling.template import Channel, TemplateInterface


class Ramp(TemplateInterface, Stepper, Restorable):
    """Force and output equal to its own clock."""

    max_step = math.inf

    def __init__(self, model, name="ramp", max_step=math.inf):
        super().__init__(model, name, self.Options())
        self.bodies = ("a",)
        self.max_step = max_step
        self.spans = []
        self._t = self._shown = 0.0

    def initialize(self, t0, state):
        self._t = self._shown = t0

    def advance(self, motion):
        assert motion.t0 == self._t
        self.spans.append(motion.t1 - motion.t0)
        self._t = motion.t1

    def forces(self):
        return np.array([[self._t, 0.0, 0.0, 0.0, 0.0, 0.0]])

    def accept(self, t, state, x):
        self._shown = self._t

    def channels(self):
        return (Channel("t", "s", "own clock"),)

    def outputs(self):
        return np.array([self._shown])

    def save_state(self):
        return np.array([self._t, self._shown]).tobytes()

    def restore_state(self, state):
        self._t, self._shown = np.frombuffer(state).tolist()


def same(first, second):
    """Bit for bit, but for the channels that only the ledger has."""
    return len(first.samples) == len(second.samples) and all(
        np.array_equal(getattr(a, name), getattr(b, name))
        for a, b in zip(first.samples, second.samples, strict=True)
        for name in ("q", "u", "v_dot")
    )
