"""``cosim plot``: pictures of a run."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape

from cosim.cli.console import Consoles
from cosim.errors import CaseError

__all__ = ["plot_results"]


def plot_results(result: Path, *, out: Path | None, at: float | None) -> None:
    """Draw the summary and the scene of a run beside its result file, or in `out`.

    Parameters
    ----------
    result : Path
    out : Path or None
        Folder.
    at : float or None
        Instant of the scene, s; the last one by default.

    Raises
    ------
    CaseError
        No results, none at that instant, or the pictures cannot be written.
    """
    from cosim.results.picture import scene_figure
    from cosim.results.plots import summary_figure
    from cosim.results.reader import open_results

    console = Consoles().out
    dataset = open_results(result)
    folder = out or result.parent
    for name, figure in (
        ("summary", summary_figure(dataset)),
        ("scene", scene_figure(dataset, at)),
    ):
        picture = folder / f"{result.stem}_{name}.png"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            figure.savefig(picture)
        except OSError as error:
            raise CaseError(
                f"'{picture}' cannot be written: {error.strerror}; choose another folder with --out"
            ) from None
        console.print(escape(str(picture)))
