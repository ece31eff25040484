"""Chrono's dialect: published cases written in it, and every rule against its own formula.

What the parser and its elements do was read in Project Chrono (ChParserMbsYAML, ChForceFunctors,
ChLinkRSDA, ChLinkMotor*Force/Torque, ChLoadsBody; versions 9 and 10).
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import cosim
from cosim.errors import CaseError
from cosim.multibody.joint import JointModel
from cosim.readers import read_chrono_yaml

HERE = Path(__file__).parent / "chrono"
POINTWISE = 1e-8  # against the tables of tests/verification/test_m4e_cases.py

GROUND = "{name: ground, fixed: true, location: [0, 0, 0]}"
BODY = "{name: bob, location: [0, 0, -1], mass: 2, inertia: {moments: [0.1, 0.2, 0.25]}}"
HINGE = (
    "{name: hinge, type: REVOLUTE, body1: ground, body2: bob, location: [0, 0, 0], axis: [0, 1, 0]}"
)


@pytest.fixture
def read(tmp_path):
    """Read a model from its sections, each a list of flow mappings."""

    def of(head="", **sections):
        lines = ["chrono-version: 10.0", "model:", "  name: model", *(head and [f"  {head}"])]
        for name, entries in {"bodies": [GROUND, BODY], **sections}.items():
            lines += [f"  {name}:", *(f"    - {entry}" for entry in entries)]
        file = tmp_path / "model.yaml"
        file.write_text("\n".join(lines))
        return read_chrono_yaml(file)

    return of


MOTOR = (
    "{name: m, type: LINEAR, guide: FREE, body1: ground, body2: bob, location: [0, 0, 0], "
    "axis: [1, 0, 0], actuation_type: FORCE, actuation_function: {type: CONSTANT, value: 1}}"
)


# --- published cases ------------------------------------------------------------------------


def test_double_pendulum_on_a_cart(run):
    reading = read_chrono_yaml(HERE / "cart.model.yaml")
    assert reading.end == 10.0  # of the simulation file beside it
    table = np.array(
        [
            (1.0, 0.507758023363, 0.305567063323, -1.487283605920),
            (10.0, 0.675325711565, 0.938570203864, -1.468815160832),
        ]
    )
    _, places = run(reading, table[:, 0])
    cart, lower = (list(reading.system.bodies).index(name) for name in ("cart", "lower"))
    np.testing.assert_allclose(places[:, cart, 0], table[:, 1], atol=POINTWISE)
    np.testing.assert_allclose(places[:, lower, ::2], table[:, 2:], atol=POINTWISE)


def test_spiderfloat(run):
    reading = read_chrono_yaml(HERE / "spiderfloat.model.yaml")
    assert reading.system.environment.gravity == 0.0
    table = np.array(
        [
            # t, Z1, Theta2, S4
            (1.0, 6.214643578571, 0.023796680253, 0.315075148564),
            (5.0, 5.501053244708, -0.035520265973, 0.587302389529),
        ]
    )
    y, places = run(reading, table[:, 0])
    model = JointModel(reading.system)
    shift = model.nq - model.nu  # the base floats by a quaternion
    theta2 = y[:, model.speeds.index("r1.angle") + shift]
    s4 = y[:, model.speeds.index("r2.position") + shift]
    got = np.stack([places[:, 0, 2], theta2, s4], axis=1)
    np.testing.assert_allclose(got, table[:, 1:], atol=POINTWISE)
    np.testing.assert_allclose(places[:, :, 1], 0.0, atol=POINTWISE)


@pytest.mark.parametrize(
    ("moments", "places"),
    [
        ("[0.0004, 0.004, 0.004]", (0.18495262977780, 0.21172166139348)),
        ("[0.004, 0.0004, 0.004]", (0.18861737559937, 0.23636285600100)),
    ],
    ids=["variant B", "variant A"],
)
def test_spatial_slider_crank(tmp_path, moments, places):
    """A closed loop, its velocities from that of the crank alone.

    Haug's slider-crank in the IFToMM library with the two rod inertias in circulation; the
    slider at 0.5 and 1 s from two formulations that agree to 3e-12.
    """
    model = tmp_path / "slider_crank.yaml"
    text = (HERE / "slider_crank.model.yaml").read_text()
    model.write_text(text.replace("[0.0004, 0.004, 0.004]", moments))
    reading = read_chrono_yaml(model)
    assert reading.start["ground_slider.position_rate"] == pytest.approx(0.24)
    tight = {"end": 1.0, "method": "DOP853", "rtol": 1e-11, "atol": 1e-13}
    results = cosim.run(reading.case(more={"time": tight, "output": {"step": 0.5}}))
    slider = results["position"].sel(body="slider")[1:, 0]
    np.testing.assert_allclose(slider, places, atol=POINTWISE)


# --- bodies and joints ----------------------------------------------------------------------


def test_frames_of_bodies(read):
    """Angles turn about z, y, x; inertia and centre of mass are in the turned frames."""
    tilted = (
        "{name: bob, location: [1, 2, 3], orientation: [30, -20, 10], mass: 2, "
        "com: {location: [0.1, 0.2, -0.4], orientation: [0.8, 0, 0.6, 0]}, "
        "inertia: {moments: [3, 4, 5], products: [0.1, -0.2, 0.3]}}"
    )
    body = read(bodies=[GROUND, tilted]).system.bodies["bob"]
    reference = Rotation.from_euler("ZYX", [30, -20, 10], degrees=True)
    com = reference * Rotation.from_quat([0, 0.6, 0, 0.8])  # scalar last in SciPy
    np.testing.assert_allclose(body.cog, reference.apply([0.1, 0.2, -0.4]) + np.array([1, 2, 3]))
    local = np.array([[3, 0.1, -0.2], [0.1, 4, 0.3], [-0.2, 0.3, 5]])
    expected = com.as_matrix() @ local @ com.as_matrix().T
    np.testing.assert_allclose(body.inertia_tensor(), expected, atol=1e-13)


@pytest.mark.parametrize("degrees", ["true", "false"])
def test_radians_and_degrees(read, degrees):
    angle = 90 if degrees == "true" else np.pi / 2
    body = BODY.replace("mass", f"orientation: [{angle}, 0, 0], com: {{location: [1, 0, 0]}}, mass")
    system = read(f"angle_degrees: {degrees}", bodies=[GROUND, body]).system
    np.testing.assert_allclose(system.bodies["bob"].cog, [0, 1, -1], atol=1e-15)


def test_bodies_without_joints_float(read):
    other = BODY.replace("bob", "second body").replace("[0, 0, -1]", "[5, 0, 0]")
    link = HINGE.replace("ground", "second body")
    joints = read(bodies=[GROUND, BODY, other], joints=[link]).system.joints
    assert joints["bob_floating"].type == "floating"
    # the first body of a group floats, whichever the file calls body1
    assert (joints["hinge"].parent, joints["hinge"].child) == ("bob", "second_body")


@pytest.mark.parametrize("swapped", [False, True])
def test_axes_of_universal_joints_belong_to_their_bodies(read, swapped):
    ends = "body1: bob, body2: ground" if swapped else "body1: ground, body2: bob"
    joint = f"{{name: cross, type: UNIVERSAL, {ends}, location: [0, 0, 0], axis1: [1, 0, 0], "
    joints = read(joints=[joint + "axis2: [0.5, 0, 2]}"]).system.joints
    axes = [joints["cross"].axis1, joints["cross"].axis2]
    np.testing.assert_allclose(axes, [[0, 0, 1], [1, 0, 0]] if swapped else [[1, 0, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("kind", "more", "expected"),
    [
        ("LOCK", "", "fixed"),
        ("SPHERICAL", "", "spherical"),
        ("PRISMATIC", "axis: [0, 1, 0]", "prismatic"),
        ("CYLINDRICAL", "axis: [0, 1, 0]", "cylindrical"),
        ("PLANAR", "axis: [0, -1, 0]", "planar"),
    ],
)
def test_kinds_of_joints(read, kind, more, expected):
    joint = f"{{name: j, type: {kind}, body1: bob, body2: ground, location: [0, 0, 1], {more}}}"
    read_joint = read(joints=[joint]).system.joints["j"]
    assert (read_joint.type, read_joint.parent, read_joint.child) == (expected, "earth", "bob")


def test_closed_loop_is_cut_where_it_ties_least():
    joints = read_chrono_yaml(HERE / "slider_crank.model.yaml").system.joints
    assert [name for name, joint in joints.items() if joint.cut] == ["crank_rod"]
    assert {name: (j.parent, j.child) for name, j in joints.items() if not j.cut} == {
        "ground_crank": ("earth", "crank"),
        "ground_slider": ("earth", "slider"),
        "rod_slider": ("slider", "rod"),
    }


def test_joint_under_the_name_of_another_body(read):
    second = BODY.replace("bob", "arm")
    joints = [HINGE.replace("name: hinge", "name: arm"), HINGE.replace("body2: bob", "body2: arm")]
    system = read(bodies=[GROUND, BODY, second], joints=joints).system
    assert system.joints["arm_joint"].child == "bob"


# --- initial velocities ---------------------------------------------------------------------


def test_names_that_are_none_here_are_changed_and_told(read, caplog):
    caplog.set_level("INFO")
    bodies = [BODY.replace("name: bob", f"name: {name!r}") for name in ("Boué 1", "Boue-1", "bob")]
    assert list(read(bodies=bodies).system.bodies) == ["Boue_1", "Boue_1_2", "bob"]
    assert caplog.messages == [
        "'Boué 1' of the model is called 'Boue_1' in bodies",
        "'Boue-1' of the model is called 'Boue_1_2' in bodies",
    ]


def test_initial_velocities(read):
    """Angular velocity in the axes of the body: of a pendulum turned by 90 degrees about z."""
    spinning = BODY.replace(
        "mass", "orientation: [90, 0, 0], initial_angular_velocity: [0.4, 0, 0], mass"
    )
    reading = read(bodies=[GROUND, spinning], joints=[HINGE])
    assert reading.start == {"hinge.angle_rate": pytest.approx(0.4)}


def test_bodies_whose_velocity_is_not_given_do_not_turn(read):
    first = BODY.replace("mass", "initial_angular_velocity: [0, 0.4, 0], mass")
    second = BODY.replace("bob", "tip").replace("[0, 0, -1]", "[0, 0, -3]")
    middle = HINGE.replace("hinge", "middle").replace("ground", "tip")
    middle = middle.replace("location: [0, 0, 0]", "location: [0, 0, -2]")
    reading = read(bodies=[GROUND, first, second], joints=[HINGE, middle])
    rates = {"hinge.angle_rate": 0.4, "middle.angle_rate": -0.4}
    assert reading.start == {key: pytest.approx(rate) for key, rate in rates.items()}


def test_velocity_of_a_free_body(read):
    flying = BODY.replace(
        "mass",
        "initial_linear_velocity: [1, 2, 3], initial_angular_velocity: [0.1, 0.2, 0.3], mass",
    )
    start = read(bodies=[GROUND, flying]).start
    names = ("surge", "sway", "heave", "roll", "pitch", "yaw")
    got = [start[f"bob_floating.{name}_rate"] for name in names]
    np.testing.assert_allclose(got, [1, 2, 3, 0.1, 0.2, 0.3])


def test_velocity_that_a_joint_does_not_allow(read):
    torn = BODY.replace("mass", "initial_linear_velocity: [0, 1, 0], mass")
    with pytest.raises(CaseError, match=r"yaml:6: body 'bob': the joints do not allow its 'ini"):
        read(bodies=[GROUND, torn], joints=[HINGE])


# --- springs, motors, loads -----------------------------------------------------------------

PAIR = [
    GROUND,
    "{name: one, location: [0, 0, 0], mass: 2, inertia: {moments: [1, 1.5, 2]}}",
    "{name: two, location: [1, 0.5, 0], mass: 3, inertia: {moments: [2, 1.2, 1.4]}}",
]
Q = np.array([0.1, -0.2, 0.3, 0.9, 0.1, -0.3, 0.2, -0.4, 0.1, 0.2, 0.8, 0.3, 0.1, -0.2])
U = np.array([0.5, -0.1, 0.3, 0.2, -0.6, 0.4, -0.2, 0.3, 0.1, -0.5, 0.7, 0.3])


def loads_on_pair(reading, t=0.7):
    """Forces and moments on the centres of gravity of two free bodies, and their state."""
    data = {**reading.description, "environment": {"gravity": 0.0}}
    model = JointModel(type(reading.system).from_dict(data))
    q, u = Q.copy(), U.copy()
    state = model.kinematics(t, q, u).copy()
    acceleration = model.accelerations(np.zeros(12))[0].reshape(2, 6)
    loads = np.empty((2, 6))
    for k, body in enumerate(model.system.bodies.values()):
        J = state.R[k] @ body.inertia_tensor() @ state.R[k].T
        w = state.v[k, 3:]
        loads[k, :3] = body.mass * acceleration[k, :3]
        loads[k, 3:] = J @ acceleration[k, 3:] + np.cross(w, J @ w)
    return loads, state


def interpolated(x, table):
    return np.interp(x, *np.transpose(table))


TSDA = "{name: s, body1: one, body2: two, point1: [0.2, 0, 0.1], point2: [1, 0.2, -0.1], "
CURVE = [[-1.0, -30.0], [0.0, 0.0], [0.5, 4.0], [2.0, 50.0]]


@pytest.mark.parametrize(
    ("keys", "force"),
    [
        ("spring_coefficient: 40, free_length: 0.6", lambda x, v: -40 * x),
        ("damping_coefficient: 7", lambda x, v: -7 * v),
        (
            "spring_coefficient: 40, damping_coefficient: 7, preload: 3, free_length: 0.6",
            lambda x, v: 3 - 40 * x - 7 * v,
        ),
        (
            f"spring_curve_data: {CURVE}, preload: 3, free_length: 0.6",
            lambda x, v: 3 - interpolated(x, CURVE),
        ),
        (
            f"spring_curve_data: {CURVE}, damping_curve_data: {CURVE}, free_length: 0.6",
            lambda x, v: -interpolated(x, CURVE) - interpolated(v, CURVE),
        ),
        (
            "damping_coefficient: 7, degressivity_compression: 0.4, degressivity_expansion: 0.9",
            lambda x, v: -7 * v / (1 + 0.9 * v) if v > 0 else -7 * v / (1 - 0.4 * v),
        ),
    ],
)
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_translational_spring_dampers(read, monkeypatch, keys, force, way):
    """Positive forces push the points apart."""
    monkeypatch.setattr(f"{__name__}.U", way * U)
    loads, state = loads_on_pair(read(bodies=PAIR, tsdas=[TSDA + keys + "}"]))
    cogs = np.array([[0, 0, 0], [1, 0.5, 0.0]])
    arms = np.einsum("kij,kj->ki", state.R, np.array([[0.2, 0, 0.1], [1, 0.2, -0.1]]) - cogs)
    points = state.r + arms
    velocities = state.v[:, :3] + np.cross(state.v[:, 3:], arms)
    along = points[1] - points[0]
    length = np.linalg.norm(along)
    along /= length
    pushed = force(length - 0.6, along @ (velocities[1] - velocities[0])) * along
    expected = [[*(-pushed), *np.cross(arms[0], -pushed)], [*pushed, *np.cross(arms[1], pushed)]]
    np.testing.assert_allclose(loads, expected, atol=1e-11)


def pendulum_torque(reading, angle, rate, t=0.7):
    """Generalised force on the hinge of BODY without weight."""
    data = {**reading.description, "environment": {"gravity": 0.0}}
    model = JointModel(type(reading.system).from_dict(data))
    model.kinematics(t, np.array([angle]), np.array([rate]))
    return 2.2 * model.accelerations(np.zeros(1))[0][0]  # m l² + Iyy


@pytest.mark.parametrize("bodies", [("ground", "bob"), ("bob", "ground")])
@pytest.mark.parametrize("axis", [1, -1])
@pytest.mark.parametrize("curves", [False, True])
def test_rotational_spring_dampers_at_a_hinge(read, bodies, axis, curves):
    """On body2 about the axis: preload - k (a - free) - c a', a the turn of 2 against 1."""
    k, c = "spring_coefficient: 40", "damping_coefficient: 7"
    if curves:
        k, c = f"spring_curve_data: {CURVE}", f"damping_curve_data: {CURVE}"
    rsda = (
        f"{{name: s, body1: {bodies[0]}, body2: {bodies[1]}, axis: [0, {axis}, 0], "
        f"{k}, {c}, preload: 3, free_angle: 20}}"
    )
    angle, rate = 0.9, -0.4
    got = pendulum_torque(read(joints=[HINGE], rsdas=[rsda]), angle, rate)
    way = axis if bodies[1] == "bob" else -axis
    x, v = way * angle - np.radians(20), way * rate
    on_two = 3 - 40 * x - 7 * v
    if curves:
        on_two = 3 - interpolated(x, CURVE) - interpolated(v, CURVE)
    assert got == pytest.approx(way * on_two, abs=1e-11)


