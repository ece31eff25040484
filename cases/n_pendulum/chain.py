"""A pendulum of n links, built in Python, let go horizontally: energy drift and time taken.

Run it from anywhere::

    python cases/n_pendulum/chain.py 10
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import cosim

LENGTH, MASS, GRAVITY = 2.0, 10.0, 9.81


def chain(links: int, end: float = 30.0, **settings: float | str) -> cosim.Case:
    """Uniform rods of 2 m and 10 kg on hinges about y, along +x at the start, at rest.

    Parameters
    ----------
    links : int
    end : float
        s.
    **settings
        Of `time`; the tolerances are the paper's by default.
    """
    inertia = MASS * LENGTH**2 / 12.0
    names = [f"rod{number}" for number in range(1, links + 1)]
    bodies = {
        name: cosim.Body(
            mass=MASS, cog=(0, 0, -(k + 0.5) * LENGTH), inertia=(inertia, inertia, 0.1)
        )
        for k, name in enumerate(names)
    }
    joints = {
        f"hinge{k + 1}": cosim.Revolute(
            parent=names[k - 1] if k else "earth",
            child=name,
            at=(0, 0, -k * LENGTH),
            axis=(0, 1, 0),
        )
        for k, name in enumerate(names)
    }
    return cosim.Case(
        title=f"Pendulum of {links} links",
        environment=cosim.Environment(gravity=GRAVITY),
        bodies=bodies,
        joints=joints,
        start=cosim.Start(from_="reference", set={"hinge1.angle_deg": -90.0}),
        time=cosim.TimeSettings(**{"end": end, "rtol": 1e-8, "atol": 1e-8, **settings}),
        output=cosim.Output(step=0.02),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("links", type=int, nargs="?", default=10)
    links = parser.parse_args().links
    cosim.run(chain(links, end=0.1))  # kernels are loaded here
    began = time.perf_counter()
    results = cosim.run(chain(links))
    wall = time.perf_counter() - began
    energy = results["energy/kinetic"] + results["energy/potential"]
    drift = np.abs(energy - energy[0]).max().item()
    scale = results["energy/kinetic"].max().item()
    print(f"{links} links: energy drift {drift:.1e} J of {scale:.0f} J, {wall:.1f} s")


if __name__ == "__main__":
    main()
