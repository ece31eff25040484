"""Checkpoints of a run of a case: what goes into them besides the state of the run."""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from cosim.case.build import Assembly
from cosim.case.record import record_of, wave_digest
from cosim.case.start import StartState
from cosim.coupling.capabilities import Relaunchable, Restorable, Stepper
from cosim.errors import CaseError
from cosim.integrate.checkpoints import Checkpoints
from cosim.results.checkpoint import Checkpoint, checkpoint_file, write_checkpoint
from cosim.results.provenance import versions
from cosim.results.recorder import ResultRecorder

__all__ = ["Saver", "Settings", "check_same", "settings_of", "why_not_saved"]

LOG = logging.getLogger(__name__)

Settings = Mapping[str, Mapping[str, str]]
"""What every adapter wants remembered, by its name."""

_OUTPUTS = 600
"""Output instants from one checkpoint to the next."""
_LONG = 80
"""Characters beyond which only the hash of a setting is kept."""
_WAVES = "the waves"


def settings_of(assembly: Assembly) -> Settings:
    """What the adapters want remembered."""
    return {name: dict(adapter.settings()) for name, adapter in assembly.adapters.items()}


def why_not_saved(assembly: Assembly) -> str:
    """Why a run keeps no checkpoints; empty if it does."""
    if assembly.case.output.checkpoint == 0.0:
        return "output.checkpoint is 0"
    for name, adapter in assembly.adapters.items():
        if isinstance(adapter, Stepper) and not isinstance(adapter, Restorable):
            return f"adapter '{name}' steps by itself and cannot be saved"
    return ""


class Saver:
    """Keeps the last checkpoint of a run, in a file too where there is one of results.

    Parameters
    ----------
    results : Path or None
        Result file.
    last : Checkpoint or None
        That the run goes on from.
    """

    def __init__(self, results: Path | None, last: Checkpoint | None = None) -> None:
        self.file = None if results is None else checkpoint_file(results)
        self.last = last
        self.run = secrets.token_hex(8) if last is None else last.run

    def checkpoints(
        self, assembly: Assembly, start: StartState, recorder: ResultRecorder, settings: Settings
    ) -> Checkpoints | None:
        """When the run is saved, by this object; None if never."""
        case, reason = assembly.case, why_not_saved(assembly)
        if reason:
            LOG.info("no checkpoints: %s", reason)
            _refuse_restarts(assembly, reason)
            if self.file is not None:
                self.file.unlink(missing_ok=True)
            return None
        blank = Checkpoint(
            run=self.run,
            t=case.time.start,
            case=record_of(case, assembly.formulation),
            q0=start.q.tolist(),
            u0=start.u.tolist(),
            settings=_compared(assembly, settings),
            versions=versions(),
            rows={},
            shape_stride=recorder.instants.stride,
            state=b"",
        )

        def keep(t: float, state: bytes) -> None:
            self.keep(replace(blank, t=t, state=state, rows=recorder.sync()))

        step, wanted = case.output.step, case.output.checkpoint
        interval = _OUTPUTS * step if wanted is None else wanted
        return Checkpoints(case.time.start, interval, step, keep)

    def keep(self, checkpoint: Checkpoint) -> None:
        """Take this one in the place of the one before; a disk that refuses it stops no run."""
        self.last = checkpoint
        if self.file is None:
            return
        try:
            write_checkpoint(self.file, checkpoint)
        except OSError as error:
            LOG.warning(
                "the checkpoint at t = %g s cannot be written to '%s': %s; the run goes on",
                checkpoint.t,
                self.file,
                error.strerror,
            )


def _refuse_restarts(assembly: Assembly, reason: str) -> None:
    for name, adapter in assembly.adapters.items():
        if isinstance(adapter, Relaunchable) and adapter.on_loss == "restart":
            raise CaseError(
                f"adapter '{name}': a restart after a loss needs checkpoints, and the run keeps "
                f"none: {reason}"
            )


def check_same(checkpoint: Checkpoint, assembly: Assembly, settings: Settings) -> None:
    """Refuse to go on with other inputs than those of the run; warn of other versions.

    Raises
    ------
    CaseError
        Names the adapter and what changed.
    """
    now = _compared(assembly, settings)
    for name, before in checkpoint.settings.items():
        found = now.get(name, {})
        for key in sorted({*before, *found}):
            if before.get(key) != found.get(key):
                raise CaseError(
                    f"{name}: '{key}' has changed since the run was saved, from "
                    f"{before.get(key, 'nothing')} to {found.get(key, 'nothing')}; the run can go "
                    "on only with what it began with"
                )
    current = versions()
    other = [
        f"{package} {version} (now {current.get(package, 'not installed')})"
        for package, version in checkpoint.versions.items()
        if current.get(package) != version
    ]
    if other:
        LOG.warning(
            "the run was saved with %s: what follows may differ in the last digits",
            ", ".join(other),
        )


def _compared(assembly: Assembly, settings: Settings) -> dict[str, dict[str, str]]:
    found = {
        f"adapter '{name}'": {key: _short(value) for key, value in items.items()}
        for name, items in settings.items()
    }
    return found | {_WAVES: {"components": wave_digest(assembly.case.environment.sea_state)}}


def _short(value: str) -> str:
    """The setting, files by their absolute paths, and long texts by their hashes."""
    if "\n" not in value and os.path.isfile(value):
        return str(Path(value).resolve())
    if len(value) > _LONG:
        return f"sha256 {hashlib.sha256(value.encode()).hexdigest()[:16]}"
    return value
