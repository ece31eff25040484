import pytest

from cosim.case.adapter_types import AdapterTypes
from cosim.case.read import read_case
from cosim.case.schema import Case
from cosim.errors import CaseError


def complaints(path, settings=(), **options):
    with pytest.raises(CaseError) as caught:
        read_case(path, settings, **options)
    assert caught.value.exit_code == 2
    return str(caught.value).replace(str(path), "case.yaml").split("\n")


def test_a_case_is_read_with_its_expressions(write):
    case = read_case(write())
    assert case.bodies["bob"].cog == (0.0, 0.0, -2.0)
    assert case.start.set == {"hinge.angle_deg": 5.0}
    assert case.time.end == 2.0


def test_the_name_comes_from_the_folder_or_the_file(write):
    assert read_case(write(name="decay.yaml")).name == "decay"
    path = write()
    assert read_case(path).name == path.parent.name


def test_mistakes_in_what_a_beam_makes_have_the_line_of_the_beam(write):
    path = write(
        """\
        case: 1
        parts:
          boom:
            flexible_beam:
              start: [0, 0, 0]
              end: [1, 0, 0]
              segments: 4
              section: {EI: 1, mass_per_length: 1}
              parent: nobody
        place:
          - {part: boom, name: boom}
        start: {from: reference}
        time: {end: 1}
        """
    )
    assert complaints(path) == ["case.yaml:4: joint 'boom/root': unknown parent body 'nobody'"]


def test_all_mistakes_come_at_once_each_with_its_line(write):
    path = write(
        """\
        case: 1
        parameters: {length: 2, depth: =nowhere}
        bodies:
          bob:
            masss: 2
            mass: 0
            cog: [0, 0]
            inertia: [1, 1, 5]
          rod: {mass: 1, cog: [0, 0, 0], inertia: [0.1, 0.1, 0.1, 0.2]}
        joints:
          hinge: {type: revolut, child: bob}
          other: {type: fixed, child: rodd}
        time:
          end: ten
          metod: RK4
        output: {step: 0}
        """
    )
    assert complaints(path) == [
        "case.yaml:2: parameters.depth: '=nowhere' uses the unknown parameter 'nowhere'; "
        "add it to 'parameters'",
        "case.yaml:5: bodies.bob: unknown key 'masss'; did you mean 'mass'?",
        "case.yaml:6: bodies.bob.mass: must be greater than 0 (got 0)",
        "case.yaml:7: bodies.bob.cog: 3 values are needed, 2 given",
        "case.yaml:9: bodies.rod.inertia: 3 or 6 values are needed, 4 given",
        "case.yaml:11: joints.hinge: unknown type 'revolut'; did you mean 'revolute'?",
        "case.yaml:14: time.end: 'ten' is not a number (write 1.5, 1e3 or '=expression')",
        "case.yaml:15: time: unknown key 'metod'; did you mean 'method'?",
        "case.yaml:16: output.step: must be greater than 0 (got 0)",
    ]


def test_dangling_names_are_found_beside_other_mistakes(write, pendulum):
    path = write(pendulum.replace("child: bob", "child: bop").replace("mass: 2", "mass: -2"))
    found = complaints(path)
    assert found == [
        "case.yaml:6: bodies.bob.mass: must be greater than 0 (got -2)",
        "case.yaml:11: joint 'hinge': unknown child body 'bop'; did you mean 'bob'?",
    ]


@pytest.mark.parametrize(
    ("old", "new", "line", "text"),
    [
        ("[0.1, 0.1, 0.1]", "[0.1, 0.1, 0.3]", 5, "break the triangle inequality"),
        ("[0.1, 0.1, 0.1]", "[0.1, 0.1, -0.1]", 5, "all three must be positive"),
        ("mass: 2", "mass: .nan", 6, "must be a finite number (got nan)"),
        ("mass: 2", "mass: yes", 6, "'yes' is not a number"),
        ("child: bob", "parent: bo, child: bob", 11, "did you mean 'bob'"),
        ("case: 1", "case: 2", 1, "version 2 of the case schema; this program reads 1"),
        ("time:", "tim:", 15, "unknown key 'tim'; did you mean 'time'?"),
        ("set: {hinge.angle_deg: 5}", "sett: {}", 14, "unknown key 'sett'; did you mean 'set'?"),
        ("from: reference", "from: rest", 13, "must be 'equilibrium' or 'reference'"),
        ("end: 2", "end: -2", 16, "must be greater than 0"),
        ("end: 2", "end: 2\n  start: 3", 15, "'end' = 2 s must be after 'start' = 3 s"),
        ("step: 0.01", "points: [bob/top]", 18, "did you mean 'bob/tip'"),
        ("step: 0.01", "points: [earth]", 18, "there is no point 'earth'"),
        ("step: 0.01", "drawing: {bod: []}", 18, "there is no body 'bod'; did you mean 'bob'?"),
        ("bob:", "1bob:", 5, "'1bob' is not a name"),
        ("bodies:", "bodies:\n- 1\nbody:", 4, "must be a mapping"),
    ],
)
def test_one_mistake_one_line(write, pendulum, old, new, line, text):
    assert old in pendulum
    found = complaints(write(pendulum.replace(old, new)))
    assert any(entry.startswith(f"case.yaml:{line}: ") and text in entry for entry in found), found


