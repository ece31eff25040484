"""An adapter type may choose the class that serves its options."""

import numpy as np

import cosim
from cosim.case.adapter_types import AdapterTypes
from cosim.case.build import build


class Load(cosim.TemplateInterface):
    class Options(cosim.TemplateInterface.Options):
        slow: bool = False

    def __init__(self, model, name, options):
        super().__init__(model, name, options)
        self.bodies = ("bob",)

    @classmethod
    def create(cls, model, name, options):
        return (Slow if options.slow else Load)(model, name, options)

    def initialize(self, t0, state):
        pass

    def forces(self):
        return np.zeros((1, 6))


class Slow(Load, cosim.Stepper):
    max_step = 0.1

    def advance(self, motion):
        pass


def adapter_of(**options):
    case = cosim.Case(
        bodies={"bob": cosim.Body(mass=2, cog=(0, 0, -1), inertia=(0.1, 0.1, 0.1))},
        joints={"hinge": cosim.Revolute(child="bob", at=(0, 0, 0), axis=(0, 1, 0))},
        adapters={"push": {"type": "own", **options}},
        time=cosim.TimeSettings(end=0.5),
    )
    return build(case, AdapterTypes({"own": Load})).adapters["push"]


def test_the_options_choose_the_class():
    assert type(adapter_of()) is Load
    assert type(adapter_of(slow=True)) is Slow
