"""Speeds and inputs by name, as the numeric linearisation has them."""

from __future__ import annotations

import sympy as sp

from cosim.errors import ModelError
from cosim.model.base import EARTH
from cosim.model.sentences import nearest
from cosim.multibody.joint.symbolic.kinematics import Kinematics

__all__ = ["speed_names", "worked_rate"]

_FORCES = ("fx", "fy", "fz", "mx", "my", "mz")


def speed_names(kin: Kinematics) -> tuple[str, ...]:
    """One name per speed, ``joint.coordinate``, as the numeric model has them."""
    joints = kin.system.joints.items()
    return tuple(f"{name}.{c}" for name, joint in joints for c in joint.coordinates)


def worked_rate(kin: Kinematics, name: str) -> sp.Expr:
    """The rate on which a unit of an input works: dP/d(input).

    Its derivatives with respect to the speeds are the generalised forces.

    Parameters
    ----------
    kin : Kinematics
    name : str
        ``joint.coordinate`` (relative, also where the equations have absolute angles), or a
        body or ``body/point`` with ``.fx`` to ``.mz``.

    Raises
    ------
    ModelError
        No such input, or one on earth.
    """
    speeds = speed_names(kin)
    address, _, axis = name.rpartition(".")
    if name in speeds:
        if kin.forms[address].quaternion and axis in kin.system.joints[address].angular:
            return kin.u[speeds.index(name)]
        return kin.coordinate(address, axis).rate
    if axis not in _FORCES:
        raise ModelError(
            f"there is no input '{name}'{nearest(name, speeds)}; write a coordinate of a joint, or "
            f"a body or body/point with one of {', '.join(_FORCES)} behind a dot"
        )
    body = kin.body_of(address)
    if body == EARTH:
        raise ModelError(f"'{name}': '{address}' is fixed to earth and does not move")
    k = _FORCES.index(axis)
    return kin.velocity(address)[k] if k < 3 else kin.omega(body)[k - 3]
