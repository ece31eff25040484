"""Objects with the paper's four methods, unchanged, behind the adapter contract."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, TypeGuard, runtime_checkable

import numpy as np

from cosim.coupling.capabilities import CoordinateReader, Stepper
from cosim.coupling.motion import Motion
from cosim.coupling.template import CartForce, TemplateInterface
from cosim.errors import AdapterError
from cosim.model.base import Strict
from cosim.multibody.interface import Float, MultibodyModel, State

__all__ = ["PaperAdapter", "PaperForce", "PaperInterface"]

PaperForce = CartForce | tuple[str | int, Sequence[float], Sequence[float] | None]
"""One entry of a Cart_list: ours, or (body, force, point).

A body is a name or a number from 1; force and point have 3 components, or 2 (x, z) in
planar work; the point is the present position, None for the centre of gravity.
"""


@runtime_checkable
class PaperInterface(Protocol):
    """The paper's `TemplateInterface`: what `cls` builds (table 2 of the paper)."""

    def update(self, t: float, q: Float, qd: Float, numerical_values: object) -> None:
        """Advance or evaluate at joint coordinates q and their rates qd."""

    def forces(self) -> Float | Sequence[PaperForce]:
        """Loads of the last update."""


@runtime_checkable
class _Ending(Protocol):
    """The optional fourth method."""

    def end(self) -> None:
        """Release what was opened."""


class PaperAdapter(TemplateInterface, Stepper, CoordinateReader):
    """Runs an object written for the paper's manager.

    Its `update` may advance a solver, and it cannot be taken back, so it is called exactly
    once per communication step, in scheme `explicit` only, and once at the start. Loads at
    the centres of gravity are [Fx, Fz, My] or six components per body, world axes.

    Parameters
    ----------
    cls : callable
        Called as ``cls(model, numerical_values, **kwargs)`` when the run starts.
    numerical_values : object
        Passed on to `cls` and to every `update`.
    model : MultibodyModel
    name : str
    bodies : sequence of str, optional
        Bodies in the order of the load vector; all bodies of the model by default.
    apparent_mass : (6k, 6k), optional
        See :class:`~cosim.coupling.capabilities.Stepper`; without it the case must say
        ``unchecked: true``.
    **kwargs
        Passed on to `cls`.
    """

    max_step = math.inf

    def __init__(
        self,
        cls: Callable[..., PaperInterface],
        numerical_values: object,
        *,
        model: MultibodyModel,
        name: str,
        bodies: Sequence[str] | None = None,
        apparent_mass: Float | None = None,
        **kwargs: object,
    ) -> None:
        super().__init__(model, name, Strict())
        self.bodies = tuple(model.bodies if bodies is None else bodies)
        self.apparent_mass = apparent_mass
        self._build: Callable[[], PaperInterface] = partial(cls, model, numerical_values, **kwargs)
        self._values = numerical_values
        self._object: PaperInterface | None = None
        self._q: Float = np.zeros(model.nq)
        self._u: Float = np.zeros(model.nu)
        self._load: Float | list[CartForce] = np.zeros((len(self.bodies), 6))

    def read_coordinates(self, q: Float, u: Float) -> None:
        """Note what the next `update` is to see."""
        self._q, self._u = q, u

    def initialize(self, t0: float, state: State) -> None:
        """Build the object and update it at the start."""
        self._object = self._build()
        self._update(self._object, t0)

    def advance(self, motion: Motion) -> None:
        """Update the object at the end of the step."""
        if self._object is None:
            raise AdapterError("advance() before initialize()", adapter=self.name, t=motion.t0)
        self._update(self._object, motion.t1)

    def forces(self) -> Float | Sequence[CartForce]:
        """Loads of the last update."""
        return self._load

    def end(self) -> None:
        """End the object, if it can."""
        if isinstance(self._object, _Ending):
            self._object.end()
        self._object = None

    def _update(self, instance: PaperInterface, t: float) -> None:
        instance.update(t, self._q, self._u, self._values)
        loads = instance.forces()
        if _is_cart_list(loads):
            self._load = [self._cart_force(item, t) for item in loads]
        else:
            self._load = self._wrenches(np.asarray(loads, dtype=float), t)

    def _wrenches(self, loads: Float, t: float) -> Float:
        count = len(self.bodies)
        if loads.size == 6 * count:
            return loads.reshape(count, 6)
        if loads.size != 3 * count:
            raise AdapterError(
                f"forces() has {loads.size} components; {count} bodies need {3 * count} "
                f"(planar Fx, Fz, My) or {6 * count}",
                adapter=self.name,
                t=t,
            )
        wrenches = np.zeros((count, 6))
        wrenches[:, [0, 2, 4]] = loads.reshape(count, 3)
        return wrenches

    def _cart_force(self, item: PaperForce, t: float) -> CartForce:
        if isinstance(item, CartForce):
            return item
        body, force, point = item
        if isinstance(body, int):
            if not 1 <= body <= len(self.bodies):
                raise AdapterError(
                    f"forces() names body {body}; bodies are counted 1 to {len(self.bodies)}",
                    adapter=self.name,
                    t=t,
                )
            body = self.bodies[body - 1]
        place = None if point is None else _spatial(point)
        return CartForce(body, _spatial(force), point=place)


def _is_cart_list(loads: object) -> TypeGuard[Sequence[PaperForce]]:
    return isinstance(loads, list | tuple) and all(
        isinstance(item, CartForce)
        or (isinstance(item, tuple) and len(item) == 3 and isinstance(item[0], str | int))
        for item in loads
    )


def _spatial(vector: Sequence[float]) -> Float:
    """Three components of a vector that may be planar, (x, z)."""
    values = np.asarray(vector, dtype=float)
    return np.array([values[0], 0.0, values[1]]) if values.size == 2 else values
