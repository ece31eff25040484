"""Force laws: which part stores energy, and how much."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import sympy as sp

from cosim.model.laws import TIME
from cosim.multibody.joint.symbolic.values import Values

__all__ = ["Motion", "SplitLaw", "integrated", "split_law", "stored_part"]

_MOST_OPERATIONS = 60
"""Longer laws are not given to SymPy's integration, which may take minutes."""

_BRANCHES = (sp.Piecewise, sp.Min, sp.Max, sp.Abs, sp.sign)

_PROBES = (-0.37, 0.83)
"""Places where an integral that was found is checked against the law."""


@dataclass(frozen=True)
class Motion:
    """What the variables of a law stand for.

    Attributes
    ----------
    x, v, t : Expr
        Elongation or angle from rest, its rate, time.
    length : Expr or None
        Unstretched length, where the law may use ``l = x + length``.
    """

    x: sp.Expr
    v: sp.Expr
    t: sp.Expr
    length: sp.Expr | None = None


def stored_part(law: sp.Expr, variables: Iterable[sp.Symbol]) -> sp.Expr:
    """The terms of a law that contain none of `variables` (its rate and the time).

    Only they derive from a potential: f(x) = -dV/dx. A product such as ``x*v`` is not split.

    Parameters
    ----------
    law : Expr
    variables : iterable of Symbol
        What a potential must not depend on.
    """
    excluded = frozenset(variables)
    terms = sp.Add.make_args(sp.expand_mul(law))
    return sp.Add(*(term for term in terms if not term.free_symbols & excluded))


def integrated(law: sp.Expr, x: sp.Symbol) -> sp.Expr:
    r"""Integral of a law from 0 to x, as a function of x.

    .. math:: \int_0^x f(s) ds

    In closed form where SymPy finds one at once that stands a check against the law;
    otherwise an unevaluated :class:`sympy.Integral`, which evaluates by quadrature
    (``.evalf()``, or :func:`scipy.integrate.quad` in functions printed for SciPy).

    Parameters
    ----------
    law : Expr
        A function of `x` and of parameters.
    x : Symbol
    """
    s = sp.Dummy("s", real=True)
    inner = law.subs(x, s)
    if inner.is_zero:
        return sp.S.Zero
    unevaluated = sp.Integral(inner, (s, 0, x))
    if sp.count_ops(inner) > _MOST_OPERATIONS:
        return unevaluated
    branched = sp.piecewise_fold(inner.rewrite(sp.Piecewise)) if inner.has(*_BRANCHES) else inner
    if not _is_simple(branched, s):
        return unevaluated
    found = sp.integrate(branched, (s, 0, x), meijerg=False, heurisch=False)
    return found if _holds(found, law, x) else unevaluated


def _is_simple(law: sp.Expr, s: sp.Symbol) -> bool:
    """Whether the law has no branches, or is one set of polynomials with borders of numbers."""
    if not isinstance(law, sp.Piecewise):
        return not law.has(*_BRANCHES)
    return all(
        branch.is_polynomial(s) and condition.free_symbols <= {s} for branch, condition in law.args
    )


def _holds(found: sp.Expr, law: sp.Expr, x: sp.Symbol) -> bool:
    """Whether the integral is 0 at 0 and has the law as its derivative, at some numbers."""
    if found.has(sp.Integral, sp.I, sp.zoo, sp.nan, sp.oo):
        return False
    others = sorted(law.free_symbols - {x}, key=str)
    given = {p: sp.Float(0.61 + 0.17 * k) for k, p in enumerate(others)}
    difference = (sp.diff(found, x) - law).subs(given)
    residuals = [difference.subs(x, place).evalf() for place in _PROBES]
    residuals.append(found.subs(given).subs(x, 0).evalf())
    return all(r.is_Number and abs(r) < 1e-12 for r in residuals)


@dataclass(frozen=True)
class SplitLaw:
    """A force law at a motion: force = stored + rest.

    Attributes
    ----------
    stored : Expr
        The terms that depend on position alone.
    rest : Expr
        The terms with rate or time.
    integral : Expr
        Integral of `stored` over the elongation, from 0.
    """

    stored: sp.Expr = sp.S.Zero
    rest: sp.Expr = sp.S.Zero
    integral: sp.Expr = sp.S.Zero


def split_law(values: Values, law: str | None, motion: Motion) -> SplitLaw:
    """The two parts of a law, and the energy integral of the first.

    Parameters
    ----------
    values : Values
    law : str or None
        Of `x`, `v`, `l` and `t`; None for no law.
    motion : Motion
        What these stand for.

    Raises
    ------
    ModelError
        Not of the grammar, or an unknown name.
    """
    if law is None:
        return SplitLaw()
    x, v, t = (sp.Dummy(name, real=True) for name in ("x", "v", TIME))
    names = {"x": x, "v": v, TIME: t}
    if motion.length is not None:
        names["l"] = x + motion.length
    force = values.law(law, names)
    stored = stored_part(force, (v, t))
    place = {x: motion.x, v: motion.v, t: motion.t}
    return SplitLaw(
        stored.subs(place), (force - stored).subs(place), integrated(stored, x).subs(place)
    )
