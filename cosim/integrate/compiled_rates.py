"""The right-hand side of the coupled equations in compiled code, for runs without Steppers."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from cosim.algebra.compiled import compiled
from cosim.coupling.capabilities import CompiledLoad, CompiledLoads
from cosim.coupling.compiled_loads import (
    FINITE,
    LoadTables,
    adapter_loads,
    adapter_powers,
    load_tables,
)
from cosim.coupling.constant_mass import ConstantMass, constant_mass
from cosim.coupling.entry import Entry, adapter_errors
from cosim.coupling.evaluation import Evaluation
from cosim.errors import CaseError, SolverError
from cosim.multibody.interface import Float
from cosim.multibody.joint import JointModel
from cosim.multibody.joint.arrays import Memory
from cosim.multibody.joint.articulated import SOLVED
from cosim.multibody.joint.closed_entry import accelerate_closed
from cosim.multibody.joint.closing import close, closed_rates
from cosim.multibody.joint.closure_arrays import LoopMemory
from cosim.multibody.joint.entry import Plain, derive, derive_coupled, move_loaded, rates

__all__ = ["CompiledRates", "Tables", "rates_and_powers"]

Point = tuple[Float, Float]
Tables = tuple[Plain, LoadTables, ConstantMass, tuple[int, int], Float, LoopMemory | None, Point]
"""Model, loads of the adapters, their added mass, (nq, nu), scratch (n, 6) for v', closed loops,
and scratch for (q, u)."""


class CompiledRates:
    """Everything that :func:`rates_and_powers` needs, and its errors.

    Parameters
    ----------
    evaluation : Evaluation
        Of a joint-coordinate model; adapters are initialised.

    Raises
    ------
    CaseError
        A Stepper takes part, an adapter has no compiled load, or the model has no compiled
        equations.
    """

    def __init__(self, evaluation: Evaluation) -> None:
        model, self._entries = evaluation.model, evaluation.entries
        if not isinstance(model, JointModel):
            raise CaseError(
                "time: method 'compiled' needs the formulation 'joint'; use RK45 or DOP853"
            )
        self._model, self._evaluation = model, evaluation
        loads = [_compiled_load(entry) for entry in self._entries]
        n, masses = len(model.bodies), [load.added_mass for load in loads]
        self._loads = load_tables(self._entries, loads, n)
        mass = constant_mass(self._entries, masses, n, model.nu)
        self.tables: Tables = (
            model.plain,
            self._loads,
            mass,
            (model.nq, model.nu),
            np.zeros((n, 6)),
            model.loops,
            (np.zeros(model.nq), np.zeros(model.nu)),
        )

    def write(self, t: float, y: Float, out: tuple[Float, Float]) -> None:
        """Derivative of y and rates of the quadrature, as one evaluation.

        Raises
        ------
        SolverError, AdapterError
        """
        failed = rates_and_powers(self.tables, t, y, *out)
        self._evaluation.count += 1
        if failed != SOLVED:
            self.refuse(failed, t)

    def refuse(self, failed: int, t: float) -> NoReturn:
        """Raise the error that `rates_and_powers` returned, near time t."""
        if failed > SOLVED:
            raise SolverError(f"at t = {t:g} s: {self._model.refuse(failed)}")
        number = _adapter_code(failed)
        entry, first = self._entries[number], self._loads.layout[number, 1]
        entry.load = self._loads.loads[first : first + entry.index.size].copy()
        entry.refuse_load(t)


def _compiled_load(entry: Entry) -> CompiledLoad:
    if entry.stepper is not None:
        raise CaseError(
            f"time: method 'compiled' is for runs without Steppers, and adapter '{entry.name}' is "
            "one; use RK45 or DOP853"
        )
    adapter = entry.adapter
    load: CompiledLoad | None = None
    if isinstance(adapter, CompiledLoads):
        with adapter_errors(entry.name, None):
            load = adapter.compiled()
    if load is None:
        raise CaseError(
            f"time: method 'compiled' needs a compiled load of every adapter, and '{entry.name}' "
            "has none as it is set; use DOP853"
        )
    return load


@compiled
def _adapter_code(number: int) -> int:
    """From an adapter to what `rates_and_powers` returns for it, and back."""
    return SOLVED - 1 - number


@compiled
def rates_and_powers(tables: Tables, t: float, y: Float, y_dot: Float, powers: Float) -> int:
    """Write the derivative of y = [q, u, x], and the powers where somebody keeps a ledger.

    Returns
    -------
    int
        SOLVED, the speed without positive inertia, or SOLVED - 1 - a for adapter a, whose
        load is not finite.
    """
    model, loads, mass, (nq, nu), v_dot, loops, point = tables
    memory, elements, joint, energy = model
    r, R, v, _, _, _ = memory[1]
    x = y[nq + nu :]
    _settle(memory, loops, y, point)
    move_loaded(memory, elements, joint, (t, point[0], point[1]), energy)
    _coordinate_rates(memory, loops, point, y_dot[:nq])
    failed = adapter_loads(loads, t, (r, R, v), x, y_dot[nq + nu :])
    if failed != FINITE:
        return _adapter_code(failed)
    failed = _accelerate(memory, loops, loads.total, mass, (y_dot[nq : nq + nu], v_dot))
    if failed == SOLVED and powers.size > 0:
        adapter_powers(loads, v, v_dot, powers)
        sources = powers.size // 2
        powers[sources - 1] = energy[1]
        for i in range(sources):
            powers[sources + i] = abs(powers[i])
    return failed


@compiled
def _settle(memory: Memory, loops: LoopMemory | None, y: Float, point: Point) -> None:
    """Write the coordinates and speeds at which the equations are evaluated."""
    q, u = point
    for i in range(q.size):
        q[i] = y[i]
    for i in range(u.size):
        u[i] = y[q.size + i]
    if loops is not None:
        close(memory, loops, q, u)


@compiled
def _coordinate_rates(memory: Memory, loops: LoopMemory | None, point: Point, out: Float) -> None:
    """Write q'."""
    if loops is None:
        rates(memory, point[0], point[1], out)
    else:
        closed_rates(memory, loops, out)


@compiled
def _accelerate(
    memory: Memory,
    loops: LoopMemory | None,
    total: Float,
    mass: ConstantMass,
    out: tuple[Float, Float],
) -> int:
    """Write u' and v'."""
    coupled = (mass.bodies, mass.coupled, mass.scratch)
    if loops is not None:
        given = (out[0][:0], mass.M[:0], (mass.blocks, mass.blocks), total, coupled)
        return accelerate_closed(memory, loops, given, out[0], out[1])
    if mass.bodies.size == 0:
        return derive(memory, total, mass.blocks, out[0], out[1])
    return derive_coupled(memory, (total, mass.blocks), coupled, mass.M, out)
