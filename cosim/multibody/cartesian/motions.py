"""Drivers from the prescribed motions of a description."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import sympy as sp

from cosim.errors import ModelError
from cosim.model.laws import TIME, Component
from cosim.model.motions import AngleMotion, DirectionMotion, JointMotion, MotionKind, PointMotion
from cosim.model.system import System
from cosim.multibody.cartesian.drivers import (
    AngleDriver,
    Driver,
    JointDriver,
    Law,
    PointDriver,
    VectorDriver,
)
from cosim.multibody.joint.symbolic.grammar import exact, to_sympy

__all__ = ["driven_start", "drivers_of"]


def drivers_of(system: System) -> dict[str, Driver]:
    """Drivers of all prescribed motions of a system, by name.

    Raises
    ------
    ModelError
        A law that is not an expression of the time.
    """
    return {
        name: _driver(motion, _Laws(name, system.parameters))
        for name, motion in system.motions.items()
    }


def driven_start(system: System, t: float) -> dict[str, float]:
    """Start values of the joint coordinates that are prescribed, at t.

    Names are those of ``start: set``; cut joints have no coordinates to set.
    """
    found: dict[str, float] = {}
    for name, motion in system.motions.items():
        if isinstance(motion, JointMotion) and not system.joints[motion.joint].cut:
            coordinate = motion.coordinate or system.joints[motion.joint].coordinates[0]
            value, rate, _ = _Laws(name, system.parameters)(motion.law)(t)
            key = f"{motion.joint}.{coordinate}"
            found |= {key: value, f"{key}_rate": rate}
    return found


def _driver(motion: MotionKind, laws: _Laws) -> Driver:
    match motion:
        case JointMotion():
            return JointDriver(motion.joint, laws(motion.law), motion.coordinate or "")
        case PointMotion():
            x, y, z = (None if c is None else laws(c) for c in (motion.x, motion.y, motion.z))
            return PointDriver(motion.point, (x, y, z))
        case DirectionMotion():
            x, y, z = (laws(c) for c in motion.towards)
            return VectorDriver(motion.body, motion.direction, (x, y, z))
        case AngleMotion():
            return AngleDriver(motion.bodies, motion.directions, laws(motion.law))


class _Laws:
    """Turns the components of one motion into functions with two derivatives."""

    def __init__(self, name: str, parameters: Mapping[str, float]) -> None:
        self._name, self._parameters = name, parameters

    def __call__(self, component: Component) -> Law:
        if not isinstance(component, str):
            constant = float(component)
            return lambda t: (constant, 0.0, 0.0)
        t = sp.Symbol(TIME, real=True)
        known = {name: exact(value) for name, value in self._parameters.items()}
        law = to_sympy(component, {**known, TIME: t})
        three = [law, law.diff(t), law.diff(t, 2)]
        function: Callable[[float], list[float]] = sp.lambdify(t, three, modules="math", cse=True)
        return self._guarded(function)

    def _guarded(self, function: Callable[[float], list[float]]) -> Law:
        def law(t: float) -> tuple[float, float, float]:
            try:
                value, rate, growth = (float(number) for number in function(t))
            except (ValueError, ZeroDivisionError, OverflowError, TypeError):
                raise ModelError(
                    f"motion '{self._name}': its law has no value or no rates at t = {t:g} s"
                ) from None
            return value, rate, growth

        return law
