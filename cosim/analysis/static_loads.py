"""Generalised force of a system at rest, and how it changes with the pose."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.linalg import block_diag

from cosim.analysis.chart import chart_about
from cosim.coupling.capabilities import StaticLoads
from cosim.coupling.entry import adapter_errors
from cosim.coupling.template import TemplateInterface
from cosim.errors import AdapterError
from cosim.multibody.interface import Float, MultibodyModel, State

__all__ = ["StaticBalance", "inertias", "structural_mass"]

_CHEAP_STEP = 1e-5
"""Displacement, m or rad, for loads that are smooth functions of the pose."""
_MOORING_STEP = 0.05
"""Displacement, m, for loads that settle only to a tolerance (rotations use a tenth)."""


class StaticBalance:
    r"""Out-of-balance generalised force Q(d) at rest.

    .. math:: Q(d) = Z^T [B^T (g_{weight} + g_{elements} + \sum g_{static}) + Q_{joint}]

    at the pose reached from `q` by the displacement d of the independent coordinates; without
    closed loops there are nu of them, and Z is 1 (see :mod:`cosim.analysis.chart`).

    Parameters
    ----------
    model : MultibodyModel
    adapters : mapping of name to adapter
        Those with :class:`~cosim.coupling.capabilities.StaticLoads` take part.
    q : (nq,)
        Pose where d = 0.
    t : float
        Instant at which time-dependent elements are frozen, s.

    Attributes
    ----------
    chart : Chart
        The independent coordinates.
    evaluations : int
        How often the slow adapters were asked.
    """

    def __init__(
        self,
        model: MultibodyModel,
        adapters: Mapping[str, TemplateInterface],
        q: Float,
        t: float = 0.0,
    ) -> None:
        self._model = model
        self.chart = chart_about(model, t, q)
        self._size = self.chart.size
        self._t = t
        self._at_rest = np.zeros(self._size)
        self._loads = {
            name: (adapter, model.index(adapter.bodies))
            for name, adapter in adapters.items()
            if isinstance(adapter, StaticLoads)
        }
        self._slow = [name for name, (adapter, _) in self._loads.items() if adapter.settles]
        self.evaluations = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Adapters that take part."""
        return tuple(self._loads)

    @property
    def has_fast(self) -> bool:
        """Whether an adapter takes part whose load is a smooth function of the pose."""
        return len(self._loads) > len(self._slow)

    @property
    def settles(self) -> bool:
        """Whether a load takes part that is exact only to a solver's tolerance."""
        return bool(self._slow)

    def pose(self, displacement: Float) -> Float:
        """Coordinates of the displaced pose, (nq,)."""
        return self.chart.place(displacement, self._at_rest)[0]

    def state(self, displacement: Float) -> State:
        """State at rest of the displaced pose."""
        return self._model.kinematics(self._t, *self.chart.place(displacement, self._at_rest))

    def by_source(self, displacement: Float) -> dict[str, Float]:
        """Generalised force of every adapter, and of ``weight and elements``, (nu,) each."""
        state = self.state(displacement)
        forces = {name: self._adapter_force(name, state) for name in self._loads}
        if self._slow:
            self.evaluations += 1
        forces["weight and elements"] = self._own(displacement)
        return forces

    def __call__(self, displacement: Float) -> Float:
        """Q(d), (nu,)."""
        total: Float = np.sum(list(self.by_source(displacement).values()), axis=0)
        return total

    def full_force(self) -> Float:
        """Generalised force of all adapters at the start, not reduced, (nu of the model,)."""
        state = self.state(self._at_rest)
        forces = (self._generalised(name, state) for name in self._loads)
        force: Float = sum(forces, np.zeros(self._model.nu))
        return force

    def of_fast_adapters(self, displacement: Float) -> Float:
        """Generalised force of those that are smooth functions of the pose, (nu,)."""
        state = self.state(displacement)
        fast = (self._adapter_force(name, state) for name in self._loads if name not in self._slow)
        force: Float = sum(fast, np.zeros(self._size))
        return force

    def fast_stiffness(self, displacement: Float) -> Float:
        """K = -dQ/dd without the slow adapters, by central differences, (nu, nu)."""
        columns = [self._fast_slope(displacement, k) for k in range(self._size)]
        return np.array(columns).reshape(self._size, self._size).T

    def settled_stiffness(self, displacement: Float) -> Float:
        """K = -dQ/dd of the slow adapters alone, by one-sided differences, (nu, nu)."""
        base = {n: self._adapter_force(n, self.state(displacement)) for n in self._slow}
        self.evaluations += bool(self._slow)
        columns = [self._slow_slope(displacement, k, base) for k in range(self._size)]
        return np.array(columns).reshape(self._size, self._size).T

    def _fast_slope(self, displacement: Float, k: int) -> Float:
        def total(step: float) -> Float:
            moved = displacement.copy()
            moved[k] += step
            return self._own(moved) + self.of_fast_adapters(moved)

        return -(total(_CHEAP_STEP) - total(-_CHEAP_STEP)) / (2.0 * _CHEAP_STEP)

    def _slow_slope(self, displacement: Float, k: int, base: Mapping[str, Float]) -> Float:
        if not self._slow:
            return np.zeros(self._size)
        step = _MOORING_STEP * (0.1 if self._is_angle(k) else 1.0)
        moved = displacement.copy()
        moved[k] += step
        state = self.state(moved)
        self.evaluations += 1
        change = [self._adapter_force(name, state) - base[name] for name in self._slow]
        slope: Float = -np.sum(change, axis=0) / step
        return slope

    def _is_angle(self, k: int) -> bool:
        joint, _, coordinate = self.chart.speeds[k].rpartition(".")
        return coordinate in self._model.system.joints[joint].angular

    def _adapter_force(self, name: str, state: State) -> Float:
        return self.chart.reduce(self._generalised(name, state))

    def _generalised(self, name: str, state: State) -> Float:
        adapter, index = self._loads[name]
        wrench = np.zeros((len(self._model.bodies), 6))
        with adapter_errors(name, None):
            load = adapter.static_forces(state.select(index))
        if np.shape(load) != (index.size, 6):
            raise AdapterError(
                f"static_forces() has the shape {np.shape(load)}; {index.size} bodies need "
                f"({index.size}, 6)",
                adapter=name,
            )
        wrench[index] = load
        return self._model.project(wrench)

    def _own(self, displacement: Float) -> Float:
        self.state(displacement)
        return self.chart.reduce(self._model.own_force())


def structural_mass(model: MultibodyModel, state: State) -> Float:
    """Mass matrix Bᵀ M B without added mass, (nu, nu), at the last `kinematics`."""
    return model.project_mass(np.arange(len(model.bodies)), block_diag(*inertias(model, state)))


def inertias(model: MultibodyModel, state: State) -> Float:
    """Blocks diag(m 1, R J Rᵀ) of all bodies, (n, 6, 6)."""
    blocks = np.zeros((len(model.bodies), 6, 6))
    for i, name in enumerate(model.bodies):
        body = model.system.bodies[name]
        blocks[i, :3, :3] = body.mass * np.eye(3)
        blocks[i, 3:, 3:] = state.R[i] @ body.inertia_tensor() @ state.R[i].T
    return blocks
