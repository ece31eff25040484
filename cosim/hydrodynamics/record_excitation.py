r"""Excitation by a measured elevation: non-causal convolution with the excitation kernel.

.. math:: f(t) = \int_{-\infty}^{\infty} h(\tau)\, \eta(t - \tau)\, d\tau, \qquad
    h(t) = \frac{1}{\pi} \Re \int_0^\infty X(\omega) e^{-i\omega t} d\omega

The kernel is not causal: the load begins before the wave reaches the gauge. The convolution
is done once, by FFT over the zero-padded record.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from scipy.interpolate import CubicSpline

from cosim.algebra.attitude import yaw_matrix
from cosim.environment.ramp import ramp_factor
from cosim.environment.record import WaveRecord
from cosim.errors import DatabaseError
from cosim.hydrodynamics.excitation import Excitation
from cosim.hydrodynamics.rigid import Float
from cosim.hydrodynamics.transfer_function import ExcitationTransfer

__all__ = ["RecordExcitation", "convolve_record"]

_PADDING = 200.0
_RESOLUTION = 0.25


class RecordExcitation(Excitation):
    """Load of a measured wave with H at rest.

    Parameters
    ----------
    transfer : ExcitationTransfer
    record : WaveRecord
    ramp : float
        Duration of the ramp, s.
    pose : (3,)
        x, y, yaw of H.

    Raises
    ------
    DatabaseError
        The database lacks the heading of the record.
    """

    def __init__(
        self, transfer: ExcitationTransfer, record: WaveRecord, *, ramp: float, pose: Float
    ) -> None:
        time, force = convolve_record(transfer, record, pose)
        self._start, self._step = float(time[0]), float(time[1] - time[0])
        self._end = float(record.time[-1])
        coefficients = CubicSpline(time, force, axis=0).c
        self._table = np.ascontiguousarray(coefficients.transpose(1, 2, 0))
        self._ramp = ramp

    def force_into(self, t: float, pose: Float, out: Float) -> None:
        """Load at time t.

        Raises
        ------
        DatabaseError
            The record has ended, or has not begun while the ramp has.
        """
        if t < self._start - 1e-9 and ramp_factor(t, self._ramp) > 0.0:
            raise DatabaseError(
                f"the elevation record begins at {self._start:g} s of the run, and t = {t:g} s is "
                "before that; start the run later or move the record ('start')"
            )
        if t > self._end + 1e-9:
            raise DatabaseError(
                f"the elevation record ends at {self._end:g} s; shorten the run or give a "
                "longer record"
            )
        _evaluate(t, self._ramp, (self._start, self._step), self._table, out)


def convolve_record(
    transfer: ExcitationTransfer, record: WaveRecord, pose: Float
) -> tuple[Float, Float]:
    """Unramped load over the time of a record.

    Returns
    -------
    time : (m,)
        s, at most as dense as the record.
    force : (m, 6k)
    """
    beta = record.heading - float(pose[2])
    transfer.headings.require(np.array([beta]), "the waves of the record")
    count = record.eta.size
    length = _fast_length(count + 2 * math.ceil(_PADDING / record.step))
    spectrum = np.fft.rfft(record.eta, length)
    omega = np.asarray(2.0 * math.pi * np.fft.rfftfreq(length, record.step), dtype=np.float64)
    used = omega <= transfer.omega_max
    gauge = yaw_matrix(float(pose[2]))[:2, :2].T @ (np.array(record.position) - pose[:2])
    X = np.zeros((omega.size, 6 * len(transfer.points)), dtype=np.complex128)
    X[used] = transfer.along(
        omega[used],
        np.full(int(used.sum()), beta),
        origin=(float(gauge[0]), float(gauge[1])),
    )
    # numpy's transform has exp(+i w t): conjugate to our time factor
    force = np.fft.irfft(spectrum[:, None] * X.conj(), length, axis=0)
    stride = max(1, int(_RESOLUTION / (transfer.omega_max * record.step)))
    keep = np.arange(0, count - 1 + stride, stride)
    return record.time[0] + record.step * keep, force[keep]


def _fast_length(n: int) -> int:
    return 1 << (n - 1).bit_length()


@njit(cache=True)
def _evaluate(
    t: float, duration: float, grid: tuple[float, float], table: Float, out: Float
) -> None:
    start, step = grid
    factor = ramp_factor(t, duration)
    n = min(max(math.floor((t - start) / step), 0), table.shape[0] - 1)
    s = t - start - n * step
    for i in range(out.size):
        c = table[n, i]
        out[i] = factor * (((c[0] * s + c[1]) * s + c[2]) * s + c[3])
