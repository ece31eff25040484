"""Start values by name, for every formulation."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cosim.algebra.types import Float
from cosim.errors import ModelError
from cosim.model.joints import JointKind
from cosim.model.system import System

__all__ = ["given_values", "start_values"]


def start_values(
    system: System, speeds: Sequence[str], conditions: Mapping[str, float]
) -> tuple[Float, Float]:
    """Displacements from the reference configuration, and speeds.

    Parameters
    ----------
    system : System
    speeds : sequence of str
        ``joint.coordinate`` of each speed.
    conditions : mapping
        See :meth:`cosim.multibody.interface.MultibodyModel.initial`.

    Returns
    -------
    displacement : (nu,)
        One entry for each speed; roll, pitch and yaw of one joint are angles of one
        rotation R = Rz Ry Rx in the parent's axes.
    u : (nu,)

    Raises
    ------
    ModelError
        Unknown joint, body or coordinate, degrees of a length, or a value given twice.
    """
    displacement, u = np.zeros(len(speeds)), np.zeros(len(speeds))
    used: dict[tuple[int, bool], str] = {}
    for key, value in conditions.items():
        row, is_rate, factor = _address(key, system, speeds)
        if (row, is_rate) in used:
            raise ModelError(f"start values '{used[row, is_rate]}' and '{key}' are the same")
        used[row, is_rate] = key
        (u if is_rate else displacement)[row] = factor * _finite(key, value)
    return displacement, u


def given_values(
    system: System, speeds: Sequence[str], conditions: Mapping[str, float]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which displacements and which speeds valid `conditions` set, (nu,) each."""
    given = np.zeros((2, len(speeds)), dtype=bool)
    for key in conditions:
        row, is_rate, _ = _address(key, system, speeds)
        given[int(is_rate), row] = True
    return given[0], given[1]


def _finite(key: str, value: float) -> float:
    if not math.isfinite(value):
        raise ModelError(f"start value '{key}' is {value}; it must be a finite number")
    return value


def _address(key: str, system: System, speeds: Sequence[str]) -> tuple[int, bool, float]:
    """Speed, whether its rate is meant, and the factor to SI units."""
    name, _, coordinate = key.rpartition(".")
    joint_name, joint = _joint(key, name, system)
    stem, degrees = coordinate.removesuffix("_deg"), coordinate.endswith("_deg")
    stem, rate = stem.removesuffix("_rate"), stem.endswith("_rate")
    if joint.cut:
        raise ModelError(
            f"start value '{key}': joint '{joint_name}' is cut and has no coordinates of its own; "
            "set those of another joint of its loop"
        )
    if stem not in joint.coordinates:
        known = [c + s for c in joint.coordinates for s in ("", "_rate")]
        known += [c + s for c in joint.angular for s in ("_deg", "_rate_deg")]
        listing = ", ".join(joint.coordinates) or "none"
        raise ModelError(
            f"start value '{key}': joint '{joint_name}' ({joint.type}) has no coordinate "
            f"'{stem}'{_suggestion(coordinate, known)}; it has {listing}"
        )
    if degrees and stem not in joint.angular:
        raise ModelError(f"start value '{key}': '{stem}' is a length; write it in metres")
    row = speeds.index(f"{joint_name}.{stem}")
    return row, rate, math.pi / 180.0 if degrees else 1.0


def _joint(key: str, name: str, system: System) -> tuple[str, JointKind]:
    """The joint of that name, or the one that holds the body of that name."""
    holders = {joint.child: (k, joint) for k, joint in system.joints.items() if not joint.cut}
    if name in system.joints and name in holders and holders[name][0] != name:
        raise ModelError(
            f"start value '{key}': '{name}' is a joint and a body of another joint; "
            f"use '{holders[name][0]}' for the body"
        )
    if name in system.joints:
        return name, system.joints[name]
    if name in holders:
        return holders[name]
    raise ModelError(
        f"start value '{key}': there is no joint or body '{name}'"
        f"{_suggestion(name, [*system.joints, *holders])}; write joint.coordinate"
    )


def _suggestion(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean '{near[0]}'?" if near else ""
