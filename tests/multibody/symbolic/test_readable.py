"""Readable forms: shorter, equal, and honest about what was left."""

from pathlib import Path

import pytest
import sympy as sp

from cosim.case.read import read_case
from cosim.multibody.joint.symbolic.equations import derive
from cosim.multibody.joint.symbolic.readable import readable

CASES = Path(__file__).parents[3] / "cases"


def equal(kin, first, second):
    """At three states, in 30 digits."""
    difference = sp.sympify(first - kin.expand(second))
    for seed in (1, 2, 3):
        symbols = sorted(difference.free_symbols, key=str)
        place = {s: sp.Rational(3 * seed + 2 * k, 7 + k) for k, s in enumerate(symbols)}
        if abs(difference.subs(place).evalf(30)) > 1e-12:
            return False
    return True


@pytest.mark.parametrize("angles", ["relative", "absolute"])
def test_double_pendulum_reads_as_in_the_textbook(angles):
    equations = derive(read_case(CASES / "double_pendulum" / "case.yaml"), angles=angles)
    short = readable(equations)
    assert short.notes == ()
    assert sp.count_ops(short.rhs) < sp.count_ops(equations.rhs) / 3
    for ours, derived in (
        *zip(short.lhs, equations.lhs, strict=True),
        *zip(short.rhs, equations.rhs, strict=True),
        (short.kinetic, equations.kinetic),
        (short.potential, equations.potential),
    ):
        assert equal(equations.kin, ours, derived)
    if angles == "absolute":
        m, L, g = (equations.kin.values.symbols[name] for name in ("m", "L", "g"))
        top, mid = equations.kin.q
        assert sp.simplify(short.lhs[0, 1] - m * L**2 * sp.cos(mid - top) / 2) == 0
        weight = -m * g * L * (3 * sp.cos(top) + sp.cos(mid)) / 2
        assert sp.simplify(short.potential - weight) == 0


def test_intermediates_are_written_out():
    system = read_case(CASES / "single_pendulum" / "case.yaml")
    short = readable(derive(system, inline=False))
    inputs = {"J", "L", "m", "g", "theta_hinge", "omega_hinge"}
    assert {str(symbol) for symbol in short.rhs.free_symbols} <= inputs


def test_what_is_too_long_or_takes_too_long_is_told():
    equations = derive(read_case(CASES / "double_pendulum" / "case.yaml"))
    assert any(
        "longer than 10 operations" in note for note in readable(equations, longest=10).notes
    )
    late = readable(equations, seconds=0.0)
    assert any("the time of 0 s was used up" in note for note in late.notes)
    assert equal(equations.kin, late.rhs[0], equations.rhs[0])
