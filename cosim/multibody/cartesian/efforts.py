"""What drivers do to keep to their laws."""

from __future__ import annotations

import numpy as np

from cosim.algebra.types import Float
from cosim.multibody.cartesian.constraints import Constraints
from cosim.multibody.cartesian.drivers import VectorDriver
from cosim.multibody.cartesian.memory import MULTIPLIER, Memory
from cosim.multibody.cartesian.rows import speeds_wanted
from cosim.multibody.channel import Channel

__all__ = ["driving_power", "effort_channels", "efforts", "independent_rows"]


def effort_channels(constraints: Constraints) -> tuple[Channel, ...]:
    """Channels of all drivers, row by row: ``driver/quantity``."""
    own = [owner for owner in constraints.owners if owner.kind == "driver"]
    return tuple(
        Channel(f"{owner.name}/{name}", units, f"{text} of the motion '{owner.name}'")
        for owner, driver in zip(own, constraints.drivers, strict=True)
        for name, units, text in driver.channels(constraints.geometry.system)
    )


def efforts(constraints: Constraints, memory: Memory, t: float) -> dict[str, Float]:
    """What every driver does by the last multipliers: see the drivers' ``efforts``."""
    own = [owner for owner in constraints.owners if owner.kind == "driver"]
    system = constraints.geometry.system
    return {
        owner.name: driver.efforts(system, memory.row[MULTIPLIER, owner.rows].copy(), t)
        for owner, driver in zip(own, constraints.drivers, strict=True)
    }


def driving_power(constraints: Constraints, memory: Memory) -> float:
    """Power that all drivers bring by the last multipliers, W: -λ . ν."""
    if not constraints.drivers:
        return 0.0
    wanted = np.zeros(len(constraints.labels))
    speeds_wanted(memory.rows, memory.space.x, wanted)
    return -float(memory.row[MULTIPLIER] @ wanted)


def independent_rows(constraints: Constraints) -> int:
    """Rows of drivers, less the one of three that the unit length of a direction makes idle."""
    rows = sum(o.rows.stop - o.rows.start for o in constraints.owners if o.kind == "driver")
    return int(rows - sum(isinstance(driver, VectorDriver) for driver in constraints.drivers))
