"""Exported programs against the functions of the library and published numbers."""

import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad

import cosim
from cosim.errors import ModelError
from cosim.model import System
from cosim.multibody.joint import JointModel
from cosim.multibody.joint.symbolic import NumericEquations, derive
from cosim.multibody.joint.symbolic.export_c import c_source
from cosim.multibody.joint.symbolic.export_python import python_module
from cosim.multibody.joint.symbolic.start import start_of

CASES = Path(__file__).parents[3] / "cases"
SYSTEMS = ["double_pendulum", "spiderfloat_sliders", "spiderfloat"]
"""Planar and written out, planar with many elements, in space with intermediates."""
TOLERANCE = 1e-12

AWKWARD = System.from_dict(
    {
        # names that C, Python or the programs use themselves
        "parameters": {"int": 2.0, "p": 0.3, "np": 4.0, "M": 1.5, "B": 0.2, "y": 1.0, "I": 0.7},
        "bodies": {
            "double": {"mass": "=M", "cog": ["=B", 0, "=-y"], "inertia": ["=I", "=I", "=I"]},
            "lambda": {"mass": "=int", "cog": [0, 0, -2], "inertia": [1, "=1+p", 1]},
        },
        "joints": {
            "while": {"type": "spherical", "child": "double", "at": [0, 0, 0]},
            "rhs": {
                "type": "universal",
                "parent": "double",
                "child": "lambda",
                "at": [0, 0, -1.5],
                "axis1": [1, 0, 0],
                "axis2": [0, 1, 0],
            },
        },
        "elements": {
            "push": {"type": "force", "point": "lambda", "force": ["=np*sin(t)", 0, 0]},
            "stop": {
                "type": "joint",
                "joint": "rhs",
                "coordinate": "angle1",
                "end_stop": {"lower": -0.1, "upper": 0.1, "stiffness": 30, "damping": 2},
                "law": "-sign(v)*min(abs(v), 0.5)",
            },
            "rope": {"type": "tension", "points": ["double", "lambda"], "law": "x**3"},
        },
    }
)


def system_of(name):
    return AWKWARD if name == "awkward" else cosim.read_case(CASES / name)


def state_of(system, seed=0):
    model = JointModel(system)
    rng = np.random.default_rng(seed)
    q, _ = model.initial()
    return 0.8, np.concatenate(
        [model.retract(q, rng.uniform(-0.5, 0.5, model.nu)), rng.normal(size=model.nu)]
    )


def expected_rates(system, t, y):
    """Of the compiled kernels."""
    model = JointModel(system)
    q, u = y[: model.nq], y[model.nq :]
    model.kinematics(t, q, u)
    u_dot, _ = model.accelerations(np.zeros(model.nu))
    return np.concatenate([model.q_dot(q, u), u_dot])


def close(ours, theirs):
    scale = max(1.0, np.abs(theirs).max())
    np.testing.assert_allclose(ours, theirs, rtol=0.0, atol=TOLERANCE * scale)


