r"""Forces at the midpoint of a step, with which energy is exchanged exactly.

Springs between points depend on the squared distance s, which is quadratic in the coordinates.
With the quotient

.. math:: f = -2\,\frac{V(s_+) - V(s)}{s_+ - s}\,(r_2 - r_1)_m

they exchange energy exactly and load the two points with opposite forces along their line, so that
both momenta stay. All other elements are evaluated at the midpoint, and what they lack is added
along the step (Gonzalez' discrete gradient),

.. math:: \frac{V - V_+ + h\,(P - Q \cdot \xi)}{|q_+ - q|^2}\,(q_+ - q),

where Q is their generalised force, P their power apart from the potential V, and
:math:`\xi = (q_+ - q)/h`.
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import clear
from cosim.algebra.types import Float
from cosim.multibody.cartesian.conserving.added_mass import add_mass_loads
from cosim.multibody.cartesian.conserving.arrays import Step
from cosim.multibody.cartesian.conserving.tensions import add_tensions
from cosim.multibody.cartesian.coordinates import measure
from cosim.multibody.cartesian.directors import add_wrenches, poses, twists
from cosim.multibody.cartesian.element_loads import element_loads
from cosim.multibody.cartesian.memory import Memory
from cosim.multibody.elements.bodies import Bodies
from cosim.multibody.elements.machine import Programs

__all__ = ["begin_forces", "midpoint_forces", "wind"]

OLD, NEW, POWER = range(3)


@compiled
def begin_forces(memory: Memory, step: Step, t: float) -> None:
    """Note the potential of the elements at the start of a step, s."""
    if _others(memory) > 0:
        _evaluate(memory, (step.x0, step.v0), step.winding, t)
        step.energy[OLD] = memory.energy[0]


@compiled
def midpoint_forces(
    memory: Memory,
    step: Step,
    times: tuple[float, float],
    loads: tuple[Float, Float],
) -> None:
    """Write weight, elements and external loads to ``step.force``.

    `times` are that of the midpoint and h, s; `loads` are wrenches g, (n, 6), and added mass,
    (6n, 6n), either may be empty. ``step.energy[POWER]`` becomes the power, W, of all
    elements apart from their potential.
    """
    t, h = times
    force = step.force
    clear(force)
    power = 0.0
    if _others(memory) > 0:
        _evaluate(memory, (step.x1, step.rate), step.winding, t + 0.5 * h)
        step.energy[NEW] = memory.energy[0]
        _evaluate(memory, (step.xm, step.rate), step.winding, t)
        power = memory.energy[1]
        add_wrenches(memory.space, memory.wrench, force)
        stored = (step.energy[NEW] - step.energy[OLD]) / h
        _add_lack(step, power - stored)
    tables, programs = memory.elements
    if tables[3].size > 0:
        _, rest = add_tensions(memory.frames, tables[3], Programs(*programs), step, t)
        power += rest
    step.energy[POWER] = power
    for i in range(force.shape[0]):
        force[i, 2] -= memory.frames.weight[i]
    if loads[0].size:
        _copy(step.xm, memory.space.x)
        add_wrenches(memory.space, loads[0], force)
    if loads[1].size:
        add_mass_loads(step, loads[1], h)


@compiled
def wind(memory: Memory, step: Step) -> None:
    """Follow the angles of the joints to the end of the step."""
    space, table = memory.space, memory.coordinates
    if step.winding.size == 0:
        return
    _move(memory, step.x1, step.v1)
    measure(table, Bodies(space.r, space.R, space.twist), step.winding)
    for k in range(table.kind.size):
        if table.winding[k] >= 0:
            step.winding[table.winding[k]] = table.value[k]


@compiled
def _add_lack(step: Step, wanted: float) -> None:
    """Add what the forces lack along the step, so that their power is `wanted`, W."""
    force, rate = step.force, step.rate
    done = length = 0.0
    for i in range(force.shape[0]):
        for k in range(12):
            done += force[i, k] * rate[i, k]
            length += rate[i, k] * rate[i, k]
    if length > 0.0:
        share = (wanted - done) / length
        for i in range(force.shape[0]):
            for k in range(12):
                force[i, k] += share * rate[i, k]


@compiled
def _evaluate(memory: Memory, motion: tuple[Float, Float], winding: Float, t: float) -> None:
    """Loads of all elements but tensions where the bodies are in the motion (x, v)."""
    space = memory.space
    _move(memory, motion[0], motion[1])
    measure(memory.coordinates, Bodies(space.r, space.R, space.twist), winding)
    element_loads(memory, t, memory.wrench[:0], False)


@compiled
def _move(memory: Memory, x: Float, v: Float) -> None:
    _copy(x, memory.space.x)
    _copy(v, memory.space.v)
    poses(memory.frames, memory.space)
    twists(memory.space)


@compiled
def _others(memory: Memory) -> int:
    """Number of elements that are not tensions."""
    tables = memory.elements[0]
    return int(tables[1].size + tables[2].size + tables[4].size + tables[5].size)


@compiled
def _copy(source: Float, out: Float) -> None:
    for i in range(out.shape[0]):
        for k in range(12):
            out[i, k] = source[i, k]
