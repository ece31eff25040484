"""Load of the radiation memory in time: state space, or direct convolution as its check."""

from __future__ import annotations

import math
import struct
from abc import ABC, abstractmethod

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cosim.errors import DatabaseError
from cosim.hydrodynamics.rigid import Float
from cosim.hydrodynamics.state_space import RadiationStates

__all__ = ["ConvolutionMemory", "Memory", "StateSpaceMemory", "state_space"]


class Memory(ABC):
    """Radiation memory of n degrees of freedom, twists and loads in the axes of H.

    Attributes
    ----------
    n_states : int
        Continuous states that the integrator carries.
    keeps_history : bool
        Whether `accept` changes what later evaluations return.
    longest_step : float
        Longest time between accepted points that it can use, s.
    """

    n_states: int
    keeps_history = False
    longest_step = math.inf

    @abstractmethod
    def evaluate(self, t: float, v: Float, x: Float, out: tuple[Float, Float]) -> None:
        """Memory load, (n,), and derivatives of the states, (n_states,), into `out`."""

    def start(self, t: float, v: Float) -> None:
        """Begin at time t; the body was at rest before."""

    def accept(self, t: float, v: Float) -> None:
        """Note that this twist is history now."""

    def save(self) -> bytes:
        """Everything that later evaluations depend on."""
        return b""

    def restore(self, state: bytes) -> None:
        """Put back what `save` returned."""


class StateSpaceMemory(Memory):
    """Memory as differential equations: nothing to remember, any step size.

    Attributes
    ----------
    rates, links : tuples
        (decay, turn, gain) and (partner, dof) of the states.
    C : (n, n_states)
    """

    def __init__(self, states: RadiationStates) -> None:
        self.n_states = states.size
        self.rates = (states.decay, states.turn, states.gain)
        self.links = (states.partner, states.dof)
        self.C = np.ascontiguousarray(states.C)

    def evaluate(self, t: float, v: Float, x: Float, out: tuple[Float, Float]) -> None:
        """``-C x`` and ``A x + B v``."""
        state_space(v, x, self.rates, self.links, (self.C, *out))


class ConvolutionMemory(Memory):
    r"""Direct convolution :math:`-\int_0^T K(\tau) v(t - \tau) d\tau`.

    The twists of accepted steps are interpolated to the memory's own even grid; between the
    last accepted instant and a trial one they are linear. The trapezoidal rule runs over the
    true instants, so that steps of any size up to twice the grid's may be used.

    Parameters
    ----------
    kernel : (m, n, n)
        K on the grid; its length is the memory.
    step : float
        Of the grid, s.
    """

    n_states = 0
    keeps_history = True

    def __init__(self, kernel: Float, step: float) -> None:
        self._K = np.ascontiguousarray(kernel)
        self._step = step
        self.longest_step = 2.0 * step
        count, n, _ = kernel.shape
        self._history = np.zeros((count + 1, n))
        self._last = np.zeros(n)
        self._t_start = self._t_last = 0.0
        self._index = 0

    def start(self, t: float, v: Float) -> None:
        """Begin with a body that was at rest."""
        self._history[:] = 0.0
        self._t_start = self._t_last = t
        self._index = 0
        self._history[0] = self._last[:] = v

    def evaluate(self, t: float, v: Float, x: Float, out: tuple[Float, Float]) -> None:
        """Convolve the history up to t."""
        clock = (t - self._t_start, self._t_last - self._t_start, self._step)
        _convolve(clock, self._index, (self._K, self._history), (self._last, v), out[0])

    def accept(self, t: float, v: Float) -> None:
        """Fill the grid points between the last accepted instant and this one.

        Raises
        ------
        DatabaseError
            Time went backwards without a `restore`.
        """
        if t < self._t_last:
            raise DatabaseError(
                f"radiation convolution: accepted time went back from {self._t_last:g} to {t:g} s"
            )
        span = t - self._t_last
        while (grid := self._t_start + (self._index + 1) * self._step) <= t:
            self._index += 1
            share = (grid - self._t_last) / span
            row = self._index % len(self._history)
            self._history[row] = (1.0 - share) * self._last + share * v
        self._last[:] = v
        self._t_last = t

    def save(self) -> bytes:
        """Clock, last twist and history."""
        head = struct.pack("<ddq", self._t_start, self._t_last, self._index)
        return head + self._last.tobytes() + self._history.tobytes()

    def restore(self, state: bytes) -> None:
        """Put back, bit for bit.

        Raises
        ------
        DatabaseError
            Not a state of this memory.
        """
        n, size = self._last.size, self._history.size
        if len(state) != 24 + 8 * (n + size):
            raise DatabaseError("radiation convolution: this is not one of its saved states")
        self._t_start, self._t_last, self._index = struct.unpack("<ddq", state[:24])
        values = np.frombuffer(state, dtype=np.float64, offset=24)
        self._last[:] = values[:n]
        self._history[:] = values[n:].reshape(self._history.shape)


@njit(cache=True)
def state_space(
    v: Float,
    x: Float,
    rates: tuple[Float, Float, Float],
    links: tuple[NDArray[np.int64], NDArray[np.int64]],
    out: tuple[Float, Float, Float],
) -> None:
    """Write ``-C x`` and ``A x + B v``; `out` is (C, load, derivative)."""
    decay, turn, gain = rates
    partner, dof = links
    C, load, derivative = out
    for k in range(x.size):
        derivative[k] = decay[k] * x[k] + turn[k] * x[partner[k]] + gain[k] * v[dof[k]]
    for i in range(load.size):
        total = 0.0
        for k in range(x.size):
            total += C[i, k] * x[k]
        load[i] = -total


@njit(cache=True)
def _kernel_at(K: Float, lag: float, i: int, j: int) -> float:
    n = int(lag)
    if n >= K.shape[0] - 1:
        return 0.0
    return float((n + 1 - lag) * K[n, i, j] + (lag - n) * K[n + 1, i, j])


@njit(cache=True)
def _add(K: Float, lag: float, weight: float, v: Float, out: Float) -> None:
    for i in range(out.size):
        for j in range(v.size):
            out[i] -= weight * _kernel_at(K, lag, i, j) * v[j]


@njit(cache=True)
def _convolve(
    clock: tuple[float, float, float],
    index: int,
    data: tuple[Float, Float],
    recent: tuple[Float, Float],
    out: Float,
) -> None:
    """Trapezoidal rule over grid points, last accepted instant and trial instant."""
    t, t_last, step = clock
    K, history = data
    last, now = recent
    out[:] = 0.0
    grid_end = index * step
    first, second = max(t - t_last, 0.0), t_last - grid_end
    _add(K, 0.0, 0.5 * first, now, out)
    _add(K, first / step, 0.5 * (first + second), last, out)
    oldest = max(0, index - K.shape[0] + 1)
    for m in range(index, oldest - 1, -1):
        weight = 0.5 * step * ((m < index) + (m > oldest))
        if m == index:
            weight += 0.5 * second
        _add(K, (t - m * step) / step, weight, history[m % history.shape[0]], out)
