"""Numbers from expressions against SymPy's own evaluation."""

import math

import numpy as np
import pytest
import sympy as sp

from cosim.errors import ModelError
from cosim.model import System
from cosim.multibody.joint.symbolic import NumericEquations, derive
from cosim.multibody.joint.symbolic.functions import ArrayProgram, needed
from cosim.multibody.joint.symbolic.structure import structure

x, y, z = sp.symbols("x y z", real=True)
a, b, c = sp.symbols("a b c", real=True)


def values_of(matrix, definitions, values):
    """Entries one by one, by substitution at 30 digits."""
    known = dict(values)
    for symbol, expression in definitions:
        known[symbol] = expression.subs(known).evalf(30)
    return np.array([[float(e.subs(known).evalf(30)) for e in row] for row in matrix.tolist()])


def check(matrix, definitions=(), values=(0.3, -1.2, 0.7)):
    program = ArrayProgram((x, y, z), definitions, {"it": matrix})
    program.evaluate(np.array(values))
    expected = values_of(matrix, definitions, zip((x, y, z), values, strict=True))
    shown = program.arrays["it"]
    np.testing.assert_allclose(shown, expected, rtol=1e-14, atol=1e-15)
    return program


def test_entries_of_every_sort():
    law = sp.Piecewise((x**2, x > 0.5), (sp.log(2 - x), x > 0), (0, True))
    check(
        sp.Matrix(
            [
                [0, sp.Rational(1, 3), sp.sqrt(2) / 2, sp.pi],
                [x, -x, 2.5 * x, x / y],
                [sp.sin(x) * sp.cos(y), sp.sin(x) ** 2, sp.sqrt(x**2 + y**2), 1 / sp.sqrt(x)],
                [law, sp.Max(x, y), sp.sign(y), sp.atan2(y, z)],
                [sp.exp(-x) + 1, abs(y) ** 1.5, x**7, sp.tan(x + y * z)],
            ]
        )
    )


def test_many_entries_of_one_kind_are_evaluated_together():
    values = np.random.default_rng(0).normal(size=(40, 2)).tolist()
    matrix = sp.Matrix(
        [[p * sp.cos(x) * y - q * sp.sin(z), sp.sqrt(x**2 + p**2) / 3] for p, q in values]
    )
    program = check(matrix)
    assert program.entries == 80
    assert len(program._kinds) == 2


def test_kinds_do_not_depend_on_names():
    first, second = x * sp.cos(y) + z, a * sp.cos(c) + b
    assert structure(first)[0] == structure(second)[0]
    assert structure(sp.Piecewise((x, x > 0), (0, True))) is None
    assert structure(x**y) is None


def test_equal_entries_are_evaluated_once():
    entry = sp.cos(x) * y
    program = check(sp.Matrix(10, 10, lambda i, j: entry if i > j else 0))
    assert program.entries == 1


def test_definitions_are_evaluated_in_order_and_only_where_needed():
    definitions = ((a, sp.sin(x)), (b, a * y), (c, b + z))
    assert [symbol for symbol, _ in needed(definitions, [2 * b])] == [a, b]
    program = check(sp.Matrix([a, b, b**2 + z, 5]), definitions)
    assert program.arrays["it"].shape == (4, 1)
    assert program.entries == 1


def test_arrays_stay_where_they_are():
    program = ArrayProgram((x,), (), {"one": sp.Matrix([x]), "two": sp.Matrix([[1, x * 2]])})
    one, two = program.arrays["one"], program.arrays["two"]
    for value in (1.0, 2.0):
        program.evaluate(np.array([value]))
        assert one.tolist() == [[value]]
        assert two.tolist() == [[1.0, 2.0 * value]]


def test_numbers_keep_all_their_digits():
    number = 0.1 + 1e-16
    program = ArrayProgram((x,), (), {"it": sp.Matrix([sp.Float(number) * x, sp.Float(number)])})
    program.evaluate(np.array([1.0]))
    assert program.arrays["it"].ravel().tolist() == [number, number]
    many = sp.Matrix([sp.Float(number + k) * x for k in range(20)])
    program = ArrayProgram((x,), (), {"it": many})
    program.evaluate(np.array([1.0]))
    assert program.arrays["it"].ravel().tolist() == [number + k for k in range(20)]


def test_a_branch_that_is_not_taken_is_not_evaluated():
    guarded = sp.Piecewise((1 / x, x > 0), (0, True))
    program = ArrayProgram((x,), (), {"it": sp.Matrix([guarded] * 20)})
    program.evaluate(np.array([0.0]))
    assert program.arrays["it"].ravel().tolist() == [0.0] * 20
    program.evaluate(np.array([4.0]))
    assert program.arrays["it"].ravel().tolist() == [0.25] * 20


@pytest.mark.parametrize("links", [3, 20])
def test_unique_entries_of_a_chain_grow_with_its_length(links):
    q = sp.symbols(f"q1:{links + 1}", real=True)
    B = sp.Matrix(links, links, lambda i, j: sp.cos(q[j]) * (1 if i == j else 2) if i >= j else 0)
    program = ArrayProgram(q, (), {"B": B})
    assert program.entries == 2 * links - 1
    program.evaluate(np.arange(links, dtype=float))
    assert program.arrays["B"][-1, 0] == pytest.approx(2.0, abs=0.0)
    assert program.arrays["B"][1, 1] == pytest.approx(math.cos(1.0), rel=1e-15)


@pytest.mark.parametrize("law", ["sqrt(x)", "exp(1000*abs(x))", "1/(x + 1)"])
def test_a_law_outside_its_domain_is_told(law):
    system = System.from_dict(
        {
            "bodies": {"bob": {"mass": 1, "cog": [0, 0, -1], "inertia": [1, 1, 1]}},
            "joints": {
                "hinge": {"type": "revolute", "child": "bob", "at": [0, 0, 0], "axis": [0, 1, 0]}
            },
            "elements": {"odd": {"type": "joint", "joint": "hinge", "law": law}},
        }
    )
    numeric = NumericEquations(derive(system))
    with pytest.raises(ModelError, match="no value at this state"):
        numeric.rates(0.0, np.array([-1.0, 0.0]))
