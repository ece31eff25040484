"""A run as a film file: MP4 or GIF."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cosim.errors import CaseError
from cosim.extras import optional_module
from cosim.results.animation.film import Film
from cosim.results.animation.filming import film_of, frame_times
from cosim.results.animation.stage import Look, Stage
from cosim.results.animation.stage_planar import PlanarStage
from cosim.results.animation.stage_space import SpaceStage

if TYPE_CHECKING:
    import xarray as xr
    from numpy.typing import NDArray

__all__ = ["MovieSettings", "write_movie"]

_SPEEDS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
_LONGEST = {".mp4": 30.0, ".gif": 12.0}
"""Duration beyond which a film is sped up, s."""
_FPS = {".mp4": 25.0, ".gif": 12.5}
_LOOK = {".mp4": Look(1280, 720, 100), ".gif": Look(640, 432, 60)}
_MOST_FRAMES = 20_000


@dataclass(frozen=True)
class MovieSettings:
    """Speed and part of a film.

    Attributes
    ----------
    speed : float or None
        Simulated seconds per second; by default that which keeps an MP4 below
        30 s and a GIF below 12 s.
    fps : float or None
        Frames per second; 25 for MP4, 12.5 for GIF by default.
    start, end : float or None
        Part of the run, s.
    """

    speed: float | None = None
    fps: float | None = None
    start: float | None = None
    end: float | None = None


def write_movie(
    dataset: xr.Dataset,
    path: str | Path,
    settings: MovieSettings | None = None,
    progress: Callable[[float], None] | None = None,
) -> None:
    """Draw a run and write it as MP4 or GIF; no screen is needed.

    Planar runs are drawn in the x-z plane, others in space. Limits stay the same over the
    film.

    Parameters
    ----------
    dataset : xarray.Dataset
        Results of a run.
    path : path
        Its ending, ``.mp4`` or ``.gif``, names the format.
    settings : MovieSettings, optional
    progress : callable, optional
        Is told how much is done, 0 to 1.

    Raises
    ------
    CaseError
        Nothing to show, an unknown ending, settings that make no film, or the file cannot
        be written.
    CosimError
        MP4 without the package that brings the encoder (extra ``view``).
    """
    file = Path(path)
    ending = file.suffix.lower()
    if ending not in _FPS:
        raise CaseError(f"'{file}': a film ends in {' or '.join(_FPS)}")
    film, fps, speed = _film(dataset, settings or MovieSettings(), ending)
    look = _LOOK[ending]
    note = "" if speed == 1.0 else f"({speed:g} x real time)"
    stage = _stage(film, Look(look.width, look.height, look.dpi, note))
    pictures = _pictures(stage, progress)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if ending == ".mp4":
            _write_mp4(file, pictures, fps, look)
        else:
            _write_gif(file, pictures, fps, stage.picture(len(film.times) // 2))
    except OSError as error:
        reason = error.strerror or str(error).strip().split("\n")[-1]
        raise CaseError(
            f"'{file}' cannot be written: {reason}; choose another file with --out"
        ) from None


def _film(dataset: xr.Dataset, settings: MovieSettings, ending: str) -> tuple[Film, float, float]:
    fps = _FPS[ending] if settings.fps is None else settings.fps
    if not fps > 0.0 or (settings.speed is not None and not settings.speed > 0.0):
        raise CaseError("speed and frames per second of a film must be positive")
    stored = frame_times(dataset, None, start=settings.start, end=settings.end)
    span = float(stored[-1] - stored[0])
    fitting = (speed for speed in _SPEEDS if span / speed <= _LONGEST[ending])
    speed = settings.speed or next(fitting, _SPEEDS[-1])
    if span / speed * fps > _MOST_FRAMES:
        raise CaseError(
            f"a film of {span:g} s at {speed:g} x real time has {span / speed * fps:.0f} frames, "
            f"and {_MOST_FRAMES} are the most; take a higher speed, or a part of the run"
        )
    times = frame_times(dataset, speed / fps, start=settings.start, end=settings.end)
    if times.size < 2:
        raise CaseError(f"at {speed:g} x real time, {span:g} s make fewer than two frames")
    return film_of(dataset, times), fps, speed


def _stage(film: Film, look: Look) -> Stage:
    return PlanarStage(film, look) if film.planar else SpaceStage(film, look)


def _pictures(
    stage: Stage, progress: Callable[[float], None] | None
) -> Iterator[NDArray[np.uint8]]:
    count = len(stage.film.times)
    for index in range(count):
        yield stage.picture(index)
        if progress is not None:
            progress((index + 1) / count)


def _write_mp4(path: Path, pictures: Iterator[NDArray[np.uint8]], fps: float, look: Look) -> None:
    program = optional_module("imageio_ffmpeg", "view", "an MP4 film").get_ffmpeg_exe()
    # every player shows H.264 with halved colours; the table of contents comes first
    command = [program, "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"]
    command += ["-s", f"{look.width}x{look.height}", "-r", f"{fps:g}", "-i", "-"]
    command += ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-movflags", "+faststart"]
    with subprocess.Popen(
        [*command, str(path)], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as encoder:
        assert encoder.stdin is not None
        assert encoder.stderr is not None
        try:
            for picture in pictures:
                encoder.stdin.write(np.ascontiguousarray(picture).tobytes())
            encoder.stdin.close()
        except BrokenPipeError:  # it stopped, and says why
            pass
        complaint = encoder.stderr.read().decode(errors="replace")
    if encoder.returncode:
        raise OSError(complaint)


def _write_gif(
    path: Path,
    pictures: Iterator[NDArray[np.uint8]],
    fps: float,
    sample: NDArray[np.uint8],
) -> None:
    from PIL import Image

    # one palette, that of a picture from the middle, for all frames: colours do not flicker
    palette = Image.fromarray(sample).quantize(160)
    frames = (
        Image.fromarray(picture).quantize(palette=palette, dither=Image.Dither.NONE)
        for picture in pictures
    )
    duration = round(1000.0 / fps)
    next(frames).save(path, save_all=True, append_images=frames, duration=duration, loop=0)
