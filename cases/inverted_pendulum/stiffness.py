"""Mass and stiffness of the inverted pendulum in symbols, beside equations 6 and 7 of the paper.

Run it from anywhere::

    python cases/inverted_pendulum/stiffness.py
"""

from __future__ import annotations

from pathlib import Path

import sympy as sp

import cosim
from cosim.multibody.joint.symbolic.equations import derive

HERE = Path(__file__).parent


def mass_and_stiffness() -> tuple[sp.Expr, sp.Expr]:
    """Of small motions about upright, in the parameters of the case."""
    equations = derive(cosim.read_case(HERE))
    upright = {**dict.fromkeys(equations.kin.q, 0), **dict.fromkeys(equations.kin.u, 0)}
    mass = equations.lhs[0].subs(upright)
    stiffness = -sp.diff(equations.rhs[0], equations.kin.q[0]).subs(upright)
    # what gravity does and what the springs do, each in its simplest form
    gravity = equations.kin.values.symbols["g"]
    return sp.simplify(mass), sp.collect(sp.expand(stiffness), gravity, sp.simplify)


def published() -> tuple[sp.Expr, sp.Expr]:
    """Equations 6 and 7 of the joint-coordinate paper."""
    symbols = derive(cosim.read_case(HERE)).kin.values.symbols
    m, L, g, k, l0, a, b = (symbols[name] for name in ("m", "L", "g", "k", "l0", "a", "b"))
    stiffness = 2 * k * l0 * a**2 * b**2 / (a**2 + b**2) ** sp.Rational(3, 2) - m * g * L / 2
    return m * L**2 / 3, stiffness


def main() -> None:
    for name, ours, theirs in zip(
        ("mass", "stiffness"), mass_and_stiffness(), published(), strict=True
    ):
        print(f"{name:9} {ours}")
        print(f"{'':9} less that of the paper: {ours - theirs}")


if __name__ == "__main__":
    main()
