"""Natural modes of a case as plain data, for files."""

from __future__ import annotations

from cosim.analysis.sensitivity import ModeChange
from cosim.case.modes import CaseModes
from cosim.case.sensitivity import CaseSensitivity

__all__ = ["mode_records", "participants", "sensitivity_records"]


def participants(found: CaseModes, mode: int, *, least: float = 0.05) -> list[tuple[str, float]]:
    """Speeds with at least this share of a mode's kinetic energy, largest first."""
    shares = found.modes[mode].shares
    order = sorted(range(len(shares)), key=lambda k: -shares[k])
    return [(found.system.speeds[k], float(shares[k])) for k in order if shares[k] >= least]


def mode_records(found: CaseModes) -> list[dict[str, object]]:
    """One record per mode: numbers in SI units, shapes as real and imaginary parts."""
    speeds = found.system.speeds
    return [
        {
            "name": mode.name,
            "period": mode.period,
            "frequency": mode.frequency,
            "undamped_period": mode.undamped_period,
            "damping_ratio": mode.damping_ratio,
            "eigenvalue": [mode.value.real, mode.value.imag],
            "participation": dict(zip(speeds, mode.shares.tolist(), strict=True)),
            "shape": {
                speed: [float(value.real), float(value.imag)]
                for speed, value in zip(speeds, mode.shape, strict=True)
            },
        }
        for mode in found.modes
    ]


def sensitivity_records(sensitivity: CaseSensitivity) -> list[dict[str, object]]:
    """One record per mode: derivatives per unit of the number."""
    return [_record(sensitivity, change) for change in sensitivity.changes]


def _record(sensitivity: CaseSensitivity, change: ModeChange) -> dict[str, object]:
    return {
        "number": sensitivity.name,
        "value": sensitivity.value,
        "mode": change.mode.name,
        "period": change.period,
        "frequency": change.frequency,
        "damping_ratio": change.damping_ratio,
        "eigenvalue": [change.value.real, change.value.imag],
    }
