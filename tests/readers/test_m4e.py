"""M4E's lists against the tables of its published cases (the numbers of benchmarks 1 to 4).

The input is that of the authors' files (double_pendulum.py, slider_w_dpend.py,
spiderfloat.py, _4_Flexible_pendulum.py); the references are those of
tests/verification/test_m4e_cases.py: two independent formulations each, to 12 digits.
"""

import math

import numpy as np
import pytest

from cosim.errors import ModelError
from cosim.multibody.joint import JointModel
from cosim.readers import read_m4e_lists

NAN = (math.nan, math.nan)
POINTWISE = 1e-8  # at tight tolerance, as for the cases written by hand


def test_double_pendulum(run):
    start = math.radians(23)
    reading = read_m4e_lists(
        [[0, 1], [1, 2]],
        ["R", "R"],
        [[0, 0], [0, -0.5]],
        [[0, -0.5], [0, -0.5]],
        masses=[1, 1],
        inertias=[1, 1],
        initial=[start, start, 0, 0],
    )
    # both angles are absolute: the second joint is straight
    assert reading.start == {"joint1.angle": pytest.approx(start)}
    table = np.array(
        [
            (1.0, -0.271763466528, -0.003786074571, 0.270323631545, -1.463295442490),
            (10.0, -0.062612576153, 0.707157536329, -0.262266088487, -1.378146284787),
            (30.0, 0.186380644373, 0.113224874611, -0.241794997298, -1.479479803558),
        ]
    )
    y, places = run(reading, table[:, 0])
    angles = np.stack([y[:, 0], y[:, 0] + y[:, 1]], axis=1)
    np.testing.assert_allclose(angles, table[:, 1:3], atol=POINTWISE)
    np.testing.assert_allclose(places[:, 1, ::2], table[:, 3:], atol=POINTWISE)


def test_single_pendulum(run):
    """Against the elliptic function: theta = -2 asin(k sn(w0 t, k))."""
    lists = ([[0, 1]], ["R"], [[0, 0]], [[0, -0.5]])
    reading = read_m4e_lists(*lists, masses=[1], inertias=[1], initial=[0, -0.4])
    y, _ = run(reading, np.array([1.0, 10.0]))
    expected = [-0.185929631478407, -0.159608119697401]
    np.testing.assert_allclose(y[:, 0], expected, atol=POINTWISE)


def test_five_links_let_go_level(run):
    """Section 3.6 of the paper: bodies in any order, the authors' pivot at z = -1."""
    order = [3, 1, 5, 2, 4]
    reading = read_m4e_lists(
        [[b - 1, b] for b in order],
        ["R"] * 5,
        [[0, -1]] * 5,
        [[0, -1]] * 5,
        masses=[10] * 5,
        inertias=[10 * 2**2 / 12] * 5,
        initial=[-math.pi / 2] * 5 + [0] * 5,
    )
    y, places = run(reading, np.array([2.0]))
    angles = y[0, :5]  # joints by body, as the reading has them
    assert list(reading.system.joints) == [f"joint{b}" for b in range(1, 6)]
    assert angles[0] == pytest.approx(0.447117926449, abs=POINTWISE)
    assert angles.sum() == pytest.approx(1.073074459784, abs=POINTWISE)
    last = places[0, 4, ::2] + [0.0, 1.0]
    np.testing.assert_allclose(last, [-6.629072827186, -5.727370413071], atol=POINTWISE)


def cart(**changes):
    lists = {
        "joints": [[0, 1], [1, 2], [2, 3]],
        "types": ["P", "R", "R"],
        "parent_cg_to_joint": [[0, 0], [0, 0], [0, -0.5]],
        "joint_to_child_cg": [[0, 0.125], [0, -0.625], [0, -0.5]],
        "prismatic_direction": [[2, 0], NAN, NAN],
        "masses": np.ones(3),
        "inertias": np.ones(3),
        "forces": {"CG": [[1, "3*cos(1.5*t)", 0, 0]]},
    }
    return read_m4e_lists(**{**lists, **changes})


CART = [
    (1.0, 0.507758023363, 0.131685941531, 0.109160821707, 0.305567063323, -1.487283605920),
    (10.0, 0.675325711565, -0.091373371971, -0.326980372641, 0.938570203864, -1.468815160832),
]


def test_double_pendulum_on_a_cart(run):
    table = np.array(CART)
    y, places = run(cart(), table[:, 0])
    got = np.stack([y[:, 0], y[:, 1], y[:, 1] + y[:, 2]], axis=1)
    np.testing.assert_allclose(got, table[:, 1:4], atol=POINTWISE)
    np.testing.assert_allclose(places[:, 2, ::2], table[:, 4:], atol=POINTWISE)


