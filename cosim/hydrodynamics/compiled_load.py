"""The time-domain load of a database as one compiled function of plain memory.

For a fixed frame H, memory in state space, and wave components or still water; the kernels
are those of :class:`~cosim.hydrodynamics.loads.HydroLoads`.
"""

from __future__ import annotations

from ctypes import c_void_p

import numpy as np
from numba.np.numpy_support import carray

from cosim.coupling.capabilities import CompiledLoad
from cosim.coupling.compiled_call import address_of
from cosim.coupling.packed import pack, part, unpack
from cosim.hydrodynamics.excitation import FixedExcitation, StillExcitation, component_sum
from cosim.hydrodynamics.load_kernels import hydrostatic_load, into_frame, to_world
from cosim.hydrodynamics.loads import HydroLoads
from cosim.hydrodynamics.memory import StateSpaceMemory, state_space
from cosim.hydrodynamics.rigid import Float

__all__ = ["compiled_load"]

# parts of the packed memory; the last four are scratch, (k, 6) each
_YAWS, _HEIGHT, _REST, _STIFFNESS = range(4)
_DECAY, _TURN, _GAIN, _PARTNER, _DOF, _C = range(4, 10)
_RAMP, _OMEGA, _REAL, _IMAG = range(10, 14)
_V, _BUOYANT, _RADIATED, _EXCITED, _PARTS = range(14, 19)


def compiled_load(loads: HydroLoads) -> CompiledLoad | None:
    """The load for compiled drivers.

    Parameters
    ----------
    loads : HydroLoads

    Returns
    -------
    CompiledLoad or None
        None with a frame H that moves, direct convolution or an elevation record.
    """
    memory = loads.memory
    waves = _waves(loads)
    if loads.frame.moves or waves is None or not isinstance(memory, StateSpaceMemory):
        return None
    b, frame = loads.buoyancy, loads.frame
    scratch = [np.zeros_like(loads.load) for _ in range(_PARTS - _V)]
    block = pack(
        [
            np.array([frame.pose[2], frame.reference_yaw]),
            *(b.height, b.rest, b.stiffness),
            *(*memory.rates, *memory.links, memory.C),
            *waves,
            *scratch,
        ]
    )
    return CompiledLoad(address_of(_load), block, loads.added_mass.copy())


def _waves(loads: HydroLoads) -> tuple[Float, Float, Float, Float] | None:
    """Ramp, frequencies, real and imaginary amplitudes; None for other excitations."""
    excitation = loads.excitation
    if isinstance(excitation, FixedExcitation):
        return (np.array([excitation.ramp]), excitation.omega, *excitation.force)
    if isinstance(excitation, StillExcitation):
        nothing = np.zeros(0)
        return np.zeros(1), nothing, nothing, nothing
    return None


def _load(t: float, motion: c_void_p, x: c_void_p, memory: c_void_p, out: c_void_p) -> None:
    """See :class:`~cosim.coupling.capabilities.CompiledLoad`."""
    data = unpack(memory, _PARTS)
    yaws = (part(data, _YAWS)[0], part(data, _YAWS)[1])
    k, n = part(data, _HEIGHT).size, part(data, _DECAY).size
    moved, result = carray(motion, 18 * k, np.float64), carray(out, 6 * k + n, np.float64)
    pose = (moved[: 3 * k].reshape(k, 3), moved[3 * k : 12 * k].reshape(k, 3, 3))
    v, buoyant = part(data, _V), part(data, _BUOYANT).reshape(k, 6)
    into_frame(yaws[0], moved[12 * k :].reshape(k, 6), v.reshape(k, 6))
    stiffness = part(data, _STIFFNESS).reshape(k, 6, 6)
    buoyancy = (part(data, _HEIGHT), part(data, _REST).reshape(k, 6), stiffness)
    hydrostatic_load(yaws, pose, buoyancy, buoyant)
    radiated, excited = part(data, _RADIATED), part(data, _EXCITED)
    state_space(
        v,
        carray(x, n, np.float64),
        (part(data, _DECAY), part(data, _TURN), part(data, _GAIN)),
        (part(data, _PARTNER).view(np.int64), part(data, _DOF).view(np.int64)),
        (part(data, _C).reshape(6 * k, n), radiated, result[6 * k :]),
    )
    omega = part(data, _OMEGA)
    force = (
        part(data, _REAL).reshape(omega.size, 6 * k),
        part(data, _IMAG).reshape(omega.size, 6 * k),
    )
    component_sum(t, omega, force, part(data, _RAMP)[0], excited)
    parts = (buoyant, radiated.reshape(k, 6), excited.reshape(k, 6))
    to_world(yaws[0], parts, result[: 6 * k].reshape(k, 6))
