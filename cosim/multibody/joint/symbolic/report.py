"""A report of the equations of a system: tables, kinematics, loads, energies, eq. (5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import sympy as sp

from cosim.multibody.joint.symbolic.description import description
from cosim.multibody.joint.symbolic.document import (
    Block,
    Document,
    Formula,
    Heading,
    Paragraph,
    Table,
)
from cosim.multibody.joint.symbolic.equations import Equations
from cosim.multibody.joint.symbolic.listing import rates_of_coordinates
from cosim.multibody.joint.symbolic.notation import Notation, Written

__all__ = ["report"]

_WIDEST = 8
"""Columns of a matrix that a page shows."""
_TALLEST = 30
_MOST_ENTRIES = 400
_MOST_OPERATIONS = 4000
"""Reduced equations that are longer help nobody who reads them."""


def report(equations: Equations, *, title: str = "Equations of motion") -> Document:
    """All that is known of the equations, for reading.

    Parameters
    ----------
    equations : Equations
    title : str
    """
    return Document(title, tuple(_Writer(equations).blocks()))


class _Writer:
    def __init__(self, equations: Equations) -> None:
        self._equations, self._kin = equations, equations.kin
        self._notation = Notation(equations)

    def blocks(self) -> Iterator[Block]:
        yield from description(self._equations, self._notation)
        yield from self._intermediates()
        yield from self._positions()
        yield from self._kinematics()
        yield from self._loads()
        yield from self._energies()
        yield from self._reduced()

    def _intermediates(self) -> Iterator[Block]:
        if self._kin.definitions:
            yield Heading("Intermediates")
            yield Paragraph("In order of evaluation; all other formulas use them.")
            for symbol, expression in self._kin.definitions:
                yield Formula(self._notation.write(symbol), self._notation.write(expression))

    def _positions(self) -> Iterator[Block]:
        kin = self._kin
        yield Heading("Positions")
        yield Paragraph("World axes, m: centres of gravity, points of the joints, named points.")
        for body in kin.bodies:
            yield self._formula(_of("r", body), kin.position(body))
        for joint in kin.forms:
            yield self._formula(_of("r", f"joint {joint}"), kin.joint_point(joint))
        for body, described in kin.system.bodies.items():
            for point in described.points:
                address = f"{body}/{point}"
                yield self._formula(_of("r", address), kin.position(address))

    def _kinematics(self) -> Iterator[Block]:
        kin = self._kin
        yield Heading("Velocity transformation")
        rows = "[vx vz wy]" if kin.planar else "[vx vy vz wx wy wz]"
        yield Paragraph(
            f"Twists v = B u, {rows} of each body at its centre of gravity in the order "
            f"{', '.join(kin.bodies)}; their time derivatives are B u' + B' u."
        )
        if any(form.quaternion for form in kin.forms.values()):
            rates = sp.Matrix(list(rates_of_coordinates(self._equations)))
            yield from self._matrix(_dot("q"), rates)
        yield from self._matrix(_plain("B"), kin.B())
        yield from self._matrix(_dot("B"), kin.B_dot())

    def _loads(self) -> Iterator[Block]:
        equations = self._equations
        yield Heading("Inertia and loads")
        yield from self._matrix(_plain("M"), equations.M)
        if not self._kin.planar:
            yield from self._matrix(_plain("c"), equations.c)
        yield from self._matrix(_named("g", "gravity"), equations.g_gravity)
        if self._kin.system.elements:
            yield from self._matrix(_named("g", "elements"), equations.g_elements)
            yield from self._matrix(_named("Q", "joint"), sp.Matrix(equations.Q_joint))

    def _energies(self) -> Iterator[Block]:
        yield Heading("Energies")
        yield self._formula(_plain("T"), self._equations.kinetic)
        yield self._formula(_plain("V"), self._equations.potential)

    def _reduced(self) -> Iterator[Block]:
        equations = self._equations
        yield Heading("Equations of motion")
        right = [_named("g", "gravity")]
        if self._kin.system.elements:
            right.append(_named("g", "elements"))
        yield Formula(_reduced_left(), _reduced_right(right, self._kin.planar))
        size = len(self._kin.u)
        entries = _count(self._kin.B(), equations.M, equations.g_elements, equations.kin.B_dot())
        if self._kin.definitions or size > _WIDEST or entries > _MOST_OPERATIONS:
            yield Paragraph(
                "Written out, both sides are too long to read; the Python and C exports form them "
                "from the matrices above."
            )
            return
        yield from self._matrix(_transposed_product(), _tidy(equations.lhs))
        yield from self._matrix(_named("f", ""), _tidy(equations.rhs))
        yield Paragraph("f is the right-hand side.")

    def _matrix(self, left: Written, matrix: sp.MatrixBase) -> Iterator[Block]:
        """The matrix, or its entries that are not zero where it is large."""
        if matrix.cols <= _WIDEST and matrix.rows <= _TALLEST:
            yield Formula(left, self._notation.write(matrix))
            return
        entries = [(divmod(k, matrix.cols), e) for k, e in enumerate(matrix.flat()) if e != 0]
        shown = entries[:_MOST_ENTRIES]
        rows = tuple((str(i + 1), str(j + 1), self._notation.write(e)) for (i, j), e in shown)
        yield Formula(left, _words(f"{matrix.rows} by {matrix.cols}, {len(entries)} entries"))
        yield Table(("row", "column", "entry"), rows)
        if len(entries) > len(shown):
            yield Paragraph(f"and {len(entries) - len(shown)} more; the exports have them all.")

    def _formula(self, left: Written, right: sp.Basic | sp.MatrixBase) -> Formula:
        return Formula(left, self._notation.write(right))


def _count(*matrices: sp.MatrixBase) -> int:
    entries: Iterable[sp.Expr] = dict.fromkeys(e for m in matrices for e in m.flat())
    return sum(int(sp.count_ops(entry)) for entry in entries)


def _tidy(matrix: sp.MatrixBase) -> sp.MatrixBase:
    """Products multiplied out, and sums of squared sines and cosines put together."""
    return matrix.applyfunc(lambda entry: sp.trigsimp(sp.expand(entry)))


def _plain(letter: str) -> Written:
    return Written(letter, f"<mi>{letter}</mi>")


def _dot(letter: str) -> Written:
    return Written(f"\\dot{{{letter}}}", f"<mover><mi>{letter}</mi><mo>˙</mo></mover>")


def _named(letter: str, below: str) -> Written:
    if not below:
        return _plain(letter)
    return Written(
        f"{letter}_{{\\mathrm{{{below}}}}}",
        f"<msub><mi>{letter}</mi><mtext>{below}</mtext></msub>",
    )


def _of(letter: str, owner: str) -> Written:
    latex = owner.replace("_", "\\_").replace(" ", "\\ ")
    return Written(
        f"{letter}_{{\\mathrm{{{latex}}}}}", f"<msub><mi>{letter}</mi><mtext>{owner}</mtext></msub>"
    )


def _words(text: str) -> Written:
    return Written(f"\\text{{{text}}}", f"<mtext>{text}</mtext>")


_B_T = Written("B^T", "<msup><mi>B</mi><mi>T</mi></msup>")


def _transposed_product() -> Written:
    return Written("B^T M B", f"<mrow>{_B_T.mathml}<mi>M</mi><mi>B</mi></mrow>")


def _reduced_left() -> Written:
    product, rate = _transposed_product(), _dot("u")
    return Written(f"{product.latex}\\,{rate.latex}", f"{product.mathml}{rate.mathml}")


def _reduced_right(loads: Sequence[Written], planar: bool) -> Written:
    names = loads if planar else [*loads, Written("c", "<mi>c</mi>")]
    signs = ["", *("+" for _ in loads[1:]), *([] if planar else ["-"])]
    latex = " ".join(f"{sign} {name.latex}" for sign, name in zip(signs, names, strict=True))
    mathml = "".join(
        (f"<mo>{sign}</mo>" if sign else "") + name.mathml
        for sign, name in zip(signs, names, strict=True)
    )
    Q = _named("Q", "joint")
    return Written(
        f"B^T \\left({latex} - M \\dot{{B}} u\\right) + {Q.latex}",
        f"{_B_T.mathml}<mo>(</mo>{mathml}<mo>-</mo><mi>M</mi>{_dot('B').mathml}<mi>u</mi>"
        f"<mo>)</mo><mo>+</mo>{Q.mathml}",
    )
