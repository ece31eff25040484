"""Linear and quadratic loads of six-by-six matrices on the relative motion of two bodies."""

from __future__ import annotations

import math

from cosim.algebra.compiled import compiled
from cosim.algebra.rotations import inverse_left_jacobian, vector_from_quaternion
from cosim.algebra.rows import put_vector, vector
from cosim.algebra.types import Float
from cosim.algebra.vectors import Vector, scale, subtract
from cosim.multibody.elements.bodies import (
    Bodies,
    add_load,
    place,
    relative_quaternion,
    rotation_rate,
    turn,
    turn_back,
    velocity,
)
from cosim.multibody.elements.records import Record, Table

__all__ = ["matrix_loads"]

Six = tuple[float, float, float, float, float, float]


@compiled
def matrix_loads(table: Table, bodies: Bodies, out: tuple[Float, Float]) -> tuple[float, float]:
    """Add F = F0 - K x - C v - C_q |v| v; energy, J, and power of the rest, W.

    The energy is V = x·K x / 2 - F0·x. Its time derivative takes the rotation vector's own
    rate, x' = J⁻¹ v, while the moment -K x works on the angular velocity v: for small angles
    the two agree and -dV/dt is the work of F0 - K x; for large ones, and for a K that is not
    symmetric, the difference counts as power of the rest, F·v + dV/dt, and the balance holds
    exactly. `out` is the wrenches and, where they are wanted, rows for force, moment and power.
    """
    g, shown = out
    potential = power = 0.0
    for i in range(table.size):
        e = table[i]
        point = place(bodies, e.body, vector(e.body_arm, 0))
        anchor = place(bodies, e.reference, vector(e.reference_arm, 0))
        theta = vector_from_quaternion(relative_quaternion(bodies, e.reference, e.body))
        shift = turn_back(bodies, e.reference, subtract(point, anchor))
        v_point = subtract(velocity(bodies, e.body, point), velocity(bodies, e.reference, point))
        omega = subtract(rotation_rate(bodies, e.body), rotation_rate(bodies, e.reference))
        v_point = turn_back(bodies, e.reference, v_point)
        omega = turn_back(bodies, e.reference, omega)

        x = _yawed(-e.yaw, shift, theta)
        v = _yawed(-e.yaw, v_point, omega)
        x_dot = _yawed(-e.yaw, v_point, inverse_left_jacobian(theta, omega))
        spring = _times(e.stiffness, x)
        load = _load(e, spring, v)

        potential += 0.5 * _dot6(x, spring) - _dot6(_six(e.preload), x)
        gradient_rate = 0.5 * (_dot6(x_dot, spring) + _dot6(x, _times(e.stiffness, x_dot)))
        given = _dot6(load, v)
        power += given + gradient_rate - _dot6(_six(e.preload), x_dot)

        load = _yawed(e.yaw, (load[0], load[1], load[2]), (load[3], load[4], load[5]))
        force = turn(bodies, e.reference, (load[0], load[1], load[2]))
        moment = turn(bodies, e.reference, (load[3], load[4], load[5]))
        add_load(g, bodies, e.body, point, force, moment)
        add_load(g, bodies, e.reference, point, scale(-1.0, force), scale(-1.0, moment))
        if shown.size:
            put_vector(shown, i, 0, force)
            put_vector(shown, i, 3, moment)
            shown[i, 6] = given
    return potential, power


@compiled
def _load(e: Record, spring: Six, v: Six) -> Six:
    square = (
        abs(v[0]) * v[0],
        abs(v[1]) * v[1],
        abs(v[2]) * v[2],
        abs(v[3]) * v[3],
        abs(v[4]) * v[4],
        abs(v[5]) * v[5],
    )
    damper, drag, constant = _times(e.damping, v), _times(e.quadratic_damping, square), e.preload
    return (
        constant[0] - spring[0] - damper[0] - drag[0],
        constant[1] - spring[1] - damper[1] - drag[1],
        constant[2] - spring[2] - damper[2] - drag[2],
        constant[3] - spring[3] - damper[3] - drag[3],
        constant[4] - spring[4] - damper[4] - drag[4],
        constant[5] - spring[5] - damper[5] - drag[5],
    )


@compiled
def _yawed(angle: float, a: Vector, b: Vector) -> Six:
    """Both vectors turned about z by `angle`."""
    c, s = math.cos(angle), math.sin(angle)
    return (
        *(c * a[0] - s * a[1], s * a[0] + c * a[1], a[2]),
        *(c * b[0] - s * b[1], s * b[0] + c * b[1], b[2]),
    )


@compiled
def _six(a: Float) -> Six:
    return (a[0], a[1], a[2], a[3], a[4], a[5])


@compiled
def _times(A: Float, x: Six) -> Six:
    return (
        _row(A, 0, x),
        _row(A, 1, x),
        _row(A, 2, x),
        _row(A, 3, x),
        _row(A, 4, x),
        _row(A, 5, x),
    )


@compiled
def _row(A: Float, i: int, x: Six) -> float:
    value = 0.0
    for j in range(6):
        value += A[i, j] * x[j]
    return value


@compiled
def _dot6(a: Six, b: Six) -> float:
    value = 0.0
    for k in range(6):
        value += a[k] * b[k]
    return value
