"""The picture of a case as it starts, lines of its adapters included."""

import numpy as np
import pytest

from cosim.case.adapter_types import AdapterTypes
from cosim.case.build import build
from cosim.case.picture import start_figure
from cosim.case.schema import Case
from cosim.case.start import start_state
from cosim.coupling.capabilities import Plottable, Shape
from cosim.coupling.template import TemplateInterface

CASE = {
    "environment": {"water_depth": 50},
    "bodies": {"buoy": {"mass": 1e3, "cog": [0, 0, -1], "inertia": [1e3, 1e3, 1e3]}},
    "joints": {"free": {"type": "floating", "child": "buoy"}},
    "adapters": {"lines": {"type": "drawn"}},
    "start": {"from": "reference", "set": {"buoy.surge": 4}},
    "time": {"end": 1},
}


class Drawn(TemplateInterface, Plottable):
    """Loads nothing; shows a line from the seabed to its body."""

    ended = 0

    def __init__(self, model, name, options):
        super().__init__(model, name, options)
        self.bodies = ("buoy",)

    def initialize(self, t0, state):
        self.top = state.r[0].copy()

    def update(self, t, state, x):
        pass

    def forces(self):
        return np.zeros((1, 6))

    def shapes(self):
        return [Shape("chain", "line", np.linspace([0, 0, -50], self.top, 5))]

    def end(self):
        type(self).ended += 1


@pytest.fixture
def figure():
    case = Case.from_dict(CASE)
    assembly = build(case, AdapterTypes({"drawn": Drawn}))
    start = start_state(case, assembly.model, assembly.adapters)
    return start_figure(assembly, start)


def test_lines_end_at_the_body_where_it_starts(figure):
    ends = [
        segment[-1]
        for artist in figure.axes[0].collections
        if type(artist).__name__ == "Line3DCollection"
        for segment in artist._segments3d
    ]
    np.testing.assert_allclose(ends, [[4.0, 0.0, -1.0]])


def test_names_are_there_and_the_adapter_is_ended(figure):
    texts = {text.get_text() for axes in figure.axes for text in axes.texts}
    assert {"buoy", "free (floating)", "chain"} <= texts
    assert Drawn.ended > 0
