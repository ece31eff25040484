"""How errors end the program: one sentence, and an exit code that says of what kind."""

from __future__ import annotations

import functools
import sys
import traceback
from collections.abc import Callable
from typing import ParamSpec

import typer

from cosim.cli.signals import TerminatedError, listening
from cosim.errors import CosimError

__all__ = ["guarded"]

INTERRUPTED, TERMINATED = 130, 143

P = ParamSpec("P")


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """A command whose errors end in a sentence; with ``--debug``, after a traceback."""

    @functools.wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        with listening() as listener:
            try:
                command(*args, **kwargs)
                listener.insist()
            except (typer.Exit, typer.Abort):
                raise
            except BaseException as error:
                if kwargs.get("debug"):
                    traceback.print_exc()
                cause = listener.received or error
                message, code = _ending(cause, debug=bool(kwargs.get("debug")))
                print(message, file=sys.stderr)
                raise typer.Exit(code) from None

    return wrapped


def _ending(error: BaseException, *, debug: bool) -> tuple[str, int]:
    match error:
        case TerminatedError():
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
