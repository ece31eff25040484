import io

import numpy as np
import pytest

from cosim.errors import CaseError
from cosim.results.channels import channel_pages, page_figure
from cosim.results.memory import MemorySink
from cosim.results.recorder import Instants, ResultRecorder


@pytest.fixture(scope="module")
def dataset(layout, probe, samples):
    sink = MemorySink()
    with ResultRecorder(layout, probe, [sink], Instants(0.0, 0.39, 0.01)) as recorder:
        for sample in samples:
            recorder.record(sample)
    return sink.dataset()


def curves_on(pages):
    return sum(len(panel.curves) for page in pages for panel in page.panels)


def test_every_number_over_time_is_on_some_page(dataset):
    pages = channel_pages(dataset)
    numbers = 0
    for name in dataset.data_vars:
        variable = dataset[name]
        if "time" in variable.dims:
            series = variable.values.reshape(len(dataset.time), -1)
            if "source" in variable.dims:  # bodies that an adapter does not load are left out
                by_body = np.any(variable.values, axis=(0, 3))
                numbers += 3 * int(by_body.sum())
            else:
                numbers += series.shape[1]
    assert curves_on(pages) == numbers
    assert all(len(page.panels) <= 8 for page in pages)
    assert {p.title for p in pages} >= {"body 'spar'", "adapter 'lines'", "point 'spar/deck'"}


def test_units_and_long_names_stand_on_the_panels(dataset):
    (page,) = channel_pages(dataset, ["lines/tension_1"])
    (panel,) = page.panels
    assert (page.title, panel.title) == ("adapter 'lines'", "lines/tension_1")
    assert (panel.units, panel.note) == ("kN", "Tension")
    np.testing.assert_allclose(panel.curves[0].values[0], 1.0)


def test_joints_have_their_coordinates_with_their_loads(dataset):
    titles = {page.title: page for page in channel_pages(dataset)}
    shown = [panel.title for panel in titles["joint 'hinge'"].panels]
    assert {"joint_rotation_deg angle", "joint_rate angle", "joint_force"} <= set(shown)


def test_patterns_choose(dataset):
    assert curves_on(channel_pages(dataset, ["position", "velocity"])) == 12
    with pytest.raises(CaseError, match="no channel is called 'postion'; did you mean 'position'"):
        channel_pages(dataset, ["postion"])


def test_results_without_instants_are_refused(dataset):
    with pytest.raises(CaseError, match="no instants"):
        channel_pages(dataset.isel(time=slice(0, 0)))


def test_pages_are_drawn(dataset):
    pages = channel_pages(dataset)
    for page in (pages[0], min(pages, key=lambda p: len(p.panels))):
        figure = page_figure(page, dataset)
        drawn = [axes for axes in figure.axes if axes.lines]
        assert len(drawn) == len(page.panels)
        picture = io.BytesIO()
        figure.savefig(picture, dpi=40)
        assert picture.tell() > 5000
