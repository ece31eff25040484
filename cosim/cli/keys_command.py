"""``cosim keys``: a pair of keys for encrypted connections."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape

from cosim.cli.console import Consoles
from cosim.errors import CaseError

__all__ = ["make_keys"]


def make_keys(name: str, *, out: Path) -> None:
    """Make a pair of keys and say where it is.

    Parameters
    ----------
    name : str
        Of the files, without ending.
    out : Path
        Folder.

    Raises
    ------
    CaseError
        There are such files, or they cannot be written.
    """
    from cosim.wire.errors import WireError
    from cosim.wire.keys import create_keys

    try:
        public, secret = create_keys(name, out)
    except WireError as error:
        raise CaseError(str(error)) from None
    consoles = Consoles()
    consoles.out.print(escape(str(public)), soft_wrap=True)
    consoles.out.print(escape(str(secret)), soft_wrap=True)
    consoles.err.print(
        f"give {escape(public.name)} to the other side; nobody else may see {escape(secret.name)}"
    )
