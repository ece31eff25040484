r"""How symbols look in formulas: :math:`\theta_\mathrm{hinge}` for ``theta_hinge``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape, unescape
from typing import NamedTuple
from xml.dom.minidom import parseString

import sympy as sp
from sympy.printing.mathml import MathMLPresentationPrinter

from cosim.multibody.joint.symbolic.equations import Equations

__all__ = ["Notation", "Written", "rounded"]

_GREEK = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "mu", "nu"),
    *("xi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega"),
)
_DIGITS = 6
_LONG_FRACTION = 1000
"""Numerator from which a fraction is shown as a decimal number."""
_MARKS = {
    "<mo>-</mo>": f"<mo>{unescape('&minus;')}</mo>",
    "<mn>-": f"<mn>{unescape('&minus;')}",
    "<mo>&InvisibleTimes;</mo>": '<mspace width="0.15em"></mspace>',
}
"""Signs of SymPy's printer that browsers show badly, and what is shown instead."""


class Written(NamedTuple):
    """One formula in the two languages of formulas."""

    latex: str
    mathml: str


class _Name(NamedTuple):
    """Base letter or word, and subscript."""

    base: str
    below: str


class Notation:
    """Writes expressions of some equations.

    Coordinates, speeds and intermediates are letters with what they belong to below;
    parameters keep their names.

    Parameters
    ----------
    equations : Equations
    """

    def __init__(self, equations: Equations) -> None:
        kin = equations.kin
        owned = (*kin.q, *kin.u, *(symbol for symbol, _ in kin.definitions))
        names = {symbol: _owned(str(symbol)) for symbol in owned}
        names |= {symbol: _parameter(str(symbol)) for symbol in kin.values.numbers}
        self._latex = {symbol: _latex(name) for symbol, name in names.items()}
        self._printer = _MathML({symbol: _mathml(name) for symbol, name in names.items()})

    def write(self, expression: sp.Basic | sp.MatrixBase) -> Written:
        """An expression or a matrix, numbers rounded to six digits."""
        shown = rounded(expression)
        latex: str = sp.latex(shown, symbol_names=self._latex, mat_delim="[")
        mathml: str = self._printer.doprint(shown)
        for mark, better in _MARKS.items():
            mathml = mathml.replace(mark, better)
        return Written(latex, mathml)

    def listed(self, expressions: Iterable[sp.Expr], *, vector: bool = False) -> Written:
        """Expressions with commas between them, a vector in parentheses."""
        parts = [self.write(expression) for expression in expressions]
        latex, mathml = (
            ",\\, ".join(p.latex for p in parts),
            "<mo>,</mo>".join(p.mathml for p in parts),
        )
        if not vector:
            return Written(latex, f"<mrow>{mathml}</mrow>")
        return Written(f"({latex})", f"<mrow><mo>(</mo>{mathml}<mo>)</mo></mrow>")


def rounded(expression: sp.Basic | sp.MatrixBase) -> sp.Basic | sp.MatrixBase:
    """The same with numbers of six digits at most, whole ones without a decimal point."""
    numbers = expression.atoms(sp.Float, sp.Rational)
    shown = (n for n in numbers if n.is_Float or (not n.is_Integer and abs(n.p) >= _LONG_FRACTION))
    return expression.xreplace({number: _rounded(float(number)) for number in shown})


def _rounded(value: float) -> sp.Expr:
    short = float(f"{value:.{_DIGITS}g}")
    if short.is_integer() and abs(short) < 10.0**_DIGITS:
        return sp.Integer(int(short))
    return sp.Float(f"{short!r}", _DIGITS)


def _owned(name: str) -> _Name:
    """``theta_hinge``, ``R11_bob``: a letter, perhaps indices, and an owner."""
    letter, _, owner = name.partition("_")
    if letter == "omega" and owner[:2] in ("x_", "y_", "z_"):
        return _Name(letter, f"{owner[0]},{owner[2:]}")
    known = re.match("|".join(sorted(_GREEK, key=len, reverse=True)), letter)
    base = known.group() if known else letter[:1]
    return _Name(base, ",".join(part for part in (letter[len(base) :], owner) if part))


def _parameter(name: str) -> _Name:
    """``k``, ``k1``, ``L_upper``, ``rho_w``: with a subscript; longer words as they are."""
    stem, _, below = name.partition("_")
    short = re.fullmatch(r"([A-Za-z])(\d*)", stem)
    if short:
        return _Name(short[1], ",".join(part for part in (short[2], below) if part))
    return _Name(stem, below) if stem in _GREEK else _Name(name, "")


def _latex(name: _Name) -> str:
    if name.base in _GREEK:
        base = f"\\{name.base}"
    else:
        base = name.base if len(name.base) == 1 else f"\\mathrm{{{_plain(name.base)}}}"
    return f"{base}_{{\\mathrm{{{_plain(name.below)}}}}}" if name.below else base


def _plain(text: str) -> str:
    return text.replace("_", "\\_")


def _mathml(name: _Name) -> str:
    plain = ' mathvariant="normal"' if len(name.base) > 1 and name.base not in _GREEK else ""
    base = f"<mi{plain}>{_letter(name.base)}</mi>"
    return f"<msub>{base}<mtext>{escape(name.below)}</mtext></msub>" if name.below else base


def _letter(base: str) -> str:
    return unescape(f"&{base};") if base in _GREEK else escape(base)


class _MathML(MathMLPresentationPrinter):  # type: ignore[misc]
    """SymPy's printer with our names, and brackets that need no font for formulas."""

    def __init__(self, names: dict[sp.Basic, str]) -> None:
        super().__init__()
        self._names = names

    def _print_Symbol(self, sym: sp.Symbol, style: str = "plain") -> object:  # noqa: N802
        if sym in self._names:
            return parseString(self._names[sym]).firstChild
        return super()._print_Symbol(sym, style)

    def _print_MatrixBase(self, m: sp.MatrixBase) -> object:  # noqa: N802
        rows = [[self._print(entry) for entry in row] for row in m.tolist()]
        return self._table(rows, "matrix")

    def _print_Piecewise(self, expr: sp.Piecewise) -> object:  # noqa: N802
        rows = []
        for value, condition in expr.args:
            said = self.dom.createElement("mtext")
            said.appendChild(
                self.dom.createTextNode("otherwise" if condition is sp.true else "if\u00a0")
            )
            where = [said] if condition is sp.true else [said, self._print(condition)]
            rows.append([self._print(value), self._row(where)])
        return self._table(rows, "cases")

    def _row(self, items: list[object]) -> object:
        row = self.dom.createElement("mrow")
        for item in items:
            row.appendChild(item)
        return row

    def _table(self, rows: list[list[object]], kind: str) -> object:
        table = self.dom.createElement("mtable")
        table.setAttribute("class", kind)
        table.setAttribute("displaystyle", "true")
        for entries in rows:
            line = self.dom.createElement("mtr")
            for entry in entries:
                cell = self.dom.createElement("mtd")
                cell.appendChild(entry)
                line.appendChild(cell)
            table.appendChild(line)
        return self._row([table])
