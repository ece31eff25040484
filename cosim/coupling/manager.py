"""The manager that asks every adapter and returns generalised forces."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType, TracebackType

import numpy as np

from cosim.coupling.capabilities import (
    Plottable,
    Restorable,
    Shape,
    Stepper,
)
from cosim.coupling.entry import Entry, adapter_errors
from cosim.coupling.equations import CoupledEquations
from cosim.coupling.template import TemplateInterface
from cosim.errors import AdapterError, CosimError, ModelError
from cosim.multibody.interface import Float, MultibodyModel

__all__ = ["ExternalForcesManager"]

LOG = logging.getLogger(__name__)


class ExternalForcesManager:
    r"""Gathers the loads of all adapters as generalised forces.

    .. math:: Q = B^T (g_e - M_a \dot B u), \qquad m = B^T M_a B

    Use it as a context manager, so that adapters end even after an error::

        with ExternalForcesManager(model) as manager:
            manager.register(hydro)
            manager.register(lines)
            Simulation(manager, settings, q0, u0).run(recorder, output_step=0.1)

    Call order: `register`*, `initialize` (a `Simulation` calls it), any number of
    `generalized_forces`, `end`.

    Parameters
    ----------
    model : MultibodyModel
    """

    def __init__(self, model: MultibodyModel) -> None:
        self.model = model
        self._adapters: dict[str, TemplateInterface] = {}
        self._equations: CoupledEquations | None = None
        self._x: Float = np.zeros(0)

    @property
    def adapters(self) -> Mapping[str, TemplateInterface]:
        """Registered adapters by name, in the order of registration."""
        return MappingProxyType(self._adapters)

    def register(self, adapter: TemplateInterface) -> TemplateInterface:
        """Add an adapter; returns it.

        Raises
        ------
        ModelError
            The name is taken, or the run has begun, or a body is unknown.
        AdapterError
            It keeps history but cannot be restored.
        """
        if self._equations is not None:
            raise ModelError(f"adapter '{adapter.name}': register it before initialize()")
        if adapter.name in self._adapters:
            raise ModelError(f"there is already an adapter '{adapter.name}'; choose another name")
        entry = Entry(adapter, self.model, 0)
        if entry.accepts and not isinstance(adapter, Restorable | Stepper):
            raise AdapterError(
                "it overrides accept(), so it may keep history, but it is not Restorable, so a "
                "repeated step could not undo it; derive it from Restorable (save_state may "
                "return b'' where accept only copies outputs)",
                adapter=adapter.name,
            )
        self._adapters[adapter.name] = adapter
        return adapter

    def get_adapter(self, name: str) -> TemplateInterface:
        """A registered adapter.

        Raises
        ------
        ModelError
            There is none of this name.
        """
        if name not in self._adapters:
            known = ", ".join(self._adapters) or "none"
            raise ModelError(f"there is no adapter '{name}'; registered: {known}")
        return self._adapters[name]

    def initialize(self, t0: float, q: Float, u: Float) -> Float:
        """Start all adapters at the true pose; returns y = [q, u, x] at t0.

        Raises
        ------
        AdapterError
        """
        if self._equations is not None:
            raise ModelError("the manager is initialised already; build a new one for a new run")
        self._equations = CoupledEquations(self.model, self._adapters.values())
        y = self._equations.initialize(t0, q, u)
        self._x = y[self._equations.states :].copy()
        return y

    @property
    def equations(self) -> CoupledEquations:
        """What the drivers of :mod:`cosim.integrate` work with."""
        if self._equations is None:
            raise ModelError("the manager is not initialised; call initialize(t0, q, u) first")
        return self._equations

    def generalized_forces(self, t: float, q: Float, u: Float) -> tuple[Float, Float | None]:
        """Generalised force and added mass of all adapters at one point.

        Adapters' own states keep their initial values here, and Steppers the loads of the
        last communication instant: the drivers integrate both.

        Parameters
        ----------
        t : float
        q : (nq,)
        u : (nu,)

        Returns
        -------
        Q : (nu,)
        mass : (nu, nu) or None
        """
        return self.equations.evaluation.loads_only(t, np.concatenate([q, u, self._x]))

    def init_plot(self) -> dict[str, Sequence[Shape]]:
        """Lines and points to draw of every adapter that has some."""
        return {n: a.shapes() for n, a in self._adapters.items() if isinstance(a, Plottable)}

    def end(self) -> None:
        """End all adapters, each in any case; may be called twice.

        Raises
        ------
        AdapterError
            The first failure; later ones are logged.
        """
        first: CosimError | None = None
        for name, adapter in self._adapters.items():
            try:
                with adapter_errors(name, None):
                    adapter.end()
            except CosimError as error:
                LOG.error("%s", error)
                first = first or error
        if first is not None:
            raise first

    def abort(self, reason: str) -> None:
        """Tell all adapters that the run has failed, then end them; raises nothing.

        Parameters
        ----------
        reason : str
            The sentence with which it failed.
        """
        for name, adapter in self._adapters.items():
            try:
                with adapter_errors(name, None):
                    adapter.abort(reason)
            except CosimError as error:
                LOG.error("%s", error)
        with suppress(CosimError):  # logged
            self.end()

    def __enter__(self) -> ExternalForcesManager:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.end()
        else:
            self.abort(str(error) or _named(error))


def _named(error: BaseException) -> str:
    return "interrupted" if isinstance(error, KeyboardInterrupt) else type(error).__name__
