"""Response of a linear system to regular waves."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cosim.algebra.types import Complex, Float
from cosim.analysis.linear_system import LinearSystem
from cosim.coupling.capabilities import WaveExcited
from cosim.coupling.entry import adapter_errors
from cosim.coupling.template import TemplateInterface
from cosim.errors import ModelError
from cosim.multibody.interface import MultibodyModel

__all__ = ["wave_force", "wave_response"]


def wave_response(
    system: LinearSystem,
    model: MultibodyModel,
    adapters: Mapping[str, TemplateInterface],
    omega: Float,
    heading: float = 0.0,
) -> Complex:
    """Response amplitude operators of all coordinates, (nw, nu), m and rad per m.

    Amplitudes go with exp(-i w t); the crest passes the world's origin at t = 0.

    Parameters
    ----------
    system : LinearSystem
    model : MultibodyModel
    adapters : mapping of name to adapter
        The waves load their bodies.
    omega : (nw,)
        rad/s.
    heading : float
        Direction that the waves go to, rad.

    Raises
    ------
    ModelError
        No adapter has a load in waves.
    DatabaseError
        A database lacks this heading.
    """
    return system.response(omega, wave_force(system, model, adapters, omega, heading))


def wave_force(
    system: LinearSystem,
    model: MultibodyModel,
    adapters: Mapping[str, TemplateInterface],
    omega: Float,
    heading: float = 0.0,
) -> Complex:
    """Generalised force of a regular wave of unit amplitude, (nw, nu); see `wave_response`."""
    excited = {n: a for n, a in adapters.items() if isinstance(a, WaveExcited)}
    if not excited or system.motion is None:
        raise ModelError("no adapter of this linear system knows its load in waves")
    omega = np.asarray(omega, dtype=float)
    force = np.zeros((omega.size, len(system.speeds)), dtype=complex)
    for name, adapter in excited.items():
        rows = (6 * model.index(adapter.bodies)[:, None] + np.arange(6)).ravel()
        with adapter_errors(name, None):
            force += adapter.wave_excitation(omega, heading) @ system.motion.B[rows]
    return force
