"""N four-bar loops in a row, built in Python: energy drift and time taken.

Run it from anywhere::

    python cases/four_bar_chain/chain.py 40
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import cosim

LENGTH, MASS, GRAVITY = 1.0, 1.0, 9.81


def rod(cog: tuple[float, float, float], lies: bool) -> cosim.Body:
    """A uniform rod, along x where it lies and along z where it stands."""
    across, thin = MASS * LENGTH**2 / 12.0, MASS * LENGTH**2 / 12e3
    inertia = (thin, across, across) if lies else (across, across, thin)
    return cosim.Body(mass=MASS, cog=cog, inertia=inertia)


def chain(loops: int, end: float = 20.0, **settings: float | str) -> cosim.Case:
    """Cranks ``crank0`` ... on earth hinges ``A0`` ..., couplers ``coupler1`` ... between tips.

    Parameters
    ----------
    loops : int
        N of the library; 2 N + 1 rods.
    end : float
        s.
    **settings
        Of `time`.
    """

    def hinge(
        child: str, at: tuple[float, float, float], parent: str = "earth", cut: bool = False
    ) -> cosim.Revolute:
        return cosim.Revolute(parent=parent, child=child, at=at, axis=(0, 1, 0), cut=cut)

    bodies = {"crank0": rod((0, 0, 0.5 * LENGTH), lies=False)}
    joints = {"A0": hinge("crank0", (0, 0, 0))}
    for i in range(1, loops + 1):
        left, x = (i - 1) * LENGTH, i * LENGTH
        bodies[f"coupler{i}"] = rod((x - 0.5 * LENGTH, 0, LENGTH), lies=True)
        bodies[f"crank{i}"] = rod((x, 0, 0.5 * LENGTH), lies=False)
        joints[f"A{i}"] = hinge(f"crank{i}", (x, 0, 0))
        joints[f"B{i}"] = hinge(f"coupler{i}", (left, 0, LENGTH), parent=f"crank{i - 1}")
        joints[f"C{i}"] = hinge(f"coupler{i}", (x, 0, LENGTH), parent=f"crank{i}", cut=True)
    return cosim.Case(
        title=f"{loops} four-bar loops in a row",
        environment=cosim.Environment(gravity=GRAVITY),
        bodies=bodies,
        joints=joints,
        start=cosim.Start(from_="reference", set={"A0.angle_rate": 1.0 / LENGTH}),
        time=cosim.TimeSettings(**{"end": end, "method": "DOP853", "rtol": 1e-8, **settings}),
        output=cosim.Output(step=0.02),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("loops", type=int, nargs="?", default=10)
    loops = parser.parse_args().loops
    cosim.run(chain(loops, end=0.1))  # kernels are loaded here
    began = time.perf_counter()
    results = cosim.run(chain(loops))
    wall = time.perf_counter() - began
    energy = results["energy/kinetic"] + results["energy/potential"]
    drift = np.abs(energy - energy[0]).max().item()
    print(f"{loops} loops: energy drift {drift:.1e} J of {energy[0].item():.0f} J, {wall:.1f} s")


if __name__ == "__main__":
    main()