def test_rotational_spring_between_free_bodies(read):
    """Without a hinge: along the twist of the second body in the axes of the first."""
    rsda = (
        "{name: s, body1: one, body2: two, axis: [0, 0, 2], spring_coefficient: 40, free_angle: 9}"
    )
    reading = read(bodies=PAIR, rsdas=[rsda])
    element = reading.system.elements["s"]
    assert (element.type, element.bodies) == ("torsion", ("one", "two"))
    assert element.rest == pytest.approx(np.radians(9))
    loads, state = loads_on_pair(reading)
    np.testing.assert_allclose(loads[0], -loads[1], atol=1e-11)

    def twist(dt):
        one, two = (
            Rotation.from_rotvec(dt * state.v[k, 3:]) * Rotation.from_matrix(state.R[k])
            for k in (0, 1)
        )
        _, _, z, w = (one.inv() * two).as_quat()
        return 2 * np.arctan2(z, w)

    rate = (twist(1e-6) - twist(-1e-6)) / 2e-6
    power = loads[1, 3:] @ (state.v[1, 3:] - state.v[0, 3:])
    assert power == pytest.approx(-40 * (twist(0) - np.radians(9)) * rate, rel=1e-8)


@pytest.mark.parametrize("bodies", [("ground", "bob"), ("bob", "ground")])
@pytest.mark.parametrize("spindle", ["REVOLUTE", "FREE"])
@pytest.mark.parametrize(
    ("function", "value"),
    [
        ("{type: CONSTANT, value: 5}", lambda t: 5),
        ("{type: POLYNOMIAL, coefficients: [3, 0.1, 2]}", lambda t: 3 + 0.1 * t + 2 * t**2),
        (
            "{type: SINE, amplitude: 3, frequency: 0.5, phase: 30}",
            lambda t: 3 * np.sin(np.pi * t + np.pi / 6),
        ),
        ("{type: RAMP, slope: 2, intercept: 1}", lambda t: 1 + 2 * t),
        ("{type: RAMP, slope: 2, y0: 1, t0: 0.5}", lambda t: 1 + 2 * max(0, t - 0.5)),
        ("{type: DATA, data: [[0, 0], [0.5, 3], [2, 1]]}", lambda t: 3 - 2 / 1.5 * (t - 0.5)),
    ],
)
def test_torque_motors(read, bodies, spindle, function, value):
    """On body1 about the axis, the opposite on body2; a spindle that is there already is one."""
    motor = (
        f"{{name: m, type: ROTATION, spindle: {spindle}, body1: {bodies[0]}, body2: {bodies[1]}, "
        "location: [0, 3, 0], axis: [0, 1, 0], actuation_type: FORCE, "
        f"actuation_function: {function}}}"
    )
    reading = read(joints=[HINGE], motors=[motor])
    assert list(reading.system.joints) == ["hinge"]
    way = 1 if bodies[0] == "bob" else -1
    expected = pytest.approx(way * value(0.7), abs=1e-12)
    assert pendulum_torque(reading, 0.2, 0.1) == expected


