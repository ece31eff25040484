"""Checkpoint files are whole or refused, and results begin with the rows that were kept."""

import os
import struct
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray as xr

from cosim.errors import CaseError
from cosim.results.checkpoint import (
    CaseRecord,
    Checkpoint,
    checkpoint_file,
    read_checkpoint,
    write_checkpoint,
)
from cosim.results.kept import RUN, Kept, attributes
from cosim.results.memory import MemorySink
from cosim.results.netcdf import NetcdfSink
from cosim.results.reader import open_results
from cosim.results.recorder import Instants, ResultRecorder
from cosim.results.sink import Constants

CHECKPOINT = Checkpoint(
    run="abc",
    t=1.5,
    case=CaseRecord("case: 1", "/a/case.yaml", "/a", ["x=1"], b"", "0123", "joint"),
    q0=[0.1, -0.0],
    u0=[1e-300],
    settings={"lines": {"version": "1"}},
    versions={"numpy": "2"},
    rows={"time": 16, "shape_time": 4},
    shape_stride=5,
    state=bytes(range(256)),
)
INSTANTS = Instants(0.0, 0.39, 0.01, shape_step=0.05)
LONGER = Instants(0.0, 0.79, 0.01, shape_step=0.05)
ROWS = {"time": 16, "shape_time": 4}
NAMED = Constants(attributes={RUN: "abc"})


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "run.checkpoint"
    write_checkpoint(path, CHECKPOINT)
    return path


def test_what_was_written_is_read(file):
    assert read_checkpoint(file) == CHECKPOINT
    assert file == checkpoint_file(file.with_name("run.nc"))
    assert list(file.parent.iterdir()) == [file]


def test_a_file_cut_off_anywhere_is_refused(file):
    whole = file.read_bytes()
    for length in range(0, len(whole), 7):
        file.write_bytes(whole[:length])
        with pytest.raises(CaseError, match=r"run\.checkpoint.*run the case anew"):
            read_checkpoint(file)


def test_a_file_damaged_anywhere_is_refused(file):
    whole = file.read_bytes()
    for place in range(0, len(whole), 3):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(CaseError, match=r"run\.checkpoint"):
            read_checkpoint(file)


def test_another_version_is_named(file):
    whole = bytearray(file.read_bytes())
    whole[16:20] = struct.pack("<I", 9)
    file.write_bytes(whole)
    with pytest.raises(CaseError, match="has version 9 and this program reads 1"):
        read_checkpoint(file)


