"""A peer from the page alone: another language, neither ZeroMQ nor MessagePack from a library."""

from pathlib import Path

import numpy as np
import pytest

import cosim

from .conftest import require
from .test_coupled import DAMPER, full_case

PEER = Path(__file__).with_name("everything.js")


@pytest.fixture(scope="module")
def source():
    require("node")
    return {"launch": ["node", str(PEER)]}


def same(ours, python):
    for name in ("position", "velocity", "peer/hours"):
        np.testing.assert_array_equal(ours[name].values, python[name].values)
    assert ours["peer/hours"].values[-1] > 0.0


def test_it_is_that_in_python_bit_for_bit(source):
    same(cosim.run(full_case(source)), cosim.run(full_case({"inline": f"{DAMPER}:Everything"})))


def test_it_is_saved_and_gone_on_with(source, tmp_path):
    def case(end):
        data = full_case(source).model_dump(by_alias=True, exclude_unset=True)
        data["time"]["end"], data["output"]["checkpoint"] = end, 0.5
        return cosim.Case.from_dict(data)

    cosim.run(case(0.9), out=tmp_path / "part.nc")
    same(cosim.resume(tmp_path / "part.nc", end=2.0), cosim.run(case(2.0)))
