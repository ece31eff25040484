"""What is wrong with a message."""

from __future__ import annotations

from cosim.errors import CosimError

__all__ = ["VersionError", "WireError"]


class WireError(CosimError):
    """A message that the protocol does not allow, or a connection that cannot be made."""

    exit_code = 5


class VersionError(WireError):
    """The other side speaks another version of the protocol.

    Parameters
    ----------
    theirs, ours : int
        Versions.
    """

    def __init__(self, theirs: int, ours: int) -> None:
        super().__init__(
            f"version {theirs} of the protocol was asked for, and this side speaks version {ours}; "
            "install the same version on both sides"
        )
        self.theirs = theirs