def test_sympy_expressions_and_parameters(run):
    import sympy

    t, F0 = sympy.symbols("t F0", real=True)
    table = np.array(CART[:1])
    reading = cart(
        forces={"CG": [[1, F0 * sympy.cos(1.5 * t), 0, 0]]},
        masses=["m", "m", sympy.Symbol("m")],
        parameters={"F0": 3.0, "m": 1.0},
    )
    assert reading.system.source["bodies"]["body1"]["mass"] == "=m"  # stays a symbol
    _, places = run(reading, table[:, 0])
    np.testing.assert_allclose(places[:, 2, ::2], table[:, 4:], atol=POINTWISE)


def spiderfloat(codes=("BD10", "BD20", "GR01")):
    one, two, ground = codes
    return read_m4e_lists(
        [[0, 1], [1, 2], [1, 3], [2, 4], [3, 5], [4, 6], [5, 7]],
        ["F", "R", "R", "P", "P", "R", "R"],
        [[10, 6], [0.5, -2], [-0.5, -2], [4.5, 0], [-4.5, 0], [0, 0], [0, 0]],
        [NAN, [5, 0], [-5, 0], [0.5, 0], [-0.5, 0], [0, 1.5], [0, 1.5]],
        prismatic_direction=[NAN, NAN, NAN, [1, 0], [1, 0], NAN, NAN],
        masses=np.ones(7),
        inertias=2 * np.ones(7),
        gravity=0.0,
        points={
            "GR": [[20, 0], [0, 0]],
            "BD": {
                1: [[0.5, -2.5], [-0.5, -2.5], [0.5, 5], [-0.5, 5]],
                2: [[4, 0], [4.5, 0]],
                3: [[-4, 0], [-4.5, 0]],
            },
        },
        forces={
            "CG": [[1, 0, "cos(t)", 0], [4, "cos(t)", 0, 0], [5, "-cos(t)", 0, 0]],
            "TensionSpring": [
                ((one, two), [9.0139, 0.1]),
                (("BD11", "BD30"), [9.0139, 0.1]),
                (("BD1.2", "BD2_1"), [11.8004, 0.1]),
                (("BD13", "BD31"), [11.8004, 0.1]),
                ((two, "GR00"), [3.0414, 0.1]),
                ((ground, "BD30"), [3.0414, 0.1]),
            ],
            "TensionDamper": [(("GR00", "CG22"), 3), (("GR01", "CG3"), 3)],
            "TorsionSpring": [((1, 2), [0, 100.0]), ((3, 1), [0, 100.0])],
            "TorsionDamper": [((1, 2), 10.0), ((3, 1), 10.0)],
        },
        initial=np.zeros(18),
    )


def test_spiderfloat(run):
    table = np.array(
        [
            (1.0, 6.214643578571, 0.023796680253, 0.315075148564, -0.110087028970),
            (5.0, 5.501053244708, -0.035520265973, 0.587302389529, -0.249570739664),
        ]
    )
    y, places = run(spiderfloat(), table[:, 0])
    # joint coordinates x, z, angle of 1, then joints 2 to 7
    theta2, s4, theta6 = y[:, 3], y[:, 5], y[:, 3] + y[:, 7]
    got = np.stack([places[:, 0, 2], theta2, s4, theta6], axis=1)
    np.testing.assert_allclose(got, table[:, 1:], atol=POINTWISE)
    np.testing.assert_allclose(places[:, 0, 0], 10.0, atol=POINTWISE)


def test_flexible_pendulum(run):
    x0, z0 = 10.0, -100.00216312373226
    stiffness = "9950248.756218905*l"  # of the symbol l: the force itself
    reading = read_m4e_lists(
        [[0, 1]],
        ["F"],
        [[x0, z0]],
        [NAN],
        masses=[1e5],
        inertias=[1e5],
        gravity=9.80665,
        points={"GR": [[0, 0]]},
        forces={"TensionSpring": [(("GR00", "CG11"), [100.5, stiffness])]},
        initial=[x0, z0, 0, 0, 0, 0],
    )
    table = np.array(
        [
            (0.1, 9.99956927994, -100.04688829522),
            (5.0, 0.10704981104, -100.50960788817),
            (12.0, -8.24315305432, -100.16774915616),
        ]
    )
    _, places = run(reading, table[:, 0])
    np.testing.assert_allclose(places[:, 0, ::2], table[:, 1:], atol=POINTWISE)


def pendula(n, **forces):
    return read_m4e_lists(
        [[i, i + 1] for i in range(n)],
        ["R"] * n,
        [[0, 0]] + [[0, -0.5]] * (n - 1),
        [[0, -0.5]] * n,
        masses=[1] * n,
        inertias=[1] * n,
        points={"BD": {n: [[0, -0.5]]}},
        **forces,
    )


def test_body_twelve():
    system = pendula(12, forces={"PointsBD": [[12, 0, 1.0, 0, 0]]}).system
    assert system.elements["force1"].point == "body12/p0"
    springs = {"TensionSpring": [(("BD12.0", "CG11.0"), [0.1, 1.0])]}
    assert pendula(12, forces=springs).system.elements["spring1"].points == ("body12/p0", "body11")