def run_python(folder, module, code):
    """Run code beside a module, in a process that cannot see this package."""
    (folder / "equations.py").write_text(module, encoding="utf-8")
    blind = "import sys; sys.modules['cosim'] = sys.modules['sympy'] = None\n"
    done = subprocess.run(
        [sys.executable, "-c", blind + code],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", [*SYSTEMS, "awkward"])
def test_python_module_gives_the_rates_of_the_kernels(tmp_path, name):
    system = system_of(name)
    t, y = state_of(system)
    module = python_module(derive(system), title='A "title" \\ of """ many\nlines')
    code = (
        "import json, equations as e\n"
        f"t, y = {t!r}, {y.tolist()!r}\n"
        "T, V = e.energies(t, y)\n"
        "print(json.dumps([e.rhs(t, y).tolist(), T, V, e.positions(t, y).tolist()]))"
    )
    rates, kinetic, potential, positions = json.loads(run_python(tmp_path, module, code))
    close(rates, expected_rates(system, t, y))
    model = JointModel(system)
    state = model.kinematics(t, y[: model.nq], y[model.nq :])
    close(kinetic, model.energy().kinetic)
    close(positions, state.r)
    if name != "awkward":  # the kernels do not count the energy of laws
        close(potential, model.energy().potential)


def test_programs_bring_quaternions_back_to_length_1(compiler, tmp_path):
    t, y = state_of(AWKWARD)
    y[:4] *= 1.03  # the quaternion of the first joint; attitudes are those of p / |p|
    equations = derive(AWKWARD)
    code = f"import json, equations as e\nprint(json.dumps(e.rhs({t!r}, {y.tolist()!r}).tolist()))"
    close(
        json.loads(run_python(tmp_path, python_module(equations), code)),
        expected_rates(AWKWARD, t, y),
    )
    program = compiled(compiler, tmp_path, c_source(equations))
    numbers = [t, *y.tolist(), *equations.kin.values.numbers.values()]
    done = subprocess.run(
        [program], input=" ".join(map(repr, numbers)), capture_output=True, text=True, check=True
    )
    close(np.array(done.stdout.split(), dtype=float), expected_rates(AWKWARD, t, y))


def test_python_module_takes_other_parameters_and_loads(tmp_path):
    case = cosim.read_case(CASES / "double_pendulum")
    _, y = state_of(case)
    load = np.random.default_rng(1).normal(size=(2, 6))
    code = (
        "import json, equations as e\n"
        f"y, load = {y.tolist()!r}, {load[:, [0, 2, 4]].ravel().tolist()!r}\n"
        "print(json.dumps(e.rhs(0.0, y, {**e.PARAMETERS, 'L': 1.7}, load=load).tolist()))"
    )
    rates = json.loads(run_python(tmp_path, python_module(derive(case)), code))
    model = JointModel(cosim.read_case(CASES / "double_pendulum", ["L=1.7"]))
    model.kinematics(0.0, y[:2], y[2:])
    u_dot, _ = model.accelerations(model.project(load))
    close(rates[2:], u_dot)


def test_python_module_runs_to_the_published_state(tmp_path):
    """The double pendulum of M4E (4.2.1) from 23 degrees: benchmarks.md 1a at t = 1 s."""
    case = cosim.read_case(CASES / "double_pendulum")
    equations = derive(case, angles="absolute")
    start = start_of(equations, {"top.angle_deg": 23.0})
    module = python_module(equations, start=start)
    (tmp_path / "equations.py").write_text(module, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "equations.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    values = [float(line.split(" = ")[1]) for line in done.stdout.splitlines()]
    exact = [-0.271763466528, -0.003786074571, -0.50102968671, -0.90985550798]
    np.testing.assert_allclose(values, exact, rtol=0.0, atol=1e-10)


def test_start_in_absolute_angles():
    case = cosim.read_case(CASES / "double_pendulum")
    given = {"top.angle": 0.3, "mid.angle": 0.5, "top.angle_rate": 1.0, "mid.angle_rate": -3.0}
    q, u = start_of(derive(case, angles="absolute"), given)
    np.testing.assert_allclose(q, [0.3, 0.8], rtol=1e-15)
    np.testing.assert_allclose(u, [1.0, -2.0], rtol=1e-15)
    q, u = start_of(derive(case), given)
    assert q.tolist() == [0.3, 0.5]
    assert u.tolist() == [1.0, -3.0]


def test_start_in_absolute_angles_about_an_axis_with_a_parameter():
    system = System.from_dict(
        {
            "parameters": {"e": -2.0},
            "bodies": {"bob": {"mass": 1, "cog": [0, 0, -1], "inertia": [1, 1, 1]}},
            "joints": {
                "hinge": {"type": "revolute", "child": "bob", "at": [0, 0, 0], "axis": [0, "=e", 0]}
            },
        }
    )
    q, _ = start_of(derive(system, angles="absolute"), {"hinge.angle": 0.3})
    assert q.tolist() == [-0.3]


@pytest.fixture(scope="session")
def compiler():
    path = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if path is None:
        if os.environ.get("GITHUB_ACTIONS"):
            pytest.fail("no C compiler, and the runner has one")
        pytest.skip("no C compiler on this machine (looked for cc, gcc, clang)")
    return path


def compiled(compiler, folder, source):
    (folder / "equations.c").write_text(source, encoding="utf-8")
    command = [compiler, "-std=c99", "-O1", "-Wall", "-Wextra", "-pedantic", "-Werror"]
    command += ["-DPROGRAM", "-o", "equations", "equations.c", "-lm"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "equations"


@pytest.mark.parametrize("name", [*SYSTEMS, "awkward"])
def test_c_gives_the_rates_of_the_kernels(compiler, tmp_path, name):
    system = system_of(name)
    equations = derive(system)
    program = compiled(compiler, tmp_path, c_source(equations, title="a */ title"))
    for seed in range(3):
        t, y = state_of(system, seed)
        numbers = [t, *y.tolist(), *equations.kin.values.numbers.values()]
        done = subprocess.run(
            [program],
            input=" ".join(map(repr, numbers)),
            capture_output=True,
            text=True,
            check=True,
        )
        close(np.array(done.stdout.split(), dtype=float), expected_rates(system, t, y))


def test_programs_agree_with_the_functions_of_the_library():
    for name in SYSTEMS:
        system = system_of(name)
        t, y = state_of(system)
        nu = JointModel(system).nu
        numeric = NumericEquations(derive(system))
        close(numeric.rates(t, y)[-nu:], expected_rates(system, t, y)[-nu:])


def test_systems_without_freedom_have_nothing_to_export():
    fixed = System.from_dict(
        {
            "bodies": {"block": {"mass": 1, "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
            "joints": {"weld": {"type": "fixed", "child": "block"}},
        }
    )
    with pytest.raises(ModelError, match="without freedom"):
        c_source(derive(fixed))
    numeric = NumericEquations(derive(fixed))
    assert numeric.rates(0.0, np.zeros(0)).size == 0


def test_laws_without_an_integral_are_integrated_by_the_module(tmp_path):
    laws = {"odd": "-sin(x)*exp(-x**2)", "kinked": "-k*x1*(1 if abs(x) < x1 else 2)*sign(x)"}
    system = System.from_dict(
        {
            "parameters": {"k": 3.0, "x1": 0.31},
            "bodies": {"bob": {"mass": 1, "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
            "joints": {
                "slide": {"type": "prismatic", "child": "bob", "at": [0, 0, 0], "axis": [1, 0, 0]}
            },
            "elements": {
                name: {"type": "joint", "joint": "slide", "law": law} for name, law in laws.items()
            },
        }
    )
    code = "import equations as e\nprint(e.energies(0.0, [0.7, 0.0])[1])"
    potential = float(run_python(tmp_path, python_module(derive(system)), code))
    odd, _ = quad(lambda x: math.sin(x) * math.exp(-(x**2)), 0.0, 0.7)
    kinked = 3.0 * 0.31 * (0.31 + 2 * (0.7 - 0.31))
    # 1e-9: a step of the law is found by 30 halvings
    assert abs(potential - odd - kinked) < 1e-9


def test_names_of_the_c_library_and_of_the_program(compiler, tmp_path):
    names = ("pow", "fabs", "zero", "MB", "q_dot", "fmax", "first", "bias", "y1", "atan2f")
    system = System.from_dict(
        {
            "parameters": {name: 0.7 + 0.1 * k for k, name in enumerate(names)},
            "bodies": {"bob": {"mass": "=pow**2+MB", "cog": [0, 0, "=-y1"], "inertia": [1, 1, 1]}},
            "joints": {"ball": {"type": "spherical", "child": "bob", "at": [0, 0, 0]}},
            "elements": {
                "push": {
                    "type": "force",
                    "point": "bob",
                    "force": [
                        "=sqrt(2)*zero*abs(cos(t))**bias",
                        "=log(2)*exp(1)*pi*fabs",
                        "=fabs*first-q_dot*atan2f",
                    ],
                },
                "spring": {
                    "type": "torsion",
                    "bodies": ["earth", "bob"],
                    "axis": [0, 1, 0],
                    "law": "-fmax*max(x**2, 0.1)",
                },
            },
        }
    )
    equations = derive(system)
    program = compiled(compiler, tmp_path, c_source(equations, title="names"))
    t, y = state_of(system)
    numbers = [t, *y.tolist(), *equations.kin.values.numbers.values()]
    done = subprocess.run(
        [program], input=" ".join(map(repr, numbers)), capture_output=True, text=True, check=True
    )
    close(np.array(done.stdout.split(), dtype=float), expected_rates(system, t, y))
