"""Planar systems solved a second way: absolute coordinates with Lagrange multipliers.

Every body has x, z and its angle about +y; each joint adds equations of constraint, and

    [ M  Phi_q^T ] [ a  ]   [ loads ]
    [ Phi_q  0   ] [ -l ] = [ gamma ]

gives accelerations and multipliers, which drift is kept from by Baumgarte's terms. The
description of a case is all that is shared with the package: none of its equations are used.

    from multipliers import Planar
    places, rates = Planar(cosim.read_case("cases/cart_pendulum")).solve(times)
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import cosim
from cosim.model.expressions import evaluate
from cosim.model.joints import JointKind

Float = NDArray[np.float64]
Point = tuple[int, Float]
"""Body, -1 for earth, and the place in its axes (in the world's, for earth)."""
EARTH = -1
STABILISATION = 5.0
"""Baumgarte's alpha and beta, 1/s."""


def turned(angle: float, s: Float) -> Float:
    """A vector turned about +y, which takes z towards x."""
    c, d = math.cos(angle), math.sin(angle)
    return np.array([c * s[0] + d * s[1], -d * s[0] + c * s[1]])


def across(s: Float) -> Float:
    """Derivative of `turned` with respect to the angle."""
    return np.array([s[1], -s[0]])


class Planar:
    """A case in the x-z plane: revolute, prismatic and planar joints, no adapters."""

    def __init__(self, case: cosim.Case) -> None:
        self.case = case
        self.names = list(case.bodies)
        self.cog = np.array([[b.cog[0], b.cog[2]] for b in case.bodies.values()])
        self.mass = np.array([[b.mass, b.mass, b.inertia[1]] for b in case.bodies.values()])
        self.weight = np.array(
            [b.mass * b.gravity_scale * case.environment.gravity for b in case.bodies.values()]
        )
        self.joints = [j for j in case.joints.values() if j.type != "planar"]

    def solve(self, times: Float, rtol: float = 1e-12) -> tuple[Float, Float]:
        """Places (x, z, angle) and rates of all bodies, (times, n, 3) each."""
        y0 = np.concatenate([part.ravel() for part in self.start()])
        solution = solve_ivp(
            self._rates, (0.0, times[-1]), y0, "DOP853", times, rtol=rtol, atol=1e-13, max_step=0.1
        )
        states = solution.y.T.reshape(len(times), 2, len(self.names), 3)
        return states[:, 0], states[:, 1]

    def start(self) -> tuple[Float, Float]:
        """Places and rates from the start values, which are relative, joint by joint."""
        places = np.column_stack([self.cog, np.zeros(len(self.cog))])
        rates = np.zeros_like(places)
        for name, joint in self.case.joints.items():
            child = self.names.index(joint.child)
            value, rate = self._values(name, joint), self._values(name, joint, "_rate")
            if joint.type == "planar":
                places[child] += value
                rates[child] = rate
                continue
            body, arm = self._point(joint.parent, joint.at)
            r, w = self._carried(body, places, rates)
            slide = joint.type == "prismatic"
            along = self._axis(joint) if slide else np.zeros(2)
            angle = r[2] + (0.0 if slide else value[0])
            spin = w[2] + (0.0 if slide else rate[0])
            to_child = turned(angle, self.cog[child] - np.array([joint.at[0], joint.at[2]]))
            reach = turned(r[2], arm + along * value[0])
            places[child] = [*(r[:2] + reach + to_child), angle]
            velocity = w[:2] + w[2] * across(reach) + spin * across(to_child)
            rates[child] = [*(velocity + turned(r[2], along) * rate[0]), spin]
        return places, rates

    def energy(self, places: Float, rates: Float) -> float:
        """Kinetic energy and that of weight and linear springs (weight zero at z = 0), J."""
        total = 0.5 * float(np.sum(self.mass * rates**2)) + float(self.weight @ places[:, 1])
        for element in self.case.elements.values():
            if element.type == "tension":
                stretch = self._stretch(element, places, rates)[1]
                total += 0.5 * element.stiffness * stretch**2
            elif element.type in ("torsion", "joint"):
                total += 0.5 * element.stiffness * self._twist(element, places, rates)[0] ** 2
        return total

    def accelerations(self, t: float, places: Float, rates: Float) -> tuple[Float, Float]:
        """Of all bodies, (n, 3), and the multipliers, two for each joint."""
        count, rows = 3 * len(self.names), 2 * len(self.joints)
        A = np.zeros((count + rows, count + rows))
        b = np.zeros(count + rows)
        A[:count, :count] = np.diag(self.mass.ravel())
        b[:count] = self._loads(t, places, rates).ravel()
        for k, joint in enumerate(self.joints):
            jacobian, gamma = self._constraint(joint, places, rates)
            row = slice(count + 2 * k, count + 2 * k + 2)
            A[row, :count], b[row] = jacobian, gamma
        A[:count, count:] = A[count:, :count].T
        solution = np.linalg.solve(A, b)
        return solution[:count].reshape(-1, 3), solution[count:]

    def _rates(self, t: float, y: Float) -> Float:
        places, rates = y.reshape(2, -1, 3)
        return np.concatenate([y[y.size // 2 :], self.accelerations(t, places, rates)[0].ravel()])

    def _constraint(self, joint: JointKind, places: Float, rates: Float) -> tuple[Float, Float]:
        """Two rows of Phi_q, and gamma with Baumgarte's terms."""
        jacobian = np.zeros((2, 3 * len(self.names)))
        gap, gap_rate, curve = np.zeros(2), np.zeros(2), np.zeros(2)
        ends = ((1.0, joint.child), (-1.0, joint.parent))
        for sign, name in ends:
            body, local = self._point(name, joint.at)
            r, w = self._carried(body, places, rates)
            arm = turned(r[2], local)
            gap += sign * (r[:2] + arm)
            gap_rate += sign * (w[:2] + w[2] * across(arm))
            curve += sign * w[2] ** 2 * arm
            if body != EARTH:
                jacobian[:, 3 * body : 3 * body + 2] = sign * np.eye(2)
                jacobian[:, 3 * body + 2] = sign * across(arm)
        if joint.type == "revolute":
            return jacobian, curve - _baumgarte(gap, gap_rate)
        return self._guide(joint, (gap, gap_rate, curve), jacobian, (places, rates))

    def _guide(
        self,
        joint: JointKind,
        gap: tuple[Float, Float, Float],
        jacobian: Float,
        motion: tuple[Float, Float],
    ) -> tuple[Float, Float]:
        """A prismatic joint: no gap across its axis, no relative angle."""
        p, p_rate, curve = gap
        parent, child = self._point(joint.parent, joint.at)[0], self.names.index(joint.child)
        r, w = self._carried(parent, *motion)
        n = across(turned(r[2], self._axis(joint)))
        across_n, spin = across(n), w[2]
        rows = np.zeros_like(jacobian)
        rows[0] = n @ jacobian
        rows[1, 3 * child + 2] = 1.0
        if parent != EARTH:
            rows[0, 3 * parent + 2] += across_n @ p
            rows[1, 3 * parent + 2] = -1.0
        gamma = np.array([n @ curve - 2.0 * spin * across_n @ p_rate + spin**2 * n @ p, 0.0])
        value = np.array([n @ p, motion[0][child, 2] - r[2]])
        rate = np.array([n @ p_rate + spin * across_n @ p, motion[1][child, 2] - spin])
        return rows, gamma - _baumgarte(value, rate)

    def _loads(self, t: float, places: Float, rates: Float) -> Float:
        g = np.zeros_like(places)
        g[:, 1] -= self.weight

        def add(body: int, force: Float, arm: Float) -> None:
            if body != EARTH:
                g[body, :2] += force
                g[body, 2] += arm[1] * force[0] - arm[0] * force[1]

        for element in self.case.elements.values():
            if element.type == "force":
                body, local = self._address(element.point)
                force = np.array([self._number(element.force[i], t) for i in (0, 2)])
                add(body, force, turned(places[body, 2], local))
            elif element.type == "tension":
                ends, stretch, rate, direction = self._stretch(element, places, rates)
                tension = element.stiffness * stretch + element.damping * rate
                for (body, arm), sign in zip(ends, (1.0, -1.0), strict=True):
                    add(body, sign * tension * direction, arm)
            else:
                angle, rate, first, second = self._twist(element, places, rates)
                moment = -element.stiffness * angle - element.damping * rate
                for body, sign in ((second, 1.0), (first, -1.0)):
                    if body != EARTH:
                        g[body, 2] += sign * moment
        return g

    def _stretch(
        self, element: cosim.Tension, places: Float, rates: Float
    ) -> tuple[list[Point], float, float, Float]:
        """Ends with their arms, elongation, its rate, and the direction first to second."""
        ends, at, velocity = [], [], []
        for address in element.points:
            body, local = self._address(address)
            r, w = self._carried(body, places, rates)
            arm = turned(r[2], local)
            ends.append((body, arm))
            at.append(r[:2] + arm)
            velocity.append(w[:2] + w[2] * across(arm))
        between = at[1] - at[0]
        length = float(np.hypot(*between))
        direction = between / length
        stretch = length - (element.length or 0.0)
        return ends, stretch, float(direction @ (velocity[1] - velocity[0])), direction

    def _twist(
        self, element: cosim.Torsion | cosim.JointLoad, places: Float, rates: Float
    ) -> tuple[float, float, int, int]:
        """Angle from rest, its rate, first and second body."""
        if element.type == "joint":
            joint = self.case.joints[element.joint]
            pair = (joint.parent, joint.child)
        else:
            pair = element.bodies
        first, second = (EARTH if name == "earth" else self.names.index(name) for name in pair)
        (r1, w1), (r2, w2) = (self._carried(b, places, rates) for b in (first, second))
        return r2[2] - r1[2] - element.rest, w2[2] - w1[2], first, second

    def _carried(self, body: int, places: Float, rates: Float) -> tuple[Float, Float]:
        return (np.zeros(3), np.zeros(3)) if body == EARTH else (places[body], rates[body])

    def _point(self, name: str, at: tuple[float, float, float]) -> Point:
        place = np.array([at[0], at[2]])
        body = EARTH if name == "earth" else self.names.index(name)
        return body, place if body == EARTH else place - self.cog[body]

    def _address(self, address: str) -> Point:
        return self._point(*self.case.point(address))

    def _axis(self, joint: cosim.Prismatic) -> Float:
        axis = np.array([joint.axis[0], joint.axis[2]])
        return axis / np.hypot(*axis)

    def _values(self, name: str, joint: JointKind, suffix: str = "") -> Float:
        """Start values of the coordinates of a joint, or of their rates."""
        found = np.zeros(len(joint.coordinates))
        for i, coordinate in enumerate(joint.coordinates):
            for key, value in self.case.start.set.items():
                if key == f"{name}.{coordinate}{suffix}":
                    found[i] = value
                elif key == f"{name}.{coordinate}{suffix}_deg":
                    found[i] = math.radians(value)
        return found

    def _number(self, value: float | str, t: float) -> float:
        if isinstance(value, float):
            return value
        return evaluate(value, {**self.case.parameters, "t": t})


def _baumgarte(value: Float, rate: Float) -> Float:
    return 2.0 * STABILISATION * rate + STABILISATION**2 * value
