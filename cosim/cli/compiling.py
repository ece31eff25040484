"""Tells that kernels are being compiled: the first start takes a while, later ones do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["announce_compilation"]


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