def test_other_things_are_no_checkpoints(tmp_path):
    path = tmp_path / "run.checkpoint"
    with pytest.raises(CaseError, match="there is no checkpoint"):
        read_checkpoint(path)
    path.write_text("notes of mine, longer than the head of a checkpoint would ever be")
    with pytest.raises(CaseError, match="is no checkpoint of this program"):
        read_checkpoint(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(CaseError, match="cannot be read: Is a directory"):
        read_checkpoint(path)


def test_the_one_before_stays_until_the_new_one_is_whole(file, monkeypatch):
    """The process may die, or the disk be full, at any moment of the writing."""
    before = file.read_bytes()

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_checkpoint(file, replace(CHECKPOINT, t=2.0))
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


def test_what_a_killed_run_left_half_written_does_no_harm(file):
    half = file.with_name("run.checkpoint.part")
    half.write_bytes(file.read_bytes()[:100])
    assert read_checkpoint(file) == CHECKPOINT
    write_checkpoint(file, replace(CHECKPOINT, t=2.0))
    assert read_checkpoint(file).t == 2.0
    assert not half.exists()


def recorded(sinks, layout, probe, samples, instants=INSTANTS, **options):
    options.setdefault("constants", NAMED)
    with ResultRecorder(layout, probe, sinks, instants, **options) as recorder:
        for sample in samples:
            recorder.record(sample)


def test_values_do_not_depend_on_how_many_go_out_at_once(layout, probe, samples):
    """Values go out every two seconds of wall time: they must not be a matter of chance."""
    datasets = []
    for count in (1, 2, 3, 7, 40):
        sink = MemorySink()
        with ResultRecorder(layout, probe, [sink], INSTANTS) as recorder:
            for number, sample in enumerate(samples):
                recorder.record(sample)
                if number % count == 0:
                    recorder.flush()
        datasets.append(sink.dataset())
    for dataset in datasets[1:]:
        xr.testing.assert_identical(dataset, datasets[0])


def test_rows_are_safe_when_they_are_counted(layout, probe, samples, tmp_path):
    sink = NetcdfSink(tmp_path / "run.nc")
    recorder = ResultRecorder(layout, probe, [sink], INSTANTS, constants=NAMED)
    for sample in samples[:16]:
        recorder.record(sample)
    assert recorder.sync() == ROWS
    assert open_results(sink.path).sizes["time"] == 16
    recorder.close()


@pytest.mark.parametrize("left", [16, 30])
def test_a_file_goes_on_after_the_rows_that_are_kept(layout, probe, samples, tmp_path, left):
    """The older run left 16 or 30 instants, 16 of them before its checkpoint."""
    path, whole = tmp_path / "run.nc", MemorySink()
    recorded([NetcdfSink(path)], layout, probe, samples[:left])
    sink = NetcdfSink(path, kept=Kept(path, "abc", ROWS, 3.0))
    recorded([sink], layout, probe, samples[16:], kept=ROWS, instants=LONGER)
    recorded([whole], layout, probe, samples)
    xr.testing.assert_identical(open_results(path), whole.dataset())
    assert [item.name for item in tmp_path.iterdir()] == ["run.nc"]


def test_rows_are_safe_before_they_replace_the_older_file(
    layout, probe, samples, tmp_path, monkeypatch
):
    path, calls, fsync, replace = tmp_path / "run.nc", [], os.fsync, Path.replace
    recorded([NetcdfSink(path)], layout, probe, samples)
    monkeypatch.setattr(os, "fsync", lambda fd: (calls.append("fsync"), fsync(fd)))
    monkeypatch.setattr(Path, "replace", lambda *to: (calls.append("replace"), replace(*to)))
    sink = NetcdfSink(path, kept=Kept(path, "abc", ROWS, 3.0))
    recorded([sink], layout, probe, samples[16:], kept=ROWS, instants=LONGER)
    assert calls == ["fsync", "replace"]


@pytest.mark.parametrize("name", ["run.nc", "other.nc"])
def test_a_run_that_adds_nothing_ends_with_the_rows_kept(layout, probe, samples, tmp_path, name):
    path = tmp_path / "run.nc"
    recorded([NetcdfSink(path)], layout, probe, samples[:30])
    sink = NetcdfSink(tmp_path / name, kept=Kept(path, "abc", ROWS, 3.0))
    recorded([sink], layout, probe, [], kept=ROWS)
    results = open_results(sink.path)
    assert dict(results.sizes)["time"] == 16
    assert dict(results.sizes)["shape_time"] == 4
    assert results.attrs["status"] == "completed"
    assert open_results(path).sizes["time"] == (16 if name == "run.nc" else 30)


def test_what_is_written_is_of_this_run(layout, probe, samples, tmp_path):
    path = tmp_path / "run.nc"
    recorded([NetcdfSink(path)], layout, probe, samples)
    elsewhere = NetcdfSink(tmp_path / "b.nc", kept=Kept(path, "abc", ROWS, 3.0))
    elsewhere.check()
    other = NetcdfSink(path, kept=Kept(path, "xyz", ROWS, 3.0))
    with suppress(CaseError):
        other.check()
    assert not elsewhere.written
    assert not other.written
    recorded([elsewhere], layout, probe, samples[16:], kept=ROWS, instants=LONGER)
    same = NetcdfSink(path, kept=Kept(path, "abc", ROWS, 3.0))
    same.check()
    assert elsewhere.written
    assert same.written


def test_rows_of_another_run_are_refused(layout, probe, samples, tmp_path):
    path = tmp_path / "run.nc"
    recorded([NetcdfSink(path)], layout, probe, samples)
    with pytest.raises(CaseError, match="is of another run than the checkpoint beside it"):
        NetcdfSink(path, kept=Kept(path, "xyz", ROWS, 3.0)).check()
    with pytest.raises(CaseError, match="holds less than the 41 instants"):
        NetcdfSink(path, kept=Kept(path, "abc", {"time": 41, "shape_time": 8}, 3.0)).check()
    with pytest.raises(CaseError, match="there is no result file"):
        NetcdfSink(path, kept=Kept(tmp_path / "no.nc", "abc", ROWS, 3.0)).check()
    (tmp_path / "text.nc").write_text("text")
    with pytest.raises(CaseError, match="is not a result file"):
        NetcdfSink(path, kept=Kept(tmp_path / "text.nc", "abc", ROWS, 3.0)).check()


@pytest.mark.parametrize("where", [b"OHDR", b"OCHK", b"FRHP", b"BTHD", b"position"])
def test_rows_of_a_damaged_file_are_refused(layout, probe, samples, tmp_path, where):
    """One byte of what describes the numbers is another."""
    path = tmp_path / "run.nc"
    recorded([NetcdfSink(path)], layout, probe, samples)
    whole, found = path.read_bytes(), 0
    while (found := whole.find(where, found + 1)) > 0:
        path.write_bytes(whole[: found + 5] + bytes([whole[found + 5] ^ 8]) + whole[found + 6 :])
        sink = NetcdfSink(path, kept=Kept(path, "abc", ROWS, 3.0))
        with suppress(CaseError):  # what is not read again may be damaged
            attributes(path)
            sink.check()
            recorded([sink], layout, probe, samples[16:], kept=ROWS, instants=LONGER)
        with suppress(CaseError):
            sink.check()
            recorded([sink], layout, probe, [], kept=ROWS)


def test_rows_of_other_variables_are_refused(layout, probe, samples, tmp_path):
    path = tmp_path / "run.nc"
    for change, sentence in (("velocity", "is damaged"), ("position", "has other variables")):
        recorded([NetcdfSink(path)], layout, probe, samples)
        with h5py.File(path, "r+") as file:
            file.move(change, "elsewhere")
            if change == "position":
                file["position"] = np.zeros((41, 3))
        sink = NetcdfSink(path, kept=Kept(path, "abc", ROWS, 3.0))
        with pytest.raises(CaseError, match=sentence):
            recorded([sink], layout, probe, samples[16:], kept=ROWS, instants=LONGER)


def test_a_recorder_goes_back_to_rows_and_on(layout, probe, samples, tmp_path):
    """As after the loss of a peer: file and memory forget what came after the checkpoint."""
    file, memory, whole = NetcdfSink(tmp_path / "run.nc"), MemorySink(), MemorySink()
    with ResultRecorder(layout, probe, [file, memory], INSTANTS, constants=NAMED) as recorder:
        for sample in samples[:16]:
            recorder.record(sample)
        rows = recorder.sync()
        for sample in samples[16:33]:
            recorder.record(sample)
        recorder.flush()
        recorder.record(samples[33])
        recorder.rewind(rows)
        assert open_results(file.path).sizes["time"] == 16
        for sample in samples[16:]:
            recorder.record(sample)
    recorded([whole], layout, probe, samples)
    xr.testing.assert_identical(open_results(file.path), whole.dataset())
    xr.testing.assert_identical(memory.dataset(), whole.dataset())
    assert np.isfinite(memory.dataset().position).all()