@pytest.mark.parametrize("bodies", [(1, 2), (2, 1), (1, 3), (0, 3)])
@pytest.mark.parametrize("law", ["linear", "nonlinear"])
def test_moments_of_torsion_springs_and_dampers(bodies, law):
    """On i: k (th_j - th_i - th0) and c (th_j' - th_i'), the opposite on j: the virtual work."""
    k, c = ("5.0", "2.0") if law == "linear" else ("5.0*theta", "2.0*thetad")
    forces = {"TorsionSpring": [(bodies, [0.3, k])], "TorsionDamper": [(bodies, c)]}
    reading = pendula(3, forces=forces, gravity=0.0)
    model = JointModel(reading.system)
    q, u = np.array([0.2, -0.5, 0.9]), np.array([0.3, 0.1, -0.4])
    theta, rate = np.concatenate([[0.0], q.cumsum()]), np.concatenate([[0.0], u.cumsum()])
    i, j = bodies
    on_j = -5.0 * (theta[j] - theta[i] - 0.3) - 2.0 * (rate[j] - rate[i])
    expected = on_j * (np.arange(3) < j) - on_j * (np.arange(3) < i)
    plain = JointModel(pendula(3, gravity=0.0).system)
    zero = np.zeros(3)
    for m in (model, plain):
        m.kinematics(0.0, q, u)
    B = plain.velocity_transformation()
    M = B.T @ np.kron(np.eye(3), np.eye(6)) @ B  # masses and inertias are all 1
    change = model.accelerations(zero)[0] - plain.accelerations(zero)[0]
    np.testing.assert_allclose(M @ change, expected, atol=1e-12)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"types": ["P", "R", "X"]}, "has the type 'X'; there are R, P and F"),
        ({"types": ["P", "R"]}, "'types' has 2 entries and 'joints' 3"),
        ({"joints": [[0, 1], [1], [2, 3]]}, r"joints\[1\]: two bodies"),
        ({"joints": [[0, 1], [1, "two"], [2, 3]]}, "'two' is not the number of a body"),
        ({"joints": [[0, 1], [1, 4], [2, 3]]}, "bodies are 0 .ground. to 3"),
        ({"initial": ["a"] * 6}, "not a number"),
        ({"joints": [[0, 1], [1, 2], [1, 2]]}, "body 2 is the child of two joints"),
        ({"joints": [[0, 1], [3, 2], [2, 3]]}, "hangs on itself"),
        ({"prismatic_direction": None}, "is prismatic and has no 'prismatic_direction'"),
        ({"initial": [0, 0, 0]}, "3 coordinates and 3 rates are needed"),
        (
            {"forces": {"TensionSpring": [("BD10", "BD20", [1, 2])]}},
            r"\[0\]: .* is not of the form \[\(point, point\), \[length, stiffness\]\]",
        ),
        ({"forces": {"CG": 5}}, "a list is needed, not 5"),
        ({"forces": [1]}, "a mapping of types to lists is needed"),
        ({"points": {"GR": [1, 2]}}, r"points\['GR'\]\[0\]: two values"),
        ({"points": {"BD": [[0, 0]]}}, "is needed, not {'BD'"),
        ({"masses": [1]}, "'masses' has 1 entries for 3 bodies"),
        ({"points": {"JO": []}}, "points on joints"),
        ({"forces": {"Tensionspring": []}}, "did you mean 'TensionSpring'?"),
        ({"forces": {"TensionSpring": [(("JO12", "CG1"), [1, 1])]}}, "points on joints"),
        ({"forces": {"TensionSpring": [(("BD70", "CG1"), [1, 1])]}}, "there is no body 7"),
        ({"forces": {"TensionSpring": [(("GR0", "CG1"), [1, 1])]}}, "no ground point 0"),
        ({"forces": {"TensionSpring": [(("BD123", "CG1"), [1, 1])]}}, "may mean several points"),
        ({"forces": {"TensionDamper": [(("CG1", "CG2"), lambda ld: ld)]}}, "Python function"),
        ({"forces": {"TorsionSpring": [((0, 1), [0, 1])]}}, "cannot turn against each other"),
        ({"forces": {"CG": [[9, 0, 0]]}}, "there is no body 9"),
    ],
)
def test_refusals(changes, sentence):
    with pytest.raises(ModelError, match=sentence.replace("?", r"\?")):
        cart(**changes).system  # noqa: B018  (the property validates)


def test_floating_body_at_two_places():
    with pytest.raises(ModelError, match=r"'initial' puts X .* at 4 m and .* at 10 m"):
        read_m4e_lists(
            [[0, 1]], ["F"], [[10, 0]], [NAN], masses=[1], inertias=[1], initial=[4, 0, 0, 0, 0, 0]
        )
