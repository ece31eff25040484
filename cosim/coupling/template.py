"""The contract every adapter keeps; what it may add is in `cosim.coupling.capabilities`.

Life of an adapter::

    construct, [static_forces]*, initialize,
        (update* | advance, save_state/restore_state)*, accept, ..., end

The manager alone calls these; only :mod:`cosim.integrate` decides when. An adapter never
touches time: it is told the instant (`update`) or the motion over a step (`advance`).

All arrays follow the adapter's own order of bodies, :attr:`TemplateInterface.bodies`.
Wrenches are [Fx Fy Fz Mx My Mz] at the centres of gravity in world axes, N and N m.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cosim.model.base import Strict
from cosim.multibody.channel import Channel
from cosim.multibody.interface import Float, MultibodyModel, State

__all__ = [
    "CartForce",
    "Channel",
    "TemplateInterface",
]

NO_STATES = np.zeros(0)
NO_STATES.setflags(write=False)


@dataclass(frozen=True)
class CartForce:
    """A force at a point of a body, and a free couple.

    Parameters
    ----------
    body : str
    force : (3,)
        N, world axes.
    moment : (3,)
        Free couple, N m, world axes.
    point : (3,) or None
        Present position, m, world frame; None means the centre of gravity.
    """

    body: str
    force: tuple[float, float, float] | Float
    moment: tuple[float, float, float] | Float = (0.0, 0.0, 0.0)
    point: tuple[float, float, float] | Float | None = None


class TemplateInterface(ABC):
    """Base class of all adapters.

    Parameters
    ----------
    model : MultibodyModel
        Gives `model.system`; an adapter reads, never changes it.
    name : str
        Name in the case.
    options : Options
        Validated part of the case file.

    Attributes
    ----------
    bodies : tuple of str
        The k bodies it loads.
    accept_has_effect : bool
        Whether `accept` may change what later updates return; asked only of adapters that
        override it. False spares an evaluation after every accepted step.
    longest_step : float
        Longest step of the equations, s, that the adapter can follow.
    """

    class Options(Strict):
        """Schema of this adapter's part of the case file; subclasses add fields."""

    bodies: tuple[str, ...]
    accept_has_effect: bool = True
    longest_step: float = math.inf

    def __init__(self, model: MultibodyModel, name: str, options: Strict) -> None:
        """Validate everything, open nothing."""
        self.model = model
        self.name = name
        self.options = options

    @classmethod
    def create(cls, model: MultibodyModel, name: str, options: Strict) -> TemplateInterface:
        """Adapter of a case: the constructor, unless the options choose a subclass."""
        return cls(model, name, options)

    @abstractmethod
    def initialize(self, t0: float, state: State) -> None:
        """Start whatever is outside at the true pose.

        Raises
        ------
        AdapterError
        """

    def update(self, t: float, state: State, x: Float) -> None:
        """Evaluate at a trial point; pure: same arguments, same result.

        Parameters
        ----------
        t : float
        state : State
            Of this adapter's bodies.
        x : (n_states,)
            Its own continuous states (empty for most).

        Raises
        ------
        AdapterError
        """

    @abstractmethod
    def forces(self) -> Float | Sequence[CartForce]:
        """Load g_e of the last `update` or `advance`: (k, 6), or a list of forces."""

    def added_mass(self) -> Float | None:
        """M_a of the same instant, (6k, 6k) symmetric, world axes; None for none.

        The load on the bodies is ``g_e - M_a v'``, v' the time derivative of the world
        components of the twists.
        """
        return None

    def accept(self, t: float, state: State, x: Float) -> None:
        """Note that this point is history now; discrete modes change only here.

        An adapter that overrides it is Restorable (or a Stepper): a repeated step takes it
        back.
        """

    def channels(self) -> Sequence[Channel]:
        """Outputs, declared once."""
        return ()

    def outputs(self) -> Float:
        """Values of `channels`.

        At the last `update`, which the driver makes at the output instant; for Steppers at
        the last accepted point (the driver interpolates between these).
        """
        return NO_STATES

    def end(self) -> None:
        """Close what was opened; may be called twice and after an error."""

    def abort(self, reason: str) -> None:
        """The run has failed: tell whatever is outside, without waiting; `end` follows.

        Parameters
        ----------
        reason : str
            The sentence with which it failed.
        """
        self.end()

    def settings(self) -> Mapping[str, str]:
        """What the results should remember of this adapter: versions, files, hashes."""
        return {}
