"""What native code writes to the terminal, kept off it."""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from types import TracebackType

__all__ = ["CapturedOutput"]

_DESCRIPTORS = (1, 2)


class CapturedOutput:
    """Context in which file descriptors 1 and 2 go to a temporary file.

    This is process-wide: another thread that prints meanwhile is captured too.

    Attributes
    ----------
    text : str
        What was written, after the context has ended.
    """

    def __init__(self) -> None:
        self.text = ""

    def __enter__(self) -> CapturedOutput:
        _flush()
        self._file = tempfile.TemporaryFile()
        self._saved = [os.dup(descriptor) for descriptor in _DESCRIPTORS]
        for descriptor in _DESCRIPTORS:
            os.dup2(self._file.fileno(), descriptor)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _flush()
        for descriptor, saved in zip(_DESCRIPTORS, self._saved, strict=True):
            os.dup2(saved, descriptor)
            os.close(saved)
        self._file.seek(0)
        self.text = self._file.read().decode(errors="replace")
        self._file.close()


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    ctypes.CDLL(None).fflush(None)
