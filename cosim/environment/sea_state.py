"""A sea as a sum of linear wave components."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from cosim.algebra.types import Complex, Float
from cosim.environment.dispersion import wavenumber
from cosim.environment.kinematics import component_table, elevation_sum, kinematics_sum
from cosim.environment.ramp import ramp_factor
from cosim.environment.record import WaveRecord
from cosim.errors import ModelError

__all__ = ["SeaState"]


_DEFAULT_RAMP = 5.0  # energy periods


@dataclass(frozen=True, eq=False)  # arrays have no truth value
class SeaState:
    r"""Immutable wave components and what the water does under them.

    .. math::
        \eta(t, x, y) = r(t)\, \mathrm{Re} \sum_j a_j
            e^{i k_j (x \cos\beta_j + y \sin\beta_j) - i \omega_j t}

    Everything is a pure function of time and place. Build it with :meth:`of` or take
    :attr:`cosim.environment.Environment.sea_state`.

    Attributes
    ----------
    omega, wavenumber, heading : (n,) arrays
        rad/s, rad/m, rad (going-to, counter-clockwise from +x); sorted by frequency.
    amplitude : (n,) complex array
        a_j, m, not ramped.
    depth, gravity : float
        m (or `inf`), m/s^2.
    ramp_duration : float
        s; r(t) is :func:`cosim.environment.ramp_factor`.
    record : WaveRecord or None
        The imported record that the components were taken from.
    """

    omega: Float
    wavenumber: Float
    amplitude: Complex
    heading: Float
    depth: float
    gravity: float
    ramp_duration: float
    record: WaveRecord | None = None
    table: Float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        table = component_table(
            self.omega, self.wavenumber, self.amplitude, heading=self.heading, depth=self.depth
        )
        object.__setattr__(self, "table", table)
        for array in (self.omega, self.wavenumber, self.amplitude, self.heading, table):
            array.setflags(write=False)

    @classmethod
    def of(
        cls,
        omega: ArrayLike,
        amplitude: ArrayLike,
        heading: ArrayLike = 0.0,
        *,
        depth: float = math.inf,
        gravity: float = 9.81,
        ramp: float | None = 0.0,
        record: WaveRecord | None = None,
    ) -> SeaState:
        """Sea state of given components.

        Parameters
        ----------
        omega : (n,) array
            rad/s, positive, any order.
        amplitude : (n,) complex array
            m.
        heading : float or (n,) array
            rad, going-to, counter-clockwise from +x.
        depth, gravity : float
            m (or `inf`), m/s^2.
        ramp : float or None
            s; None takes five energy periods.
        record : WaveRecord or None
            Where the components come from; it gets the same ramp.

        Raises
        ------
        ModelError
            A frequency, or the gravity of a sea with waves, is not positive.
        """
        frequency = np.atleast_1d(np.asarray(omega, dtype=np.float64))
        if np.any(frequency <= 0.0) or (frequency.size and gravity <= 0.0):
            raise ModelError("waves need gravity and frequencies above zero")
        order = np.argsort(frequency, kind="stable")
        frequency = frequency[order]
        complex_amplitude = np.atleast_1d(np.asarray(amplitude, dtype=np.complex128))[order]
        direction = np.broadcast_to(np.asarray(heading, dtype=np.float64), order.shape)[order]
        if ramp is None:
            ramp = _DEFAULT_RAMP * _energy_period(frequency, complex_amplitude)
        if record is not None:
            record = replace(record, ramp_duration=ramp)
        k = wavenumber(frequency, depth=depth, gravity=gravity)
        return cls(frequency, k, complex_amplitude, direction, depth, gravity, ramp, record)

    @classmethod
    def still(cls, *, depth: float = math.inf, gravity: float = 9.81) -> SeaState:
        """Water at rest: no components."""
        return cls.of([], [], depth=depth, gravity=gravity)

    @property
    def is_still(self) -> bool:
        """No waves at all."""
        return self.omega.size == 0

    @property
    def m0(self) -> float:
        """Variance of the elevation after the ramp, m^2."""
        return float(0.5 * np.sum(np.abs(self.amplitude) ** 2))

    @property
    def significant_height(self) -> float:
        """Hs = 4 sqrt(m0), m."""
        return 4.0 * math.sqrt(self.m0)

    @property
    def energy_period(self) -> float:
        """2 pi m_-1 / m0, s; 0 in still water."""
        return _energy_period(self.omega, self.amplitude)

    @property
    def end_time(self) -> float:
        """Last instant at which the sea is defined, s: of the record, else infinite."""
        return math.inf if self.record is None else float(self.record.time[-1])

    def ramp(self, t: float) -> float:
        """Factor r(t) of elevation, excitation and kinematics."""
        return float(ramp_factor(t, self.ramp_duration))

    def elevation(self, t: ArrayLike, x: ArrayLike = 0.0, y: ArrayLike = 0.0) -> Float:
        """Ramped surface elevation above the still-water level, m.

        Parameters
        ----------
        t, x, y : float or arrays
            s, m, m (world frame); broadcast against each other.

        Returns
        -------
        array
            With the broadcast shape.
        """
        arrays = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in (t, x, y)))
        shape = arrays[0].shape
        times, xs, ys = (np.array(a, order="C").ravel() for a in arrays)
        out = np.empty(times.shape)
        elevation_sum(self.table, self.ramp_duration, times, xs, ys, out)
        return out.reshape(shape)

    def kinematics(self, t: float, points: ArrayLike) -> tuple[Float, Float]:
        """Velocity and acceleration of the water by the waves alone.

        Above the still-water level the values of z = 0 hold (constant extension); the
        acceleration is the local time derivative of the ramped velocity. Whether a point
        is wet is the caller's question.

        Parameters
        ----------
        t : float
            s.
        points : (m, 3) array
            m, world frame.

        Returns
        -------
        velocity, acceleration : (m, 3) arrays
            m/s and m/s^2, world frame.
        """
        places = np.ascontiguousarray(points, dtype=np.float64)
        velocity, acceleration = np.empty_like(places), np.empty_like(places)
        self.kinematics_into(t, places, velocity, acceleration)
        return velocity, acceleration

    def kinematics_into(
        self, t: float, points: Float, velocity: Float, acceleration: Float
    ) -> None:
        """:meth:`kinematics` into arrays that the caller keeps; allocates nothing.

        Parameters
        ----------
        t : float
            s.
        points, velocity, acceleration : (m, 3) arrays
            float64, C-contiguous; the last two are overwritten.
        """
        kinematics_sum(
            self.table, self.depth, self.ramp_duration, t, points, velocity, acceleration
        )

    def sample(self, times: ArrayLike, x: float = 0.0, y: float = 0.0) -> WaveRecord:
        """Elevation without the ramp at one place, as an evenly spaced record.

        Parameters
        ----------
        times : (m,) array
            s, evenly spaced.
        x, y : float
            m.

        Raises
        ------
        ModelError
            The waves have more than one heading, or the times are not even.
        """
        if np.any(self.heading != self.heading[:1]):
            raise ModelError("a wave record has one heading; this sea state has several")
        grid = np.array(times, dtype=np.float64)
        eta = np.empty_like(grid)
        place = np.full_like(grid, x), np.full_like(grid, y)
        elevation_sum(self.table, 0.0, grid, *place, eta)
        return WaveRecord(
            grid,
            eta,
            position=(x, y),
            heading=0.0 if self.is_still else float(self.heading[0]),
            ramp_duration=self.ramp_duration,
        )


def _energy_period(omega: Float, amplitude: Complex) -> float:
    energy = np.abs(amplitude) ** 2
    total = float(energy.sum())
    return 2.0 * math.pi * float((energy / omega).sum()) / total if total > 0.0 else 0.0
