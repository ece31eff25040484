"""Loads of the Steppers as polynomials in time over one communication step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cosim.coupling.entry import NO_MASS, Entry
from cosim.coupling.evaluation import StepperLoads
from cosim.coupling.kernels import polynomial
from cosim.errors import AdapterError
from cosim.multibody.interface import Float, State

__all__ = ["HeldLoads", "HeldState"]

_DEPTH = 3


@dataclass(frozen=True)
class HeldState:
    """Instants, s, and values z that the polynomials go through."""

    times: list[float]
    values: list[Float]


class HeldLoads(StepperLoads):
    r"""Interpolated or extrapolated loads and added masses of all Steppers.

    z = [g_e, M_a] of all Steppers, one after the other. With s = (t - t0)/(t1 - t0) and
    the returned values of the last instants at s = 0, s_1, s_2 < 0 it uses

    .. math:: z(s) = c_0 + c_1 s + c_2 s^2.

    What the Steppers return at t1 differs from z(1) by d; the polynomial of one degree
    more through that value as well is z(s) + :math:`\ell(s)` d, and :meth:`weight` is
    :math:`\ell`: the energy ledger integrates the difference with it.

    Parameters
    ----------
    steppers : sequence of Entry
        After their first `collect`; it fixes which of them have an added mass.

    Attributes
    ----------
    is_load : (nz,) bool
        Which entries of z are loads g_e; the others are added masses.
    """

    def __init__(self, steppers: Sequence[Entry]) -> None:
        self._steppers = tuple(steppers)
        self._slices: list[tuple[slice, slice]] = []
        offset = 0
        for entry in self._steppers:
            load = slice(offset, offset + entry.load.size)
            mass = slice(load.stop, load.stop + entry.mass.size)
            self._slices.append((load, mass))
            offset = mass.stop
        self.is_load = np.zeros(offset, dtype=bool)
        for load, _ in self._slices:
            self.is_load[load] = True
        self._coefficients = np.zeros((3, offset))
        self._now = np.zeros(offset)
        self._views = [
            (
                self._now[load].reshape(-1, 6),
                self._now[mass].reshape(6 * e.index.size, -1) if e.mass.size else NO_MASS,
            )
            for e, (load, mass) in zip(self._steppers, self._slices, strict=True)
        ]
        self._t0, self._length = 0.0, 1.0
        self._roots: tuple[float, ...] = (0.0,)
        self._times: list[float] = []
        self._values: list[Float] = []

    @property
    def slices(self) -> Sequence[tuple[slice, slice]]:
        """Where load and mass of every Stepper are in z."""
        return self._slices

    @property
    def latest(self) -> Float:
        """Value of z at the last communication instant."""
        return self._values[-1]

    @property
    def depth(self) -> int:
        """Number of past instants known (at most 3)."""
        return len(self._times)

    def read(self, t: float) -> Float:
        """Copy z from what the Steppers returned last, and point their entries here again."""
        z = np.empty(self._now.size)
        for entry, (load, mass), views in zip(
            self._steppers, self._slices, self._views, strict=True
        ):
            if entry.mass.size != mass.stop - mass.start:
                raise AdapterError(
                    "added_mass() is None at some instants and a matrix at others; a Stepper "
                    "returns the same kind always",
                    adapter=entry.name,
                    t=t,
                )
            if not np.isfinite(entry.load).all():
                entry.refuse_load(t)
            z[load] = entry.load.ravel()
            z[mass] = entry.mass.ravel()
            entry.load, entry.mass = views
        return z

    @property
    def memory(self) -> HeldState:
        """What `recall` puts back at a communication instant."""
        return HeldState(list(self._times), list(self._values))

    def recall(self, memory: HeldState) -> None:
        """Know the past that `memory` holds, and hold its last value."""
        self._times, self._values = list(memory.times), list(memory.values)
        self.hold(self.latest)

    def push(self, t: float, z: Float) -> None:
        """Note the returned z of a new communication instant and hold it."""
        self._times.append(t)
        self._values.append(z)
        del self._times[:-_DEPTH], self._values[:-_DEPTH]
        self.hold(z)

    def forget(self) -> None:
        """Drop all instants but the last: loads may jump there (an event)."""
        del self._times[:-1], self._values[:-1]

    def hold(self, z: Float) -> None:
        """Use z as it is until the next `extrapolate`, `interpolate` or `push`."""
        self._t0, self._length = self._times[-1], 1.0
        self._coefficients[0] = z
        self._coefficients[1:] = 0.0

    def extrapolate(self, t1: float, order: int) -> Float:
        """Set z(s) to the extrapolation of at most this order; returns z(1)."""
        self._set(t1, self._past(t1, order))
        return np.asarray(self._coefficients.sum(axis=0))

    def interpolate(self, t1: float, z1: Float, order: int) -> None:
        """Set z(s) through `z1` at t1 and at most `order` past instants."""
        self._set(t1, [(1.0, z1), *self._past(t1, order - 1)])

    def weight(self, t: float) -> float:
        """ℓ at time t."""
        s = (t - self._t0) / self._length
        value = 1.0
        for root in self._roots:
            value *= (s - root) / (1.0 - root)
        return value

    def fill(self, t: float, state: State) -> None:
        """Put z(t) into the Steppers' entries."""
        polynomial(self._coefficients, (t - self._t0) / self._length, self._now)

    def show(self, z: Float) -> None:
        """Put given values into the Steppers' entries until the next `fill`."""
        self._now[:] = z

    def _past(self, t1: float, count: int) -> list[tuple[float, Float]]:
        """At most `count` instants before the last: (s, z)."""
        t0 = self._times[-1]
        past = zip(self._times[-2::-1], self._values[-2::-1], strict=True)
        return [((t - t0) / (t1 - t0), z) for t, z in list(past)[:count]]

    def _set(self, t1: float, nodes: list[tuple[float, Float]]) -> None:
        """Newton form through the last instant and up to two more nodes."""
        c, z0 = self._coefficients, self._values[-1]
        self._t0, self._length = self._times[-1], t1 - self._times[-1]
        self._roots = (0.0, *(s for s, _ in nodes if s < 0.0))
        c[0], c[1:] = z0, 0.0
        if nodes:
            (a, za), *more = nodes
            c[1] = (za - z0) / a
            for b, zb in more:
                c[2] = ((zb - z0) / b - c[1]) / (b - a)
                c[1] -= a * c[2]
