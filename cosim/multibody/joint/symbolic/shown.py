"""What is evaluated at output instants: energies, power, channels, balance of the bodies."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import sympy as sp

from cosim.algebra.types import Float
from cosim.model.elements import ElementKind, JointLoad, MatrixLoad, PointForce, Tension, Torsion
from cosim.multibody.interface import State
from cosim.multibody.joint.symbolic.elements_torsion import twist_of
from cosim.multibody.joint.symbolic.equations import Equations
from cosim.multibody.joint.symbolic.functions import ArrayProgram
from cosim.multibody.joint.symbolic.kinematics import Kinematics
from cosim.multibody.joint.symbolic.loads import ElementLoad
from cosim.multibody.joint.symbolic.numeric import inputs_of

__all__ = ["ShownValues"]


class ShownValues:
    """Numeric functions of energies, channels and loads, made when first asked for.

    Parameters
    ----------
    equations : Equations
    """

    def __init__(self, equations: Equations) -> None:
        self._equations = equations

    def balance(self, values: Float) -> tuple[float, float, float]:
        """Potentials of weights and of springs, J, and power of everything else, W.

        Parameters
        ----------
        values : (inputs,)
            See :class:`~cosim.multibody.joint.symbolic.numeric.NumericEquations`.
        """
        self._balance.evaluate(values)
        weights, springs, power = self._balance.arrays["balance"][:, 0].tolist()
        return weights, springs, power

    def channels(self, values: Float) -> Float:
        """Values of the element channels, in the order of the interface."""
        self._channels.evaluate(values)
        return self._channels.arrays["channels"][:, 0].copy()

    def lacking(self, values: Float, state: State, v_dot: Float) -> Float:
        """Inertial wrench less weight and elements, (n, 6), out of the plane too.

        Parameters
        ----------
        values : (inputs,)
        state : State
            Of the same instant.
        v_dot : (n, 6)
        """
        self._loads.evaluate(values)
        inertia, mass = (self._loads.arrays[name] for name in ("J", "mass"))
        J = state.R @ inertia.reshape(-1, 3, 3) @ state.R.transpose(0, 2, 1)
        w = state.v[:, 3:, None]
        moment = J @ v_dot[:, 3:, None] + np.cross(w, J @ w, axis=1)
        net = np.hstack([mass * v_dot[:, :3], moment[:, :, 0]])
        return np.asarray(net - self._loads.arrays["g"].reshape(-1, 6))

    @cached_property
    def _loads(self) -> ArrayProgram:
        kin, weights = self._equations.kin, _weights(self._equations)
        g = sp.Matrix(self._equations.loads.g)
        for k, weight in enumerate(weights):
            g[6 * k + 2] -= weight
        inertias = [entry for body in kin.bodies for entry in kin.values.inertia(body)]
        masses = [kin.values.value(("bodies", body, "mass")) for body in kin.bodies]
        return self._program({"g": [*g], "J": inertias, "mass": masses})

    @cached_property
    def _balance(self) -> ArrayProgram:
        loads, kin = self._equations.loads, self._equations.kin
        power = loads.other_power - kin.dt(loads.law_energy)
        heights = (kin.position(body)[2] for body in kin.bodies)
        weights = map(sp.Mul, _weights(self._equations), heights)
        return self._program({"balance": [sp.Add(*weights), loads.spring, power]})

    @cached_property
    def _channels(self) -> ArrayProgram:
        kin, shown = self._equations.kin, []
        for name, load in self._equations.loads.by_element.items():
            shown += _quantities(kin, name, load)
            shown.append(_power(kin, load))
        return self._program({"channels": shown})

    def _program(self, columns: dict[str, list[sp.Expr]]) -> ArrayProgram:
        inputs, _ = inputs_of(self._equations)
        outputs = {name: sp.Matrix(len(own), 1, own) for name, own in columns.items()}
        return ArrayProgram(inputs, self._equations.kin.definitions, outputs)


def _weights(equations: Equations) -> list[sp.Expr]:
    """Of every body, N."""
    width, vertical = len(equations.kin.rows), equations.kin.rows.index(2)
    return [-force for force in equations.g_gravity[vertical::width]]


def _power(kin: Kinematics, load: ElementLoad) -> sp.Expr:
    """Of all that the element does to the bodies."""
    bodies = [wrench for wrench in load.wrenches if wrench[0] in kin.bodies]
    terms = [f.dot(kin.velocity(b)) + m.dot(kin.omega(b)) for b, f, m in bodies]
    return sp.Add(*terms, *(force * kin.u[speed] for speed, force in load.forces))


def _quantities(kin: Kinematics, name: str, load: ElementLoad) -> list[sp.Expr]:
    """Channels but the power, in the order of `elements.channels`."""
    element: ElementKind = kin.system.elements[name]
    match element:
        case PointForce(point=address):
            return _about(kin, load, kin.position(address))
        case MatrixLoad(body=body):
            at = kin.values.vector(("elements", name, "at"))
            arm = at - kin.values.vector(("bodies", body, "cog"))
            return _about(kin, load, kin.position(body) + kin.rotation(body) * arm)
        case JointLoad(joint=joint):
            coordinate = element.coordinate or kin.system.joints[joint].coordinates[0]
            x = kin.coordinate(joint, coordinate)
            share = sp.diff(x.rate, kin.u[x.speed])
            return [dict(load.forces)[x.speed] / share, x.position, x.rate]
        case Tension():
            return _along(kin, element, load)
        case Torsion():
            angle, _ = twist_of(kin, name, element)
            _, _, moment = load.wrenches[0]
            axis = kin.values.direction(("elements", name, "axis"))
            return [moment.dot(kin.rotation(element.bodies[0]) * axis), angle]


def _about(kin: Kinematics, load: ElementLoad, point: sp.Matrix) -> list[sp.Expr]:
    """Force and moment of the first wrench about a point of its body."""
    body, force, moment = load.wrenches[0]
    return [*force, *(moment - (point - kin.position(body)).cross(force))]


def _along(kin: Kinematics, element: Tension, load: ElementLoad) -> list[sp.Expr]:
    """Tension, length, and its rate; of coincident points along their relative velocity."""
    first, second = element.points
    span = kin.position(second) - kin.position(first)
    approach = kin.velocity(second) - kin.velocity(first)
    length, speed = sp.sqrt(span.dot(span)), sp.sqrt(approach.dot(approach))
    sign, pull = next(
        (sign, force)
        for sign, (body, force, _) in zip((1, -1), load.wrenches, strict=True)
        if body in kin.bodies
    )
    apart, parting = length > 0, speed > 0
    tension, rate = (
        sp.Piecewise((x.dot(span) / length, apart), (x.dot(approach) / speed, parting), (0, True))
        for x in (sign * pull, approach)
    )
    return [tension, length, rate]