def test_the_version_is_required_in_a_file(write, pendulum):
    (found,) = complaints(write(pendulum.replace("case: 1\n", "")))
    assert found == "case.yaml:1: 'case' is required: the version of the schema, 'case: 1'"


def test_unknown_adapter_types_get_a_suggestion(write, pendulum, adapter_types):
    path = write(pendulum + "adapters:\n  a: {type: wnd}\n  b: {type: wind, sped: 3}\n")
    assert complaints(path, types=adapter_types) == [
        "case.yaml:20: adapters.a.type: unknown adapter type 'wnd'; did you mean 'wind'?",
        "case.yaml:21: adapters.b: 'speed' is required",
        "case.yaml:21: adapters.b: unknown key 'sped'; did you mean 'speed'?",
    ]


def test_matrix_loads_name_world_or_an_adapter(write, pendulum, adapter_types):
    load = "{type: matrix, body: bob, at: [0, 0, 0], axes: wid, damping: [1, 1, 1, 0, 0, 0]}"
    adapters = "adapters:\n  wind: {type: wind, speed: =length}\n"
    path = write(f"{pendulum}elements:\n  m: {load}\n{adapters}")
    assert complaints(path, types=adapter_types) == [
        "case.yaml:20: element 'm': unknown axes 'wid'; did you mean 'wind'?"
    ]


def test_a_mistake_in_a_part_shows_once_where_it_was_written(write):
    path = write(
        """\
        case: 1
        parts:
          leg:
            bodies:
              arm: {mass: 0, cog: [1, 0, 0], inertia: [1, 1, 1]}
            joints:
              hinge: {type: revolute, parent: hub, child: arm, at: [0, 0, 0], axis: [0, 1, 0]}
        place:
          - {part: leg, name: leg1}
          - {part: leg, name: leg2, yaw_deg: 120}
        bodies: {hub: {mass: 1, cog: [0, 0, 0], inertia: [1, 1, 1]}}
        joints: {free: {type: floating, child: hub}}
        time: {end: 1}
        """
    )
    assert complaints(path) == ["case.yaml:5: bodies.leg1/arm.mass: must be greater than 0 (got 0)"]
    assert complaints(path, ["place.1.part=legg"]) == [
        "--set place.1.part=legg: place.1.part: unknown part 'legg'; did you mean 'leg'?"
    ]


def test_values_can_be_set_from_outside(write):
    path = write()
    case = read_case(path, ["length=3", "time.end=7", "start.set.hinge.angle_deg=1"])
    assert case.bodies["bob"].cog[2] == -3.0
    assert case.time.end == 7.0
    assert case.start.set == {"hinge.angle_deg": 1.0}


def test_settings_make_sections_that_the_file_lacks(write):
    case = read_case(write(), ["environment.water_depth=50", "time.method=RK4", "time.step=0.1"])
    assert case.environment.water_depth == 50.0
    assert case.time.method == "RK4"


@pytest.mark.parametrize(
    ("setting", "text"),
    [
        ("lenth=3", "--set lenth: there is no parameter 'lenth'; did you mean 'length'?"),
        ("length", "--set length: write --set name=value"),
        ("time.edn=3", "--set time.edn=3: time: unknown key 'edn'; did you mean 'end'?"),
        ("case.x=3", "--set case.x=3: 'case' has no entry 'x'"),
        ("length=[", "not YAML"),
    ],
)
def test_bad_settings_are_named(write, setting, text):
    assert any(text in line for line in complaints(write(), [setting]))


def test_parameters_may_build_on_earlier_ones(write, pendulum):
    path = write(pendulum.replace("length: 2.0", "half: 1.5\n  length: =2*half"))
    assert read_case(path).bodies["bob"].cog[2] == -3.0


def test_a_dictionary_is_a_case_too():
    case = Case.from_dict(
        {
            "bodies": {"ball": {"mass": 1, "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
            "joints": {"free": {"type": "floating", "child": "ball"}},
            "time": {"end": 1},
        }
    )
    assert case.name == "case"
    with pytest.raises(CaseError, match=r"bodies\.ball: unknown key 'mas'"):
        Case.from_dict({"bodies": {"ball": {"mas": 1}}, "joints": {}, "time": {"end": 1}})


def test_types_that_cannot_be_imported_say_why(monkeypatch):
    class Broken:
        name = "broken"

        def load(self):
            raise ImportError("No module named 'libbroken'")

    monkeypatch.setattr("cosim.case.adapter_types.entry_points", lambda group: [Broken()])
    with pytest.raises(CaseError, match="cannot be imported: No module named 'libbroken'"):
        AdapterTypes().find("broken")
