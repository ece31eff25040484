"""How errors end the program: one sentence, and an exit code that says of what kind."""

from __future__ import annotations

import functools
import signal
import sys
import traceback
from collections.abc import Callable
from types import FrameType
from typing import ParamSpec

import typer

from cosim.errors import CosimError

__all__ = ["guarded"]

INTERRUPTED, TERMINATED = 130, 143

P = ParamSpec("P")


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """A command whose errors end in a sentence; with ``--debug``, after a traceback."""

    @functools.wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        before = signal.signal(signal.SIGTERM, _terminate)
        try:
            command(*args, **kwargs)
        except (typer.Exit, typer.Abort):
            raise
        except BaseException as error:
            if kwargs.get("debug"):
                traceback.print_exc()
            message, code = _ending(error, debug=bool(kwargs.get("debug")))
            print(message, file=sys.stderr)
            raise typer.Exit(code) from None
        finally:
            signal.signal(signal.SIGTERM, before)

    return wrapped


class _TerminatedError(KeyboardInterrupt):
    """SIGTERM arrived."""


def _terminate(number: int, frame: FrameType | None) -> None:
    raise _TerminatedError("terminated")


def _ending(error: BaseException, *, debug: bool) -> tuple[str, int]:
    match error:
        case _TerminatedError():
            return "cosim: terminated", TERMINATED
        case KeyboardInterrupt():
            return "cosim: interrupted", INTERRUPTED
        case CosimError():
            return _sentence(str(error)), error.exit_code
        case SystemExit(code=int(code)):
            return "", code
        case _:
            hint = "" if debug else " (--debug shows where)"
            first = f"{type(error).__name__}: {error}".split("\n")[0]
            return f"cosim: an error of this program, please report it: {first}{hint}", 1


def _sentence(message: str) -> str:
    lines = message.split("\n")
    if len(lines) == 1:
        return f"cosim: {message}"
    return "\n  ".join([f"cosim: {len(lines)} problems:", *lines])
