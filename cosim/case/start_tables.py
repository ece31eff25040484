"""Where a run starts, as tables: coordinates and speeds, then the poses of the bodies."""

from __future__ import annotations

import math

import numpy as np

from cosim.algebra.attitude import roll_pitch_yaw
from cosim.case.build import Assembly
from cosim.case.start import StartState, named_coordinates
from cosim.case.tables import Cell, Table
from cosim.multibody.interface import Float

__all__ = ["start_tables"]

_DECIMALS = 6
"""An equilibrium is not known to more: 1 um, 1e-6 degrees."""


def start_tables(assembly: Assembly, start: StartState) -> list[Table]:
    """Tables of the initial conditions.

    Parameters
    ----------
    assembly : Assembly
    start : StartState
        As the run takes it: reference or equilibrium, with the values that the case sets.
    """
    return [_coordinates(assembly, start), _poses(assembly, start)]


def _coordinates(assembly: Assembly, start: StartState) -> Table:
    model = assembly.model
    reference, _ = model.initial()
    values = named_coordinates(model, start.q, reference)
    rows: list[tuple[Cell, ...]] = []
    for name, rate in zip(model.speeds, start.u.tolist(), strict=True):
        joint, _, coordinate = name.rpartition(".")
        angular = coordinate in model.system.joints[joint].angular
        value = math.degrees(values[name]) if angular else values[name]
        units = ("degree", "rad/s") if angular else ("m", "m/s")
        rows.append((name, _rounded(value), units[0], _rounded(rate), units[1]))
    columns = ("initial conditions", "coordinate", "unit", "speed", "unit")
    return Table("initial conditions", columns, rows)


def _poses(assembly: Assembly, start: StartState) -> Table:
    model = assembly.model
    state = model.kinematics(assembly.case.time.start, start.q, start.u)
    angles = _upright(np.degrees(roll_pitch_yaw(state.R)))
    columns = ("bodies at the start", "centre of gravity [m]", "roll, pitch, yaw [degree]")
    rows = [
        (name, tuple(map(_rounded, state.r[i])), tuple(map(_rounded, angles[i])))
        for i, name in enumerate(model.bodies)
    ]
    return Table("bodies at the start", columns, rows)


def _upright(angles: Float) -> Float:
    """The same attitudes, (n, 3), degrees, with a roll within a quarter turn.

    Roll, pitch, yaw also stand for (roll + 180, 180 - pitch, yaw + 180): what turned by 135
    degrees about y shows that angle.
    """
    other = np.stack([angles[:, 0] + 180.0, 180.0 - angles[:, 1], angles[:, 2] + 180.0], axis=1)
    other = (other + 180.0) % 360.0 - 180.0
    return np.where(np.abs(angles[:, :1]) > 90.0, other, angles)


def _rounded(value: float) -> float:
    return round(float(value), _DECIMALS) + 0.0
