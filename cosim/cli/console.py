"""What the terminal shows: two consoles, and the messages of the library."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console
from rich.markup import escape

__all__ = ["Consoles", "listen"]

_PLAIN_WIDTH = 110
_PROGRESS = "adapters.progress"
"""Where adapters tell how far long work has come."""


class Consoles:
    """Results go to `out`, everything else to `err`; neither writes colours into files."""

    def __init__(self) -> None:
        self.out = _console(sys.stdout)
        self.err = _console(sys.stderr)


def _console(stream: TextIO) -> Console:
    # without a terminal the width is unknown: wide enough for every table of ours
    width = None if stream.isatty() else _PLAIN_WIDTH
    return Console(file=stream, width=width, highlight=False)


@contextmanager
def listen(console: Console, level: int, *, progress: bool = False) -> Iterator[None]:
    """Show messages of `cosim` and of its adapters from `level` on, for a while.

    A warning that was shown is not shown again: a check builds the same case twice. With
    `progress`, how far long work has come is shown at any level.
    """
    handler = _Handler(console)
    loggers = [logging.getLogger(name) for name in ("cosim", "adapters")]
    before = [(logger.level, logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(level)
        logger.propagate = False
    work = logging.getLogger(_PROGRESS)
    work.setLevel(min(level, logging.INFO) if progress else logging.NOTSET)
    try:
        with warnings.catch_warnings():
            warnings.showwarning = handler.show
            yield
    finally:
        work.setLevel(logging.NOTSET)
        for logger, (old, propagate) in zip(loggers, before, strict=True):
            logger.removeHandler(handler)
            logger.setLevel(old)
            logger.propagate = propagate


class _Handler(logging.Handler):
    def __init__(self, console: Console) -> None:
        super().__init__()
        self._console = console
        self._told: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.WARNING:
            self._warn(record.levelname.lower(), record.getMessage())
        else:
            self._console.print(f"[dim]{escape(record.getMessage())}[/dim]", soft_wrap=True)

    def show(self, message: Warning | str, *_: object, **__: object) -> None:
        """Show a warning of Python, as `warnings.showwarning` would, without its place."""
        self._warn("warning", str(message))

    def _warn(self, level: str, message: str) -> None:
        text = escape(message)
        if text in self._told:
            return
        self._told.add(text)
        self._console.print(f"[yellow]{level}:[/yellow] {text}", soft_wrap=True)
