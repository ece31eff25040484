"""What an adapter may add to the contract of :mod:`cosim.coupling.template`.

Each capability is a base class to derive from; callers ask with `isinstance`, never by
probing for attributes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cosim.algebra.types import Complex
from cosim.coupling.motion import Motion
from cosim.multibody.interface import Float, State

__all__ = [
    "CompiledLoad",
    "CompiledLoads",
    "ContinuousStates",
    "CoordinateReader",
    "EventSource",
    "HorizontalFrame",
    "Linearisable",
    "Linearisation",
    "Plottable",
    "Relaunchable",
    "Remote",
    "Restorable",
    "Shape",
    "StaticLoads",
    "Stepper",
    "WaveExcited",
]


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


@dataclass(frozen=True)
class CompiledLoad:
    """Load of an adapter on its k bodies as a C function that needs no Python.

    ::

        void load(double t, double *motion, double *x, double *memory, double *out)

    `motion` is r, (k, 3), then R, (k, 3, 3), then v, (k, 6), of its bodies as in a `State`; `x`
    its n own states; `out` takes the load g_e, (k, 6), then the derivatives of the states, (n,).
    The function is pure: same arguments, same result.

    Attributes
    ----------
    address : int
        See :func:`cosim.coupling.compiled_call.address_of`.
    memory : (m,)
        All it knows, and its scratch; every caller passes its own copy. It starts with no
        memory of earlier calls.
    added_mass : (6k, 6k) or (0, 0)
        M_a, constant, symmetric, world axes.
    """

    address: int
    memory: Float
    added_mass: Float


class CompiledLoads(ABC):
    """An adapter, not a Stepper, whose load a compiled driver may call for itself.

    Its `update`, `forces` and `added_mass` give the same; they serve the output instants. A
    frame H that it may have is at rest, and its `accept` changes nothing.
    """

    @abstractmethod
    def compiled(self) -> CompiledLoad | None:
        """The load after `initialize`; None where the adapter needs Python as it is set."""


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


class HorizontalFrame(ABC):
    """An adapter with a frame H (x, y, yaw; z up) that matrix loads may use as their axes."""

    @abstractmethod
    def frame_yaw(self, x: Float) -> float:
        """Heading of H, rad, for the adapter's own states x, (n_states,).

        Without states (before `initialize`) that of the reference configuration.
        """


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


class WaveExcited(ABC):
    """An adapter that knows its linear load in a regular wave."""

    @abstractmethod
    def wave_excitation(self, omega: Float, heading: float) -> Complex:
        """Load per metre of wave amplitude, (nw, 6k), at the centres of gravity, world axes.

        In the reference pose, with exp(-i w t), for a wave that goes to `heading`, rad, and whose
        crest passes the world's origin at t = 0.
        """


class EventSource(ABC):
    """An adapter with zero crossings at which the driver ends the step and restarts."""

    @abstractmethod
    def event(self, t: float, state: State, x: Float) -> float:
        """Continuous function whose zero is the event."""


class Relaunchable(ABC):
    """An adapter with a program behind it that may be lost and started again.

    Attributes
    ----------
    on_loss : {"abort", "restart"}
        What a run does when the program is lost: end with the PeerLostError, or start
        everything again and go on from the last checkpoint.
    """

    on_loss: Literal["abort", "restart"]


class Remote(ABC):
    """An adapter whose loads come from another program."""

    @abstractmethod
    def round_trip(self) -> float:
        """Median time of a message there and back, s; allowed before `initialize`."""


class Plottable(ABC):
    """An adapter with something to draw."""

    @abstractmethod
    def shapes(self) -> Sequence[Shape]:
        """Lines and points at the last accepted instant; same names and sizes each time."""
