"""The closed loops of a joint-coordinate model, as the model calls them."""

from __future__ import annotations

import numpy as np

from cosim.model.system import System
from cosim.multibody.interface import Float
from cosim.multibody.joint import closed_entry, closing
from cosim.multibody.joint.arrays import Index, Memory
from cosim.multibody.joint.closure_arrays import (
    FAILED,
    GAP,
    MULTIPLIER,
    RANK,
    SHIFT,
    SINGULAR,
    named_loops,
)
from cosim.multibody.joint.closures import closure_equations, loop_memory
from cosim.multibody.joint.initial import initial_values
from cosim.multibody.joint.tangent import displaced, displacement_between
from cosim.multibody.joint.topology import Topology

__all__ = ["ClosedLoops", "closed_loops"]

_NO_FORCE, _NO_ADDED = np.zeros(0), np.zeros((0, 0))
_NO_WRENCH, _NO_MASS = np.zeros((0, 6)), np.zeros((0, 6, 6))
_NO_BODIES = np.zeros(0, dtype=np.int64), np.zeros((0, 0)), np.zeros((2, 0, 0))
_PROBES = (0.0, 0.03, 0.03, 0.3, 1.0)
"""How far from the reference, m and rad, the poses are that show what is independent."""
_UNIQUE = 1e-6
"""Share in a combination of rows that ties nothing."""


