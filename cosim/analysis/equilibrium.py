"""Coupled static equilibrium before the run starts."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh

from cosim.analysis.static_loads import StaticBalance, structural_mass
from cosim.coupling.template import TemplateInterface
from cosim.errors import EquilibriumError
from cosim.multibody.interface import Float, MultibodyModel

__all__ = ["Equilibrium", "find_equilibrium"]

LOG = logging.getLogger(__name__)

_FREE_PERIOD = 3600.0
"""A direction whose natural period would be longer, s, has no stiffness to speak of."""
_TOLERANCE = 1e-10
"""Newton step, m or rad, below which the pose has converged."""
_SETTLED_TOLERANCE = 1e-5
"""The same where a load is known only to the tolerance of a solver that settles."""
_NOISE = 5e-4
"""What may be left, m or rad, where settled loads are too noisy for more."""
_BALANCE_TOLERANCE = 1e-6
"""Force, relative to the weight, that a direction without stiffness may carry."""
_LONGEST_STEP = 5.0
"""Bound on one Newton step, m; a tenth of it, rad, for rotations."""
_SAME_PLACE = 1e-4
"""Displacement, m, over which the stiffness of taut lines hardly changes; rotations as above."""


@dataclass(frozen=True)
class Equilibrium:
    """Pose at which the loads on the system at rest balance.

    Attributes
    ----------
    q : (nq,)
        Coordinates.
    displacement : (nu,)
        From the pose the search started at, m and rad.
    residual : (nu,)
        What is left out of balance, N and N m; zero for speeds that closed loops make dependent.
    stiffness : (n, n)
        K = -dQ/dd of the n independent coordinates at or near the solution.
    settled : (n, n) or None
        The part of it that comes from adapters whose load settles (mooring lines); None where the
        search left the pose that it is of.
    held : tuple of str
        Speeds of directions without stiffness, left where they were.
    evaluations : int
        Calls of the slow adapters.
    """

    q: Float
    displacement: Float
    residual: Float
    stiffness: Float
    settled: Float | None
    held: tuple[str, ...]
    evaluations: int


def find_equilibrium(
    model: MultibodyModel,
    adapters: Mapping[str, TemplateInterface],
    q: Float,
    *,
    t: float = 0.0,
    max_evaluations: int = 25,
) -> Equilibrium:
    r"""Pose where B^T g = 0, by Newton steps with Broyden updates of the stiffness.

    The unknown is the displacement d in the tangent space, so that quaternions stay
    normalised and free of redundancy; d keeps closed loops closed. Each step solves
    ``K d = Q`` in the coordinates in which M and K are diagonal; directions with a natural
    period beyond an hour are held.

    Parameters
    ----------
    model : MultibodyModel
    adapters : mapping of name to adapter
    q : (nq,)
        Start of the search.
    t : float
        Instant at which time-dependent elements are frozen, s.
    max_evaluations : int
        Bound on the calls of slow adapters (mooring that has to settle).

    Raises
    ------
    EquilibriumError
        None within reach; says what is out of balance and by how much.
    """
    balance = StaticBalance(model, adapters, q, t)
    search = _Search(model, balance, max_evaluations)
    search.run()
    found = balance.pose(search.displacement)
    residual = np.zeros(model.nu)
    residual[balance.chart.index] = search.force
    return Equilibrium(
        q=found,
        displacement=model.difference(found, model.closed(q, np.zeros(model.nu))[0]),
        residual=residual,
        stiffness=search.stiffness,
        settled=search.settled,
        held=search.held,
        evaluations=balance.evaluations,
    )


class _Search:
    def __init__(self, model: MultibodyModel, balance: StaticBalance, limit: int) -> None:
        self._model = model
        self._balance = balance
        self._limit = limit
        self._speeds = balance.chart.speeds
        self.displacement = np.zeros(balance.chart.size)
        self.force = balance(self.displacement)
        fast = balance.fast_stiffness(self.displacement)
        self._settled = balance.settled_stiffness(self.displacement)
        self.stiffness = fast + self._settled
        self._refuse_loads_without_value()
        Z = balance.chart.basis
        mass = Z.T @ structural_mass(model, balance.state(self.displacement)) @ Z
        # mass-normalised modes give metres and radians one common measure
        self._squares, self._modes = eigh(_symmetric(self.stiffness), mass)
        self._firm = np.abs(self._squares) > (2.0 * np.pi / _FREE_PERIOD) ** 2
        self.held = self._names_of_free_directions()

    @property
    def settled(self) -> Float | None:
        """Stiffness of the loads that settle, where it is that of the pose found."""
        moved = np.abs(self.displacement * self._weights()).max(initial=0.0)
        return self._settled if moved <= _SAME_PLACE else None

    def run(self) -> None:
        if not self._speeds:
            return
        self._refuse_load_without_stiffness()
        tolerance = _SETTLED_TOLERANCE if self._balance.settles else _TOLERANCE
        for _ in range(100):
            step = self._newton_step()
            if np.max(np.abs(step)) < tolerance:
                return
            if self._balance.evaluations >= self._limit:
                if self._balance.settles and np.max(np.abs(step)) < _NOISE:
                    LOG.warning("the equilibrium is known to %.1g m only", np.max(np.abs(step)))
                    return
                break
            self._move(step)
        raise EquilibriumError(
            f"no equilibrium within {self._balance.evaluations} evaluations; "
            f"{self._out_of_balance()}; start nearer to it ('start: set:') or check mass, "
            "volume and pretension with 'cosim check'"
        )

    def _refuse_loads_without_value(self) -> None:
        if np.isfinite(self.force).all() and np.isfinite(self.stiffness).all():
            return
        self._balance.state(self.displacement)
        blamed = ", ".join(f"'{name}'" for name in self._model.elements_without_value())
        which = f"element {blamed} has" if blamed else "loads have"
        raise EquilibriumError(
            f"{which} no value at the pose from which the equilibrium is sought, or beside it; "
            "start elsewhere ('start: set:') or look at the laws"
        )

    def _newton_step(self) -> Float:
        firm = self._modes[:, self._firm]
        reduced = firm.T @ self.stiffness @ firm
        try:
            step: Float = firm @ np.linalg.solve(reduced, firm.T @ self.force)
        except np.linalg.LinAlgError:
            raise EquilibriumError(
                f"the search came to a pose that nothing holds; {self._out_of_balance()}; start "
                "nearer to the equilibrium ('start: set:'), with ropes under tension"
            ) from None
        longest = max(np.max(np.abs(step * self._weights())), 1e-300)
        step *= min(1.0, _LONGEST_STEP / longest)
        return step

    def _weights(self) -> Float:
        angular = [
            speed.rpartition(".")[2] in self._model.system.joints[speed.rpartition(".")[0]].angular
            for speed in self._speeds
        ]
        return np.where(angular, 10.0, 1.0)

    def _move(self, step: Float) -> None:
        force = self._balance(self.displacement + step)
        # Broyden's update: K_new step = -(force change), least change elsewhere
        error = -(force - self.force) - self.stiffness @ step
        self.stiffness = self.stiffness + np.outer(error, step) / float(step @ step)
        self.displacement = self.displacement + step
        self.force = force

    def _names_of_free_directions(self) -> tuple[str, ...]:
        free = self._modes[:, ~self._firm]
        return tuple(self._speeds[int(np.argmax(np.abs(mode)))] for mode in free.T)

    def _refuse_load_without_stiffness(self) -> None:
        weight = self._model.system.environment.gravity * sum(
            body.mass for body in self._model.system.bodies.values()
        )
        free = self._modes[:, ~self._firm]
        for name, mode in zip(self.held, free.T, strict=True):
            # force along a unit displacement of the named coordinate
            force = float(mode @ self.force) / float(np.max(np.abs(mode)))
            if abs(force) > _BALANCE_TOLERANCE * max(weight, 1.0):
                raise EquilibriumError(
                    f"'{name}' carries {force:.4g} N (or N m) but nothing holds it there; "
                    f"{self._out_of_balance()}; add a mooring or a spring"
                )

    def _out_of_balance(self) -> str:
        worst = int(np.argmax(np.abs(self.force) / self._weights()))
        parts = ", ".join(
            f"{source} {force[worst]:.4g}"
            for source, force in self._balance.by_source(self.displacement).items()
        )
        return f"out of balance in '{self._speeds[worst]}': {self.force[worst]:.4g} = {parts}"


def _symmetric(matrix: Float) -> Float:
    return 0.5 * (matrix + matrix.T)
