"""What one scalar of the results is."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Channel"]


@dataclass(frozen=True)
class Channel:
    """One scalar output of an adapter or of a force element.

    Parameters
    ----------
    name : str
        Unique within its owner; the results call it ``owner/name``.
    units, frame, point, long_name : str
        Written to the results; `frame` and `point` may be empty for scalars.
    """

    name: str
    units: str
    long_name: str
    frame: str = ""
    point: str = ""
