import math

import h5py
import numpy as np
import pytest

from cosim.environment import ElevationWaves, JonswapWaves, SeaState, WaveRecord
from cosim.errors import ModelError

TIME = np.arange(0.0, 400.0, 0.1)


@pytest.fixture
def sea():
    waves = JonswapWaves(hs=2.0, tp=8.0, omega_max=3.0, ramp=0.0, heading_deg=30.0, seed=2)
    return waves.sea_state(depth=60.0, gravity=9.81)


def write_csv(path, time, eta):
    rows = "\n".join(f"{t:.6f}, {e:.12f}" for t, e in zip(time, eta, strict=True))
    path.write_text(f"time (s), elevation (m)\n{rows}\n", encoding="utf-8")
    return path


def test_components_rebuild_the_record(sea):
    record = sea.sample(TIME)
    omega, amplitude = record.components(omega_max=6.0)
    rebuilt = SeaState.of(omega, amplitude).elevation(TIME)
    # the mean of the record is not a wave and is left out
    difference = rebuilt - record.eta + record.eta.mean()
    assert difference.std() < 1e-3 * record.eta.std()
    # what is left rings at the ends, where the bridge is joined
    assert np.abs(difference[50:-50]).max() < 3e-3 * record.eta.std()
    assert omega[0] > 0.0
    assert np.all(omega <= 6.0)


def test_default_cut_off_keeps_the_variance(sea):
    record = sea.sample(TIME)
    omega, amplitude = record.components()
    assert 0.5 * np.sum(np.abs(amplitude) ** 2) == pytest.approx(record.eta.var(), rel=0.02)
    assert omega[-1] < 3.5


def test_single_harmonic_is_found_with_its_phase():
    w = 2.0 * math.pi / 8.0
    record = WaveRecord(TIME - 3.0, np.cos(w * (TIME - 3.0) - 0.7))
    omega, amplitude = record.components()
    rebuilt = SeaState.of(omega, amplitude).elevation(100.0)
    assert rebuilt == pytest.approx(math.cos(w * 100.0 - 0.7), abs=0.02)


def test_file_at_a_gauge_gives_the_sea_at_other_places(sea, tmp_path):
    """A record taken at a gauge must predict the sea around it, surface and flow."""
    path = write_csv(tmp_path / "eta.csv", TIME, sea.sample(TIME, x=15.0, y=-4.0).eta)
    waves = ElevationWaves(file=path, at=(15.0, -4.0), heading_deg=30.0, ramp=0.0, omega_max=6.0)
    copy = waves.sea_state(depth=60.0, gravity=9.81)
    times = np.arange(100.0, 300.0, 7.0)
    for x, y in ((15.0, -4.0), (0.0, 10.0)):
        expected = sea.elevation(times, x, y)
        assert copy.elevation(times, x, y) == pytest.approx(expected, abs=0.01 * 2.0)
    got, expected = (s.kinematics(200.0, [[5.0, 5.0, -4.0]])[0] for s in (copy, sea))
    assert got == pytest.approx(expected, abs=0.02)


def test_record_and_components_share_one_ramp(sea, tmp_path):
    path = write_csv(tmp_path / "eta.csv", TIME, sea.sample(TIME).eta)
    for ramp in (25.0, None):
        copy = ElevationWaves(file=path, ramp=ramp).sea_state(depth=60.0, gravity=9.81)
        assert copy.record.ramp_duration == copy.ramp_duration > 0.0
    assert copy.end_time == pytest.approx(TIME[-1])
    assert copy.record.ramp()[10] == copy.ramp(TIME[10])


def test_hdf5_and_start(sea, tmp_path):
    path = tmp_path / "eta.h5"
    with h5py.File(path, "w") as file:
        file["time"], file["eta"] = TIME + 1000.0, sea.elevation(TIME)
    waves = ElevationWaves(file=path, start=1000.0)
    assert waves.record.time == pytest.approx(TIME)
    assert waves.record.step == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("eta.csv", "t,eta\n0,1\n0.1,x\n", "line 3: expected two numbers, found '0.1,x'"),
        ("eta.csv", "t,eta\n0,1\n0.1\n", "line 3: expected two numbers"),
        ("eta.csv", "t,eta\n", "holds no rows of two numbers"),
        ("eta.csv", "0,1\n0.1,nan\n", "row 2 of the data is not finite"),
        ("eta.csv", "0,1\n0.1,2\n", "at least 8 pairs"),
        ("eta.csv", "\n".join(f"{t},{t}" for t in [0, 1, 2, 3, 4, 5, 6, 7, 9]), "even steps"),
        ("eta.csv", "\n".join(f"{-t},{t}" for t in range(9)), "even steps"),
        ("eta.csv", "\n".join(f"{t},0.5" for t in range(9)), "there are no waves in it"),
        ("eta.csv", "\n".join(f"{t + 5},{t}" for t in range(9)), "must cover t = 0"),
        ("eta.csv", "version https://git-lfs.github.com/spec/v1\n", "git-lfs pointer"),
        ("eta.h5", "not hdf5", "cannot be read as HDF5"),
    ],
)
def test_bad_files_end_in_one_sentence(tmp_path, name, content, sentence):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=sentence):
        ElevationWaves(file=path)


def test_absent_binary_and_incomplete_files(tmp_path):
    with pytest.raises(ValueError, match="there is no file"):
        ElevationWaves(file=tmp_path / "none.csv")
    binary = tmp_path / "eta.txt"
    binary.write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(ValueError, match="is not a text file"):
        ElevationWaves(file=binary)
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["t"], file["surge"] = TIME, TIME
    with pytest.raises(ValueError, match="no dataset named eta or elevation; it has surge, t"):
        ElevationWaves(file=tmp_path / "a.h5")
    with h5py.File(tmp_path / "b.h5", "w") as file:
        file["t"], file["eta"] = TIME, TIME[:-1]
    with pytest.raises(ValueError, match="4000 and 3999 values"):
        ElevationWaves(file=tmp_path / "b.h5")


def test_record_checks_its_arrays():
    with pytest.raises(ModelError, match="9 times and 8 elevations"):
        WaveRecord(np.arange(9.0), np.zeros(8))
