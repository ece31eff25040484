"""Two runs of ours coupled to each other are the run of the whole."""

import numpy as np
import pytest

import cosim
from cosim.case.build import build
from cosim.errors import AdapterError
from cosim.testing import AdapterContract, AttachedMass, ContractCase

from .conftest import HINGE


@pytest.fixture
def whole(pendulums):
    return cosim.run(pendulums.whole())


@pytest.mark.parametrize(("scheme", "order"), [("iterated", 2), ("explicit", 3)])
def test_order_in_the_communication_step(pendulums, whole, distance, scheme, order):
    """The served part is ten times heavier than the body of the run that calls."""
    steps = (0.04, 0.02, 0.01)
    errors = [
        distance(cosim.run(pendulums.upper(scheme=scheme, communication_step=H)), whole)
        for H in steps
    ]
    slopes = np.diff(np.log(errors)) / np.diff(np.log(steps))
    # loads by linear interpolation, or by a parabola (page on coupling): measured 2.00, 2.00
    # and 2.94, 2.98
    assert (slopes > order - 0.1).all(), (errors, slopes)
    # and of the paths, 1.2 m long, by less than 5e-5 m
    assert errors[-1] < 5e-5


@pytest.mark.parametrize(
    ("scheme", "tolerance"),
    [("explicit", 1e-4), ("solver-call", 1e-6)],
)
def test_other_schemes_are_stable_and_right(pendulums, whole, distance, scheme, tolerance):
    """Explicit of order 3: 4e-5 m at 0.02 s; solver-call: as accurate as its integrator."""
    results = cosim.run(pendulums.upper(scheme=scheme, communication_step=0.02))
    assert distance(results, whole) < tolerance


def test_in_this_process_and_in_another_are_the_same(pendulums):
    inside = cosim.run(pendulums.upper(end=0.3, communication_step=0.02))
    outside = cosim.run(
        pendulums.upper(source=pendulums.launched(), end=0.3, communication_step=0.02)
    )
    for name in inside.data_vars:
        np.testing.assert_array_equal(inside[name].values, outside[name].values, err_msg=name)


def test_equilibrium_is_that_of_the_whole(make_pendulums, distance):
    pair = make_pendulums(start="equilibrium")
    upper = cosim.run(pair.upper(start={}, end=0.2, communication_step=0.02))
    whole = cosim.run(pair.whole(start={}, end=0.2))
    # to the tolerance with which an equilibrium is sought, 1e-10, in a load of 100 N; both rest
    assert distance(upper, whole) < 1e-7
    assert abs(upper["velocity"]).max() < 1e-6


ATTACHED = {"type": "mass", "body": "bob", "mass": 8.0, "stiffness": 40.0, "damping": 1.0}


def test_a_stepper_in_the_served_case(make_pendulums, distance):
    """Coupled inside by the served case's own scheme: iterated, H = 0.01 s, order 2."""
    pair = make_pendulums(lower={"adapters": {"tank": ATTACHED}})
    types = {"mass": AttachedMass}
    whole = cosim.run(pair.whole(scheme="solver-call", end=0.5), types=types)
    errors = [
        distance(cosim.run(pair.upper(end=0.5, communication_step=H)), whole) for H in (0.04, 0.02)
    ]
    assert errors[1] < 1e-4
    assert errors[1] < errors[0] / 3.0


def test_resumed_is_bit_equal(pendulums, tmp_path):
    """The checkpoint holds the served run too; its peer is a new one afterwards."""
    options = {"communication_step": 0.02, "output": {"step": 0.05, "checkpoint": 0.1}}
    through = cosim.run(pendulums.upper(end=0.4, **options), out=tmp_path / "through.nc")
    cosim.run(pendulums.upper(end=0.2, **options), out=tmp_path / "parts.nc")
    parts = cosim.resume(tmp_path / "parts.nc", end=0.4)
    for name in through.data_vars:
        if name != "case_text":
            np.testing.assert_array_equal(through[name].values, parts[name].values, err_msg=name)


class TestContract(AdapterContract):
    @pytest.fixture(autouse=True)
    def _tools(self, make_pendulums):
        self._pair = make_pendulums(lower={"adapters": {"tank": ATTACHED}})

    def case(self):
        assembly = build(self._pair.upper())
        model = assembly.model
        return ContractCase(model, assembly.adapters["lower"], *model.initial(), step=0.05)


@pytest.mark.parametrize(
    ("lower", "sentence"),
    [
        ({"environment": {"gravity": 9.0}}, "environment.gravity is 9 in the served case and 9.8"),
        (
            {"start": {"from": "reference", "set": {"carried.heave": 1.0}}},
            "'carried.heave' is where the calling run has body 'link'",
        ),
        (
            {"joints": {"carried": {"type": "fixed", "child": "link"}, "hinge": HINGE}},
            "body 'link' does not float",
        ),
    ],
)
def test_cases_that_do_not_fit(make_pendulums, lower, sentence):
    pair = make_pendulums(lower=lower)
    with pytest.raises(AdapterError, match=sentence):
        cosim.run(pair.upper(end=0.1))


def test_a_served_case_takes_no_settings(pendulums):
    source = {"inline": "peer.py:Lower", "settings": {"mass": 3}}
    with pytest.raises(AdapterError, match="takes no settings, and 'mass' is given"):
        cosim.run(pendulums.upper(source=source, end=0.1))
