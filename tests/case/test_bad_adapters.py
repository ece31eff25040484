"""Adapters that do what they must not: an error that names adapter and time, never a crash."""

import numpy as np
import pytest

import cosim
from cosim.errors import AdapterError, CaseError, CosimError, SolverError


class Push(cosim.TemplateInterface):
    """A force on the bob; the tests spoil one method each."""

    class Options(cosim.TemplateInterface.Options):
        pass

    def __init__(self, model, name, options):
        super().__init__(model, name, options)
        self.bodies = ("bob",)

    def initialize(self, t0, state):
        pass

    def forces(self):
        return np.zeros((1, 6))


def run(name="push", **methods):
    case = cosim.Case(
        bodies={"bob": cosim.Body(mass=2, cog=(0, 0, -1), inertia=(0.1, 0.1, 0.1))},
        joints={"hinge": cosim.Revolute(child="bob", at=(0, 0, 0), axis=(0, 1, 0))},
        adapters={name: {"type": "own"}},
        start=cosim.Start(from_="reference"),
        time=cosim.TimeSettings(end=0.5),
    )
    return cosim.run(case, types={"own": type("Own", (Push,), methods)})


def fail(*arguments):
    raise RuntimeError("no answer\nfrom the other side")


def channels(*names):
    return lambda self: [cosim.Channel(name, "N", "a load") for name in names]


def returning(value):
    return lambda self, *arguments: value


def test_the_adapter_itself_is_good():
    assert run().attrs["status"] == "completed"


@pytest.mark.parametrize(
    ("methods", "text"),
    [
        ({"__init__": fail}, "adapter 'push': RuntimeError: no answer from the other side"),
        ({"initialize": fail}, "adapter 'push' at t = 0 s: RuntimeError: no answer"),
        ({"update": fail}, "adapter 'push' at t = 0 s: RuntimeError: no answer"),
        ({"forces": fail}, "adapter 'push' at t = 0 s: RuntimeError: no answer"),
        ({"accept": fail}, "it overrides accept"),
        ({"end": fail}, "adapter 'push': RuntimeError: no answer"),
        ({"forces": returning(None)}, "adapter 'push' at t = 0 s: TypeError"),
        ({"forces": returning(np.zeros(6))}, r"shape \(6,\); 1 bodies need \(1, 6\)"),
        ({"forces": returning(np.full((1, 6), np.nan))}, "load on body 'bob' is not finite"),
        ({"added_mass": returning(np.zeros((1, 6)))}, r"1 bodies need \(6, 6\)"),
        ({"added_mass": returning(np.triu(np.ones((6, 6))))}, "is not symmetric"),
        ({"channels": channels("a", "a"), "outputs": returning(np.zeros(2))}, "'a' twice"),
        ({"channels": channels("a"), "outputs": returning(np.zeros(2))}, "1 channels need"),
        ({"update": lambda self, t, state, x: state.r.fill(0.0)}, "read-only"),
    ],
)
def test_a_broken_adapter_is_named(methods, text):
    with pytest.raises(AdapterError, match=text) as caught:
        run(**methods)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 5


def test_negative_added_mass_names_the_body():
    with pytest.raises(CosimError, match="not positive definite: body 'bob'"):
        run(added_mass=returning(-100.0 * np.eye(6)))


def test_a_load_out_of_all_proportion_ends_the_run():
    with pytest.raises(SolverError, match="body 'bob'"):
        run(forces=returning(np.array([[1e300, 0, 0, 0, 0, 0]])))


@pytest.mark.parametrize("name", ["ledger", "elements", "shape"])
def test_names_that_the_results_use_are_refused(name):
    with pytest.raises((CaseError, ValueError), match="choose another name"):
        run(name)
