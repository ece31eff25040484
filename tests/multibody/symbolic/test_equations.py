"""The equations of motion against textbooks and Lagrange's equations."""

import numpy as np
import pytest
import sympy as sp

from cosim.errors import ModelError
from cosim.model import System
from cosim.multibody.joint.symbolic import derive


def double_pendulum():
    """Benchmark 1 with every number a parameter; lengths L to the next joint, a to the CG."""
    names = ("m1", "m2", "J1", "J2", "L1", "a1", "a2", "g")
    return System.from_dict(
        {
            "parameters": dict(zip(names, (1, 1, 1, 1, 1, 0.5, 0.5, 9.81), strict=True)),
            "environment": {"gravity": "=g"},
            "bodies": {
                "rod1": {"mass": "=m1", "cog": [0, 0, "=-a1"], "inertia": [1, "=J1", 1]},
                "rod2": {"mass": "=m2", "cog": [0, 0, "=-L1-a2"], "inertia": [1, "=J2", 1]},
            },
            "joints": {
                "hinge1": {"type": "revolute", "child": "rod1", "at": [0, 0, 0], "axis": [0, 1, 0]},
                "hinge2": {
                    "type": "revolute",
                    "parent": "rod1",
                    "child": "rod2",
                    "at": [0, 0, "=-L1"],
                    "axis": [0, 1, 0],
                },
            },
        }
    )


def same(matrix, expected):
    return all(sp.simplify(sp.expand(entry)) == 0 for entry in matrix - expected)


@pytest.mark.parametrize("inline", [True, False])
def test_double_pendulum_is_the_one_of_the_textbooks(inline):
    equations = derive(double_pendulum(), angles="absolute", inline=inline)
    kin = equations.kin
    m1, m2, J1, J2, L, a, b, g = (
        kin.values.symbols[name] for name in ("m1", "m2", "J1", "J2", "L1", "a1", "a2", "g")
    )
    (p, r), (w, v) = kin.q, kin.u
    coupling = m2 * L * b
    assert same(
        kin.expand(equations.lhs),
        sp.Matrix(
            [
                [J1 + m1 * a**2 + m2 * L**2, coupling * sp.cos(p - r)],
                [coupling * sp.cos(p - r), J2 + m2 * b**2],
            ]
        ),
    )
    assert same(
        kin.expand(equations.rhs),
        sp.Matrix(
            [
                -coupling * sp.sin(p - r) * v**2 - (m1 * a + m2 * L) * g * sp.sin(p),
                coupling * sp.sin(p - r) * w**2 - m2 * g * b * sp.sin(r),
            ]
        ),
    )


def test_relative_angles_give_the_same_pendulum():
    ours, paper = (derive(double_pendulum(), angles=form) for form in ("relative", "absolute"))
    T = sp.Matrix([[1, 0], [1, 1]])  # absolute rates of relative ones
    relations = dict(zip(paper.kin.q, T * sp.Matrix(ours.kin.q), strict=True))
    rates = dict(zip(paper.kin.u, T * sp.Matrix(ours.kin.u), strict=True))
    there = {**relations, **rates}
    assert same(ours.lhs, T.T * paper.lhs.subs(there, simultaneous=True) * T)
    assert same(ours.rhs, T.T * paper.rhs.subs(there, simultaneous=True))


