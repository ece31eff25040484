"""The adapter contract and the manager that gathers all loads.

Write an adapter against :mod:`cosim.coupling.template`; register it with
:class:`ExternalForcesManager`; hand the manager to :class:`cosim.integrate.Simulation`.
"""

from cosim.coupling.manager import ExternalForcesManager
from cosim.coupling.motion import Motion, MotionSamples

__all__ = ["ExternalForcesManager", "Motion", "MotionSamples"]
