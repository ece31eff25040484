"""A small case with one value wrong at a time: one sentence, a code, no traceback."""

import numpy as np
import pytest

ELEVATION = "t,eta\n" + "".join(f"{0.1 * k:.1f},{np.sin(0.08 * k):.6f}\n" for k in range(101))


@pytest.fixture
def refused(invoke, case_file):
    """Replace a piece of the case, run it, and return what the program says."""

    def run(code, old, new, *arguments):
        content = case_file.read_text()
        assert old in content
        case_file.write_text(content.replace(old, new))
        got, _, errors = invoke("run", case_file, "--quiet", *arguments)
        assert got == code, errors
        assert "Traceback" not in errors
        assert errors.startswith("cosim: ")
        assert errors.strip().endswith(tuple("abcdefghijklmnopqrstuvwxyz0123456789)'?]>"))
        return errors.strip()

    return run


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "pendulum.yaml:1: a case is a mapping that starts with 'case: 1'"),
        (b"- 1\n- 2\n", "a case is a mapping"),
        (bytes(range(256)), "is not a text file; a case is YAML in UTF-8"),
        ("case: 1\ntitle: café\n".encode("latin-1"), "is not a text file"),
        (b"case: 1\nbodies:\n\tbob: {}\n", "pendulum.yaml:3: not YAML: a tab cannot indent YAML"),
        (b"case: 1\ncase: 1\n", "pendulum.yaml:2: key 'case' stands twice; keep one"),
        (b"case: 1\na: &a [*a]\n", "unknown key 'a'"),
        (b"case: 1\n---\ncase: 1\n", "another document"),
        (b"case: 2\n", "version 2 of the case schema; this program reads 1"),
        (b"title: none\n", "'case' is required"),
    ],
)
def test_what_is_no_case_file(invoke, case_file, content, text):
    case_file.write_bytes(content)
    code, _, errors = invoke("run", case_file)
    assert code == 2, errors
    assert text in errors
    assert "Traceback" not in errors


def test_aliases_that_multiply_are_refused_in_time(invoke, case_file):
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 10)}]" for k in range(1, 9)]
    case_file.write_text("case: 1\n" + "\n".join(rows) + "\n")
    code, _, errors = invoke("run", case_file)
    assert code == 2
    assert "holds more than" in errors