def test_motors_bring_their_joints(read):
    motor = (
        "{name: m, type: ROTATION, body1: bob, body2: ground, location: [0, 0, 0], "
        "axis: [0, 1, 0], actuation_type: force, actuation_function: {type: CONSTANT, value: 1}}"
    )
    joint = read(motors=[motor]).system.joints["m"]
    assert (joint.type, joint.child, joint.axis) == ("revolute", "bob", (0.0, 1.0, 0.0))


def test_force_motor_and_loads_on_free_bodies(read):
    """Fixed in body2 (earth); local loads in the axes of the centre of mass, points too."""
    motor = (
        "{name: m, type: LINEAR, guide: FREE, body1: one, body2: ground, location: [0, 0.5, 0], "
        "axis: [0, 0, 2], actuation_type: FORCE, actuation_function: {type: CONSTANT, value: 4}}"
    )
    loads = [
        "{name: f, type: FORCE, body: two, load: [1, 0, 0], local_load: true, "
        "point: [0, 0.3, 0], local_point: true, "
        "modulation_function: {type: RAMP, slope: 1, intercept: 0}}",
        "{name: t, type: TORQUE, body: one, load: [0, 2, 0], local_load: false}",
    ]
    got, state = loads_on_pair(read(bodies=PAIR, motors=[motor], body_loads=loads))
    arms = [state.R[0] @ [0, 0.5, 0], state.R[1] @ [0, 0.3, 0]]
    force = 0.7 * state.R[1] @ [1, 0, 0]
    expected = [
        [0, 0, 4, *(np.cross(arms[0], [0, 0, 4]) + np.array([0, 2, 0]))],
        [*force, *np.cross(arms[1], force)],
    ]
    np.testing.assert_allclose(got, expected, atol=1e-11)


