r"""Letting lines come to rest: dynamic relaxation by the water itself.

MoorDyn's own stationary solver does not see a current and stops far from rest where lines
meet at buoys (tension of the RM3 mooring five times too small). Here MoorDyn runs its own
dynamics in water that decelerates against the nodes,

.. math:: \dot u_w = -\beta v_{node}.

The inertia force (1 + Ca) ρ A u_w' is then a linear drag that vanishes at rest, so the lines
converge geometrically to their true equilibrium in the current u_w.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator

import numpy as np

from adapters.moordyn.binding import Reals
from adapters.moordyn.instance import DivergenceError, MoorDynInstance
from adapters.moordyn.records import MooringFile
from cosim.errors import AdapterError
from cosim.multibody.interface import Float

__all__ = ["Settler"]

LOG = logging.getLogger(__name__)

_RATE = 0.8
"""Damping rate of line nodes, 1/s: critical for motions of 16 s."""
_PATIENCE = 150.0
"""Time after which the rate falls like 1/t, s ..."""
_FLOOR = 0.25
"""... to this part of its start, for motions of a minute."""
_SAMPLE = 0.05
"""Time between updates of the water, s; halved for taut lines, which would be driven by an answer
that comes late in their period ..."""
_SHAKEN = 0.7
"""... which shows in speeds that change from sample to sample by this part of themselves."""
_LAG = 0.5
"""Bound on damping rate times `_SAMPLE`: the water answers one sample late."""
_SPEED = 1e-6
"""Speed of a node at rest, m/s."""
_QUIET = 1.0
"""Time for which all nodes must be that slow, s."""
_WINDOW = 20.0
"""Time over which forces are steady, s, if they ..."""
_STEADY = 1e-6
"""... change by less than this part of the largest: free bodies may still turn a little."""
_LONGEST = 1500.0
"""Time after which lines that still move are an error, s."""
_HALVINGS = 3
"""How often a start that diverges is repeated with half the step."""
_PACE = 1.0
"""Speed at which fairleads are led to a new pose, m/s."""


class Settler:
    """Relaxes the lines of one instance.

    Parameters
    ----------
    instance : MoorDynInstance
        Started.
    file : MooringFile
        That the instance runs.
    current : callable
        Velocity of the water, (w, 3), m/s, at (w, 3) points.
    adapter : str
    """

    def __init__(
        self,
        instance: MoorDynInstance,
        file: MooringFile,
        current: Callable[[Float], Float],
        *,
        adapter: str,
    ) -> None:
        self._instance = instance
        self._step = float(file.options["dtM"].value)
        self._current = current
        self._beta = _damping(file)
        self._adapter = adapter

    def settle(self, x: list[float]) -> Reals:
        """Hold the coupled points at x, (3p,), until the lines rest.

        Returns
        -------
        (3p,) tuple
            Forces on the points, N.

        Raises
        ------
        AdapterError
            The lines diverge with ever smaller steps, or do not come to rest.
        """
        start = self._instance.save()
        for halving in range(_HALVINGS):
            try:
                return self._relax(x, self._step / 2**halving)
            except DivergenceError:
                LOG.info("lines diverge from their first guess; settling with half the step")
                self._instance.restore(start)
        return self._relax(x, self._step / 2**_HALVINGS)

    def lead(self, x0: list[float], x1: list[float]) -> None:
        """Move the coupled points from x0 to x1, (3p,), slowly, with the lines damped."""
        path = np.subtract(x1, x0)
        count = math.ceil(max(float(np.max(np.abs(path))) / _PACE, _SAMPLE) / self._step)
        velocity = (path / (count * self._step)).tolist()
        start = np.add(x0, np.outer(np.arange(count) / count, path)).tolist()
        stride = max(1, round(_SAMPLE / self._step))
        nodes = self._instance.water_points()
        for i in range(0, count, stride):
            chunk = start[i : i + stride]
            self._instance.follow(chunk, [velocity] * len(chunk), self._step)
            nodes = self._brake(nodes, len(chunk) * self._step, self._beta)[0]

    def _relax(self, x: list[float], step: float) -> Reals:
        stride = max(1, round(_SAMPLE / step))
        nodes, velocity = self._instance.water_points(), np.zeros(())
        t = quiet = shaken = 0.0
        speed, steady = math.inf, _Steady(stride * step)
        while t < _LONGEST:
            interval = stride * step
            force = self._instance.follow([x] * stride, [[0.0] * len(x)] * stride, step)
            t += interval
            beta = self._beta * min(1.0, max(_FLOOR, _PATIENCE / t))
            before = velocity
            nodes, velocity = self._brake(nodes, interval, beta)
            speed = float(np.max(np.abs(velocity)))
            quiet = quiet + interval if speed < _SPEED else 0.0
            if quiet >= _QUIET or steady.for_long(force):
                LOG.debug("lines at rest after %.4g s", t)
                return force
            change = float(np.max(np.abs(velocity - before)))
            shaken = max(0.0, shaken + interval * (1.0 if change > _SHAKEN * speed else -1.0))
            if shaken > _WINDOW and stride > 1:
                stride, shaken = stride // 2, 0.0
                steady = _Steady(stride * step)
        raise AdapterError(
            f"the lines do not come to rest: after {_LONGEST:g} s something still moves at "
            f"{speed:.2g} m/s; look for free bodies without drag against rotation, or vortices",
            adapter=self._adapter,
        )

    def _brake(self, nodes: Float, interval: float, beta: float) -> tuple[Float, Float]:
        """Set the water for the next sample; nodes now, and their velocities since."""
        moved = self._instance.water_points()
        velocity = (moved - nodes) / interval
        flow = self._current(moved)
        self._instance.set_water(flow.ravel().tolist(), (-beta * velocity).ravel().tolist())
        return moved, velocity


class _Steady:
    """Watches forces sample by sample, in windows of `_WINDOW`."""

    def __init__(self, interval: float) -> None:
        self._count = round(_WINDOW / interval)
        self._samples: list[Reals] = []

    def for_long(self, force: Reals) -> bool:
        """Take a sample; True at the end of a window in which the forces were steady."""
        self._samples.append(force)
        if len(self._samples) < self._count:
            return False
        window = np.array(self._samples)
        self._samples.clear()
        return bool(np.ptp(window, axis=0).max() < _STEADY * np.abs(window).max())


def _damping(file: MooringFile) -> float:
    """Coefficient β, 1/s, of the decelerating water."""
    answers = list(_answers(file))
    lines = max(ratio for is_line, ratio in answers if is_line)
    return min(_RATE / lines, _LAG / (_SAMPLE * max(ratio for _, ratio in answers)))


def _answers(file: MooringFile) -> Iterator[tuple[bool, float]]:
    """Acceleration of what is in the water by that of the water: (is a line, ratio)."""
    density = float(file.options["rho"].value)
    for kind in (file.line_type(line.type) for line in file.lines):
        displaced = density * 0.25 * math.pi * kind.diameter**2
        yield True, _ratio(kind.mass, displaced, kind.Ca)
    for rod_type in file.rod_types:
        displaced = density * 0.25 * math.pi * rod_type.diameter**2
        yield False, _ratio(rod_type.mass, displaced, rod_type.Ca)
    for point in file.points:
        if point.attachment == "free" and point.volume > 0.0:
            yield False, _ratio(point.mass, density * point.volume, point.Ca)
    for body in file.bodies:
        if body.attachment == "free" and body.volume > 0.0:
            yield False, _ratio(body.mass, density * body.volume, max(body.Ca))


def _ratio(mass: float, displaced: float, added: float) -> float:
    return (1.0 + added) * displaced / max(mass + added * displaced, 1e-3 * displaced)
