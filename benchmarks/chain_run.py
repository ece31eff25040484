"""A 60-link chain falling for 30 s: the compiled driver beside others on the same equations.

Run ``python benchmarks/chain_run.py``. The chain of the joint-coordinate paper (n_pendulum),
in 3D, rtol = atol = 1e-8: stretched out along +x, at rest, hinges about y. All runs use the
same compiled forward dynamics; they differ in who drives it. The paper
reports 246 s for its planar model on its own machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp

from cosim.coupling.evaluation import Evaluation
from cosim.integrate.compiled import CompiledDOP853
from cosim.integrate.dop853 import DOP853
from cosim.integrate.method import Tolerances
from cosim.model import System
from cosim.multibody.joint import JointModel

LINKS, LENGTH, MASS, END, TOLERANCE = 60, 2.0, 10.0, 30.0, 1e-8
Run = tuple[np.ndarray, int]


def chain(links: int) -> JointModel:
    moment = MASS * LENGTH**2 / 12.0
    bodies = {
        f"rod{i}": {
            "mass": MASS,
            "cog": [(i + 0.5) * LENGTH, 0, 0],
            "inertia": [0.1, moment, moment],
        }
        for i in range(links)
    }
    joints = {
        f"hinge{i}": {
            "type": "revolute",
            "parent": f"rod{i - 1}" if i else "earth",
            "child": f"rod{i}",
            "at": [i * LENGTH, 0, 0],
            "axis": [0, 1, 0],
        }
        for i in range(links)
    }
    return JointModel(System.from_dict({"bodies": bodies, "joints": joints}))


def own_method(kind: type[DOP853], model: JointModel, end: float) -> Run:
    evaluation = Evaluation(model, (), model.nq + model.nu)
    atol = np.full(model.nq + model.nu, TOLERANCE)
    method = kind(evaluation, Tolerances(TOLERANCE, atol, math.inf))
    method.restart(0.0, np.concatenate(model.initial()))
    while method.t < end:
        method.step(end)
    return method.y, evaluation.count


def scipy_method(name: str, model: JointModel, end: float) -> Run:
    u_dot, v_dot = np.empty(model.nu), np.empty((len(model.bodies), 6))

    def derivative(t: float, y: np.ndarray) -> np.ndarray:
        q, u = y[: model.nq], y[model.nq :]
        model.kinematics(t, q, u)
        model.derive(None, u_dot, v_dot)
        return np.concatenate([u, u_dot])

    start = np.concatenate(model.initial())
    solution = solve_ivp(derivative, (0, end), start, name, rtol=TOLERANCE, atol=TOLERANCE)
    return solution.y[:, -1], solution.nfev


def report(label: str, run: Callable[[JointModel, float], Run], model: JointModel) -> None:
    run(model, 0.01)  # compiles or loads
    wall, cpu = time.perf_counter(), time.process_time()
    y, evaluations = run(model, END)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    model.kinematics(END, y[: model.nq], y[model.nq :])
    energy = model.energy()
    print(
        f"{label:28s} {wall:6.2f} s ({cpu:.2f} s of processor), {evaluations} evaluations, "
        f"energy drift {energy.total:.1e} J of {energy.kinetic:.0f} J"
    )


def main() -> None:
    model = chain(LINKS)
    report("compiled", lambda m, end: own_method(CompiledDOP853, m, end), model)
    report("DOP853", lambda m, end: own_method(DOP853, m, end), model)
    for name in ("DOP853", "RK45"):
        report(f"SciPy {name}", lambda m, end, name=name: scipy_method(name, m, end), model)


if __name__ == "__main__":
    main()
