"""What is in the page, without a browser."""

import base64
import json
import re

import numpy as np
import pytest

from cosim.errors import CaseError
from cosim.results.animation.page import animation_page, write_page
from cosim.results.animation.page_data import page_data

REFERENCES = re.compile(r"""(?:src|href|@import|url\()\s*=?\s*["']?(?!data:)([^"'\s)>]{3,})""")


def run_of(page):
    return json.loads(re.search(r'type="application/json">(.*?)</script>', page, re.DOTALL)[1])


def unpacked(text):
    return np.frombuffer(base64.b64decode(text), dtype="<f4")


def test_it_refers_to_nothing_outside(space_run):
    page = animation_page(space_run)
    assert REFERENCES.findall(re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)) == []
    # a namespace, and the text of a warning in three.js
    assert set(re.findall(r"https?://[\w./-]+", page)) <= {
        "http://www.w3.org/1999/xhtml",
        "https://github.com/mrdoob/three.js/pull/23228",
    }


def test_titles_cannot_break_out_of_it(space_run):
    evil = "</title></script><script>alert(1)</script>"
    page = animation_page(space_run.assign_attrs(title=evil))
    assert "<script>alert" not in page
    assert run_of(page)["title"] == evil


def test_the_run_is_in_it_as_stored(space_run):
    data = page_data(space_run)
    count = space_run.sizes["time"]
    positions = unpacked(data["positions"]).reshape(count, 2, 3)
    np.testing.assert_allclose(positions, space_run["position"], rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(unpacked(data["line_times"]), space_run["shape_time"], rtol=1e-6)
    assert [line["count"] for line in data["lines"]] == [5]
    assert not data["planar"]
    assert {one["name"] for one in data["series"]} >= {"wave elevation", "tension 1", "spar heave"}


def test_a_planar_run_is_seen_from_the_front(planar_run):
    data = page_data(planar_run)
    assert data["planar"]
    assert data["water"] is None
    assert data["springs"][0]["coils"] > 0


def test_a_part_of_the_run(planar_run):
    times = unpacked(page_data(planar_run, start=1.0, end=2.0)["times"])
    assert (times[0], times[-1]) == (1.0, 2.0)
    with pytest.raises(CaseError, match="go from 0 to 3 s"):
        page_data(planar_run, start=5.0)


def test_ten_minutes_with_long_lines_stay_below_five_megabytes(space_run, tmp_path):
    rng = np.random.default_rng(1)
    time, shapes = np.arange(0, 600.05, 0.1), np.arange(0, 600.1, 0.25)
    few = space_run[["position", "attitude_deg", "wave_elevation"]].isel(time=0, drop=True)
    nodes = rng.normal(size=(shapes.size, 60, 3)).astype(np.float32)
    long = few.expand_dims(time=time).assign(
        {
            name: (("shape_time", f"{name}/node", "xyz"), nodes, {"kind": "line"})
            for name in ("shape/lines/a", "shape/lines/b", "shape/lines/c")
        }
    )
    long = long.assign_coords(shape_time=shapes)
    long["position"] = long["position"] + rng.normal(size=long["position"].shape)
    write_page(long, tmp_path / "long.html")
    assert (tmp_path / "long.html").stat().st_size < 5e6


def test_a_page_of_hours_says_that_it_is_coarse(planar_run, caplog):
    page_data(planar_run)
    assert caplog.text == ""
    t = np.arange(0.0, 3e5)
    slow = planar_run.isel(time=np.zeros(t.size, dtype=int)).assign_coords(time=t)
    data = page_data(slow)
    assert unpacked(data["positions"]).nbytes < 1.6e6
    assert "the page holds poses every" in caplog.text


def test_a_run_that_diverged_is_shown_until_then(planar_run):
    broken = planar_run.copy(deep=True)
    broken["position"][40:] = np.nan
    data = page_data(broken)
    assert unpacked(data["times"])[-1] == pytest.approx(1.95)
    assert np.isfinite(unpacked(data["quaternions"])).all()


def test_results_without_positions_are_refused(space_run):
    with pytest.raises(CaseError, match=r"output\.channels"):
        animation_page(space_run.drop_vars("position"))


def test_a_folder_is_no_file(space_run, tmp_path):
    with pytest.raises(CaseError, match="cannot be written"):
        write_page(space_run, tmp_path)
