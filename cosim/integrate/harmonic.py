"""Dynamic impedance of the Steppers: their loads in small harmonic motions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cosim.coupling.equations import CoupledEquations
from cosim.integrate.probe import Probe
from cosim.multibody.interface import Float

__all__ = ["Harmonic", "measure_impedance"]

_INSTANTS = 64
"""Per period."""
_RAMP = 1
"""Periods over which a motion grows."""
_LONGEST = 12
"""Periods after which a response that still changes is taken as it is."""


@dataclass(frozen=True)
class Harmonic:
    r"""Generalised load of the Steppers per unit of a harmonic displacement.

    In the motion :math:`d = \phi\,a \sin\omega t` the load is
    :math:`-(k \sin\omega t + \omega c \cos\omega t)\,a`.

    Attributes
    ----------
    k, c : (n,)
        (K_l - w² M_l) φ and C_l φ at this frequency.
    error : float
        What the last two periods differ by, as a part of the stiffness of the mode.
    """

    k: Float
    c: Float
    error: float


def measure_impedance(
    equations: CoupledEquations,
    place: tuple[float, Float],
    motion: tuple[Float, float],
    *,
    reduce: Callable[[Float], Float],
    weight: Float,
    amplitude: float = 0.02,
    tolerance: float = 2e-4,
) -> Harmonic:
    """Let the Steppers follow a harmonic motion from their present state; restores them.

    The motion grows over one period; then it goes on until two periods give the same load.
    The added mass that Steppers declare is not part of what is measured.

    Parameters
    ----------
    equations : CoupledEquations
        All Steppers Restorable, at rest.
    place : t, (n,)
        Committed point.
    motion : (nu,), float
        Shape φ, and frequency w, rad/s.
    reduce : callable
        Takes a generalised force (nu,) at the pose of the model to the one wanted.
    weight : (n,)
        Its product with what is wanted is the load as a part of the stiffness of the mode.
    amplitude : float
        Largest displacement of their bodies, m; rotations count ten metres away.
    tolerance : float
        Difference of two periods, as a part of that stiffness, at which the measurement ends.
    """
    t, y = place
    shape, omega = motion
    step = 2.0 * np.pi / omega / _INSTANTS
    probe = Probe(equations, t, y, step)
    reach = probe.reach(shape)
    if reach == 0.0:
        none = np.zeros_like(reduce(np.zeros_like(shape)))
        return Harmonic(none, none, 0.0)
    scale = amplitude / reach
    times = step * np.arange(1.0, _LONGEST * _INSTANTS + 1.0)
    record: list[Float] = []
    found: Harmonic | None = None
    for z in probe.follow(shape, scale * _path(omega, times)):
        record.append(reduce(_generalised(equations, z)))
        if len(record) % _INSTANTS or len(record) < (_RAMP + 1) * _INSTANTS:
            continue
        period = slice(len(record) - _INSTANTS, len(record))
        k, c = _fitted(omega, times[period], np.array(record[period]) / scale)
        error = np.inf
        if found is not None:
            change = np.array([weight @ (k - found.k), omega * (weight @ (c - found.c))])
            error = float(np.abs(change).max())
        found = Harmonic(k, c, error)
        if error < tolerance:
            break
    probe.end()
    assert found is not None
    return found


def _path(omega: float, t: Float) -> Float:
    """Displacement and speed of a sine that grows smoothly, (count, 2)."""
    length = 2.0 * np.pi * _RAMP / omega
    s = np.minimum(t / length, 1.0)
    grown = s**3 * (10.0 - 15.0 * s + 6.0 * s**2)
    growing = 30.0 * (s * (1.0 - s)) ** 2 / length
    sine, cosine = np.sin(omega * t), np.cos(omega * t)
    return np.column_stack([grown * sine, growing * sine + grown * omega * cosine])


def _generalised(equations: CoupledEquations, z: Float) -> Float:
    """Generalised force of the loads in z; the model stands at their poses."""
    assert equations.held is not None
    wrench = np.zeros((len(equations.model.bodies), 6))
    for entry, (load, _) in zip(equations.steppers, equations.held.slices, strict=True):
        wrench[entry.index] += z[load].reshape(-1, 6)
    return equations.model.project(wrench)


def _fitted(omega: float, t: Float, load: Float) -> tuple[Float, Float]:
    """Values of k and c from one period, beside a constant and a slow drift."""
    centred = (t - t.mean()) / (t[-1] - t[0])
    basis = np.column_stack([np.sin(omega * t), np.cos(omega * t), np.ones_like(t), centred])
    sine, cosine = np.linalg.lstsq(basis, load, rcond=None)[0][:2]
    return -sine, -cosine / omega
