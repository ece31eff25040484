"""A registered adapter: where its bodies and states are, and its last load."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

import numpy as np

from cosim.coupling.capabilities import (
    ContinuousStates,
    CoordinateReader,
    EventSource,
    Plottable,
    Restorable,
    Stepper,
)
from cosim.coupling.kernels import inspect_mass
from cosim.coupling.template import CartForce, TemplateInterface
from cosim.errors import AdapterError, CosimError, ModelError
from cosim.multibody.interface import Float, MultibodyModel, State

__all__ = ["NO_MASS", "Entry", "adapter_errors"]

NO_MASS = np.zeros((0, 0))
_ASYMMETRY = 1e-8


@contextmanager
def adapter_errors(name: str, t: float | None) -> Iterator[None]:
    """Turn whatever an adapter raises into an AdapterError that names it and the time."""
    try:
        yield
    except CosimError:
        raise
    except Exception as error:
        raise AdapterError(_said(error), adapter=name, t=t) from error


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


class Entry:
    """One adapter as the manager sees it.

    Capabilities are looked up once, here; nothing else asks for an adapter's type.

    Parameters
    ----------
    adapter : TemplateInterface
    model : MultibodyModel
    offset : int
        Where the adapter's own states begin in the vector of all adapter states.

    Attributes
    ----------
    index : (k,)
        Rows of its bodies.
    load : (k, 6)
        g_e of the last evaluation.
    mass : (6k, 6k) or (0, 0)
        M_a of the last evaluation; empty for none.
    coupled : bool
        Whether M_a connects different bodies.
    seconds : float
        Time spent inside the adapter, s.
    """

    def __init__(self, adapter: TemplateInterface, model: MultibodyModel, offset: int) -> None:
        self.adapter = adapter
        self.name = adapter.name
        try:
            self.index = model.index(adapter.bodies)
        except ModelError as error:
            raise ModelError(f"adapter '{adapter.name}': {error}") from error
        self.whole = self.index.size == len(model.bodies) and bool(
            np.all(self.index == np.arange(self.index.size))
        )
        self.states = adapter if isinstance(adapter, ContinuousStates) else None
        self.stepper = adapter if isinstance(adapter, Stepper) else None
        self.restorable = adapter if isinstance(adapter, Restorable) else None
        self.events = adapter if isinstance(adapter, EventSource) else None
        self.accepts = type(adapter).accept is not TemplateInterface.accept
        self.keeps_history = self.accepts and adapter.accept_has_effect
        self.reads_coordinates = isinstance(adapter, CoordinateReader)
        self.plottable = isinstance(adapter, Plottable)
        count = self.states.n_states if self.states is not None else 0
        self.x = slice(offset, offset + count)
        self.load: Float = np.zeros((self.index.size, 6))
        self.mass: Float = NO_MASS
        self.coupled = False
        self.seconds = 0.0

    def part(self, state: State) -> State:
        """State of this adapter's bodies."""
        return state if self.whole else state.select(self.index)

    def evaluate(self, t: float, state: State, x: Float) -> None:
        """Update the adapter at a trial point and keep its load and added mass."""
        start = time.perf_counter()
        try:
            part = self.part(state)
            self.adapter.update(t, part, x)
        except CosimError:
            raise
        except Exception as error:
            raise AdapterError(_said(error), adapter=self.name, t=t) from error
        self.collect(t, part)
        self.seconds += time.perf_counter() - start

    def collect(self, t: float, state: State) -> None:
        """Read load and added mass of the adapter's last `update` or `advance`.

        `state` is that of this adapter's bodies at the same instant.

        Raises
        ------
        AdapterError
            Wrong shape, or an added mass that is not symmetric or not finite.
        """
        try:
            load = self.adapter.forces()
            mass = self.adapter.added_mass()
            self.load = load if isinstance(load, np.ndarray) else self._wrenches(load, t, state)
        except CosimError:
            raise
        except Exception as error:
            raise AdapterError(_said(error), adapter=self.name, t=t) from error
        if self.load.shape != (self.index.size, 6):
            raise AdapterError(
                f"forces() has the shape {self.load.shape}; {self.index.size} bodies need "
                f"({self.index.size}, 6)",
                adapter=self.name,
                t=t,
            )
        self.mass = NO_MASS if mass is None else mass
        self.coupled = False if mass is None else self._inspect(mass, t)

    def refuse_load(self, t: float) -> NoReturn:
        """Raise the error for a load that is not finite, naming the body."""
        bad = ~np.isfinite(self.load).all(axis=1)
        body = self.adapter.bodies[int(np.argmax(bad))]
        raise AdapterError(f"the load on body '{body}' is not finite", adapter=self.name, t=t)

    def _inspect(self, mass: Float, t: float) -> bool:
        size = 6 * self.index.size
        if mass.shape != (size, size):
            raise AdapterError(
                f"added_mass() has the shape {mass.shape}; {self.index.size} bodies need "
                f"({size}, {size})",
                adapter=self.name,
                t=t,
            )
        asymmetry, coupled = inspect_mass(mass)
        if not asymmetry <= _ASYMMETRY:
            if np.isfinite(asymmetry):
                what = f"is not symmetric (by {asymmetry:.1e} of its largest entry)"
            else:
                row = int(np.argmax(~np.isfinite(mass).all(axis=1)))
                what = f"of body '{self.adapter.bodies[row // 6]}' is not finite"
            raise AdapterError(f"the added mass {what}", adapter=self.name, t=t)
        return bool(coupled)

    def _wrenches(self, forces: Sequence[CartForce], t: float, state: State) -> Float:
        """Sum forces at points into wrenches at the centres of gravity."""
        load = np.zeros((self.index.size, 6))
        for item in forces:
            if item.body not in self.adapter.bodies:
                raise AdapterError(
                    f"forces() names the body '{item.body}', which is not one of its bodies "
                    f"({', '.join(self.adapter.bodies)})",
                    adapter=self.name,
                    t=t,
                )
            row = self.adapter.bodies.index(item.body)
            force = np.asarray(item.force, dtype=float)
            load[row, :3] += force
            load[row, 3:] += np.asarray(item.moment, dtype=float)
            if item.point is not None:
                arm = np.asarray(item.point, dtype=float) - state.r[row]
                load[row, 3:] += np.cross(arm, force)
        return load
