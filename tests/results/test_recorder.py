import subprocess
import sys

import numpy as np
import pytest
import xarray as xr

from cosim.errors import CaseError
from cosim.results.layout import Layout
from cosim.results.memory import MemorySink
from cosim.results.netcdf import NetcdfSink
from cosim.results.reader import open_results
from cosim.results.recorder import Instants, ResultRecorder

INSTANTS = Instants(0.0, 0.39, 0.01, shape_step=0.05)


def record(layout, probe, samples, sinks, **options):
    with ResultRecorder(layout, probe, sinks, INSTANTS, **options) as recorder:
        for sample in samples:
            recorder.record(sample)


@pytest.fixture
def dataset(layout, probe, samples):
    sink = MemorySink()
    record(layout, probe, samples, [sink])
    return sink.dataset()


def test_file_and_memory_hold_the_same(layout, probe, samples, constants, tmp_path):
    memory, file = MemorySink(), NetcdfSink(tmp_path / "deep" / "run.nc")
    record(layout, probe, samples, [memory, file], constants=constants)
    xr.testing.assert_identical(open_results(file.path), memory.dataset())


def test_every_variable_says_what_it_is(dataset):
    for variable in dataset.data_vars.values():
        assert {"units", "frame", "point", "long_name"} <= set(variable.attrs)
        assert variable.attrs["units"]
        assert variable.attrs["long_name"]
    assert dataset["lines/tension_1"].attrs["point"] == "fairlead"


def test_velocities_are_the_rates_of_positions(dataset):
    # central differences of second order: the error is h²/6 times the third derivative
    for position, velocity in (
        ("position", "velocity"),
        ("point_position", "point_velocity"),
        ("velocity", "acceleration"),
        ("point_velocity", "point_acceleration"),
    ):
        rate = dataset[position].differentiate("time")
        np.testing.assert_allclose(
            rate.values[1:-1], dataset[velocity].values[1:-1], rtol=1e-4, atol=1e-4
        )


def test_attitude_is_roll_pitch_yaw_in_degrees(dataset):
    first = dataset["attitude_deg"].sel(body="spar").isel(time=0)
    np.testing.assert_allclose(first, [0, 0, 20], atol=1e-12)


def test_joint_coordinates_are_named_and_count_from_the_reference(dataset, samples):
    assert list(dataset.translation.values) == ["free.surge", "free.sway", "free.heave"]
    assert list(dataset.rotation.values)[-1] == "hinge.angle"
    angle = dataset["joint_rotation_deg"].sel(rotation="hinge.angle")
    np.testing.assert_allclose(angle, np.degrees([s.q[-1] for s in samples]), atol=1e-12)


def test_joint_loads_carry_the_child(dataset, samples, model):
    # Newton for the arm alone: hinge + load of the adapters + weight = m a
    force = dataset["joint_force"].sel(joint="hinge") + dataset["force"].sel(body="arm").sum(
        "source"
    )
    mass = 100.0
    expected = mass * dataset["acceleration"].sel(body="arm").values + [0, 0, mass * 9.81]
    np.testing.assert_allclose(force.values, expected, rtol=1e-9, atol=1e-6)


def test_a_free_body_has_no_joint_load(dataset):
    assert np.abs(dataset["joint_force"].sel(joint="free")).max() < 1e-6
    assert np.abs(dataset["joint_moment"].sel(joint="free")).max() < 1e-6


def test_loads_are_kept_by_source(dataset):
    load = dataset["force"].isel(time=3)
    np.testing.assert_allclose(load.sel(source="lines", body="spar"), [25, 5, 1250])
    np.testing.assert_allclose(load.sel(source="lines", body="arm"), 0)
    np.testing.assert_allclose(load.sel(source="push", body="arm"), [0, 50, 300])


def test_wave_elevation_is_that_of_the_sea_state(dataset):
    expected = np.cos(2 * np.pi / 8 * dataset.time.values)
    np.testing.assert_allclose(dataset["wave_elevation"], expected, atol=1e-12)


def test_shapes_are_stored_less_often(dataset):
    np.testing.assert_allclose(dataset.shape_time, np.arange(0, 0.4, 0.05), atol=1e-12)
    assert dataset["shape/lines/line1"].dtype == np.float32
    np.testing.assert_array_equal(dataset["shape/lines/line1"][:, 0, 0], np.arange(0, 40, 5))


def test_wanted_channels_only(layout, probe, samples):
    sink = MemorySink()
    few = Layout(layout.model, layout.bodies, layout.channels, wanted=["lines/*", "position"])
    record(few, probe, samples, [sink])
    assert set(sink.dataset().data_vars) == {"lines/tension_1", "position"}


def test_a_pattern_that_nothing_has_is_refused(layout, probe, samples):
    few = Layout(layout.model, layout.bodies, layout.channels, wanted=["positon"])
    with pytest.raises(CaseError, match="did you mean 'position'"):
        record(few, probe, samples, [MemorySink()])


