import json

import pytest

GOLDEN = """\
Pendulum

 bodies   mass [kg]   centre of gravity [m]   Ixx, Iyy, Izz [kg m2]
 ──────────────────────────────────────────────────────────────────
 bob              2                0, 0, -1           0.1, 0.1, 0.1


 joints   kind       parent   child    at [m]      axis   coordinates
 ────────────────────────────────────────────────────────────────────
 hinge    revolute   earth    bob     0, 0, 0   0, 1, 0   angle

earth
└── bob  hinge: revolute


 joints on their bodies   connects      parent's centre to joint [m]   joint to child's centre [m]
 ─────────────────────────────────────────────────────────────────────────────────────────────────
 hinge                    earth - bob                        0, 0, 0                      0, 0, -1


 points        at [m]   from its body's centre [m]
 ─────────────────────────────────────────────────
 bob/tip   0, 0, -1.2                   0, 0, -0.2


 initial conditions   coordinate   unit     speed   unit
 ────────────────────────────────────────────────────────
 hinge.angle                  30   degree       0   rad/s


 bodies at the start   centre of gravity [m]   roll, pitch, yaw [degree]
 ───────────────────────────────────────────────────────────────────────
 bob                      -0.5, 0, -0.866025                    0, 30, 0

start: reference configuration, with values set by the case
"""


def lines(text):
    return [line.rstrip() for line in text.splitlines()]


def test_tables_of_a_pendulum(invoke, case_file):
    code, text, errors = invoke("show", case_file)
    assert code == 0, errors
    assert lines(text) == lines(GOLDEN)


@pytest.mark.parametrize("name", ["pendulum.png", "there/pendulum.svg"])
def test_the_picture_is_written(invoke, case_file, tmp_path, name):
    code, text, errors = invoke("show", case_file, "--picture", name)
    assert code == 0, errors
    assert text.splitlines()[-1] == name
    assert (tmp_path / name).stat().st_size > 5000


def test_a_picture_of_unknown_kind_is_refused(invoke, case_file):
    code, _, errors = invoke("show", case_file, "--picture", "pendulum.xyz")
    assert code == 2
    assert "xyz" in errors


def test_values_can_be_set(invoke, case_file):
    _, text, _ = invoke("show", case_file, "--set", "start.set.hinge.angle_deg=90")
    assert "-1, 0, 0" in text


LOOP = """\
case: 1
bodies:
  crank: {mass: 1, cog: [0, 0, 0.5], inertia: [0.1, 0.1, 0.1]}
  rocker: {mass: 1, cog: [0.5, 0, 0.5], inertia: [0.1, 0.1, 0.1]}
joints:
  A: {type: revolute, child: crank, at: [0, 0, 0], axis: [0, 1, 0]}
  B: {type: revolute, parent: crank, child: rocker, at: [0, 0, 1], axis: [0, 1, 0]}
  C: {type: spherical, child: rocker, at: [1, 0, 0], cut: true}
start: {from: reference}
time: {end: 1}
"""


def test_cut_joints_close_loops(invoke, tmp_path):
    (tmp_path / "loop.yaml").write_text(LOOP)
    code, text, errors = invoke("show", "loop.yaml")
    assert code == 0, errors
    assert "C        spherical, cut   earth" in text
    assert "C (spherical, cut) closes earth - rocker" in text


def test_a_long_chain_does_not_leave_the_screen(invoke, tmp_path):
    bodies = {f"b{i}": {"mass": 1, "cog": [i, 0, 0], "inertia": [1, 1, 1]} for i in range(1200)}
    joints = {
        f"j{i}": {
            "type": "revolute",
            "parent": f"b{i - 1}" if i else "earth",
            "child": f"b{i}",
            "at": [i, 0, 0],
            "axis": [0, 1, 0],
        }
        for i in range(1200)
    }
    case = {"case": 1, "bodies": bodies, "joints": joints, "start": {"from": "reference"}}
    (tmp_path / "chain.yaml").write_text(json.dumps(case | {"time": {"end": 1}}))
    code, text, errors = invoke("show", "chain.yaml")
    assert code == 0, errors
    tree = text[text.index("earth\n") :].split("\n\n")[0].splitlines()
    assert len(tree) == 1 + 12 + 1  # earth, bodies, the note
    assert tree[-1].endswith("and so on, as the joints above say")
