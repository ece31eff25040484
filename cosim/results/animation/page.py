"""One interactive page that shows a run; it needs nothing but a browser."""

from __future__ import annotations

import html
import json
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from cosim.errors import CaseError
from cosim.results.animation.page_data import page_data
from cosim.results.animation.three import three_js
from cosim.results.provenance import versions

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["animation_page", "write_page"]

_SCRIPTS = ("data.js", "water.js", "lines.js", "world.js", "orbit.js", "stage.js", "player.js")


def animation_page(
    dataset: xr.Dataset, *, start: float | None = None, end: float | None = None
) -> str:
    """A run as one HTML page with everything inside: script, styles, data.

    Bodies, springs, mooring lines and the moving water surface can be turned, enlarged,
    played and scrubbed; channels are shown beside them. The page refers to nothing outside
    itself.

    Parameters
    ----------
    dataset : xarray.Dataset
        Results of a run.
    start, end : float, optional
        Part of the run, s.

    Raises
    ------
    CaseError
        The results hold no positions, or fewer than two instants of that part.
    """
    data = page_data(dataset, start=start, end=end)
    # nothing in the data may end the element that it stands in
    text = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return Template(_part("page.html")).substitute(
        title=html.escape(str(data["title"])),
        version=html.escape(versions()["offshore-cosim"]),
        style=_part("page.css"),
        three=three_js(),
        data=text,
        code="\n".join(_part(name) for name in _SCRIPTS),
    )


def write_page(
    dataset: xr.Dataset, path: str | Path, *, start: float | None = None, end: float | None = None
) -> None:
    """Write a run as one interactive HTML page that needs nothing but a browser.

    Parameters
    ----------
    dataset : xarray.Dataset
        Results of a run.
    path : path
    start, end : float, optional
        Part of the run, s.

    Raises
    ------
    CaseError
        The results hold no positions, or fewer than two instants of that part, or the file
        cannot be written.
    """
    page = animation_page(dataset, start=start, end=end)
    file = Path(path)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page, encoding="utf-8")
    except OSError as error:
        raise CaseError(
            f"'{file}' cannot be written: {error.strerror}; choose another file with --out"
        ) from None


def _part(name: str) -> str:
    return (files("cosim.results.animation") / "web" / name).read_text(encoding="utf-8")
