"""Derivatives of constraints against differences of their values, on random rows."""

import numpy as np
import pytest

from cosim.multibody.cartesian.arrays import FULL, REDUCED, Frames, Rows, new_space
from cosim.multibody.cartesian.directors import add_bias, expand
from cosim.multibody.cartesian.rows import (
    bilinear,
    gammas,
    jacobians,
    reduce_jacobians,
    second_derivative,
    speeds_wanted,
    values,
)

N, M = 3, 8


def random_rows(rng, *, t=0.0):
    """Rows whose second factor and offset move as polynomials of the time."""
    body = np.array([[0, 1], [1, 2], [2, -1], [-1, 0], [0, 2], [1, 0], [-1, 2], [2, 1]])
    weight, rate, curve = rng.normal(size=(3, M, 2, 2, 4))
    rate[:, 0] = curve[:, 0] = 0.0
    law = np.arange(M) - 1
    rate[0] = curve[0] = 0.0
    c = rng.normal(size=(M, 3))
    return Rows(
        body,
        weight + t * rate + t**2 / 2 * curve,
        rng.normal(size=(M, 2, 3)),
        np.stack([c[:, 0] + t * c[:, 1] + t**2 / 2 * c[:, 2], c[:, 1] + t * c[:, 2], c[:, 2]], 1),
        np.stack([rate[:, 1] + t * curve[:, 1], curve[:, 1]], 1),
        law,
    )


def frames_of(kinds):
    sizes = np.where(np.array(kinds) == FULL, 12, 9)
    start = np.concatenate([[0], np.cumsum(sizes)])
    axes = np.tile(np.eye(3).ravel(), (N, 1))
    return Frames(np.array(kinds), start, np.ones((N, 4)), axes, np.zeros(N))


@pytest.mark.parametrize(
    "kinds", [(FULL,) * 3, (REDUCED,) * 3, (FULL, REDUCED, FULL), (REDUCED, FULL, REDUCED)]
)
def test_derivatives_of_rows_on_a_curve(kinds):
    # differences of fourth order: truncation h^4 = 1e-12 and rounding 1e-16 / h and / h^2, times
    # numbers of some hundreds
    rng = np.random.default_rng(3)
    frames = frames_of(kinds)
    nu = frames.start[-1]
    q0, u0, u_dot = rng.normal(size=(3, nu))

    def at(t):
        rows = random_rows(np.random.default_rng(5), t=t)
        space = new_space(N)
        expand(frames, q0 + t * u0 + t**2 / 2 * u_dot, u0 + t * u_dot, space)
        return rows, space

    def phi(t):
        rows, space = at(t)
        out = np.zeros(M)
        values(rows, space.x, out)
        return out

    rows, space = at(0.0)
    J, nu_wanted, gamma = np.zeros((M, 2, 12)), np.zeros(M), np.zeros(M)
    jacobians(rows, space.x, J)
    gammas(rows, space.x, space.v, gamma)
    bias = np.zeros((N, 12))
    add_bias(frames, space, bias)
    gamma -= global_rows(rows, J, None) @ bias.ravel()
    reduce_jacobians(frames, rows, space, J)
    speeds_wanted(rows, space.x, nu_wanted)
    G = global_rows(rows, J, frames)
    h = 1e-3
    first = (8 * (phi(h) - phi(-h)) - (phi(2 * h) - phi(-2 * h))) / (12 * h)
    second = (16 * (phi(h) + phi(-h)) - (phi(2 * h) + phi(-2 * h)) - 30 * phi(0)) / (12 * h**2)
    np.testing.assert_allclose(G @ u0 - nu_wanted, first, rtol=0, atol=1e-8)
    np.testing.assert_allclose(G @ u_dot - gamma, second, rtol=0, atol=1e-7)


def global_rows(rows, J, frames):
    starts = 12 * np.arange(N + 1) if frames is None else frames.start
    G = np.zeros((M, starts[-1]))
    for row in range(M):
        for side in range(2):
            body = rows.body[row, side]
            if body >= 0:
                first, last = starts[body], starts[body + 1]
                G[row, first:last] += J[row, side, : last - first]
    return G


def test_gradient_of_the_speed_of_a_row_is_its_second_derivative_times_the_velocity():
    rng = np.random.default_rng(7)
    rows, v = random_rows(rng), rng.normal(size=(N, 12))
    D, expected = np.zeros((M, 2, 12)), np.zeros((M, 2, 12))
    bilinear(rows, v, D)
    for row in range(M):
        for s in range(2):
            for k in range(4):
                for r in range(2):
                    for l in range(4):  # noqa: E741
                        body = rows.body[row, r]
                        if body >= 0 and rows.body[row, s] >= 0:
                            h = second_derivative(rows, row, (s, k), (r, l))
                            expected[row, s, 3 * k : 3 * k + 3] += h * v[body, 3 * l : 3 * l + 3]
    np.testing.assert_allclose(D, expected, rtol=1e-13, atol=1e-13)
