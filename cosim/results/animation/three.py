"""The drawing library of the interactive page, three.js, out of the installed trimesh."""

from __future__ import annotations

import io
import re
import zipfile
from importlib.metadata import version
from importlib.resources import files

from cosim.errors import CosimError

__all__ = ["REVISION", "three_js", "three_js_of"]

REVISION = "140"
"""Revision that the page's scripts are written for; colours and lights differ in others."""

_BUILD = re.compile(
    r"""/\*\*\s+\*\s@license\b[^/]*?\bThree\.js\sAuthors\b[^/]*?\*/\s*  # its licence
        !function\(\w,\w\)\{.*?\.THREE=\{\}\)\}\(this,.*?               # any module system, or none
        Object\.defineProperty\(\w,"__esModule",\{value:!0\}\)\}\)\);   # ends what is exported
    """,
    re.VERBOSE | re.DOTALL,
)


def three_js() -> str:
    """Script that defines ``THREE``, with its licence comment.

    trimesh carries a viewer in one file, which begins with the build of three.js for script
    elements.

    Raises
    ------
    CosimError
        The installed trimesh holds another revision, or none.
    """
    packed = (files("trimesh") / "resources" / "templates" / "viewer.zip").read_bytes()
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        template = archive.read("viewer.html.template").decode("utf-8")
    return three_js_of(template)


def three_js_of(template: str) -> str:
    """Build of three.js in the text of a page, and nothing else of it.

    Parameters
    ----------
    template : str
        A page that contains it.

    Raises
    ------
    CosimError
        It contains another revision, or none.
    """
    found = _BUILD.search(template)
    if found is None or _revision(found[0]) != REVISION:
        raise CosimError(
            f"trimesh {version('trimesh')} brings no three.js r{REVISION}, which draws the page; "
            "install trimesh 4.8.3 or a newer 4.x or 5.x, or make a film (--format gif)"
        )
    return found[0]


def _revision(script: str) -> str | None:
    """Revision that a build exports, which is the value of a constant at its beginning."""
    name = re.search(r"\w\.REVISION=(\w+)[,;]", script)
    value = name and re.search(rf'\bconst {name[1]}="(\d+)"', script)
    return value[1] if value else None
