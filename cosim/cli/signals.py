"""Ctrl-C and SIGTERM end the program in order, also where the exception they raise gets lost."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType

__all__ = ["Listener", "TerminatedError", "insist", "listening"]


class TerminatedError(KeyboardInterrupt):
    """SIGTERM arrived."""


class Listener:
    """Raises at a signal, and remembers it.

    What runs at that moment may ignore the exception, as callbacks of compiled code do, or turn
    it into another, as some imports do.

    Attributes
    ----------
    received : KeyboardInterrupt or None
    """

    def __init__(self) -> None:
        self.received: KeyboardInterrupt | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal."""
        text = "terminated" if number == signal.SIGTERM else ""
        self.received = TerminatedError(text) if text else KeyboardInterrupt()
        raise self.received

    def insist(self) -> None:
        """Raise what has been received, if anything."""
        if self.received is not None:
            raise self.received


@contextmanager
def listening() -> Iterator[Listener]:
    """Listen to the signals, except to those that this process was told to ignore.

    Compiled code that loses an exception reports it by one hook or by both: not this one.
    """
    listener = Listener()
    lost_hook, hook = sys.unraisablehook, sys.excepthook

    def lost(args: sys.UnraisableHookArgs) -> None:
        if listener.received is None or args.exc_value is not listener.received:
            lost_hook(args)

    def shown(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if listener.received is None or error is not listener.received:
            hook(kind, error, trace)

    sys.unraisablehook, sys.excepthook = lost, shown
    before = {
        number: signal.signal(number, listener)
        for number in (signal.SIGINT, signal.SIGTERM)
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield listener
    finally:
        sys.unraisablehook, sys.excepthook = lost_hook, hook
        for number, handler in before.items():
            signal.signal(number, handler)


def insist() -> None:
    """Raise again what was received and got lost."""
    listener = signal.getsignal(signal.SIGINT)
    if isinstance(listener, Listener):
        listener.insist()
