"""Lines at rest at the start of a run, remembered between runs."""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
from pathlib import Path

import numpy as np

from adapters.moordyn.binding import moordyn_version
from adapters.moordyn.instance import MoorDynInstance
from adapters.moordyn.settle import Settler
from cosim.errors import AdapterError

__all__ = ["cache_directory", "kept_path", "recall", "remember", "rest"]

LOG = logging.getLogger(__name__)


def cache_directory() -> Path:
    """Where settled lines are kept: below ``$COSIM_CACHE``, or ~/.cache/offshore-cosim."""
    root = os.environ.get("COSIM_CACHE")
    return (Path(root) if root else Path.home() / ".cache" / "offshore-cosim") / "moordyn"


def rest(instance: MoorDynInstance, settler: Settler, x: list[float], key: str) -> None:
    """Bring the lines of an instance to rest with the coupled points at x.

    The instance must just have been started there. What was found is kept on disk by hash
    of `key`, the positions and MoorDyn's version, so that the same start is exactly the
    same the next time.

    Parameters
    ----------
    instance : MoorDynInstance
    settler : Settler
        Of this instance.
    x : list of float
        (3p,), m.
    key : str
        Everything else that the result depends on: input file, tables, current.
    """
    path = kept_path(key, x, "state")
    state = recall(path)
    if state is not None:
        try:
            instance.restore(state)
            return
        except AdapterError as error:
            LOG.warning("the state kept in %s is not used: %s", path, error)
    LOG.info("letting the lines come to rest, once for this file and pose")
    settler.settle(x)
    remember(path, instance.save())


def kept_path(key: str, x: list[float], kind: str) -> Path:
    """File that keeps what belongs to a key and to fairleads at x, (3p,)."""
    text = f"{key}\n{moordyn_version()}\n".encode()
    return cache_directory() / f"{hashlib.sha256(text + np.array(x).tobytes()).hexdigest()}.{kind}"


def recall(path: Path) -> bytes | None:
    """What was kept, or None."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def remember(path: Path, data: bytes) -> None:
    """Keep data; written beside the final name and renamed, so that none reads half of it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(data)
        Path(file.name).replace(path)
    except OSError as error:
        LOG.warning("the settled lines cannot be kept in %s: %s", path.parent, error)