def test_torque_motor_of_a_free_body_on_earth(read):
    """The axis turns with body2."""
    motor = (
        "{name: m, type: ROTATION, spindle: FREE, body1: ground, body2: two, "
        "location: [0, 0, 0], axis: [1, 0, 0], actuation_type: FORCE, "
        "actuation_function: {type: CONSTANT, value: 4}}"
    )
    got, state = loads_on_pair(read(bodies=PAIR, motors=[motor]))
    np.testing.assert_allclose(got[1, 3:], state.R[1] @ [-4, 0, 0], atol=1e-11)


# --- what is refused ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sections", "sentence"),
    [
        ({"bodies": [GROUND, BODY.replace("mass", "contact: {}, mass")]}, "contact is not read"),
        ({"bodies": [BODY.replace("mass: 2, ", "")]}, "'mass' is required"),
        ({"bodies": [BODY.replace("mass", "mas")]}, "unknown key 'mas'; did you mean 'mass'?"),
        ({"bodies": [BODY.replace("mass", "lin_vel: [0, 0, 0], mass")]}, "unknown key 'lin_vel'"),
        ({"bodies": [BODY.replace("0.25", "0.9")]}, "break the triangle inequality"),
        ({"bodies": [BODY, BODY]}, "the name 'bob' stands twice"),
        ({"bodies": [GROUND]}, "all of them are fixed: nothing moves"),
        ({"bodies": [BODY.replace("mass", "fixed: perhaps, mass")]}, "fixed: must be true or fals"),
        ({"joints": [HINGE.replace("bob", "bop")]}, "unknown body 'bop'; did you mean 'bob'?"),
        ({"joints": [HINGE.replace("REVOLUTE", "POINT_LINE")]}, "POINT_LINE are not read"),
        ({"joints": [HINGE.replace("REVOLUTE", "REVOLUT")]}, "must be 'LOCK', 'REVOLUTE'"),
        ({"joints": [HINGE.replace("axis", "bushing_data: {}, axis")]}, "bushings are not read"),
        ({"joints": [HINGE.replace(", axis: [0, 1, 0]", "")]}, "'axis' is required"),
        ({"joints": [HINGE.replace("body1: ground", "body1: bob")]}, "ties body 'bob' to itself"),
        ({"constraints": ["{type: DISTANCE}"]}, "constraints are not read"),
        ({"load_controllers": ["{type: FORCE}"]}, "load controllers are not read"),
        (
            {"tsdas": [TSDA.replace("one", "bob").replace("two", "ground") + "}"]},
            "neither a spring",
        ),
        (
            {"bodies": PAIR, "tsdas": [TSDA + "spring_coefficient: 1}"]},
            "'free_length' is required of a spring",
        ),
        (
            {"bodies": PAIR, "tsdas": [TSDA + "damping_coefficient: 1, map_data: []}"]},
            "force maps are not read",
        ),
        (
            {"bodies": PAIR, "tsdas": [TSDA + "damping_coefficient: 1, maximum_length: 2}"]},
            "length stops are not read",
        ),
        (
            {
                "bodies": PAIR,
                "tsdas": [
                    TSDA + f"spring_coefficient: 1, free_length: 1, damping_curve_data: {CURVE}}}"
                ],
            },
            "Chrono drops coefficients where there are curves",
        ),
        (
            {"body_loads": ["{name: f, type: FORCE, body: ground, load: [1, 0, 0]}"]},
            "acts on 'ground', which is fixed",
        ),
        (
            {
                "body_loads": [
                    "{name: f, type: FORCE, body: bob, load: [1, 0, 0], point: [0, 0, 0], "
                    "local_point: false}"
                ]
            },
            "a force at a point fixed in space",
        ),
        ({"motors": [MOTOR.replace("FORCE", "SPEED")]}, "prescribe a motion .SPEED. are not read"),
        ({"motors": [MOTOR.replace("FREE", "SPHERICAL")]}, "guide of type SPHERICAL are not read"),
        ({"motors": [MOTOR.replace("CONSTANT", "SETPOINT")]}, "type SETPOINT are not read"),
        ({"motors": [MOTOR.replace("value: 1", "repeat: {}, value: 1")]}, "with 'repeat'"),
        ({"motors": [MOTOR]}, "read only where its body2 is fixed"),
    ],
)
def test_refusals(read, sections, sentence):
    with pytest.raises(CaseError, match=sentence.replace("?", r"\?")) as told:
        read(**sections)
    assert "model.yaml:" in str(told.value)


