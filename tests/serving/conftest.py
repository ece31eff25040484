"""Pairs of cases that together are one, and peers that serve the lower of them."""

import json
import sys

import numpy as np
import pytest

import cosim

LINK = {"mass": 1.0, "cog": [0, 0, -0.5], "inertia": [0.1, 0.1, 0.01]}
BOB = {"mass": 10.0, "cog": [0.2, 0, -1.7], "inertia": [4, 4, 2]}
PIVOT = {
    "type": "universal",
    "child": "link",
    "at": [0, 0, 0],
    "axis1": [1, 0, 0],
    "axis2": [0, 1, 0],
}
HINGE = {
    "type": "revolute",
    "parent": "link",
    "child": "bob",
    "at": [0, 0, -1],
    "axis": [0.3, 1, 0],
}
SHARE = 0.2
"""Part of the link that the lower case describes; the upper one describes the rest."""
ACCURATE = {"method": "DOP853", "rtol": 1e-9, "atol": 1e-10}

PEER = """\
import json
from pathlib import Path
from cosim.case.adapter_types import AdapterTypes
from cosim.case.schema import Case
from cosim.serving.case_peer import CasePeer
from cosim.testing import AttachedMass

class Lower(CasePeer):
    def __init__(self):
        text = (Path(__file__).parent / "lower.yaml").read_text()
        types = AdapterTypes({"mass": AttachedMass})
        super().__init__(Case.from_dict(json.loads(text)), "link", types)
"""


def part_of(body, share):
    return {
        **body,
        "mass": share * body["mass"],
        "inertia": (share * np.array(body["inertia"])).tolist(),
    }


class Pendulums:
    """A heavy bob hinged to a light link, whole or cut through the link.

    Parameters
    ----------
    folder : Path
        Where the lower case and its peer are written.
    """

    def __init__(self, folder, *, lower=None, bodies=None, start="reference"):
        self.folder = folder
        self.start = start
        self.bodies, self.more = bodies or {"bob": BOB}, lower or {}
        self.lower = {
            "case": 1,
            "bodies": {"link": part_of(LINK, SHARE), **self.bodies},
            "joints": {"carried": {"type": "floating", "child": "link"}, "hinge": HINGE},
            "start": {"from": start},
            "time": {"end": 9, "communication_step": 0.01, "tolerance": 1e-8, **ACCURATE},
            **self.more,
        }
        (folder / "lower.yaml").write_text(json.dumps(self.lower))
        (folder / "peer.py").write_text(PEER)

    def upper(self, *, source=None, start=None, output=None, **time):
        source = source or {"inline": "peer.py:Lower"}
        return self._case(
            {"link": part_of(LINK, 1 - SHARE)},
            {"pivot": PIVOT},
            start,
            {"tolerance": 1e-7, **ACCURATE, **time},
            output=output or {"step": 0.1},
            adapters={"lower": {"type": "zeromq", "mode": "advance", "bodies": ["link"], **source}},
        )

    def whole(self, *, start=None, **time):
        return self._case(
            {"link": LINK, **self.bodies},
            {"pivot": PIVOT, "hinge": HINGE},
            start,
            {**ACCURATE, "rtol": 1e-11, "atol": 1e-12, **time},
            **self.more,
        )

    def launched(self):
        """The lower case in a process of its own."""
        command = f"{sys.executable} -P -m cosim.cli serve lower.yaml --interface link"
        return {"launch": command}

    def _case(self, bodies, joints, start, time, **more):
        given = {"pivot.angle1_rate": 0.8} if start is None else start
        return cosim.Case.from_dict(
            {
                "case": 1,
                "bodies": bodies,
                "joints": joints,
                "start": {"from": self.start, "set": given},
                "time": {"end": 1, **time},
                "output": {"step": 0.1},
                **more,
            },
            folder=self.folder,
        )


@pytest.fixture
def pendulums(tmp_path):
    return Pendulums(tmp_path)


@pytest.fixture
def make_pendulums(tmp_path):
    return lambda **options: Pendulums(tmp_path, **options)


@pytest.fixture
def distance():
    """Largest difference of the link's position between two results, m."""

    def measure(one, other):
        a, b = (results["position"].sel(body="link") for results in (one, other))
        return float(abs(a - b).max())

    return measure
