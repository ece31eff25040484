"""Checkpoint files: everything that a run needs to go on.

::

    magic (16 bytes)  version (u32)  length of the body (u64)  SHA-256 of the body (32 bytes)
    body: MessagePack, arrays as raw float64 values

Little-endian. A file is written beside its final name and put there in one go, so that it is
always whole: the new one or the one before.
"""

from __future__ import annotations

import hashlib
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from cosim.errors import CaseError

__all__ = [
    "CaseRecord",
    "Checkpoint",
    "checkpoint_file",
    "read_checkpoint",
    "write_checkpoint",
]

_MAGIC = b"cosim checkpoint"
_VERSION = 1
_HEAD = struct.Struct("<16sIQ32s")


@dataclass(frozen=True)
class CaseRecord:
    """What a case can be read from again.

    Attributes
    ----------
    text : str
        Of the case file; empty for a case made in Python.
    path, folder : str
        Of the file, and what relative paths in it start from; absolute.
    settings : list of str
        ``name=value``, given beside the file.
    data : bytes
        MessagePack of a description that was given as a dictionary; empty for others.
    fingerprint : str
        Of the validated case, but for its end.
    formulation : str
        Of the equations of motion.
    """

    text: str
    path: str
    folder: str
    settings: list[str]
    data: bytes
    fingerprint: str
    formulation: Literal["joint", "symbolic", "cartesian"]


@dataclass(frozen=True)
class Checkpoint:
    """A run at one instant.

    Attributes
    ----------
    run : str
        Name that the result file of the same run holds, too.
    t : float
        s.
    case : CaseRecord
    q0, u0 : list of float
        Where the run started.
    settings : mapping of adapter name to what it wants remembered
        Versions, files, hashes.
    versions : mapping of package to version
    rows : mapping of dimension of time to int
        How much of the results belongs to the run up to here.
    shape_stride : int
        Every how many-th instant shapes are stored.
    state : bytes
        Of the run; see :mod:`cosim.integrate.run_state`.
    """

    run: str
    t: float
    case: CaseRecord
    q0: list[float]
    u0: list[float]
    settings: Mapping[str, Mapping[str, str]]
    versions: Mapping[str, str]
    rows: Mapping[str, int]
    shape_stride: int
    state: bytes


def checkpoint_file(results: str | Path) -> Path:
    """Where the checkpoint of a run is that writes these results."""
    return Path(results).with_suffix(".checkpoint")


def write_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Put a checkpoint in the place of the one before, whole or not at all.

    Raises
    ------
    OSError
    """
    body = msgspec.msgpack.encode(checkpoint)
    head = _HEAD.pack(_MAGIC, _VERSION, len(body), hashlib.sha256(body).digest())
    draft = path.with_name(f"{path.name}.part")
    try:
        with draft.open("wb") as stream:
            stream.write(head)
            stream.write(body)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def read_checkpoint(path: str | Path) -> Checkpoint:
    """Read a checkpoint file.

    Raises
    ------
    CaseError
        No such file, none of ours, of another version, cut off or damaged.
    """
    file = Path(path)
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        raise CaseError(f"there is no checkpoint '{file}'; run the case anew") from None
    except OSError as error:
        raise CaseError(f"the checkpoint '{file}' cannot be read: {error.strerror}") from None
    if len(content) < _HEAD.size or not content.startswith(_MAGIC):
        raise CaseError(f"'{file}' is no checkpoint of this program; run the case anew")
    _, version, length, digest = _HEAD.unpack_from(content)
    if version != _VERSION:
        raise CaseError(
            f"the checkpoint '{file}' has version {version} and this program reads {_VERSION}; go "
            "on with the version that wrote it, or run the case anew"
        )
    body = memoryview(content)[_HEAD.size :]
    if len(body) != length or hashlib.sha256(body).digest() != digest:
        raise CaseError(f"the checkpoint '{file}' is damaged or cut off; run the case anew")
    try:
        return msgspec.msgpack.decode(body, type=Checkpoint)
    except msgspec.DecodeError as error:
        raise CaseError(f"the checkpoint '{file}' cannot be read: {error}") from None
