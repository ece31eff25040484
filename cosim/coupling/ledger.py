"""The energy ledger: where energy came from, and what integrator and coupling lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numba as nb
import numpy as np

from cosim.coupling.entry import Entry
from cosim.coupling.held import HeldLoads
from cosim.coupling.kernels import Index, load_power
from cosim.coupling.quadrature import Quadrature
from cosim.multibody.interface import Energy, Float, MultibodyModel, State

__all__ = ["Ledger", "LedgerState", "PowerQuadrature"]

_ROUNDING = 1e-9


class PowerQuadrature(Quadrature):
    """Power of every adapter and of the non-conservative elements.

    `values` are [P_1 ... P_a, P_elements], their magnitudes, and for every Stepper the
    moments ℓ v and ℓ v v'ᵀ of its load error (see :class:`HeldLoads`), with
    P = v . (g_e - M_a v') from the same evaluation.

    Parameters
    ----------
    model : MultibodyModel
    entries : sequence of Entry
    held : HeldLoads or None
        None where no load is held between communication instants.
    """

    def __init__(
        self, model: MultibodyModel, entries: Sequence[Entry], held: HeldLoads | None
    ) -> None:
        self._model = model
        self._entries = tuple(entries)
        self._held = held
        self.sources = len(self._entries) + 1
        self.moments: dict[str, tuple[slice, slice]] = {}
        offset = 2 * self.sources
        size = 0
        if held is not None:
            steppers = [e for e in self._entries if e.stepper is not None]
            self.moments = {e.name: parts for e, parts in zip(steppers, held.slices, strict=True)}
            size = held.is_load.size
        self.values = np.zeros(offset + size)
        self._targets = [
            (
                e,
                self.values[offset:][self.moments[e.name][0]],
                self.values[offset:][self.moments[e.name][1]],
            )
            for e in self._entries
            if e.name in self.moments
        ]

    def evaluate(self, t: float, state: State, v_dot: Float, power: float | None = None) -> None:
        """See :meth:`Quadrature.evaluate`."""
        values, n = self.values, self.sources
        for i, entry in enumerate(self._entries):
            values[i] = load_power(entry.index, entry.load, entry.mass, state.v, v_dot)
        values[n - 1] = self._model.nonconservative_power() if power is None else power
        np.abs(values[:n], out=values[n : 2 * n])
        if self._held is not None:
            weight = self._held.weight(t)
            for entry, load, mass in self._targets:
                _moments(weight, entry.index, state.v, v_dot, (load, mass))


@nb.njit(cache=True)
def _moments(weight: float, index: Index, v: Float, v_dot: Float, out: tuple[Float, Float]) -> None:
    load, mass = out
    size = 6 * index.size
    for k in range(index.size):
        for i in range(6):
            row = 6 * k + i
            load[row] = weight * v[index[k], i]
            if mass.size > 0:
                for m in range(index.size):
                    for j in range(6):
                        mass[row * size + 6 * m + j] = load[row] * v_dot[index[m], j]


@dataclass(frozen=True)
class LedgerState:
    """Books at a committed point: energies, J, integrals, and what the coupling made."""

    start: float
    largest_kinetic: float
    total: Float
    coupling: Mapping[str, float]


class Ledger:
    """Books of one run.

    With W_p the work of source p since the start and X = Σ ∫|P_p|::

        balance      (E - E0 - Σ W_p) / X      quality of the integrator
        coupling_p   ∫ (load used - load returned) . v / X    of every Stepper: what
                     the coupling scheme made (positive) or lost

    Where nothing but conservative forces acts, up to rounding, X is the largest kinetic
    energy so far.

    Parameters
    ----------
    names : sequence of str
        Adapters, in the order of `quadrature`.
    quadrature : PowerQuadrature
    start : Energy
        At t0.
    """

    def __init__(self, names: Sequence[str], quadrature: PowerQuadrature, start: Energy) -> None:
        self._names = tuple(names)
        self._quadrature = quadrature
        self._start = start.total
        self._largest_kinetic = start.kinetic
        self._total = np.zeros(quadrature.values.size)
        self._coupling = dict.fromkeys(quadrature.moments, 0.0)

    @property
    def memory(self) -> LedgerState:
        """What `recall` puts back."""
        return LedgerState(
            self._start, self._largest_kinetic, self._total.copy(), dict(self._coupling)
        )

    def recall(self, memory: LedgerState) -> None:
        """Go on with the books that `memory` holds."""
        self._start, self._largest_kinetic = memory.start, memory.largest_kinetic
        self._total[:] = memory.total
        self._coupling = dict(memory.coupling)

    def commit(self, increment: Float, error: Float | None = None) -> None:
        """Add one converged step.

        Parameters
        ----------
        increment : (m,)
            Integral of the quadrature over the step.
        error : (nz,), optional
            Returned minus used z of the Steppers (see :class:`HeldLoads`) at its end.
        """
        self._total += increment
        if error is None:
            return
        moments = increment[2 * self._quadrature.sources :]
        for name, (load, mass) in self._quadrature.moments.items():
            made = error[mass] @ moments[mass] - error[load] @ moments[load]
            self._coupling[name] += float(made)

    def channels(self, increment: Float, energy: Energy) -> dict[str, float]:
        """Channels at an instant, `increment` after the last committed step."""
        n = self._quadrature.sources
        self._largest_kinetic = max(self._largest_kinetic, energy.kinetic)
        total = self._total + increment
        work, exchanged = total[:n], float(total[n : 2 * n].sum())
        rounding = _ROUNDING * self._largest_kinetic
        scale = exchanged if exchanged > rounding else self._largest_kinetic
        scale = scale if scale > 0.0 else 1.0
        balance = (energy.total - self._start - float(work.sum())) / scale
        channels = {
            "energy/kinetic": energy.kinetic,
            "energy/potential": energy.potential,
            "ledger/balance": balance,
            "ledger/exchanged": exchanged,
            "ledger/work/elements": float(work[n - 1]),
        }
        channels |= {f"ledger/work/{name}": float(work[i]) for i, name in enumerate(self._names)}
        channels |= {
            f"ledger/coupling/{name}": made / scale for name, made in self._coupling.items()
        }
        return channels
