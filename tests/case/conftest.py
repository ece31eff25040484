import textwrap

import numpy as np
import pytest

from cosim.case.adapter_types import AdapterTypes
from cosim.coupling.template import Channel, TemplateInterface
from cosim.model.base import Number, Strict

PENDULUM = """\
case: 1
parameters:
  length: 2.0
bodies:
  bob:
    mass: 2
    cog: [0, 0, =-length]
    inertia: [0.1, 0.1, 0.1]
    points: {tip: [0, 0, -2.5]}
joints:
  hinge: {type: revolute, child: bob, at: [0, 0, 0], axis: [0, 1, 0]}
start:
  from: reference
  set: {hinge.angle_deg: 5}
time:
  end: 2
output:
  step: 0.01
"""


@pytest.fixture
def write(tmp_path):
    """Write a case file and return its path."""

    def writer(text=PENDULUM, name="case.yaml"):
        path = tmp_path / name
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    return writer


@pytest.fixture
def pendulum():
    return PENDULUM


class Wind(TemplateInterface):
    """A steady force on one body."""

    class Options(Strict):
        speed: Number

    def __init__(self, model, name, options):
        super().__init__(model, name, options)
        self.bodies = model.bodies[:1]

    def initialize(self, t0, state):
        pass

    def forces(self):
        return np.array([[self.options.speed, 0, 0, 0, 0, 0]])

    def channels(self):
        return [Channel("speed", "m/s", "Wind speed")]

    def outputs(self):
        return np.array([self.options.speed])


@pytest.fixture
def adapter_types():
    return AdapterTypes({"wind": Wind})


@pytest.fixture
def wind():
    return Wind
