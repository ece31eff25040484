"""A case as a checkpoint holds it, to be read again wherever and whenever the run goes on."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path

import msgspec
import numpy as np

from cosim.case.check import check
from cosim.case.formulation import CartesianChoice, Formulation, name_of
from cosim.case.overrides import override
from cosim.case.schema import Case
from cosim.case.source import Source, load_yaml
from cosim.environment import SeaState
from cosim.errors import CaseError
from cosim.results.checkpoint import CaseRecord

__all__ = ["fingerprint", "read_again", "record_of", "wave_digest"]

LOG = logging.getLogger(__name__)

_SET = "--set "


def record_of(case: Case, formulation: Formulation | CartesianChoice) -> CaseRecord:
    """What `read_again` needs."""
    source = case.origin
    return CaseRecord(
        text=source.text,
        path="" if source.path is None else str(source.path.resolve()),
        folder=str(Path(str(case.context.get("folder", "."))).resolve()),
        settings=[text.removeprefix(_SET) for text in source.overrides.values()],
        data=b"" if source.text else _packed(source.data),
        fingerprint=fingerprint(case),
        formulation=name_of(formulation),
    )


def read_again(record: CaseRecord, *, end: float | None = None, case: Case | None = None) -> Case:
    """The case of a run, for another end if one is given.

    Parameters
    ----------
    record : CaseRecord
    end : float, optional
        s.
    case : Case, optional
        In place of what was recorded: for cases made in Python.

    Raises
    ------
    CaseError
        It cannot be read again, or is not that of the run.
    """
    given = case is not None
    if case is None:
        case = check(_source(record), folder=Path(record.folder))
    if fingerprint(case) != record.fingerprint:
        raise CaseError(
            "the case given is not the one of the run"
            if given
            else "the case of the run was changed in Python after it was read; give it as 'case' "
            "to cosim.resume"
        )
    if end is None or end == case.time.end:
        return case
    if given:
        return case.model_copy(update={"time": case.time.model_copy(update={"end": end})})
    return check(override(_source(record), [f"time.end={end!r}"]), folder=Path(record.folder))


def fingerprint(case: Case) -> str:
    """Hash of all that a validated case says, but for its end and its waves."""
    data = case.model_dump(mode="json", by_alias=True, exclude={"environment": {"waves"}})
    data["time"].pop("end")
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def wave_digest(sea: SeaState) -> str:
    """Hash of the components, the record and the ramp of a sea state."""
    digest = hashlib.sha256()
    for values in (sea.omega, sea.wavenumber, sea.amplitude, sea.heading, [sea.ramp_duration]):
        digest.update(np.ascontiguousarray(values).tobytes())
    if sea.record is not None:
        digest.update(sea.record.time.tobytes() + sea.record.eta.tobytes())
    return digest.hexdigest()


def _source(record: CaseRecord) -> Source:
    path = Path(record.path) if record.path else None
    if record.text:
        _tell_of_changes(record)
        source = load_yaml(record.text, path)
    elif record.data:
        source = Source(msgspec.msgpack.decode(record.data, type=dict))
    else:
        raise CaseError("the case of the run was made in Python; give it as 'case' to cosim.resume")
    return override(source, record.settings)


def _tell_of_changes(record: CaseRecord) -> None:
    try:
        now = Path(record.path).read_text(encoding="utf-8") if record.path else record.text
    except (OSError, UnicodeDecodeError):
        return
    if now != record.text:
        LOG.warning(
            "'%s' has changed since the run began, which goes on with the case as it was then",
            record.path,
        )


def _packed(data: Mapping[str, object]) -> bytes:
    try:
        return msgspec.msgpack.encode(data) if data else b""
    except TypeError:
        return b""
