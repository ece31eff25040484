"""The first part of a report: what the system is, in words and tables."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from cosim.model.base import EARTH
from cosim.model.joints import JointKind, Planar, Universal
from cosim.multibody.joint.symbolic.document import Block, Heading, Paragraph, Table
from cosim.multibody.joint.symbolic.equations import Equations
from cosim.multibody.joint.symbolic.kinematics import Kinematics
from cosim.multibody.joint.symbolic.notation import Notation, Written

__all__ = ["description"]


def description(equations: Equations, notation: Notation) -> Iterator[Block]:
    """Bodies, joints, branches and their numbers, coordinates, parameters, elements."""
    kin = equations.kin
    yield Paragraph(_summary(kin))
    yield Heading("Bodies")
    yield Paragraph("Numbered along the branches from earth, as Algorithm 1 of the paper does.")
    yield Table(
        ("number", "body", "mass, kg", "inertia, kg m²", "hangs on", "by joint"),
        tuple(_body(kin, body, notation) for body in kin.tree.order),
    )
    yield Heading("Branches")
    yield Table(
        ("branch", "bodies from earth to the end"),
        tuple(
            (str(k), " → ".join([EARTH, *(f"{b} ({kin.tree.number[b]})" for b in branch)]))
            for k, branch in enumerate(kin.tree.branches, start=1)
        ),
    )
    yield Heading("Joints")
    yield Table(
        ("joint", "kind", "parent", "child", "place at q = 0, m", "axis"),
        tuple(
            (name, j.type, j.parent, j.child, *_place_and_axis(kin, name, j, notation))
            for name, j in kin.system.joints.items()
        ),
    )
    yield from _coordinates(kin, notation)
    yield from _parameters(kin, notation)
    if kin.system.elements:
        yield Heading("Force elements")
        yield Table(
            ("element", "kind", "energy, J"),
            tuple(
                (name, kin.system.elements[name].type, notation.write(load.potential))
                for name, load in equations.loads.by_element.items()
            ),
        )


def _summary(kin: Kinematics) -> str:
    count = len(kin.bodies)
    freedom = len(kin.u)
    where = "in the x-z plane" if kin.planar else "in space"
    angles = (
        "Angles are absolute, about +y." if kin.angles == "absolute" else "Angles are relative."
    )
    return (
        f"{count} {'body' if count == 1 else 'bodies'} {where}, "
        f"{freedom} {'degree' if freedom == 1 else 'degrees'} of freedom. {angles} SI units, "
        "z upwards; body axes are parallel to the world's at q = 0. Numbers are shown with six "
        "digits; the Python and C exports have all. Loads of adapters are not part of these "
        "equations."
    )


def _body(kin: Kinematics, body: str, notation: Notation) -> tuple[str | Written, ...]:
    J = kin.values.inertia(body)
    inertia = J[1, 1] if kin.planar else J
    return (
        str(kin.tree.number[body]),
        body,
        notation.write(kin.values.value(("bodies", body, "mass"))),
        notation.write(inertia),
        kin.tree.parent[body],
        kin.tree.joint[body],
    )


def _place_and_axis(
    kin: Kinematics, name: str, joint: JointKind, notation: Notation
) -> tuple[Written | str, Written | str]:
    keys = type(joint).model_fields
    place, axis = (
        notation.listed(kin.values.vector(("joints", name, key)), vector=True)
        if key in keys
        else "-"
        for key in ("at", "axis")
    )
    if isinstance(joint, Planar):
        axis = joint.plane
    if isinstance(joint, Universal):
        rows = (kin.values.vector(("joints", name, key)).T for key in ("axis1", "axis2"))
        axis = notation.write(sp.Matrix.vstack(*rows))
    return place, axis


def _coordinates(kin: Kinematics, notation: Notation) -> Iterator[Block]:
    yield Heading("Coordinates and speeds")
    rows: list[tuple[str | Written, ...]] = []
    for name, form in kin.forms.items():
        joint = kin.system.joints[name]
        coordinates = ", ".join(joint.coordinates)
        names = (", ".join(map(str, symbols)) or "-" for symbols in (form.q, form.u))
        written = (notation.listed(symbols) if symbols else "-" for symbols in (form.q, form.u))
        rows.append((name, coordinates or "-", *written, *names))
    titles = ("joint", "coordinates", "q", "u", "name of q", "name of u")
    yield Table(titles, tuple(rows))


def _parameters(kin: Kinematics, notation: Notation) -> Iterator[Block]:
    numbers = kin.values.numbers
    if numbers:
        yield Heading("Parameters")
        yield Table(
            ("symbol", "name", "value"),
            tuple((notation.write(s), str(s), f"{value:.6g}") for s, value in numbers.items()),
        )
