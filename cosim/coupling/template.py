"""The contract every adapter keeps, and the capabilities it may add.

Life of an adapter::

    construct, [static_forces]*, initialize,
        (update* | advance, save_state/restore_state)*, accept, ..., end

The manager alone calls these; only :mod:`cosim.integrate` decides when. An adapter never
touches time: it is told the instant (`update`) or the motion over a step (`advance`).

All arrays follow the adapter's own order of bodies, :attr:`TemplateInterface.bodies`.
Wrenches are [Fx Fy Fz Mx My Mz] at the centres of gravity in world axes, N and N m.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cosim.coupling.motion import Motion
from cosim.model.base import Strict
from cosim.multibody.interface import Float, MultibodyModel, State

__all__ = [
    "CartForce",
    "Channel",
    "ContinuousStates",
    "CoordinateReader",
    "EventSource",
    "Linearisable",
    "Linearisation",
    "Plottable",
    "Restorable",
    "Shape",
    "StaticLoads",
    "Stepper",
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


@dataclass(frozen=True)
class Channel:
    """One scalar output of an adapter.

    Parameters
    ----------
    name : str
        Unique within the adapter; the results call it ``adapter/name``.
    units, frame, point, long_name : str
        Written to the results; `frame` and `point` may be empty for scalars.
    """

    name: str
    units: str
    long_name: str
    frame: str = ""
    point: str = ""


@dataclass(frozen=True)
class Shape:
    """A polyline or a set of points to draw, sampled at output instants.

    Parameters
    ----------
    name : str
    kind : {"line", "points"}
    nodes : (m, 3)
        m, world frame.
    """

    name: str
    kind: str
    nodes: Float


@dataclass(frozen=True)
class Linearisation:
    """First-order change of an adapter's load about a state.

    With displacement d, twist v and twist derivative a of the k bodies at their centres of
    gravity (world axes) and own states x (m of them)::

        load = F0 - K d - C v - Ma a + Cx x
        x'   = Ax x + Bv v

    Attributes
    ----------
    F0 : (6k,)
    K, C, Ma : (6k, 6k)
    Ax : (m, m)
    Bv : (m, 6k)
    Cx : (6k, m)
    """

    F0: Float
    K: Float
    C: Float
    Ma: Float
    Ax: Float
    Bv: Float
    Cx: Float


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
    """

    class Options(Strict):
        """Schema of this adapter's part of the case file; subclasses add fields."""

    bodies: tuple[str, ...]
    accept_has_effect: bool = True

    def __init__(self, model: MultibodyModel, name: str, options: Strict) -> None:
        """Validate everything, open nothing."""
        self.model = model
        self.name = name
        self.options = options

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

    def settings(self) -> Mapping[str, str]:
        """What the results should remember of this adapter: versions, files, hashes."""
        return {}


class ContinuousStates(ABC):
    """An adapter with own differential equations, integrated with the bodies'."""

    n_states: int

    @abstractmethod
    def initial_states(self, t0: float, state: State) -> Float:
        """States at the start, (n_states,)."""

    @abstractmethod
    def state_scales(self) -> Float:
        """Typical magnitudes, (n_states,), positive; scale the absolute tolerance."""

    @abstractmethod
    def derivatives(self) -> Float:
        """Time derivatives at the last `update`, (n_states,)."""


class Restorable(ABC):
    """An adapter whose memory can be written down and put back, bit for bit."""

    @abstractmethod
    def save_state(self) -> bytes:
        """Everything the next `advance` or `accept` depends on."""

    @abstractmethod
    def restore_state(self, state: bytes) -> None:
        """Put back what `save_state` returned.

        Raises
        ------
        AdapterError
            Not a state of this adapter.
        """


class Stepper(ABC):
    """An adapter with its own clock; it gets `advance` in place of `update`.

    After `initialize(t0, state)`, `forces` and `added_mass` mean t0; after
    `advance(motion)` they mean ``motion.t1``. One that is Restorable runs in every scheme;
    one that is not runs in `explicit` only, and should declare `apparent_mass`.

    Attributes
    ----------
    max_step : float
        Longest step it takes, s (inf for any).
    inner_step : float
        Step of its own integration, s; 0 where it has none. The default communication
        step is 10 to 40 of them.
    apparent_mass : (6k, 6k) or None
        Bound of the load per acceleration of its bodies over one communication step, for
        peers that cannot be restored: stability of `explicit` is judged by it.
    """

    max_step: float
    inner_step: float = 0.0
    apparent_mass: Float | None = None

    @abstractmethod
    def advance(self, motion: Motion) -> None:
        """Follow the motion of its bodies from ``motion.t0`` to ``motion.t1``.

        Raises
        ------
        AdapterError
        """


class CoordinateReader(ABC):
    """A Stepper that also wants the joint coordinates, as in the paper's `update`."""

    @abstractmethod
    def read_coordinates(self, q: Float, u: Float) -> None:
        """Coordinates and speeds at t0, then at the end of the next `advance`; its own to keep."""


class StaticLoads(ABC):
    """An adapter that knows its load on bodies at rest; allowed before `initialize`.

    Attributes
    ----------
    settles : bool
        True where a call relaxes a solver: slow, and exact only to a tolerance, so that
        callers ask rarely and take wide differences.
    """

    settles: bool = False

    @abstractmethod
    def static_forces(self, state: State) -> Float:
        """Mean load, (k, 6), at the pose of `state`: waves off, mean current on."""


class Linearisable(ABC):
    """An adapter that knows its own linearisation exactly."""

    @abstractmethod
    def linearise(self, state: State, x: Float) -> Linearisation:
        """Linearisation about `state`."""


class EventSource(ABC):
    """An adapter with zero crossings at which the driver ends the step and restarts."""

    @abstractmethod
    def event(self, t: float, state: State, x: Float) -> float:
        """Continuous function whose zero is the event."""


class Plottable(ABC):
    """An adapter with something to draw."""

    @abstractmethod
    def shapes(self) -> Sequence[Shape]:
        """Lines and points at the last accepted instant; same names and sizes each time."""
