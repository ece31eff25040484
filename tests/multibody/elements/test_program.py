"""Compiled expressions against Python's own arithmetic."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cosim.errors import ModelError
from cosim.model.expressions import FUNCTIONS, evaluate
from cosim.multibody.elements.machine import run
from cosim.multibody.elements.opcodes import FUNCTION_CODES
from cosim.multibody.elements.program import ProgramBuilder

PARAMETERS = {"k": 2.5, "width": -0.75}
VARIABLES = ("x", "v", "l", "t")

leaves = st.one_of(
    st.sampled_from(["x", "v", "l", "t", "k", "width", "pi"]),
    st.floats(0.0, 1e3).map(repr),
    st.integers(0, 9).map(lambda n: f"{n}.0"),
)


def compound(inner):
    unary = sorted(set(FUNCTIONS) - {"atan2", "min", "max"})
    return st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "**"]), inner).map(
            lambda p: f"({p[0]} {p[1]} {p[2]})"
        ),
        st.tuples(st.sampled_from(unary), inner).map(lambda p: f"{p[0]}({p[1]})"),
        st.tuples(inner, inner).map(lambda p: f"atan2({p[0]}, {p[1]})"),
        st.tuples(st.sampled_from(["min", "max"]), st.lists(inner, min_size=2, max_size=4)).map(
            lambda p: f"{p[0]}({', '.join(p[1])})"
        ),
        inner.map(lambda a: f"-{a}"),
        st.tuples(inner, st.sampled_from(["<", "<=", ">", ">="]), inner).map(
            lambda p: f"1.0*({p[0]} {p[1]} {p[2]})"
        ),
        st.tuples(inner, inner, inner, inner).map(
            lambda p: f"({p[0]} if {p[1]} < {p[2]} else {p[3]})"
        ),
        st.tuples(inner, inner, inner).map(lambda p: f"1.0*({p[0]} < {p[1]} <= {p[2]})"),
    )


expressions = st.recursive(leaves, compound, max_leaves=12)
values = st.floats(-50.0, 50.0)


def compiled(text, variables=VARIABLES, parameters=PARAMETERS):
    builder = ProgramBuilder(parameters)
    builder.add("1 + 2", variables)  # so that the program does not start at zero
    number = builder.add(text, variables)
    programs = builder.build()
    return lambda x, v, l, t: run(programs, number, x, v, l, t)  # noqa: E741


@settings(max_examples=300, deadline=None, derandomize=True)
@given(text=expressions, x=values, v=values, l=values, t=values)
def test_machine_agrees_with_python(text, x, v, l, t):  # noqa: E741
    names = {**PARAMETERS, "x": x, "v": v, "l": l, "t": t}
    native = {"pi": math.pi, "sign": FUNCTIONS["sign"], **vars(math), **names, "__builtins__": {}}
    native |= {"abs": abs, "min": min, "max": max}
    try:
        expected = float(eval(text, native))  # the test's own evaluation, not the package's
    except (ArithmeticError, ValueError, TypeError):
        return  # no real value (or a complex one) in Python
    if not math.isfinite(expected):
        return
    assert evaluate(text, names) == pytest.approx(expected, rel=1e-13, abs=1e-300)
    try:
        program = compiled(text)
    except ModelError as error:
        if "has no" not in str(error):  # a constant branch never taken at these values
            raise
        return
    assert program(x, v, l, t) == pytest.approx(expected, rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("text", ["1/x", "log(x)", "sqrt(x - 1)", "(x - 1)**0.5", "asin(x + 2)"])
def test_no_value_is_not_finite_and_raises_nothing(text):
    assert not math.isfinite(compiled(text)(0.0, 0.0, 0.0, 0.0))


def test_every_function_of_the_grammar_has_an_instruction():
    assert set(FUNCTION_CODES) == set(FUNCTIONS)


def test_branch_without_value_does_not_spoil_the_other():
    program = compiled("sqrt(x) if x > 0 else 0")
    assert program(4.0, 0.0, 0.0, 0.0) == 2.0
    assert program(-4.0, 0.0, 0.0, 0.0) == 0.0


def test_deep_nesting_fits_the_stack():
    text = "x"
    for _ in range(40):
        text = f"t + ({text})"
    assert compiled(text)(1.0, 0.0, 0.0, 0.5) == pytest.approx(21.0)


def test_parameters_are_folded():
    builder = ProgramBuilder({"a": 3.0, "b": 4.0})
    builder.add("sqrt(a**2 + b**2)*x", ("x",))
    assert builder.build().opcode.size == 3
    assert 5.0 in builder.build().operand


def test_nothing_to_compile():
    programs = ProgramBuilder({}).build()
    assert programs.start.tolist() == [0]
    assert programs.opcode.dtype == np.int64


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3*veloc", "unknown name 'veloc'; the variables are x, v; add others to 'parameters'"),
        ("wdth*x", "unknown name 'wdth'; did you mean 'width'"),
        ("coss(x)", "unknown function 'coss'; did you mean 'cos'"),
        ("sin(x, v)", "'sin' takes 1 argument(s), not 2"),
        ("max(x)", "'max' takes at least 2 argument(s), not 1"),
        ("x +", "is not an expression"),
        ("x.real", "something other than numbers"),
        ("-50*x^3", "powers are written"),
        ("True*x", "something other than numbers"),
        ("x if v else", "is not an expression"),
        ("sin + x", "uses the function 'sin' without arguments"),
        ("x + 1/(k - k)", "has no value: float division by zero"),
        ("x + 10.0**400", "has no value"),
        ("__import__('os')", "unknown function '__import__'"),
        ("[x for x in v]", "something other than numbers"),
        ("x\0", "is not an expression"),
    ],
)
def test_refusals(text, message):
    with pytest.raises(ModelError) as caught:
        compiled(text, variables=("x", "v"))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_parameter_with_the_name_of_a_variable_is_refused_where_used():
    with pytest.raises(ModelError, match="'t', which is a variable here and also a parameter"):
        compiled("3*t", ("t",), {"t": 1.0})
    assert compiled("3*x", ("x",), {"t": 1.0})(2.0, 0.0, 0.0, 0.0) == 6.0
