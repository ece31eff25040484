"""Springs, dampers, preloads, stops and laws on joint coordinates, in symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from cosim.model.elements import JointLoad
from cosim.multibody.joint.symbolic.laws import Motion, split_law
from cosim.multibody.joint.symbolic.loads import ElementLoad

if TYPE_CHECKING:
    from cosim.multibody.joint.symbolic.kinematics import Kinematics

__all__ = ["joint_load"]


def joint_load(kin: Kinematics, name: str, element: JointLoad) -> ElementLoad:
    """Generalised force on the coordinate x with rate v, and its energy.

    Q = F0 - k (x - x0) - c v - c_q |v| v + law(x, v, t) + stops,
    V = k (x - x0)²/2 - F0 x + stops - ∫ law dx.
    """
    coordinate = element.coordinate or kin.system.joints[element.joint].coordinates[0]
    x, v, _ = kin.coordinate(element.joint, coordinate)
    k, x0, c, c_q, preload = (
        kin.values.value(("elements", name, key))
        for key in ("stiffness", "rest", "damping", "quadratic_damping", "preload")
    )
    law = split_law(kin.values, element.law, Motion(x, v, kin.t))
    energy = k * (x - x0) ** 2 / 2 - preload * x
    elastic = preload - k * (x - x0) + law.stored
    rest = law.rest - c * v - c_q * sp.Abs(v) * v
    for side, bound in ((-1, "lower"), (1, "upper")):
        if element.end_stop is not None and getattr(element.end_stop, bound) is not None:
            limit = kin.values.value(("elements", name, "end_stop", bound))
            stop = _stop(kin, name, side * (x - limit), side * v)
            elastic, rest = elastic - side * stop[0], rest - side * stop[1]
            energy += stop[2]
    return ElementLoad(
        kin,
        forces=_on_speeds(kin, v, elastic + rest),
        spring=energy,
        law_energy=-law.integral,
        other_power=rest * v,
    )


def _on_speeds(kin: Kinematics, rate: sp.Expr, force: sp.Expr) -> tuple[tuple[int, sp.Expr], ...]:
    """Generalised forces of a force on a coordinate: force * d(rate)/du."""
    shares = ((k, sp.diff(rate, u)) for k, u in enumerate(kin.u) if u in rate.free_symbols)
    return tuple((k, share * force) for k, share in shares)


def _stop(
    kin: Kinematics, name: str, depth: sp.Expr, rate: sp.Expr
) -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """Force of a stop's spring, of its damper, and energy, for a penetration p > 0.

    k s(p) with s = p²/(2w) for p < w and p - w/2 beyond; spring and damper together,
    k s + c s' p', never pull.
    """
    k, c, w = (
        kin.values.value(("elements", name, "end_stop", key))
        for key in ("stiffness", "damping", "smoothing")
    )
    inside, short = depth > 0, depth < w
    share = sp.Piecewise((depth**2 / (2 * w), short), (depth - w / 2, True))
    slope = sp.Piecewise((depth / w, short), (1, True))
    stored = sp.Piecewise((depth**3 / (6 * w), short), ((depth - w / 2) ** 2 / 2 + w**2 / 24, True))
    damper = sp.Max(c * slope * rate, -k * share)
    spring, damped, energy = (
        sp.Piecewise((value, inside), (0, True)) for value in (k * share, damper, k * stored)
    )
    return spring, damped, energy
