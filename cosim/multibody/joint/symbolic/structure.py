"""Expressions that differ in their leaves only: evaluated together, as arrays.

The matrices of a chain hold thousands of entries of a few kinds, ``-L_1 cos(theta_1)``,
``-L_2 cos(theta_2)``, ... One array operation serves all entries of a kind.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

__all__ = ["structure"]

_FUNCTIONS = {sp.sin: "sin", sp.cos: "cos", sp.exp: "exp", sp.Abs: "abs"}
_LARGEST_POWER = 4


def structure(expression: sp.Expr) -> tuple[str, tuple[sp.Expr, ...]] | None:
    """What an expression looks like, and its leaves in order of appearance.

    Parameters
    ----------
    expression : Expr

    Returns
    -------
    tuple of str and tuple, or None
        Text with one ``{}`` for each leaf (a symbol or a number), in numpy's functions;
        None where there is a function that arrays are not to evaluate, such as a branch.
    """
    if expression.is_Symbol or expression.is_number:
        return "{}", (expression,)
    if expression.is_Add or expression.is_Mul:
        return _joined("+" if expression.is_Add else "*", expression.args)
    if expression.is_Pow:
        return _power(expression)
    name = _FUNCTIONS.get(expression.func)
    inside = structure(expression.args[0]) if name else None
    return (f"{name}({inside[0]})", inside[1]) if inside else None


def _joined(sign: str, terms: Sequence[sp.Expr]) -> tuple[str, tuple[sp.Expr, ...]] | None:
    """Terms in an order that does not depend on the names in them."""
    parts = [structure(term) for term in terms]
    known = sorted((part for part in parts if part is not None), key=lambda part: part[0])
    if len(known) < len(parts):
        return None
    text = sign.join(part[0] for part in known)
    return f"({text})", tuple(leaf for part in known for leaf in part[1])


def _power(expression: sp.Expr) -> tuple[str, tuple[sp.Expr, ...]] | None:
    base, exponent = expression.args
    inside = structure(base)
    if inside is None:
        return None
    text, leaves = inside
    root = sp.Rational(1, 2)
    if abs(exponent) == root:
        power = f"sqrt({text})"
    elif exponent.is_Integer and abs(exponent) <= _LARGEST_POWER:
        power = "*".join([text] * abs(int(exponent)))
        leaves = leaves * abs(int(exponent))
    else:
        return None
    return f"(1.0/({power}))" if exponent.is_negative else f"({power})", leaves
