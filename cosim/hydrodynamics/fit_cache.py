"""Radiation fits on disk, found again by what they were made from."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import zipfile
from dataclasses import asdict
from pathlib import Path

import numpy as np

from cosim.hydrodynamics.radiation import FitOptions, FitQuality, RadiationFit, fit_radiation
from cosim.hydrodynamics.rigid import Float
from cosim.hydrodynamics.state_space import RadiationStates

__all__ = ["cached_fit", "fit_directory"]

LOG = logging.getLogger(__name__)

_VERSION = 2
_ARRAYS = ("decay", "turn", "partner", "dof", "gain", "C")


def fit_directory() -> Path:
    """``$COSIM_CACHE/fits``, or ``~/.cache/offshore-cosim/fits``."""
    chosen = os.environ.get("COSIM_CACHE")
    root = Path(chosen) if chosen else Path.home() / ".cache" / "offshore-cosim"
    return root / "fits"


def cached_fit(
    omega: Float, damping: Float, options: FitOptions, *, folder: Path | None = None
) -> RadiationFit:
    """:func:`~cosim.hydrodynamics.radiation.fit_radiation`, or the same from the cache.

    A cache that cannot be written is only mentioned in the log.

    Parameters
    ----------
    omega, damping, options
        As in `fit_radiation`.
    folder : Path, optional
        Default :func:`fit_directory`.
    """
    path = (folder or fit_directory()) / f"{_key(omega, damping, options)}.npz"
    found = _load(path)
    if found is not None:
        return found
    fit = fit_radiation(omega, damping, options)
    try:
        _save(path, fit)
    except OSError as error:
        LOG.info("the radiation fit was not kept: %s", error)
    return fit


def _key(omega: Float, damping: Float, options: FitOptions) -> str:
    digest = hashlib.sha256(json.dumps([_VERSION, asdict(options)]).encode())
    for values in (omega, damping):
        digest.update(str(values.shape).encode())
        digest.update(np.ascontiguousarray(values).tobytes())
    return digest.hexdigest()[:32]


def _save(path: Path, fit: RadiationFit) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    quality = json.dumps([asdict(group) for group in fit.quality])
    arrays = {name: getattr(fit.states, name) for name in _ARRAYS}
    temporary = path.with_suffix(f".{os.getpid()}.npz")
    np.savez(temporary, allow_pickle=False, quality=np.array(quality), **arrays)
    temporary.replace(path)


def _load(path: Path) -> RadiationFit | None:
    if not path.is_file():
        return None
    try:
        with np.load(path, allow_pickle=False) as data:
            states = RadiationStates(**{name: data[name] for name in _ARRAYS})
            groups = json.loads(str(data["quality"]))
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        LOG.info("the radiation fit in the cache cannot be read and is made again: %s", error)
        return None
    quality = tuple(FitQuality(**{**g, "dofs": tuple(g["dofs"])}) for g in groups)
    return RadiationFit(states, quality)
