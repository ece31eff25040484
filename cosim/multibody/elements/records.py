"""How the elements lie in memory: one table per kind, one record per element."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cosim.algebra.types import Float
from cosim.multibody.elements.machine import Programs

__all__ = [
    "FORCE",
    "JOINT",
    "MATRIX",
    "TENSION",
    "TORSION",
    "ElementArrays",
    "Record",
    "Table",
]

Table = NDArray[np.void]

Record = np.record
"""One row of a table, as compiled code sees it."""

_I, _F, _B = np.int64, np.float64, np.bool_

FORCE = np.dtype(
    [
        ("body", _I),
        ("in_body_axes", _B),
        ("arm", _F, (3,)),  # from the centre of gravity, body axes
        ("value", _F, (6,)),
        ("program", _I, (6,)),
    ],
    align=True,
)

JOINT = np.dtype(
    [
        ("coordinate", _I),
        ("stiffness", _F),
        ("rest", _F),
        ("damping", _F),
        ("quadratic_damping", _F),
        ("preload", _F),
        ("law", _I),
        ("lower", _F),  # -inf where there is no stop
        ("upper", _F),  # inf where there is no stop
        ("stop_stiffness", _F),
        ("stop_damping", _F),
        ("smoothing", _F),
    ],
    align=True,
)

TENSION = np.dtype(
    [
        ("first", _I),
        ("second", _I),
        ("first_arm", _F, (3,)),
        ("second_arm", _F, (3,)),
        ("stiffness", _F),
        ("damping", _F),
        ("length", _F),
        ("law", _I),
        ("slack", _B),
    ],
    align=True,
)

TORSION = np.dtype(
    [
        ("first", _I),
        ("second", _I),
        ("axis", _F, (3,)),  # unit, axes of the first body
        ("stiffness", _F),
        ("damping", _F),
        ("rest", _F),
        ("law", _I),
    ],
    align=True,
)

MATRIX = np.dtype(
    [
        ("body", _I),
        ("reference", _I),
        ("body_arm", _F, (3,)),
        ("reference_arm", _F, (3,)),
        ("yaw", _F),  # of the axes of the matrices, from those of the reference
        ("preload", _F, (6,)),
        ("stiffness", _F, (6, 6)),
        ("damping", _F, (6, 6)),
        ("quadratic_damping", _F, (6, 6)),
    ],
    align=True,
)


class ElementArrays(NamedTuple):
    """Everything `evaluate` reads.

    Attributes
    ----------
    weight : (n,) or (0,)
        Weight of each body, N; empty where the formulation applies it itself.
    forces, joint_loads, tensions, torsions, matrix_loads
        Tables of `FORCE`, `JOINT`, `TENSION`, `TORSION`, `MATRIX`.
    programs : Programs
        The user's expressions.
    """

    weight: Float
    forces: Table
    joint_loads: Table
    tensions: Table
    torsions: Table
    matrix_loads: Table
    programs: Programs