BODY = {"mass": "=m", "inertia": [3, 4, 5, 0.5, 0, 0.25]}
SPRING = {"type": "joint", "joint": "first", "stiffness": 7, "rest": 0.25}
PLANE = {
    "parameters": {"m": 2},
    "environment": {"gravity": 10},
    "bodies": {
        "cart": {**BODY, "cog": [1, 0, 0]},
        "arm": {**BODY, "cog": [1, 0, -2], "points": {"end": [1, 0, -3]}},
        "tip": {**BODY, "cog": [1, 0, -4]},
    },
    "joints": {
        "first": {"type": "prismatic", "child": "cart", "at": [0, 0, 0], "axis": [1, 0, 0]},
        "second": {
            "type": "revolute",
            "parent": "cart",
            "child": "arm",
            "at": [1, 0, -1],
            "axis": [0, -1, 0],
        },
        "third": {
            "type": "prismatic",
            "parent": "arm",
            "child": "tip",
            "at": [1, 0, -3],
            "axis": [0, 0, 1],
        },
    },
    "earth_points": {"wall": [-3, 0, 1]},
    "elements": {
        "spring": SPRING,
        "rope": {
            "type": "tension",
            "points": ["earth/wall", "arm/end"],
            "stiffness": 3,
            "length": 2,
        },
    },
}
SPACE = {
    "parameters": {"m": 2},
    "environment": {"gravity": 10},
    "bodies": {"ring": {**BODY, "cog": [1, 0, 0]}, "arm": {**BODY, "cog": [1, 1, -2]}},
    "joints": {
        "first": {"type": "cylindrical", "child": "ring", "at": [0, 1, 0], "axis": [0, 0, 1]},
        "second": {
            "type": "universal",
            "parent": "ring",
            "child": "arm",
            "at": [1, 0, -1],
            "axis1": [1, 0, 0],
            "axis2": [0, 1, 0],
        },
    },
    "elements": {"spring": {**SPRING, "coordinate": "angle"}},
}


@pytest.mark.parametrize("angles", ["relative", "absolute"])
@pytest.mark.parametrize("inline", [True, False])
def test_energies_give_the_same_planar_equations_by_lagrange(angles, inline):
    """At random rational states, to 25 digits: every number of the description is exact."""
    equations = derive(System.from_dict(PLANE), angles=angles, inline=inline)
    kin = equations.kin
    T, V = kin.expand(equations.kinetic), kin.expand(equations.potential)
    accelerations = sp.symbols(f"a:{len(kin.u)}")
    lagrange = by_lagrange(T, V, (kin.q, kin.u, accelerations), sp.diff)
    ours = kin.expand(equations.lhs) * sp.Matrix(accelerations) - kin.expand(equations.rhs)
    rng = np.random.default_rng(3)
    for _ in range(3):
        symbols = [*kin.q, *kin.u, *accelerations, *kin.values.numbers]
        state = {s: sp.Rational(int(rng.integers(1, 99)), 70) for s in symbols}
        for mine, reference in zip(ours, lagrange, strict=True):
            difference = (mine - reference).xreplace(state).evalf(30)
            assert abs(difference) < 1e-25


@pytest.mark.parametrize("inline", [True, False])
def test_energies_give_the_same_equations_in_space_by_lagrange(inline, symbols):
    """As polynomials, exactly."""
    equations = derive(System.from_dict(SPACE), keep=(), inline=inline)
    kin = equations.kin
    names = sp.symbols(f"a:{len(kin.u)}")
    algebra = symbols.Algebra(kin, extra=names)
    T, V = algebra.polynomial(equations.kinetic), algebra.polynomial(equations.potential)
    q, u, accelerations = (algebra.matrix(sp.Matrix(x)).ravel() for x in (kin.q, kin.u, names))
    lagrange = by_lagrange(T, V, (q, u, accelerations), algebra.partial)
    lhs, rhs = algebra.matrix(equations.lhs), algebra.matrix(equations.rhs).ravel()
    assert algebra.vanish(lhs @ accelerations - rhs - np.array(lagrange, dtype=object))


def by_lagrange(T, V, variables, diff):
    """d/dt dT/du - dT/dq + dV/dq for every coordinate, where q' = u."""
    q, u, accelerations = variables
    momenta = [diff(T, speed) for speed in u]
    return [
        sum(
            diff(p, other) * speed + diff(p, speed) * acceleration
            for other, speed, acceleration in zip(q, u, accelerations, strict=True)
        )
        - diff(T, x)
        + diff(V, x)
        for p, x in zip(momenta, q, strict=True)
    ]


def test_a_system_without_freedom_has_empty_equations():
    body = {"mass": 1, "cog": [0, 0, 0], "inertia": [1, 1, 1]}
    equations = derive(
        System.from_dict(
            {"bodies": {"block": body}, "joints": {"weld": {"type": "fixed", "child": "block"}}}
        )
    )
    assert equations.lhs.shape == (0, 0)
    assert equations.rhs.shape == (0, 1)
    assert equations.kinetic == 0


