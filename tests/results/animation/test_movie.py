"""Films, decoded again."""

import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

from cosim.errors import CaseError, CosimError
from cosim.results.animation.movie import MovieSettings, write_movie

ffmpeg = pytest.importorskip("imageio_ffmpeg", reason="needs the extra 'view'")


def frames_of(path, size=(1280, 720)):
    """All frames of a film, and what ffmpeg says of it."""
    command = [ffmpeg.get_ffmpeg_exe(), "-i", str(path), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    done = subprocess.run(command, capture_output=True, check=True)
    frames = np.frombuffer(done.stdout, np.uint8).reshape(-1, size[1], size[0], 3)
    return done.stderr.decode(), frames.astype(float)


def test_mp4_of_a_planar_run(planar_run, tmp_path):
    file, told = tmp_path / "film.mp4", []
    write_movie(planar_run, file, MovieSettings(fps=10.0, end=1.0), told.append)
    about, frames = frames_of(file)
    assert "1280x720" in about
    assert "10 fps" in about
    assert "h264" in about
    assert len(frames) == 11
    assert told == pytest.approx(np.arange(1, 12) / 11)
    first, last = frames[0], frames[-1]
    assert np.abs(last - first).max() > 100.0


def test_the_bob_is_where_the_run_has_it(planar_run, tmp_path):
    file = tmp_path / "film.mp4"
    write_movie(planar_run, file, MovieSettings(fps=1.0))
    _, frames = frames_of(file)
    # the stick is the widest orange thing; the angle of its principal axis turns by 1 rad/s
    angles = []
    for frame in frames:
        red, green, blue = np.moveaxis(frame, -1, 0)
        row, column = np.nonzero((red > 200) & (green > 140) & (green < 200) & (blue < 90))
        around = np.cov(column, -row)
        angles.append(np.arctan2(*np.linalg.eigh(around)[1][::-1, -1]))
    turned = np.diff(np.unwrap(angles, period=np.pi))
    # about +y, x turns towards -z: clockwise as seen
    np.testing.assert_allclose(turned, -1.0, atol=0.05)


def test_mp4_of_a_run_in_space(space_run, tmp_path):
    file = tmp_path / "film.mp4"
    write_movie(space_run, file, MovieSettings(fps=5.0, speed=0.5))
    _, frames = frames_of(file)
    assert len(frames) == 4
    assert np.abs(frames[-1] - frames[0]).max() > 100.0
    assert len(np.unique(frames[0].reshape(-1, 3), axis=0)) > 500


def test_gif(planar_run, tmp_path):
    file = tmp_path / "film.gif"
    write_movie(planar_run, file, MovieSettings(fps=5.0, speed=2.0))
    with Image.open(file) as film:
        assert film.n_frames == 8
        assert film.size == (640, 432)
        assert film.info["duration"] == 200
        assert film.info["loop"] == 0
        first = np.asarray(film.convert("RGB"), dtype=float)
        film.seek(7)
        last = np.asarray(film.convert("RGB"), dtype=float)
    assert np.abs(last - first).max() > 100.0
    # limits stay: the axis with its numbers, left, is the same in all frames
    np.testing.assert_array_equal(last[80:390, :40], first[80:390, :40])
    assert len(np.unique(first[80:390, :40])) > 5


@pytest.mark.parametrize(
    ("name", "settings", "text"),
    [
        ("film.avi", {}, "a film ends in .mp4 or .gif"),
        ("film.gif", {"fps": 0.0}, "must be positive"),
        ("film.gif", {"speed": -1.0}, "must be positive"),
        ("film.gif", {"speed": float("nan")}, "must be positive"),
        ("film.gif", {"speed": 1e-5}, "take a higher speed"),
        ("film.gif", {"speed": 1e3}, "fewer than two frames"),
        ("film.gif", {"start": 2.0, "end": 1.0}, "fewer than two instants"),
        (".gif", {}, "a film ends in"),
    ],
)
def test_what_makes_no_film_is_refused(planar_run, tmp_path, name, settings, text):
    with pytest.raises(CaseError, match=text):
        write_movie(planar_run, tmp_path / name, MovieSettings(**settings))


def test_mp4_without_its_encoder_says_what_to_install(planar_run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(CosimError, match=r"offshore-cosim\[view\]"):
        write_movie(planar_run, tmp_path / "film.mp4")
