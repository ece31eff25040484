"""An exception of somebody's peer as one sentence."""

from __future__ import annotations

import sysconfig
import traceback
from pathlib import Path

from cosim.errors import CosimError

__all__ = ["LONGEST", "one_line", "sentence_of"]

LONGEST = 2000


def sentence_of(error: BaseException) -> str:
    """One sentence: type, text, and the line of the user's code; errors of ours are one.

    Parameters
    ----------
    error : BaseException
    """
    if isinstance(error, CosimError):
        return one_line(str(error))
    text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return one_line(f"{text}{_place(error)}")


def one_line(text: str) -> str:
    """Text without line breaks and control characters, of bounded length."""
    clean = "".join(char if char.isprintable() else " " for char in text)
    line = " ".join(clean.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 3]}..."


def _place(error: BaseException) -> str:
    here = Path(__file__).parent
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).parent != here
    ]
    if not frames:
        return ""
    installed = [Path(sysconfig.get_path(kind)) for kind in ("stdlib", "purelib", "platlib")]
    own = [
        frame
        for frame in frames
        if not any(Path(frame.filename).is_relative_to(path) for path in installed)
        and not frame.filename.startswith("<")
    ]
    frame = (own or frames)[-1]
    return f" ({Path(frame.filename).name}, line {frame.lineno})"
