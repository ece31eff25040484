"""``cosim animate``: a run as a page or a film."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from cosim.cli.console import Consoles, listen
from cosim.errors import CaseError

__all__ = ["FORMATS", "animate_results"]

Format = Literal["html", "mp4", "gif"]
FORMATS: tuple[Format, ...] = ("html", "mp4", "gif")


def animate_results(
    result: Path,
    *,
    out: Path | None,
    kind: str | None,
    speed: float | None,
    fps: float | None,
    span: tuple[float | None, float | None],
) -> None:
    """Make an animation beside the result file, or at `out`.

    Parameters
    ----------
    result : Path
    out : Path or None
        File; its ending names the format where `kind` does not.
    kind : str or None
        ``html``, ``mp4`` or ``gif``; a page by default.
    speed : float or None
        Simulated seconds per second of the film.
    fps : float or None
        Frames per second of the film.
    span : (2,)
        First and last instant, s, or None.

    Raises
    ------
    CaseError
        No results, nothing to show, an unknown format, or the file cannot be written.
    """
    from cosim.results.animation.movie import MovieSettings, write_movie
    from cosim.results.animation.page import write_page
    from cosim.results.reader import open_results

    consoles = Consoles()
    chosen = _format(kind, out)
    dataset = open_results(result)
    file = out or result.with_suffix(f".{chosen}")
    if chosen == "html":
        if speed is not None or fps is not None:
            consoles.err.print("--speed and --fps are for films; the page plays at any speed")
        with listen(consoles.err, logging.WARNING):
            write_page(dataset, file, start=span[0], end=span[1])
    else:
        settings = MovieSettings(speed=speed, fps=fps, start=span[0], end=span[1])
        with listen(consoles.err, logging.WARNING), _bar(consoles.err) as bar:
            task = bar.add_task(f"drawing {file.name}", total=1.0)
            write_movie(dataset, file, settings, lambda done: bar.update(task, completed=done))
    consoles.out.print(escape(str(file)), soft_wrap=True)


def _format(kind: str | None, out: Path | None) -> str:
    named = kind or (out.suffix.lstrip(".").lower() if out is not None else FORMATS[0])
    if named not in FORMATS:
        raise CaseError(
            f"there is no format '{named}'; choose {', '.join(FORMATS[:-1])} or {FORMATS[-1]} "
            "with --format, or by the ending of --out"
        )
    return named


def _bar(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