def test_all_mistakes_at_once_each_with_its_line(read):
    joints = [HINGE.replace("REVOLUTE", "POINT_LINE"), HINGE.replace("bob", "bop")]
    with pytest.raises(CaseError) as told:
        read(joints=joints, constraints=["{}"])
    lines = [line.rpartition("model.yaml:")[2] for line in str(told.value).split("\n")]
    assert [line.partition(":")[0] for line in lines] == ["8", "9", "9", "10"]


# --- files ----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    for name in ("cart.model.yaml", "cart.simulation.yaml"):
        (tmp_path / name).write_text((HERE / name).read_text())
    return tmp_path


def test_file_of_type_mbs(folder):
    top = folder / "mbs.yaml"
    top.write_text(
        "chrono-version: 10.0\ntype: MBS\nmodel: cart.model.yaml\nsolver: solver.yaml\n"
        "simulation: {end_time: 3, gravity: [0, 0, -1.6], enforce_realtime: true}\n"
        "output: {format: HDF5, fps: 20}\n"
    )
    reading = read_chrono_yaml(top)
    assert (reading.end, reading.system.environment.gravity) == (3.0, 1.6)


def test_setup_of_sea_stack(folder):
    setup = folder / "cart.setup.yaml"
    text = "model_file: cart.model.yaml\nsimulation_file: cart.simulation.yaml\n"
    setup.write_text(text + "output_directory: outputs\n")
    assert read_chrono_yaml(setup).end == 10.0
    setup.write_text(text + "hydro_file: cart.hydro.yaml\n")
    with pytest.raises(CaseError, match=r"setup.yaml:3: .*hydrodynamics of SEA-Stack"):
        read_chrono_yaml(setup)


def test_gravity_and_end(folder):
    model, simulation = folder / "cart.model.yaml", folder / "cart.simulation.yaml"
    simulation.write_text("simulation: {time_step: 0.1}\n")
    reading = read_chrono_yaml(model)
    assert (reading.end, reading.system.environment.gravity) == (None, 9.8)  # Chrono's own
    simulation.unlink()
    assert read_chrono_yaml(model).system.environment.gravity == 9.81  # ours
    simulation.write_text("simulation: {gravity: [0, -9.81, 0]}\n")
    with pytest.raises(CaseError, match=r"gravity must point along -z here"):
        read_chrono_yaml(model, simulation)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("type: FSI\nmodel: x.yaml\n", "files of type FSI are not read"),
        ("bodies: []\n", "'model' is required"),
        ("model: missing.yaml\n", "there is no model file"),
        ("", "a model is a mapping that starts with 'model:'"),
    ],
)
def test_other_files(tmp_path, text, sentence):
    file = tmp_path / "other.yaml"
    file.write_text(text)
    with pytest.raises(CaseError, match=sentence):
        read_chrono_yaml(file)
