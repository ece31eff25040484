"""Options that MoorDyn is run with: water and gravity of the case, scheme and step."""

from __future__ import annotations

import math
from dataclasses import replace

from adapters.moordyn.checks import check_depth, check_spans
from adapters.moordyn.doubts import tell_doubts
from adapters.moordyn.options import MoorDynOptions
from adapters.moordyn.records import MooringFile, OptionRecord
from adapters.moordyn.sections import MooringFileError
from adapters.moordyn.time_step import SHARE, stable_step, suggested_step
from cosim.environment import Environment

__all__ = ["set_conditions"]

_REPLACED = (
    *("CFL", "TmaxIC", "dtIC", "threshIC", "CdScaleIC", "ICgenDynamic", "fileIC"),
    *("WaveKin", "dtWave", "Currents", "UnifyCurrentGrid"),
    *("WriteUnits", "dtOut", "disableOutput", "disableOutTime", "writeLog"),
)
"""What the adapter does in MoorDyn's place: initial condition, water, output."""
_RUN = {"WaveKin": "1", "TmaxIC": "0", "disableOutput": "1", "disableOutTime": "1", "writeLog": "0"}
_RELATIVE_TOLERANCE = 1e-6


def set_conditions(
    file: MooringFile, options: MoorDynOptions, environment: Environment
) -> MooringFile:
    """Give a file the options of this run and check what depends on them.

    Parameters
    ----------
    file : MooringFile
        With fairleads in world coordinates.
    options : MoorDynOptions
    environment : Environment

    Returns
    -------
    MooringFile

    Raises
    ------
    MooringFileError
        The file contradicts the case, has points below the sea bed or lines that are too
        short, or no stable step.
    """
    _refuse_own_water(file)
    values = {name: record for name, record in file.options.items() if name not in _REPLACED}
    values["g"] = _agreed(file, "g", options.gravity, environment.gravity, key="gravity")
    values["rho"] = _agreed(
        file, "rho", options.water_density, environment.water_density, key="water_density"
    )
    values["WtrDpth"] = _agreed(
        file, "WtrDpth", options.water_depth, environment.water_depth, key="water_depth"
    )
    depth = float(values["WtrDpth"].value)
    if math.isinf(depth):
        raise MooringFileError(
            file.path,
            0,
            "MoorDyn needs a sea bed and the environment's water depth is infinite; "
            "set 'water_depth' of this adapter",
        )
    check_depth(file, depth)
    check_spans(file, options.max_strain)
    scheme = _scheme(file, options)
    values["tScheme"] = OptionRecord(scheme)
    values["dtM"] = OptionRecord(repr(_time_step(replace(file, options=values), options, scheme)))
    values |= {name: OptionRecord(value) for name, value in _RUN.items()}
    ready = replace(file, options=values)
    tell_doubts(ready, options.max_strain)
    return ready


def _refuse_own_water(file: MooringFile) -> None:
    for name, allowed in (("WaveKin", (0.0, 1.0)), ("Currents", (0.0,))):
        value = file.number(name)
        if value is not None and value not in allowed:
            raise MooringFileError(
                file.path,
                file.options[name].row,
                f"{name} is {value:g}, but waves and current come from the environment of the "
                f"case; set {name} to 0",
            )


def _agreed(
    file: MooringFile, name: str, override: float | str | None, ours: float, *, key: str
) -> OptionRecord:
    """Value of the override, or of the environment, which the file must not contradict."""
    theirs = file.number(name)
    if isinstance(override, float | int):
        return OptionRecord(repr(float(override)))
    if override == "file":
        if theirs is None:
            raise MooringFileError(file.path, 0, f"does not give {name} ('{key}: file')")
        return OptionRecord(repr(theirs))
    if theirs is not None and not math.isclose(theirs, ours, rel_tol=_RELATIVE_TOLERANCE):
        raise MooringFileError(
            file.path,
            file.options[name].row,
            f"{name} is {theirs:g} here and {ours:g} in the environment of the case; make them "
            f"equal, or set '{key}: file' in this adapter",
        )
    return OptionRecord(repr(float(ours)))


def _scheme(file: MooringFile, options: MoorDynOptions) -> str:
    if options.scheme != "file":
        return options.scheme
    if "tScheme" not in file.options:
        raise MooringFileError(file.path, 0, "does not give tScheme ('scheme: file')")
    return file.options["tScheme"].value


def _time_step(file: MooringFile, options: MoorDynOptions, scheme: str) -> float:
    described = bool(options.lines)
    wanted = options.time_step or ("auto" if described else "file")
    suggested = suggested_step(file)
    limit = stable_step(file, scheme)
    if wanted == "auto":
        if suggested is None:
            raise MooringFileError(
                file.path,
                0,
                "no step can be estimated for tabulated stiffness, nor where all lines are "
                "single segments between held points; set 'time_step'",
            )
        return suggested if limit is None else min(suggested, SHARE * limit)
    row = 0
    if wanted == "file":
        if "dtM" not in file.options:
            hint = "" if suggested is None else f" (about {suggested:.2g} s)"
            raise MooringFileError(
                file.path,
                0,
                "does not give dtM, and MoorDyn's own guess is unstable; write it in the file, or "
                f"set 'time_step: auto'{hint}",
            )
        row, wanted = file.options["dtM"].row, float(file.options["dtM"].value)
    step = float(wanted)
    if limit is not None and step > limit:
        raise MooringFileError(
            file.path,
            row,
            f"dtM of {step:g} s is unstable with {scheme}: segments, their damping and the sea "
            f"bed allow {limit:.2g} s; take {suggested:.2g} s or 'time_step: auto'",
        )
    return step
