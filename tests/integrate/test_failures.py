"""What a run says when it cannot go on, and settings that it refuses."""

import numpy as np
import pytest
from pydantic import ValidationError

from cosim.coupling.template import TemplateInterface
from cosim.errors import AdapterError, CaseError, SolverError
from cosim.integrate.settings import TimeSettings

from .loads import Ramp


class Breaks(TemplateInterface):
    """Returns NaN from t = 1 s on."""

    def __init__(self, model):
        super().__init__(model, "breaks", self.Options())
        self.bodies = ("a",)

    def initialize(self, t0, state):
        pass

    def update(self, t, state, x):
        self._load = np.full((1, 6), np.nan if t > 1.0 else 0.0)

    def forces(self):
        return self._load


def test_divergence_names_time_and_body_and_keeps_what_there_was(make_slider, simulate):
    model = make_slider(1.0, elements={"f": {"type": "joint", "joint": "s", "law": "x**3"}})
    kept = []

    def prepare(simulation, memory):
        kept.append(memory)

    with pytest.raises(SolverError, match=r"stopped at t = \d.*body 'a' moves fastest"):
        simulate(
            model,
            [],
            start={"s.position": 1.0},
            end=10.0,
            output=0.1,
            prepare=prepare,
            ledger=False,
        )
    assert 10 < len(kept[0].samples) < 40
    assert np.isfinite(kept[0].q).all()


def test_a_load_that_is_not_finite_names_adapter_body_and_time(make_slider, simulate):
    model = make_slider()
    with pytest.raises(AdapterError, match=r"'breaks' at t = 1\.\d.* body 'a' is not finite"):
        simulate(model, [Breaks(model)], start={"s.position_rate": 1.0}, end=3.0, step=0.1)


def test_passes_that_never_agree_halve_the_step_then_stop(make_slider, make_attached, simulate):
    model = make_slider()
    with pytest.raises(SolverError, match=r"still change by .* after 1 passes over .*body 'a'"):
        simulate(
            model,
            [make_attached(model)],
            start={"s.position_rate": 1.0},
            end=1.0,
            communication_step=0.1,
            max_iterations=1,
            tolerance=1e-15,
        )


def test_steps_without_end_within_a_communication_step_are_halved_then_stopped(
    make_slider, make_attached, simulate, monkeypatch
):
    monkeypatch.setattr("cosim.integrate.scheme._MOST_STEPS", 500)
    model = make_slider(1.0, elements={"k": {"type": "joint", "joint": "s", "stiffness": 1e10}})
    with pytest.raises(SolverError, match=r"500 steps did not cover .* communication_step"):
        simulate(
            model,
            [make_attached(model)],
            start={"s.position": 1.0},
            end=10.0,
            communication_step=10.0,
            unchecked=True,
            ledger=False,
        )


def test_halving_helps_where_passes_do_not_agree(make_slider, simulate):
    class Moody(Ramp):
        """Never twice the same over more than 0.15 s."""

        calls = 0

        def forces(self):
            self.calls += 1
            longest = max(self.spans[-1:], default=0.0)
            return super().forces() + (self.calls if longest > 0.15 else 0.0)

    model = make_slider(2.0)
    memory, summary = simulate(model, [Moody(model)], end=1.0, communication_step=0.4)
    assert summary.communications >= 10
    assert memory.samples[-1].t == 1.0
    assert memory.samples[-1].u[0] == pytest.approx(0.25, abs=1e-9)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"order": 0}, "interpolates with order 1 or 2"),
        ({"method": "RK4"}, "RK4 needs 'step'"),
    ],
)
def test_settings_that_do_not_fit_are_refused(make_slider, simulate, settings, message):
    model = make_slider()
    with pytest.raises(CaseError, match=message):
        simulate(model, [Ramp(model)], end=1.0, communication_step=0.1, **settings)


def test_a_run_ends_after_it_starts():
    with pytest.raises(ValidationError, match="'end' = 1 s must be after 'start' = 1 s"):
        TimeSettings(start=1.0, end=1.0)


def test_an_element_without_value_is_named(make_slider, simulate):
    model = make_slider(1.0, elements={"root": {"type": "joint", "joint": "s", "law": "sqrt(x-9)"}})
    with pytest.raises(SolverError, match="element 'root' has no value"):
        simulate(model, [], end=1.0)