@pytest.mark.parametrize(
    "value", ["yes", "true", '"2"', "2kg", "1:30", "nan", ".nan", "inf", ".inf", "1e400", "null"]
)
def test_what_is_no_number(refused, value):
    text = refused(2, "mass: 2", f"mass: {value}")
    assert "pendulum.yaml:4: bodies.bob.mass: " in text
    assert "number" in text


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("mass: 2", "mass: =1/0", "'=1/0' has no value: float division by zero"),
        ("mass: 2", "mass: =10**400", "'=10**400' has no value"),
        ("mass: 2", "mass: =sqrt(-1)", "has no value"),
        ("mass: 2", "mass: =m", "unknown parameter 'm'; add it to 'parameters'"),
        ("mass: 2", "mass: =(", "is not an expression"),
        ("mass: 2", "mass: =open(1)", "unknown function 'open'"),
        ("bodies:", "parameters: {a: =b, b: 3}\nbodies:", "'b', which has no value yet"),
        ("bodies:", "parameters: {a: =a}\nbodies:", "'a', which has no value yet"),
        ("bodies:", "parameters: {pi: 3}\nbodies:", "'pi' has a meaning in expressions already"),
        (
            "bodies:",
            "parameters: {lambda: 3}\nbodies:",
            "cannot use the word 'lambda'; call it 'lambda_'",
        ),
    ],
)
def test_expressions_without_a_value(refused, old, new, text):
    assert text in refused(2, old, new)


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("[0.1, 0.1, 0.1]", "[0.1, 0.1]", "3 or 6 values are needed, 2 given"),
        ("[0.1, 0.1, 0.1]", "[1, 1, 1, 5, 0, 0]", "the principal moment -4 kg m2"),
        ("[0.1, 0.1, 0.1]", "[0, 0, 0]", "all three must be positive"),
        ("axis: [0, 1, 0]", "axis: [0, 0, 0]", "axis has no length"),
        ("child: bob", "parent: bob, child: bob", "close the ring bob - bob and never reach earth"),
        ("joints:", "  rod: {mass: 1, cog: [0, 0, 0], inertia: [1, 1, 1]}\njoints:", "no joint"),
        ("points: [bob/tip]", "points: [bob/tip, bob/tip]", "'bob/tip' stands twice; keep one"),
        ("points: [bob/tip]", "points: bob/tip", "output.points: must be a list"),
        ("points: {tip: [0, 0, -1.2]}", "points: {tip: [0, 0, 1], tip: [0, 0, 2]}", "stands twice"),
        ("hinge.angle_deg: 30", "hinge.angle_deg: 30, bob.angle: 1", "are the same"),
        ("hinge.angle_deg: 30", "bobb.angle: 1", "there is no joint or body 'bobb'"),
        ("step: 0.05", "step: 10", "an output every 10 s never comes in a run of 5 s"),
        ("step: 0.05", "step: 1e-12", "1e+09 are the most; take a larger step"),
        ("end: 5", "end: -5", "time.end: must be greater than 0"),
        ("end: 5", "end: 5, start: 6", "'end' = 5 s must be after 'start' = 6 s"),
        ("end: 5", "end: 5, rtol: 0", "time.rtol: must be greater than 0"),
        ("end: 5", "end: 5, atol: 1e-300", "time.atol: must be greater than"),
        ("end: 5", "end: 5, method: RK4", "method RK4 needs 'step'"),
        ("end: 5", "end: 5, method: RK4, step: 9", "'step' = 9 s of method RK4 is longer"),
        ("end: 5", "end: 5, scheme: implicit", "must be 'iterated', 'explicit' or 'solver-call'"),
        ("time:", "environment: {gravity: -9.81}\ntime:", "greater than or equal to 0"),
        ("time:", "environment: {water_depth: 0}\ntime:", "must be greater than 0"),
    ],
)
def test_contradictions(refused, old, new, text):
    assert text in refused(2, old, new)


def test_a_system_without_bodies(invoke, case_file):
    case_file.write_text("case: 1\nbodies: {}\njoints: {}\ntime: {end: 1}\n")
    code, _, errors = invoke("run", case_file)
    assert code == 2
    assert "pendulum.yaml:2: bodies: is empty; at least one is needed" in errors


WAVES = "environment: {water_depth: 50, waves: {type: regular, height: 2, period: 8}}\ntime:"


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("height: 2", "height: 0", "waves.height: must be greater than 0"),
        ("period: 8", "period: 0", "waves.period: must be greater than 0"),
        ("type: regular, ", "", "'type' is required"),
        ("type: regular", "type: reglar", "unknown type 'reglar'; did you mean 'regular'?"),
        ("water_depth: 50", "gravity: 0", "waves need gravity"),
        ("type: regular, height: 2, period: 8", "type: elevation, file: none.csv", "no file"),
        ("type: regular, height: 2, period: 8", "type: elevation, file: eta.csv", ""),
    ],
)
def test_waves_that_are_none(refused, tmp_path, old, new, text):
    (tmp_path / "eta.csv").write_text("t,eta\n0,0\n1,0.1\n")
    assert text in refused(2, "time:", WAVES.replace(old, new))


def test_the_run_cannot_go_beyond_the_record_of_the_waves(refused, tmp_path):
    (tmp_path / "eta.csv").write_text(ELEVATION)
    waves = "environment: {waves: {type: elevation, file: eta.csv}}\ntime:"
    text = refused(2, "time:", waves, "--set", "time.end=10.5")
    assert "the run ends at 10.5 s and the record of the waves at 10 s" in text