class ClosedLoops:
    """Closure equations of the cut joints of a system.

    Parameters
    ----------
    system : System
    topology : Topology
    memory : Memory
        Of the tree.
    reference : (nq,)
        Coordinates of the reference configuration.

    Attributes
    ----------
    equations : list of Equation
    joints : tuple of str
        The cut joints.
    memory : LoopMemory
    rank : int
        Number of independent equations.
    dependent : list of Equation
        Those whose multipliers are not unique: they follow from others, or others from them.
    """

    def __init__(
        self, system: System, topology: Topology, memory: Memory, reference: Float
    ) -> None:
        self.equations = closure_equations(system)
        self.joints = tuple(name for name, joint in system.joints.items() if joint.cut)
        self.memory = loop_memory(system, topology, self.equations)
        self.tree = memory
        self._arrays = named_loops(self.memory)
        self._given = np.zeros(len(topology.speeds))
        self._index = topology.tree.joints
        self._survey_ranks(reference)

    @property
    def gaps(self) -> Float:
        """Gap of every equation at the last pose, (m,), m and rad."""
        gaps: Float = self._arrays.row[:, GAP].copy()
        return gaps

    @property
    def jacobian(self) -> Float:
        """G at the last pose, (m, nu)."""
        jacobian: Float = self._arrays.jacobian.copy()
        return jacobian

    @property
    def mass(self) -> Float:
        """Mass matrix without added mass at the last pose, (nu, nu)."""
        factor = np.tril(self._arrays.factor)
        product: Float = factor @ factor.T
        return product

    @property
    def failed(self) -> bool:
        """Whether the loops could not be closed near the last point."""
        return bool(self._arrays.status[FAILED])

    @property
    def shift(self) -> Float:
        """Displacement, (nu,), from the coordinates given last to closed ones."""
        shift: Float = self._arrays.speed[SHIFT].copy()
        return shift

    @property
    def multipliers(self) -> Float:
        """Multipliers of the equations at the last `add_loads`, (m,), N and N m."""
        multipliers: Float = self._arrays.row[:, MULTIPLIER].copy()
        return multipliers

    @property
    def findings(self) -> list[str]:
        """Sentences about equations that are not independent."""
        count, m = self._arrays.speed.shape[1], len(self.equations)
        found = []
        if self._reference_rank < self.rank:
            found.append(
                f"the reference configuration is singular: {self.rank - self._reference_rank} of "
                "the closure equations tie nothing there; start beside it"
            )
        if self.rank < m:
            free = count - self.rank
            found.append(
                f"{m - self.rank} of the {m} closure equations follow from the others: the system "
                f"has {free} degree{'s' * (free != 1)} of freedom where Gruebler's count gives "
                f"{count - m}"
            )
        for joint in dict.fromkeys(e.joint for e in self.dependent):
            loads = ", ".join(e.load for e in self.dependent if e.joint == joint)
            found.append(
                f"joint '{joint}' holds what others hold too: {loads}; of these loads, and those "
                "around the loop, only the sums are known: the smallest at the cut are shown"
            )
        return found

    @property
    def size(self) -> float:
        """How far from the origin the system reaches, m, at least 1."""
        return max(1.0, float(np.abs(self.tree[1][0]).max()))

    def retract(self, q: Float, displacement: Float) -> Float:
        """See `MultibodyModel.retract`."""
        out = np.empty_like(q)
        displaced(self._index, np.array(q), np.array(displacement), out)
        return out

    def difference(self, q: Float, origin: Float) -> Float:
        """See `MultibodyModel.difference`."""
        out = np.empty_like(self._given)
        displacement_between(self._index, np.array(q), np.array(origin), out)
        return out

    def survey(self, q: Float) -> Float:
        """Gaps at q as it is; `jacobian` and `mass` become those at q."""
        closing.survey(self.tree, self.memory, np.array(q))
        return self.gaps

    def close(self, q: Float, u: Float) -> None:
        """Replace q and u by the nearest that close the loops."""
        self._given[:] = u
        closing.close(self.tree, self.memory, q, u)

    def rates_at(self, q: Float, u: Float, out: Float) -> None:
        """Write q' of the solver's coordinates q; they and u become closed."""
        if not (np.array_equal(q, self._arrays.coordinates[0]) and np.array_equal(u, self._given)):
            self.close(q, u)
        closing.closed_rates(self.tree, self.memory, out)

    def accelerate(self, Q: Float, masses: tuple[Float, Float], u_dot: Float, v_dot: Float) -> int:
        """As `entry.accelerate_coupled`, loops kept closed."""
        inertia = masses[1], _NO_MASS
        given = Q, masses[0], inertia, _NO_WRENCH, _NO_BODIES
        return int(closed_entry.accelerate_closed(self.tree, self.memory, given, u_dot, v_dot))

    def derive(
        self,
        loads: tuple[Float, Float],
        coupled: tuple[Index, Float, Float] | None,
        u_dot: Float,
        v_dot: Float,
    ) -> int:
        """As `entry.derive_coupled`, loops kept closed; `coupled` may be None."""
        g, inertia = loads
        some = _NO_BODIES if coupled is None else coupled
        given = _NO_FORCE, _NO_ADDED, (inertia, inertia), g, some
        return int(closed_entry.accelerate_closed(self.tree, self.memory, given, u_dot, v_dot))

    def add_loads(self, g: Float, v_dot: Float) -> tuple[Float, Float]:
        """Points, (c, 3), and wrenches, (c, 6), of the cut joints; g gets what they do."""
        out = np.zeros((len(self.joints), 3)), np.zeros((len(self.joints), 6))
        closed_entry.closure_loads(self.tree, self.memory, g, v_dot, out)
        return out

    def _survey_ranks(self, reference: Float) -> None:
        """The largest rank at and beside the reference configuration, which may be singular."""
        rng = np.random.default_rng(1)
        values = self._arrays.row[:, SINGULAR]
        nu, best, firmness = self._arrays.speed.shape[1], -1, 0.0
        for distance in _PROBES:
            step = distance * np.asarray(rng.uniform(-1.0, 1.0, size=nu), dtype=np.float64)
            q = self.retract(reference, step)
            self.close(q, np.zeros(nu))
            if self.failed:
                continue
            independent = values > 0.0
            rank = int(independent.sum())
            if best < 0:
                self._reference_rank = rank
            if rank > best:
                best, firmness = rank, 0.0
                weights = np.abs(self._arrays.mixture[~independent]).max(axis=0, initial=0.0)
                self.dependent = [
                    e for e, w in zip(self.equations, weights, strict=True) if w > _UNIQUE
                ]
            if rank == best and rank > 0:
                firmness = max(firmness, values[independent].min() / values.max())
        self.rank = best
        self._arrays.status[RANK], self._arrays.firmness[0] = best, firmness


def closed_loops(system: System, topology: Topology, memory: Memory) -> ClosedLoops | None:
    """The closed loops of a system; None for a tree."""
    if not any(joint.cut for joint in system.joints.values()):
        return None
    return ClosedLoops(system, topology, memory, initial_values(system, topology, {})[0])