def test_names_never_collide():
    body = {"mass": 1, "cog": [0, 0, 0], "inertia": [1, 1, 1]}
    hinge = {"type": "revolute", "at": [0, 0, "=theta_arm"], "axis": [0, 1, 0]}
    equations = derive(
        System.from_dict(
            {
                "parameters": {"theta_arm": 1.0, "t": 2.0},
                "bodies": {"arm": body, "leg/arm": body, "leg_arm": body},
                "joints": {
                    "arm": {**hinge, "child": "arm"},
                    "leg/arm": {**hinge, "child": "leg/arm"},
                    "leg_arm": {**hinge, "child": "leg_arm"},
                },
            }
        ),
        inline=False,
    )
    kin = equations.kin
    symbols = [*kin.q, *kin.u, kin.t, *kin.values.numbers, *(s for s, _ in kin.definitions)]
    assert len({str(symbol) for symbol in symbols}) == len(symbols)


def test_speeds_have_no_derivative(symbols):
    kin = derive(symbols.chain(3), inline=False).kin
    with pytest.raises(ModelError, match="depends on speeds"):
        kin.dt(kin.velocity("link3")[0])


@pytest.mark.parametrize("angles", ["relative", "absolute"])
def test_entries_of_a_long_chain_stay_short(angles, symbols):
    """60 links: no entry of B, B' or of an intermediate grows with the length of the chain."""
    kin = derive(symbols.chain(60), angles=angles).kin
    matrices = {*kin.B(), *kin.B_dot()}
    entries = matrices | {expression for _, expression in kin.definitions}
    assert max(entry.count_ops() for entry in entries) <= 5
    if angles == "absolute":
        assert len(matrices) < 8 * 60  # bodies beyond a joint share its entries


def test_attitude_dependent_inertia_has_its_time_derivative(symbols):
    """dt of the named entries of R J R' against dt of the written-out ones."""
    system = System.from_dict(
        {
            "bodies": {
                "bob": {"mass": 1, "cog": [0, 0, 0], "inertia": [2, 3, 4, 0.3, -0.2, 0.1]},
            },
            "joints": {
                "ball": {
                    "type": "universal",
                    "child": "bob",
                    "at": [0, 0, 0],
                    "axis1": [1, 0, 0],
                    "axis2": [0, 1, 0],
                }
            },
        }
    )
    state = (0.0, [0.4, -0.7], [1.1, 0.6])
    named, written = (
        symbols.numbers(e.kin, [sp.Matrix(e.M[3:, 3:]).applyfunc(e.kin.dt)], state)[0]
        for e in (derive(system, inline=False), derive(system, inline=True))
    )
    assert abs(written).max() > 0.1
    np.testing.assert_allclose(named, written, rtol=0, atol=1e-14)


def test_angles_of_another_name_are_refused():
    with pytest.raises(ModelError, match="angles are relative or absolute, not 'Absolute'"):
        derive(double_pendulum(), angles="Absolute")


def test_points_of_earth_that_belong_to_a_placed_part():
    """``earth/leg/hook``: the name of the part stands before that of its point."""
    part = {
        "bodies": {"rod": {"mass": 1, "cog": [0, 0, -1], "inertia": [1, 1, 1]}},
        "joints": {
            "hinge": {"type": "revolute", "child": "rod", "at": [0, 0, 0], "axis": [0, 1, 0]}
        },
        "elements": {
            "spring": {"type": "tension", "points": ["rod", "earth/hook"], "stiffness": 2.0}
        },
        "earth_points": {"hook": [1, 0, "=h"]},
    }
    system = System.from_dict(
        {
            "parameters": {"h": 0.25},
            "parts": {"leg": part},
            "place": [{"part": "leg", "name": "a", "at": [2, 0, 0]}],
        }
    )
    equations = derive(system)
    h = equations.kin.values.symbols["h"]
    (address,) = (f"earth/{name}" for name in system.earth_points)
    assert address == "earth/a/hook"
    assert list(equations.kin.position(address)) == [3, 0, h]
    assert equations.potential.has(h)