@pytest.mark.parametrize(
    ("setting", "text"),
    [
        ("nothing", "write --set name=value"),
        ("nothing=3", "there is no parameter 'nothing'; add it to 'parameters'"),
        ("tme.end=3", "--set tme.end=3: unknown key 'tme'; did you mean 'time'?"),
        ("time.ende=3", "--set time.ende=3: time: unknown key 'ende'; did you mean 'end'?"),
        ("time.end==x", "--set time.end==x: time.end: '=x' uses the unknown parameter 'x'"),
        ("time.end=[1", "--set time.end=[1: the value is not YAML"),
        ("time=3", "--set time=3: time: must be a mapping (got 3)"),
        ("bodies.bob.cog.7=1", "there is no entry 7 in a list of 3"),
        ("bodies.bob.mass.x=1", "'mass' has no entry 'x'"),
    ],
)
def test_settings_that_lead_nowhere(invoke, case_file, setting, text):
    code, _, errors = invoke("run", case_file, "--set", setting)
    assert code == 2
    assert text in errors
    assert len(errors.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("element", "text"),
    [
        ("{type: joint, joint: hinge, stiffness: 1e30}", "the last 10000 steps advanced it by"),
        ("{type: joint, joint: hinge, law: sqrt(x)}", "a load jumps or has no value there"),
        ("{type: joint, joint: hinge, law: 50*v*v*v}", "the motion diverges"),
        ("{type: force, point: bob, force: [log(t), 0, 0]}", "the accelerations are not finite"),
    ],
)
def test_motions_that_cannot_go_on_name_time_and_body(refused, element, text):
    errors = refused(4, "time:", f"elements: {{e: {element}}}\ntime:")
    assert "the run stopped at t = " in errors
    assert text in errors
    assert "body 'bob'" in errors


@pytest.mark.parametrize("method", ["Radau", "BDF", "LSODA", "DOP853"])
def test_every_method_says_that_an_expression_has_no_value(refused, method):
    element = "elements: {e: {type: force, point: bob, force: [log(t), 0, 0]}}\ntime:"
    assert "the run stopped at t = 0 s" in refused(
        4, "time:", element, "--set", f"time.method={method}"
    )


def test_numbers_out_of_all_proportion(refused):
    with np.errstate(all="ignore"):
        assert "the accelerations are not finite" in refused(4, "mass: 2", "mass: 1e308")


def test_pictures_that_cannot_be_drawn(invoke, case_file, tmp_path):
    assert invoke("plot", "nowhere.nc")[2] == "cosim: there is no result file 'nowhere.nc'\n"
    code, _, errors = invoke("plot", case_file)
    assert code == 2
    assert "is not a result file" in errors
    invoke("run", case_file, "--quiet")
    code, _, errors = invoke("plot", "results/pendulum.nc", "--at", "60")
    assert code == 2
    assert errors == "cosim: there are no results at t = 60 s; they go from 0 to 5 s\n"
    code, _, errors = invoke("plot", "results/pendulum.nc", "--out", case_file)
    assert code == 2
    assert "cannot be written: File exists; choose another folder with --out" in errors


@pytest.mark.parametrize(
    ("out", "text"),
    [("pendulum.yaml", "File exists"), ("pendulum.yaml/deeper", "Not a directory")],
)
def test_a_folder_that_cannot_be_written_is_told_before_the_run_starts(refused, out, text):
    # a case that would fail later: the folder comes first
    element = "elements: {e: {type: joint, joint: hinge, law: sqrt(x)}}\ntime:"
    sentence = refused(2, "time:", element, "--out", out)
    assert f"{text}; choose another folder with --out" in sentence


def test_a_folder_without_its_case_lists_what_it_holds(invoke, case_file, tmp_path):
    code, _, errors = invoke("run", tmp_path)
    assert code == 2
    assert errors.endswith("case.yaml'; its folder holds pendulum.yaml\n")
