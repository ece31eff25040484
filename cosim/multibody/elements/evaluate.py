"""The one entry point of the elements' kernels."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.types import Float
from cosim.multibody.elements.bodies import Bodies
from cosim.multibody.elements.kernels_joint import joint_loads
from cosim.multibody.elements.kernels_matrix import matrix_loads
from cosim.multibody.elements.kernels_point import point_forces, weights
from cosim.multibody.elements.kernels_tension import tensions
from cosim.multibody.elements.kernels_torsion import torsions
from cosim.multibody.elements.records import ElementArrays

__all__ = ["evaluate"]


@compiled
def evaluate(
    elements: ElementArrays,
    t: float,
    r: Float,
    R: Float,
    v: Float,
    xj: Float,
    vj: Float,
    g: Float,
    Qj: Float,
    shown: Float,
) -> tuple[float, float]:
    """Add the loads of all elements; nothing is allocated.

    The arguments are flat, against the rule of five, because this is called from compiled
    code, where bundling them would be a second description of the same arrays.

    Parameters
    ----------
    elements : ElementArrays
        Of :class:`~cosim.multibody.elements.force_elements.ForceElements`.
    t : float
        s.
    r, R, v : (n, 3), (n, 3, 3), (n, 6)
        Centres of gravity, rotation matrices, twists; world axes; C-contiguous.
    xj, vj : (m,)
        Joint coordinates that joint loads act on, in the order of
        ``ForceElements.coordinates``, and their rates.
    g : (n, 6)
        Wrenches at the centres of gravity, world axes; added to.
    Qj : (m,)
        Generalised forces on those coordinates; added to.
    shown : (elements, quantities) or (0, 0)
        The table of :class:`~cosim.multibody.elements.outputs.ElementOutputs`, written, or
        nothing where the results are not asked for.

    Returns
    -------
    potential : float
        Energy of weight, springs, preloads and stops, J.
    power : float
        Power, W, of everything else (dampers, laws, point forces, what a stop's damper
        does), so that d/dt(kinetic + potential) = power + power of other loads.
    """
    bodies = Bodies(r, R, v)
    programs = elements.programs
    potential = power = 0.0
    # a call that finds an empty table costs more than most elements
    if elements.weight.size:
        potential += weights(elements.weight, bodies, g)
    if elements.forces.size:
        power += point_forces(elements.forces, programs, t, bodies, (g, shown))
        shown = shown[elements.forces.size :]
    if elements.joint_loads.size:
        stored, other = joint_loads(elements.joint_loads, programs, t, (xj, vj), (Qj, shown))
        potential, power = potential + stored, power + other
        shown = shown[elements.joint_loads.size :]
    if elements.tensions.size:
        stored, other = tensions(elements.tensions, programs, t, bodies, (g, shown))
        potential, power = potential + stored, power + other
        shown = shown[elements.tensions.size :]
    if elements.torsions.size:
        stored, other = torsions(elements.torsions, programs, t, bodies, (g, shown))
        potential, power = potential + stored, power + other
        shown = shown[elements.torsions.size :]
    if elements.matrix_loads.size:
        stored, other = matrix_loads(elements.matrix_loads, bodies, (g, shown))
        potential, power = potential + stored, power + other
    return potential, power
