r"""Solvers with their own clock in a linear system: by what they do in motion.

The stiffness at rest of a mooring line leaves out what its mass and the water around it do when
it moves. So the Steppers are led along every undamped mode shape :math:`\phi_j` at the frequency
:math:`\omega_j` of its mode, and

.. math::

    k_j = (K_l - \omega_j^2 M_l)\,\phi_j, \qquad c_j = C_l \phi_j

are measured. With the stiffness at rest K_s, what is missing in :math:`k_j` along the shape itself
counts as mass and the rest as stiffness,

.. math::

    M_l = \sum_j \mu_j M \phi_j \phi_j^T M, \quad
    \mu_j = \frac{\phi_j^T (K_s \phi_j - k_j)}{\omega_j^2}, \quad
    C_l = \sum_j c_j\,\phi_j^T M,

so that each mode sees the loads at its own frequency and how they change beside it. Where the load
is stiffer in motion than at rest, all of the difference is stiffness: there is no negative mass.
Modes whose frequencies move by more than a little are measured again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import linear_sum_assignment

from cosim.analysis.adapter_terms import Contribution
from cosim.analysis.linear_system import LinearSystem
from cosim.analysis.modes import natural_modes
from cosim.integrate.harmonic import Harmonic
from cosim.multibody.interface import Float

__all__ = ["Measure", "with_impedance"]

Measure = Callable[[Float, float], Harmonic]
"""Response of the Steppers to harmonic motion along a shape (nu,) of unit generalised mass, at a
frequency, rad/s."""

_PASSES = 4
_SETTLED = 2e-3
"""Change of a frequency, relative, after which its mode is not measured again."""


def with_impedance(
    system: LinearSystem, measure: Measure, *, steppers: tuple[str, ...]
) -> LinearSystem:
    """Replace the stiffness at rest of the Steppers by their dynamic impedance.

    Parameters
    ----------
    system : LinearSystem
        With the added mass of the Steppers in M.
    measure : callable
    steppers : tuple of str
        Names of the adapters that are measured together.
    """
    shapes = _undamped_shapes(system)
    found: dict[int, tuple[float, Harmonic]] = {}
    current = system
    for _ in range(_PASSES):
        moved = False
        for j, omega in _frequencies(current, shapes).items():
            if j in found and abs(omega - found[j][0]) <= _SETTLED * omega:
                continue
            found[j] = omega, measure(shapes[:, j], omega)
            moved = True
        if not moved:
            break
        current = _replaced(system, shapes, found)
    error = max((response.error for _, response in found.values()), default=0.0)
    contributions = (
        *(c for c in system.contributions if c.adapter not in steppers),
        *(Contribution(name, "impedance", error) for name in steppers),
    )
    return replace(current, contributions=contributions)


def _undamped_shapes(system: LinearSystem) -> Float:
    """Real shapes of the undamped system, (nu, nu), with unit generalised mass."""
    _, shapes = eigh(0.5 * (system.K + system.K.T), system.M)
    return np.asarray(shapes)


def _frequencies(system: LinearSystem, shapes: Float) -> dict[int, float]:
    """Damped frequency, rad/s, of the mode of each undamped shape that has one."""
    modes = natural_modes(system)
    if not modes:
        return {}
    part = np.abs(shapes.T @ system.M @ np.array([mode.shape for mode in modes]).T) ** 2
    columns, rows = linear_sum_assignment(-(part / part.sum(axis=0)).T)
    return {int(j): abs(modes[k].value.imag) for k, j in zip(columns, rows, strict=True)}


def _replaced(
    system: LinearSystem, shapes: Float, found: dict[int, tuple[float, Harmonic]]
) -> LinearSystem:
    M, K, C = system.M.copy(), system.K.copy(), system.C.copy()
    for j, (omega, response) in found.items():
        shape = shapes[:, j]
        dual = system.M @ shape
        missing = system.settled @ shape - response.k
        lag = max(float(shape @ missing), 0.0)
        M += np.outer(dual, dual) * lag / omega**2
        K -= np.outer(missing - lag * dual, dual)
        C += np.outer(response.c, dual)
    return replace(system, M=M, K=K, C=C)