def test_a_failed_run_keeps_what_it_had_and_says_so(layout, probe, samples, tmp_path):
    sink = NetcdfSink(tmp_path / "run.nc")
    recorder = ResultRecorder(layout, probe, [sink], INSTANTS)

    def run():
        with recorder:
            for sample in samples[:7]:
                recorder.record(sample)
            raise ZeroDivisionError("all is lost")

    with pytest.raises(ZeroDivisionError):
        run()
    results = open_results(sink.path)
    assert results.sizes["time"] == 7
    assert results.attrs["status"] == "all is lost"


def test_a_running_file_can_be_read(layout, probe, samples, tmp_path):
    sink = NetcdfSink(tmp_path / "run.nc")
    recorder = ResultRecorder(layout, probe, [sink], INSTANTS)
    for sample in samples[:11]:
        recorder.record(sample)
    recorder.flush()
    results = open_results(sink.path)
    assert results.attrs["status"] == "running"
    assert results.sizes["time"] == 11
    assert results.sizes["shape_time"] == 3
    recorder.close()
    assert open_results(sink.path).attrs["status"] == "completed"


HOLD = (
    "import h5py, sys, time; f = h5py.File(sys.argv[1], 'r+'); print(1, flush=True); time.sleep(60)"
)


@pytest.fixture
def held_file(layout, probe, samples, tmp_path):
    """A result file that another process is writing."""
    path = tmp_path / "run.nc"
    record(layout, probe, samples, [NetcdfSink(path)])
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        yield path
        process.kill()


def test_two_runs_cannot_write_one_file(layout, probe, samples, held_file):
    second = ResultRecorder(layout, probe, [NetcdfSink(held_file)], INSTANTS)
    with pytest.raises(CaseError, match="being written by another run"):
        second.record(samples[0])


def test_a_file_that_is_being_written_can_be_read(held_file, samples):
    assert open_results(held_file).sizes["time"] == len(samples)


def test_foreign_files_are_not_overwritten(layout, probe, samples, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    recorder = ResultRecorder(layout, probe, [NetcdfSink(path)], INSTANTS)
    with pytest.raises(CaseError, match="is not a result file"):
        recorder.record(samples[0])
    assert path.read_text() == "mine"


def test_more_instants_than_expected_are_kept(layout, probe, samples, tmp_path):
    sink = NetcdfSink(tmp_path / "run.nc")
    with ResultRecorder(layout, probe, [sink], Instants(0.0, 0.1, 0.01)) as recorder:
        for sample in samples:
            recorder.record(sample)
    assert open_results(sink.path).sizes["time"] == len(samples)


@pytest.mark.parametrize("content", [None, b"", b"not a result"])
def test_what_is_no_result_file_is_refused(content, tmp_path):
    path = tmp_path / "run.nc"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CaseError, match=r"run\.nc"):
        open_results(path)


def test_a_file_that_holds_no_results_is_not_replaced(layout, probe, samples, tmp_path):
    path = tmp_path / "database.nc"
    xr.Dataset({"added_mass": ("omega", np.ones(3))}).to_netcdf(path, engine="h5netcdf")
    before = path.read_bytes()
    with pytest.raises(CaseError, match="exists and holds no results"):
        record(layout, probe, samples, [NetcdfSink(path)])
    assert path.read_bytes() == before


def test_results_larger_than_the_disk_are_refused_before_anything_is_written(
    layout, probe, samples, tmp_path
):
    for_years = Instants(0.0, 1e11, 0.01)
    sink = NetcdfSink(tmp_path / "run.nc")
    with (
        pytest.raises(CaseError, match=r"1e\+13 instants need .* GB and .* left; take a larger"),
        ResultRecorder(layout, probe, [sink], for_years) as recorder,
    ):
        recorder.record(samples[0])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("limit", "end"), [(10**5, 1000), (5 * 10**4, 10), (10**4, 10)])
def test_a_file_that_may_not_grow_is_refused_and_leaves_nothing(tmp_path, limit, end):
    # in a process of its own: the limit cannot be taken back
    code = (
        f"import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}));"
        "from cosim.cli.main import main; sys.argv[1:] = ['run', 'case.yaml']; main()"
    )
    case = (
        "case: 1\nbodies: {a: {mass: 1, cog: [0, 0, 0], inertia: [1, 1, 1]}}\n"
        "joints: {j: {type: prismatic, child: a, at: [0, 0, 0], axis: [1, 0, 0]}}\n"
        f"start: {{from: reference}}\ntime: {{end: {end}}}\n"
    )
    (tmp_path / "case.yaml").write_text(case)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith("cosim: the results cannot be written to 'results/")
    assert "File too large" in last
    assert "; choose another folder with --out" in last
    assert list((tmp_path / "results").iterdir()) == []
