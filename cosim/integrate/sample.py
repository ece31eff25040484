"""What the driver hands to a recorder at every output instant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from cosim.coupling.capabilities import Shape
from cosim.multibody.interface import Float, State

__all__ = ["Recorder", "Sample"]


@dataclass(frozen=True)
class Sample:
    """The converged solution at one output instant; arrays are the receiver's own.

    Attributes
    ----------
    t : float
        s.
    q : (nq,)
    u : (nu,)
    state : State
        All bodies, in the model's order.
    v_dot : (n, 6)
        Time derivatives of the twists, world axes.
    loads : mapping of adapter name to (k, 6)
        Load g_e - M_a v' of each adapter on its bodies, at their centres of gravity.
    outputs : mapping of adapter name to (channels,)
    elements : (channels,)
        Values of the model's `element_channels`.
    scalars : mapping
        Residual and ledger channels: ``residual`` (relative), ``energy/kinetic``,
        ``energy/potential``, ``ledger/balance``, ``ledger/work/<adapter>`` and
        ``ledger/coupling/<adapter>``.
    shapes : mapping of adapter name to shapes
    frames : mapping of adapter name to heading of its frame H
        rad; of the model's `frames`.
    """

    t: float
    q: Float
    u: Float
    state: State
    v_dot: Float
    loads: Mapping[str, Float] = field(default_factory=dict)
    outputs: Mapping[str, Float] = field(default_factory=dict)
    elements: Float = field(default_factory=lambda: np.zeros(0))
    scalars: Mapping[str, float] = field(default_factory=dict)
    shapes: Mapping[str, Sequence[Shape]] = field(default_factory=dict)
    frames: Mapping[str, float] = field(default_factory=dict)


class Recorder(Protocol):
    """Receives samples in order of time; called by the driver only."""

    def record(self, sample: Sample) -> None:
        """Keep a sample."""
