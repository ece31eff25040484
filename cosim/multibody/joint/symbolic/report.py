"""A report of the equations of a system: tables, kinematics, loads, energies, eq. (5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
from cosim.multibody.joint.symbolic.readable import readable

__all__ = ["report"]

Labels = Sequence[str | Written]

_WIDEST = 8
"""Columns of a matrix that a page shows."""
_TALLEST = 30
_MOST_ENTRIES = 400
_MOST_OPERATIONS = 300
"""In B and in the loads of elements: reduced equations made of more are not for reading."""
_LONGEST, _PATIENCE = 300, 30.0
"""What is left as derived: longer expressions, and all after that time, s."""


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
        yield from self._matrix(_plain("B"), kin.B(), self._speeds())
        yield from self._matrix(_dot("B"), kin.B_dot(), self._speeds())

    def _loads(self) -> Iterator[Block]:
        equations = self._equations
        yield Heading("Inertia and loads")
        yield from self._matrix(_plain("M"), equations.M, self._twists())
        if not self._kin.planar:
            yield from self._matrix(_plain("c"), equations.c)
        yield from self._matrix(_named("g", "gravity"), equations.g_gravity)
        if self._kin.system.elements:
            yield from self._matrix(_named("g", "elements"), equations.g_elements)
            Q = sp.Matrix(equations.Q_joint)
            yield from self._matrix(_named("Q", "joint"), Q, rows=self._speeds())

    def _reduced(self) -> Iterator[Block]:
        """Energies and both sides of eq. (5), in their shortest form where there is one."""
        equations, short = self._equations, self._is_short()
        if short:
            found = readable(equations, seconds=_PATIENCE, longest=_LONGEST)
            energies = found.kinetic, found.potential
        else:
            energies = equations.kinetic, equations.potential
        yield Heading("Energies")
        for letter, energy in zip("TV", energies, strict=True):
            yield self._formula(_plain(letter), energy)
        yield Heading("Equations of motion")
        yield Paragraph(
            "One for each freedom; the unknowns are the accelerations u', the time derivatives of "
            "the speeds u."
        )
        yield Formula(_reduced_left(), self._reduced_right())
        if not short:
            yield Paragraph(
                "Written out, both sides are too long to read; the Python and C exports form them "
                "from the matrices above."
            )
            return
        yield Formula(_transposed_product(), self._notation.write(found.lhs))
        yield self._formula(_plain("f"), found.rhs)
        yield Paragraph("f is the right-hand side.")
        if found.notes:
            yield Paragraph(f"Not simplified: {'; '.join(found.notes)}.")

    def _is_short(self) -> bool:
        """Whether somebody would read both sides of eq. (5)."""
        equations, kin = self._equations, self._kin
        if kin.definitions or len(kin.u) > _WIDEST:
            return False
        entries = dict.fromkeys(e for m in (kin.B(), equations.g_elements) for e in m.flat())
        return sum(int(sp.count_ops(entry)) for entry in entries) <= _MOST_OPERATIONS

    def _reduced_right(self) -> Written:
        loads, last = [_named("g", "gravity")], []
        if self._kin.system.elements:
            loads.append(_named("g", "elements"))
            last.append(_named("Q", "joint"))
        taken = [] if self._kin.planar else [_plain("c")]
        taken.append(Written("M \\dot{B} u", f"<mi>M</mi>{_dot('B').mathml}<mi>u</mi>"))
        parts = [(loads[0], "")]
        parts += [(load, "+") for load in loads[1:]] + [(load, "−") for load in taken]  # noqa: RUF001
        sums = "".join((f"<mo>{sign}</mo>" if sign else "") + p.mathml for p, sign in parts)
        latex = " ".join(f"{sign} {p.latex}" for p, sign in parts).replace("−", "-")  # noqa: RUF001
        return Written(
            f"B^T \\left({latex}\\right)" + "".join(f" + {p.latex}" for p in last),
            f"{_B_T.mathml}<mo>(</mo>{sums}<mo>)</mo>"
            + "".join(f"<mo>+</mo>{p.mathml}" for p in last),
        )

    def _matrix(
        self,
        left: Written,
        matrix: sp.MatrixBase,
        columns: Labels = (),
        *,
        rows: Labels | None = None,
    ) -> Iterator[Block]:
        """The matrix, or its entries that are not zero where it is large."""
        if matrix.cols <= _WIDEST and matrix.rows <= _TALLEST:
            yield Formula(left, self._notation.write(matrix))
            return
        entries = [(divmod(k, matrix.cols), e) for k, e in enumerate(matrix.flat()) if e != 0]
        labels = self._twists() if rows is None else rows
        size = f"{matrix.rows} by {matrix.cols}; the entries that are not zero:"
        yield Formula(left, Written(f"\\text{{{size}}}", f"<mtext>{size}</mtext>"))
        yield Table(
            ("row", "column", "entry") if columns else ("row", "entry"),
            tuple(
                (labels[i], *([columns[j]] if columns else []), self._notation.write(entry))
                for (i, j), entry in entries[:_MOST_ENTRIES]
            ),
        )
        if len(entries) > _MOST_ENTRIES:
            yield Paragraph(f"and {len(entries) - _MOST_ENTRIES} more; the exports have them all.")

    def _twists(self) -> Labels:
        names = ("vx", "vy", "vz", "wx", "wy", "wz")
        return [f"{body} {names[row]}" for body in self._kin.bodies for row in self._kin.rows]

    def _speeds(self) -> Labels:
        return [self._notation.write(u) for u in self._kin.u]

    def _formula(self, left: Written, right: sp.Basic | sp.MatrixBase) -> Formula:
        return Formula(left, self._notation.write(right))


def _plain(letter: str) -> Written:
    return Written(letter, f"<mi>{letter}</mi>")


def _dot(letter: str) -> Written:
    dot = '<mo mathsize="70%">•</mo>'  # U+02D9 hides in the letter where no font is for formulas
    return Written(f"\\dot{{{letter}}}", f"<mover><mi>{letter}</mi>{dot}</mover>")


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


_B_T = Written("B^T", "<msup><mi>B</mi><mi>T</mi></msup>")


def _transposed_product() -> Written:
    return Written("B^T M B", f"<mrow>{_B_T.mathml}<mi>M</mi><mi>B</mi></mrow>")


def _reduced_left() -> Written:
    product, rate = _transposed_product(), _dot("u")
    return Written(f"{product.latex}\\,{rate.latex}", f"{product.mathml}{rate.mathml}")
