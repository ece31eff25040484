"""Time of one forward-dynamics call of a chain in 3D, beside Pinocchio's ``aba``.

Run ``python benchmarks/forward_dynamics.py``. Both programs take the same configuration and
give the same accelerations (checked first); their calls are interleaved, so that a busy
machine slows both. Needs ``pin`` from PyPI (extra ``bench``).
"""

from __future__ import annotations

import os

os.environ["NUMBA_NRT_STATS"] = "1"  # before numba is imported: counts its allocations

import statistics
import time
import tracemalloc
from collections.abc import Callable

import numpy as np
import pinocchio as pin
from numba.core.runtime import rtsys

from cosim.model import System
from cosim.multibody.joint import JointModel

LINKS, LENGTH, MASS = 60, 2.0, 10.0
INERTIA = (0.1, MASS * LENGTH**2 / 12.0, MASS * LENGTH**2 / 12.0)
CALLS, REPEATS = 400, 50
AXES = ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0])


def our_chain(links: int) -> JointModel:
    """Rods along x whose hinges turn about y and z in turn."""
    bodies = {
        f"rod{i}": {"mass": MASS, "cog": [(i + 0.5) * LENGTH, 0, 0], "inertia": INERTIA}
        for i in range(links)
    }
    joints = {
        f"hinge{i}": {
            "type": "revolute",
            "parent": f"rod{i - 1}" if i else "earth",
            "child": f"rod{i}",
            "at": [i * LENGTH, 0, 0],
            "axis": AXES[i % 2],
        }
        for i in range(links)
    }
    return JointModel(System.from_dict({"bodies": bodies, "joints": joints}))


def their_chain(links: int) -> pin.Model:
    """The same chain in Pinocchio."""
    model, parent = pin.Model(), 0
    model.gravity.linear = np.array([0.0, 0.0, -9.81])
    inertia = pin.Inertia(MASS, np.array([0.5 * LENGTH, 0.0, 0.0]), np.diag(INERTIA))
    for i in range(links):
        place = pin.SE3(np.eye(3), np.array([LENGTH if i else 0.0, 0.0, 0.0]))
        joint = (pin.JointModelRY(), pin.JointModelRZ())[i % 2]
        parent = model.addJoint(parent, joint, place, f"hinge{i}")
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    return model


def microseconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    for _ in range(CALLS):
        call()
    return 1e6 * (time.perf_counter() - start) / CALLS


def report_allocation(call: Callable[[], object]) -> None:
    tracemalloc.start()
    call()
    before, kept = rtsys.get_allocation_stats().alloc, tracemalloc.get_traced_memory()[0]
    for _ in range(1000):
        call()
    handles = (rtsys.get_allocation_stats().alloc - before) / 1000
    grown = tracemalloc.get_traced_memory()[0] - kept
    tracemalloc.stop()
    print(
        f"allocation: {grown} bytes kept after 1000 calls; numba made {handles:.0f} handles per "
        "call, one per array it was given, and no array"
    )


def main() -> None:
    model, twin = our_chain(LINKS), their_chain(LINKS)
    data = twin.createData()
    rng = np.random.default_rng(0)
    q, u = 0.3 * rng.normal(size=LINKS), 0.3 * rng.normal(size=LINKS)
    torque = np.zeros(LINKS)
    u_dot, v_dot = np.empty(LINKS), np.empty((LINKS, 6))

    def ours() -> None:
        model.kinematics(0.0, q, u)
        model.derive(None, u_dot, v_dot)

    def theirs() -> np.ndarray:
        return pin.aba(twin, data, q, u, torque)

    ours()
    reference = theirs()
    error = np.abs(u_dot - reference).max() / np.abs(reference).max()
    print(f"{LINKS} links in 3D; relative difference of the accelerations {error:.1e}")
    pairs = [(microseconds(ours), microseconds(theirs)) for _ in range(REPEATS)]
    our_time, their_time = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    print(f"ours (poses, twists, B' u, u', v'):  {our_time:6.1f} us per call")
    print(f"Pinocchio {pin.__version__} aba (u' only):      {their_time:6.1f} us per call")
    print(f"ratio, median of {REPEATS} interleaved pairs: {ratio:.2f}")
    report_allocation(ours)


if __name__ == "__main__":
    main()
