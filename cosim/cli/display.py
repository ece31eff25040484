"""What a run shows while it goes on."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from cosim.cli.signals import insist

if TYPE_CHECKING:
    from cosim.case.start import StartState

__all__ = ["RunDisplay"]

_LINE_EVERY = 0.1


class RunDisplay:
    """Progress of a run: a bar on a terminal, a line at every tenth elsewhere.

    Parameters
    ----------
    console : Console
    start, end : float
        Of the run, s.
    """

    def __init__(self, console: Console, start: float, end: float) -> None:
        self._console = console
        self._start = start
        self._end = end
        self.t = start
        self._began: float | None = None
        self._next_line = _LINE_EVERY
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:3.0f} %"),
            TextColumn("{task.fields[note]}"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task: TaskID | None = None

    def stage(self, text: str) -> None:
        """Show what is being done."""
        if self._task is not None:
            self._progress.update(self._task, description=text)
        if not self._console.is_terminal:
            self._console.print(f"{text} ...")

    def started(self, start: StartState) -> None:
        """Say where the run starts."""
        found = start.equilibrium
        if found is None:
            return
        held = f"; held: {', '.join(found.held)}" if found.held else ""
        self._console.print(f"equilibrium found in {found.evaluations} evaluations{held}")

    def compiling(self) -> None:
        """Say that kernels are being compiled."""
        self._console.print("compiling kernels: once per installation, up to half a minute")

    def advanced(self, t: float) -> None:
        """Show how far the run is, how fast it goes and how long it still takes.

        An interruption that got lost ends the run here.
        """
        insist()
        self.t = t
        now = time.monotonic()
        if self._began is None:
            self._began = now
            self.stage("running")
        elapsed = now - self._began
        done = (t - self._start) / (self._end - self._start)
        speed = (t - self._start) / elapsed if elapsed > 0.0 else 0.0
        left = (self._end - t) / speed if speed > 0.0 else 0.0
        note = f"t = {t:.1f} of {self._end:g} s, {speed:.3g} x real time, {_clock(left)} left"
        if self._task is not None:
            self._progress.update(self._task, completed=done, note=note)
        if not self._console.is_terminal and done >= self._next_line:
            self._next_line = _LINE_EVERY * (int(done / _LINE_EVERY) + 1)
            self._console.print(f"{100.0 * done:3.0f} %  {note}")

    def __enter__(self) -> Self:
        self._progress.start()
        self._task = self._progress.add_task("reading", total=1.0, note="")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
