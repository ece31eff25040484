"""Draw how fast the finite segments converge to beam theory, and the shapes they take.

Run it from anywhere: ``python cases/flexible_beam/compare.py``. It prints the errors and
writes ``convergence.png`` beside itself.
"""

import math
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy.integrate import solve_bvp

import cosim
from cosim.analysis.equilibrium import find_equilibrium
from cosim.analysis.linear import linearise
from cosim.analysis.modes import natural_modes
from cosim.multibody.joint import JointModel

HERE = Path(__file__).parent
SEGMENTS = (4, 8, 16, 32, 64)
EXACT = {"clamped": 1.8751040687119611, "free": 4.7300407448627040}  # roots of beam theory
ALPHAS = (1.0, 2.0, 5.0, 10.0)


def beam(n: int, *, root: str = "clamped", load: float = 0.0) -> JointModel:
    """Model of a beam with L = EI = mass per length = 1, a force across its tip."""
    section = cosim.BeamSection(EI=1.0, mass_per_length=1.0)
    part = cosim.flexible_beam((0, 0, 0), (1, 0, 0), n, section, root=root)
    force = {"type": "force", "point": f"piece{n}/tip", "force": [0.0, 0.0, -load]}
    elements = {**part["elements"], **({"load": force} if load else {})}
    data = {**part, "elements": elements, "environment": {"gravity": 0.0}}
    return JointModel(cosim.System.from_dict(data))


def shape(model: JointModel) -> np.ndarray:
    """Hinges and tip in equilibrium, (n + 2, 2)."""
    found = find_equilibrium(model, {}, model.initial()[0])
    state = model.kinematics(0.0, found.q, np.zeros(model.nu)).copy()
    points = [np.zeros(3)]
    bodies = list(model.system.bodies.values())
    for k, joint in enumerate(list(model.system.joints.values())[1:], start=1):
        points.append(state.r[k] + state.R[k] @ (np.array(joint.at) - bodies[k].cog))
    points.append(state.r[-1] + state.R[-1] @ (np.array(bodies[-1].points["tip"]) - bodies[-1].cog))
    return np.array(points)[:, [0, 2]]


def deflection_error(n: int, load: float = 1e-4) -> float:
    return abs(-3.0 * shape(beam(n, load=load))[-1, 1] / load - 1.0)


def frequency_error(n: int, root: str) -> float:
    model = beam(n, root=root)
    modes = natural_modes(linearise(model, {}, model.initial()[0]))
    lowest = min(2.0 * math.pi / mode.period for mode in modes)
    return abs(lowest / EXACT[root] ** 2 - 1.0)


def elastica(alpha: float) -> np.ndarray:
    """Shape of the beam under the load alpha EI / L² at its tip: a boundary-value problem."""
    s = np.linspace(0.0, 1.0, 201)
    solved = solve_bvp(
        lambda s, y: np.array([y[1], -alpha * np.cos(y[0])]),  # slope, curvature
        lambda a, b: np.array([a[0], b[1]]),
        s,
        np.array([s, 1.0 - s]),
        tol=1e-10,
        max_nodes=20000,
    )
    slope = solved.sol(s)[0]
    steps = np.diff(s)[0] / 2.0
    x, z = (
        np.concatenate([[0.0], np.cumsum(steps * (f[1:] + f[:-1]))])
        for f in (np.cos(slope), np.sin(slope))
    )
    return np.column_stack([x, z])


def main() -> None:
    errors = {
        "deflection at the tip": [deflection_error(n) for n in SEGMENTS],
        "first frequency, clamped": [frequency_error(n, "clamped") for n in SEGMENTS],
        "first frequency, free": [frequency_error(n, "free") for n in SEGMENTS],
    }
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    print(f"{'relative error, segments':26}" + "".join(f"{count:11d}" for count in SEGMENTS))
    for name, values in errors.items():
        print(f"{name:26}" + "".join(f"{value:11.2e}" for value in values))
        left.loglog(SEGMENTS, values, "o-", label=name)
    n = np.array(SEGMENTS, dtype=float)
    left.loglog(n, 0.5 * n**-2, "k:", lw=1, label="second and fourth order")
    left.loglog(n, 0.05 * n**-4, "k:", lw=1)
    left.set(xlabel="segments", ylabel="relative error", xticks=SEGMENTS, xticklabels=SEGMENTS)
    left.minorticks_off()
    left.legend(fontsize=8)
    for alpha in ALPHAS:
        exact, found = elastica(alpha), shape(beam(16, load=alpha))
        right.plot(exact[:, 0], -exact[:, 1], "k-", lw=1)
        right.plot(*found.T, "o", ms=3.5, label=f"$P L^2 / EI$ = {alpha:g}")
    right.set(xlabel="x / L", ylabel="z / L", aspect="equal")
    right.set(xlim=(-0.02, 1.02), title="16 segments and the elastica (lines)")
    right.title.set_fontsize(9)
    right.legend(fontsize=8, loc="lower left", handletextpad=0.1)
    figure.savefig(HERE / "convergence.png", dpi=120)


if __name__ == "__main__":
    main()
