"""Coefficients of the explicit Runge-Kutta methods."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cosim.multibody.interface import Float

__all__ = ["BOGACKI_SHAMPINE", "CLASSICAL", "DORMAND_PRINCE", "Tableau"]


@dataclass(frozen=True)
class Tableau:
    """An explicit method of s stages, with an error estimate and dense output.

    Attributes
    ----------
    c : (s,)
        Nodes.
    A : (s, s)
        Strictly lower triangular.
    b : (s,)
        Weights.
    e : (s,) or (s + 1,)
        Weights of the error estimate; the last one belongs to the derivative at the end.
        Empty for fixed steps.
    P : (s, p) or (s + 1, p)
        Dense output ``y0 + h Σ_i K_i Σ_j P_ij θ^(j+1)``.
    error_order : int
        Order of the error estimate.
    """

    c: Float
    A: Float
    b: Float
    e: Float
    P: Float
    error_order: int


def _lower(*rows: tuple[float, ...]) -> Float:
    A = np.zeros((len(rows) + 1, len(rows) + 1))
    for i, row in enumerate(rows):
        A[i + 1, : len(row)] = row
    return A


# Dormand, Prince, J. Comp. Appl. Math. 6 (1980) 19-26; dense output: Shampine,
# Math. Comp. 46 (1986) 135-150
DORMAND_PRINCE = Tableau(
    c=np.array([0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0]),
    A=_lower(
        (1 / 5,),
        (3 / 40, 9 / 40),
        (44 / 45, -56 / 15, 32 / 9),
        (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
        (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    ),
    b=np.array([35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]),
    e=np.array([-71 / 57600, 0.0, 71 / 16695, -71 / 1920, 17253 / 339200, -22 / 525, 1 / 40]),
    P=np.array(
        [
            [
                1.0,
                -8048581381 / 2820520608,
                8663915743 / 2820520608,
                -12715105075 / 11282082432,
            ],
            [0.0, 0.0, 0.0, 0.0],
            [
                0.0,
                131558114200 / 32700410799,
                -68118460800 / 10900136933,
                87487479700 / 32700410799,
            ],
            [
                0.0,
                -1754552775 / 470086768,
                14199869525 / 1410260304,
                -10690763975 / 1880347072,
            ],
            [
                0.0,
                127303824393 / 49829197408,
                -318862633887 / 49829197408,
                701980252875 / 199316789632,
            ],
            [
                0.0,
                -282668133 / 205662961,
                2019193451 / 616988883,
                -1453857185 / 822651844,
            ],
            [0.0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423],
        ]
    ),
    error_order=4,
)

# Bogacki, Shampine, Appl. Math. Lett. 2 (1989) 321-325; dense output: the cubic through
# both ends and their derivatives
BOGACKI_SHAMPINE = Tableau(
    c=np.array([0.0, 1 / 2, 3 / 4]),
    A=_lower((1 / 2,), (0.0, 3 / 4)),
    b=np.array([2 / 9, 1 / 3, 4 / 9]),
    e=np.array([5 / 72, -1 / 12, -1 / 9, 1 / 8]),
    P=np.array(
        [
            [1.0, -4 / 3, 5 / 9],
            [0.0, 1.0, -2 / 3],
            [0.0, 4 / 3, -8 / 9],
            [0.0, -1.0, 1.0],
        ]
    ),
    error_order=2,
)

# Kutta's method with its continuous extension of order 3 (Hairer, Nørsett, Wanner,
# Solving Ordinary Differential Equations I, II.6)
CLASSICAL = Tableau(
    c=np.array([0.0, 1 / 2, 1 / 2, 1.0]),
    A=_lower((1 / 2,), (0.0, 1 / 2), (0.0, 0.0, 1.0)),
    b=np.array([1 / 6, 1 / 3, 1 / 3, 1 / 6]),
    e=np.zeros(0),
    P=np.array(
        [
            [1.0, -3 / 2, 2 / 3],
            [0.0, 1.0, -2 / 3],
            [0.0, 1.0, -2 / 3],
            [0.0, -1 / 2, 2 / 3],
        ]
    ),
    error_order=4,
)
