"""Every error this package raises on purpose.

::

    CosimError
    ├── CaseError           the case file: file, line, key            (exit code 2)
    ├── ModelError          a body, joint, point or element           (exit code 2)
    ├── DatabaseError       a hydrodynamic database or a mesh         (exit code 2)
    ├── EquilibriumError    no coupled equilibrium near the start     (exit code 3)
    ├── StabilityError      a coupling scheme refused before it blows (exit code 3)
    ├── SolverError         a run that cannot go on                   (exit code 4)
    └── AdapterError        an adapter or what hangs behind it        (exit code 5)
        ├── AdapterTimeout
        ├── PeerLostError
        └── ProtocolError

The message is one sentence: what is wrong, where, and what to do.
"""

from __future__ import annotations

__all__ = [
    "AdapterError",
    "AdapterTimeout",
    "CaseError",
    "CosimError",
    "DatabaseError",
    "EquilibriumError",
    "ModelError",
    "PeerLostError",
    "ProtocolError",
    "SolverError",
    "StabilityError",
]


class CosimError(Exception):
    """Root of the tree; `exit_code` is what the command line returns."""

    exit_code = 1


class CaseError(CosimError):
    """A case file that cannot be read as one."""

    exit_code = 2


class ModelError(CosimError):
    """A description that is not a mechanical system."""

    exit_code = 2


class DatabaseError(CosimError):
    """A mesh or a hydrodynamic database that must not be used."""

    exit_code = 2


class EquilibriumError(CosimError):
    """No equilibrium was found; the message says what is out of balance."""

    exit_code = 3


class StabilityError(CosimError):
    """A coupling scheme that would be unstable with these loads and this step."""

    exit_code = 3


class SolverError(CosimError):
    """Time integration that cannot go on; what was computed is kept."""

    exit_code = 4


class AdapterError(CosimError):
    """An adapter failed.

    Parameters
    ----------
    message : str
        What happened and what to do.
    adapter : str
        Name of the adapter in the case.
    t : float or None
        Time of the run, s.
    """

    exit_code = 5

    def __init__(self, message: str, *, adapter: str, t: float | None = None) -> None:
        when = "" if t is None else f" at t = {t:g} s"
        super().__init__(f"adapter '{adapter}'{when}: {message}")
        self.adapter = adapter
        self.t = t


class AdapterTimeout(AdapterError):
    """The other side did not answer before its deadline."""


class PeerLostError(AdapterError):
    """The program at the other end ended, was killed, or froze."""


class ProtocolError(AdapterError):
    """The other side answered something that the protocol does not allow."""
