"""Room for what the results show of the force elements."""

from __future__ import annotations

import numpy as np

from cosim.algebra.types import Float
from cosim.model.elements import JointLoad, MatrixLoad, PointForce, Tension, Torsion
from cosim.model.system import System
from cosim.multibody.channel import Channel
from cosim.multibody.elements.channels import channels_of

__all__ = ["ElementOutputs"]

_KINDS = (PointForce, JointLoad, Tension, Torsion, MatrixLoad)
"""In the order of the tables of `ElementArrays`."""


class ElementOutputs:
    """Channels of the force elements of a system, and the table that kernels write.

    Parameters
    ----------
    system : System

    Attributes
    ----------
    channels : tuple of Channel
        ``element/quantity``, in the order in which the elements are declared.
    table : (elements, quantities)
        One row per element, kind after kind, for
        :func:`~cosim.multibody.elements.evaluate.evaluate`.
    """

    channels: tuple[Channel, ...]
    table: Float

    def __init__(self, system: System) -> None:
        by_kind = sorted(
            system.elements, key=lambda name: _KINDS.index(type(system.elements[name]))
        )
        row = {name: number for number, name in enumerate(by_kind)}
        channels = {name: channels_of(system, name) for name in system.elements}
        width = max((len(own) for own in channels.values()), default=0)
        self.channels = tuple(channel for own in channels.values() for channel in own)
        self.table = np.zeros((len(row), width))
        self._places = np.array(
            [row[name] * width + k for name, own in channels.items() for k in range(len(own))],
            dtype=np.intp,
        )

    def values(self) -> Float:
        """Values of `channels` as the kernel left them, a copy."""
        return self.table.ravel()[self._places]
