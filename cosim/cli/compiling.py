"""Tells that kernels are being compiled: the first start takes a while, later ones do not."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

from cosim.cli.console import listen

__all__ = ["announce_compilation", "looking"]


@contextmanager
def announce_compilation(announce: Callable[[], None]) -> Iterator[None]:
    """Call `announce` once, as soon as a kernel has to be compiled."""
    from numba.core import event

    class Listener(event.Listener):
        told = False

        def on_start(self, event: object) -> None:
            if not self.told:
                self.told = True
                announce()

        def on_end(self, event: object) -> None: ...

    with event.install_listener("numba:compile", Listener()):
        yield


@contextmanager
def looking(console: Console, level: int) -> Iterator[None]:
    """What a command that looks at a case says meanwhile: warnings, progress, compilation.

    Other messages of the library are for runs, and shown here only with `--debug`.
    """

    def announce() -> None:
        console.print("compiling kernels: once per installation, up to half a minute")

    shown = level if level <= logging.DEBUG else logging.WARNING
    with listen(console, shown, progress=True), announce_compilation(announce):
        yield
