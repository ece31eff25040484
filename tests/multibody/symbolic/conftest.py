"""Random systems, numbers from symbols by SymPy's own evaluation, and exact zero tests."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import sympy as sp
from sympy.printing.pycode import pycode

from cosim.model import System

SPATIAL = (
    "fixed",
    "revolute",
    "prismatic",
    "cylindrical",
    "planar",
    "universal",
    "spherical",
    "floating",
)
PLANAR = ("fixed", "revolute", "prismatic", "planar")


def chain(n, *, length=2.0, mass=10.0, parameters=None):
    """The n-link pendulum of the paper (3.6): uniform rods, hanging from the origin."""
    bodies, joints, parent = {}, {}, "earth"
    for k in range(n):
        moment = mass * length**2 / 12
        bodies[f"link{k + 1}"] = {
            "mass": mass,
            "cog": [0, 0, -length * (k + 0.5)],
            "inertia": [moment, moment, moment],
        }
        joints[f"hinge{k + 1}"] = {
            "type": "revolute",
            "parent": parent,
            "child": f"link{k + 1}",
            "at": [0, 0, -length * k],
            "axis": [0, 1, 0],
        }
        parent = f"link{k + 1}"
    return System.from_dict({"bodies": bodies, "joints": joints, "parameters": parameters or {}})


def numbers(kin, expressions, state):
    """Values of matrices or expressions at (t, q, u), definition by definition, in doubles."""
    t, q, u = state
    known = {str(symbol): value for symbol, value in kin.values.numbers.items()}
    known |= {str(symbol): value for symbol, value in zip(kin.q + kin.u, [*q, *u], strict=True)}
    known["t"] = t
    for symbol, expression in kin.definitions:
        known[str(symbol)] = number(expression, known)
    return [array(expression, known) for expression in expressions]


def array(expression, known):
    if not isinstance(expression, sp.MatrixBase):
        return number(expression, known)
    values = [[number(entry, known) for entry in row] for row in expression.tolist()]
    return np.array(values, dtype=float).reshape(expression.shape)


def number(expression, known):
    return float(eval(pycode(expression, fully_qualified_modules=True), {"math": math}, known))


class Algebra:
    """Expressions of sines and quaternions as polynomials, with exact remainders.

    sin a, cos a and 2 / (p·p) become variables s, c, k. A polynomial vanishes for all
    coordinates exactly if its remainder by all s² + c² - 1 and k p·p - 2 is zero: these are
    a Groebner basis, their leading terms being coprime.
    """

    def __init__(self, kin, extra=()):
        self.kin, self.names, relations, derivatives = kin, {}, [], {}
        self.sines = []
        for form in kin.forms.values():
            for a, rate in zip(form.angles, form.spin_speeds, strict=False):
                if form.quaternion:
                    continue
                s, c = sp.symbols(f"sin_{a} cos_{a}")
                self.names |= {sp.sin(a): s, sp.cos(a): c}
                derivatives |= {s: c * rate, c: -s * rate}
                relations.append(s**2 + c**2 - 1)
                self.sines.append((a, s, c))
            if form.quaternion:
                k = sp.Symbol(f"factor_{form.quaternion[0]}")
                square = sum(x**2 for x in form.quaternion)
                rates = form.q_dot[-4:]
                growth = sum(x * rate for x, rate in zip(form.quaternion, rates, strict=True))
                self.names |= {1 / square: k / 2, 1 / square**2: k**2 / 4}
                derivatives[k] = -(k**2) * growth
                relations.append(k * square - 2)
        derivatives |= dict(zip(kin.q, kin.q_dot, strict=True))
        self.ring = sp.ring([*derivatives, *kin.u, *extra], sp.QQ, order="lex")[0]
        self.relations = [self.ring.from_expr(r) for r in relations]
        self.derivatives = [
            (self.ring.from_expr(x), self.ring.from_expr(rate)) for x, rate in derivatives.items()
        ]

    def polynomial(self, expression):
        """What an expression is on all motions; equal ones have equal polynomials."""
        written = self.kin.expand(sp.sympify(expression)).xreplace(self.names)
        return self.reduced(self.ring.from_expr(written))

    def matrix(self, expressions):
        """Polynomials of a matrix, as an array of objects."""
        entries = [self.polynomial(entry) for entry in expressions]
        return np.array(entries, dtype=object).reshape(expressions.shape)

    def reduced(self, polynomial):
        return polynomial.rem(self.relations) if self.relations else polynomial

    def vanish(self, polynomials):
        return all(self.reduced(self.ring.one * p) == 0 for p in np.ravel(polynomials))

    def partial(self, polynomial, x):
        """Derivative in a coordinate or speed; angles stand in their sines too."""
        total = polynomial.diff(x)
        for angle, s, c in self.sines:
            if self.ring.from_expr(angle) == x:
                s, c = self.ring.from_expr(s), self.ring.from_expr(c)
                total += polynomial.diff(s) * c - polynomial.diff(c) * s
        return total

    def rate(self, polynomials):
        """Time derivative by the chain rule in the coordinates, with q' = N u."""
        rates = [
            sum((p.diff(x) * rate for x, rate in self.derivatives), self.ring.zero)
            for p in np.ravel(polynomials)
        ]
        return np.array(rates, dtype=object).reshape(np.shape(polynomials))


@pytest.fixture
def symbols():
    """The helpers of this file."""
    return SimpleNamespace(
        PLANAR=PLANAR, SPATIAL=SPATIAL, Algebra=Algebra, chain=chain, numbers=numbers
    )
