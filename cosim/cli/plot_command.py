"""``cosim plot``: pictures of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from cosim.cli.console import Consoles
from cosim.errors import CaseError

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["plot_results"]


def plot_results(
    result: Path, *, out: Path | None, at: float | None, channels: Sequence[str] = ()
) -> None:
    """Draw the summary and the scene of a run beside its result file, or in `out`.

    Parameters
    ----------
    result : Path
    out : Path or None
        Folder.
    at : float or None
        Instant of the scene, s; the last one by default.
    channels : sequence of str
        Patterns of variable names: those are drawn instead, on the pages of a PDF file.

    Raises
    ------
    CaseError
        No results, none at that instant, no such channel, or the pictures cannot be written.
    """
    from cosim.results.reader import open_results

    console = Consoles().out
    dataset = open_results(result)
    folder = out or result.parent
    stem = folder / result.stem
    files = _channels(dataset, stem, channels) if channels else _overview(dataset, stem, at)
    for file in files:
        console.print(escape(str(file)), soft_wrap=True)


def _overview(dataset: xr.Dataset, stem: Path, at: float | None) -> list[Path]:
    from cosim.results.picture import scene_figure
    from cosim.results.plots import summary_figure

    files = []
    for name, figure in (
        ("summary", summary_figure(dataset)),
        ("scene", scene_figure(dataset, at)),
    ):
        file = stem.with_name(f"{stem.name}_{name}.png")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            figure.savefig(file)
        except OSError as error:
            raise _unwritten(file, error) from None
        files.append(file)
    return files


def _channels(dataset: xr.Dataset, stem: Path, patterns: Sequence[str]) -> list[Path]:
    from matplotlib.backends.backend_pdf import PdfPages

    from cosim.results.channels import channel_pages, page_figure

    pages = channel_pages(dataset, patterns)
    file = stem.with_name(f"{stem.name}_channels.pdf")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with PdfPages(file, metadata={"Title": str(dataset.attrs.get("title", ""))}) as sheets:
            for page in pages:
                sheets.savefig(page_figure(page, dataset))
    except OSError as error:
        raise _unwritten(file, error) from None
    return [file]


def _unwritten(file: Path, error: OSError) -> CaseError:
    return CaseError(
        f"'{file}' cannot be written: {error.strerror}; choose another folder with --out"
    )
