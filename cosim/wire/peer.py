"""What a solver at the other end of a socket is, in Python: a class derived from `Peer`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cosim.wire.messages import Signal

if TYPE_CHECKING:
    from cosim.coupling.motion import Motion

__all__ = ["Float", "Instant", "Loads", "Peer", "Setup", "Signal", "Step"]

Float = NDArray[np.float64]


@dataclass(frozen=True)
class Setup:
    """What the case gives a peer, before anything moves.

    Attributes
    ----------
    bodies, points, channels : tuple of str
        Names as the peer uses them, in the order of all its arrays.
    settings : mapping
        From the case file, as they are.
    gravity : float
        m/s².
    water_density : float
        kg/m³.
    water_depth : float
        m; infinite for deep water.
    start, end : float
        Of the run, s.
    run : str
        Name of the run.
    """

    bodies: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    gravity: float = 9.80665
    water_density: float = 1025.0
    water_depth: float = math.inf
    start: float = 0.0
    end: float = 0.0
    run: str = ""


class Instant:
    """Positions and velocities at one instant; read-only.

    Attributes
    ----------
    t : float
        s.
    r : (k, 3)
        Centres of gravity of the k bodies, m, world frame.
    R : (k, 3, 3)
        Rotation matrices, body axes to world axes.
    v : (k, 6)
        Twists [vx vy vz wx wy wz] at the centres of gravity, world axes, m/s and rad/s.
    points : (p, 6)
        Positions and velocities of the p points, world frame, m and m/s.
    channels : (c,)
        Inputs.
    x : (n,)
        The peer's own states.
    """

    __slots__ = ("_state", "channels", "points", "t", "x")

    def __init__(self, t: float, state: Float, points: Float, channels: Float, x: Float) -> None:
        self.t = t
        self._state = state
        self.points = points
        self.channels = channels
        self.x = x

    @property
    def r(self) -> Float:
        """Centres of gravity, (k, 3)."""
        return self._state[:, :3]

    @property
    def R(self) -> Float:  # noqa: N802
        """Rotation matrices, (k, 3, 3)."""
        return self._state[:, 3:12].reshape(-1, 3, 3)

    @property
    def v(self) -> Float:
        """Twists, (k, 6)."""
        return self._state[:, 12:]


class Step:
    """The motion over one communication step.

    Attributes
    ----------
    start, end : Instant
    """

    __slots__ = ("end", "start")

    def __init__(self, start: Instant, end: Instant) -> None:
        self.start = start
        self.end = end

    def motion(self) -> Motion:
        """The cubic Hermite motion of the bodies between both ends."""
        from cosim.coupling.motion import Motion
        from cosim.multibody.state import State

        start, end = (
            State(
                at.t,
                np.ascontiguousarray(at.r),
                np.ascontiguousarray(at.R),
                np.ascontiguousarray(at.v),
            )
            for at in (self.start, self.end)
        )
        return Motion(start, end)


@dataclass(slots=True)
class Loads:
    """What a peer returns of one instant.

    The load on its bodies is ``wrenches - added_mass v'``, v' the time derivative of their
    twists.

    Parameters
    ----------
    wrenches : (k, 6) or None
        [Fx Fy Fz Mx My Mz] at the centres of gravity, world axes, N and N m.
    at_points : (p, 6) or None
        Force at the present position of each point, N, and a free couple, N m, world axes.
    added_mass : (6k, 6k) or None
        Needed where the peer says `added_mass`; symmetric, world axes.
    x_dot : (n,) or None
        Derivatives of its own states; needed where it has any.
    event : float or None
        A function of the instant whose zero ends a step; needed where the peer says `event`.
    outputs : (o,) or None
        Values of its outputs; needed where it has any.
    """

    wrenches: ArrayLike | None = None
    at_points: ArrayLike | None = None
    added_mass: ArrayLike | None = None
    x_dot: ArrayLike | None = None
    event: float | None = None
    outputs: ArrayLike | None = None


class Peer:
    """Base class of solvers that a run of ours calls.

    In mode ``evaluate`` a peer gives the load of any trial instant: `update` is pure, the same
    arguments give the same result. In mode ``advance`` it has its own clock and follows the
    motion over a step. Call order::

        configure, [static_loads]*, initialize, (update | advance, save_state/restore_state)*,
            accept, ..., end

    Attributes
    ----------
    name : str
    mode : {"evaluate", "advance"}
    n_states : int
        Number of own states x, integrated with the equations of motion (``evaluate``).
    history : bool
        `accept` changes what later updates return; such a peer is restorable.
    restorable : bool
        Has `save_state` and `restore_state`.
    static : bool
        Has `static_loads`.
    event : bool
        Gives ``Loads.event``.
    added_mass : bool
        Gives ``Loads.added_mass``.
    max_step, inner_step : float
        Longest step, and step of its own integration (0 for none), s.
    apparent_mass : (6k, 6k) or None
        Bound of the load per acceleration over a step, of a peer in mode ``advance`` that
        cannot be restored.
    bodies, points : sequence of str
        Those it needs; empty takes those the case gives, in its order.
    channels, outputs : sequence of Signal
        Inputs and outputs.
    x0, x_scale : (n_states,)
        States at the start and their typical magnitudes; set at the latest by `initialize`.
    about : dict of str
        What the results should remember: versions, files.
    """

    name: str = "peer"
    mode: Literal["evaluate", "advance"] = "evaluate"
    n_states: int = 0
    history: bool = False
    restorable: bool = False
    static: bool = False
    event: bool = False
    added_mass: bool = False
    max_step: float = math.inf
    inner_step: float = 0.0
    apparent_mass: ArrayLike | None = None
    bodies: Sequence[str] = ()
    points: Sequence[str] = ()
    channels: Sequence[Signal] = ()
    outputs: Sequence[Signal] = ()
    x0: ArrayLike = ()
    x_scale: ArrayLike = ()
    about: Mapping[str, str] = {}

    def configure(self, setup: Setup) -> None:
        """Take what the case gives."""

    def initialize(self, at: Instant) -> None:
        """Start at the true pose."""

    def update(self, at: Instant) -> Loads:
        """Loads of a trial instant; pure: same arguments, same result."""
        raise NotImplementedError(f"{type(self).__name__} has no 'update'")

    def accept(self, at: Instant) -> None:
        """Note that this instant is history now."""

    def advance(self, step: Step) -> Loads:
        """Follow the motion of a step; loads at its end."""
        raise NotImplementedError(f"{type(self).__name__} has no 'advance'")

    def static_loads(self, at: Instant) -> Loads:
        """Loads on bodies at rest."""
        raise NotImplementedError(f"{type(self).__name__} has no 'static_loads'")

    def loads_now(self) -> Loads:
        """Loads at the instant of `initialize`, of a peer in mode ``advance``."""
        raise NotImplementedError(f"{type(self).__name__} has no 'loads_now'")

    def save_state(self) -> bytes:
        """Everything the next `advance` or `accept` depends on."""
        raise NotImplementedError(f"{type(self).__name__} has no 'save_state'")

    def restore_state(self, state: bytes) -> None:
        """Put back what `save_state` returned."""
        raise NotImplementedError(f"{type(self).__name__} has no 'restore_state'")

    def end(self) -> None:
        """Close what was opened."""
