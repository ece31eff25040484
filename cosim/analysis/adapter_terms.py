"""First-order loads of adapters about a point: exact where they know them, else differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cosim.algebra.rotations import rotation_from_vector
from cosim.algebra.rows import vector
from cosim.analysis.differences import jacobian, relative_error
from cosim.coupling.capabilities import ContinuousStates, Linearisable, Linearisation, Stepper
from cosim.coupling.entry import Entry, adapter_errors
from cosim.coupling.template import TemplateInterface
from cosim.multibody.interface import Float, MultibodyModel, State

__all__ = ["AdapterTerms", "Contribution", "adapter_terms", "differentiated"]


@dataclass(frozen=True)
class Contribution:
    """How an adapter entered a linear system.

    Attributes
    ----------
    adapter : str
    manner : str
        ``exact``, ``differences``, ``static`` (stiffness of the loads at rest only),
        ``impedance`` (measured in harmonic motion) or ``none``.
    error : float
        Estimated relative error, where one is known.
    """

    adapter: str
    manner: str
    error: float = 0.0


@dataclass(frozen=True)
class AdapterTerms:
    """Linearisation of one adapter, its states shown to depend on the pose too.

    Attributes
    ----------
    index : (k,)
        Rows of its bodies.
    linear : Linearisation
    Bd : (m, 6k)
        x' per displacement.
    x : (m,)
        States at the point.
    contribution : Contribution
    """

    index: NDArray[np.intp]
    linear: Linearisation
    Bd: Float
    x: Float
    contribution: Contribution

    def load(self, state: State) -> Float:
        """Load at the point without its part from accelerations, (k, 6)."""
        v = state.v[self.index].ravel()
        linear = self.linear
        load: Float = linear.F0 - linear.C @ v + linear.Cx @ self.x
        return load.reshape(-1, 6)


def adapter_terms(
    model: MultibodyModel,
    adapters: Mapping[str, TemplateInterface],
    state: State,
    *,
    states: Mapping[str, Float],
    running: bool,
) -> list[AdapterTerms]:
    """Terms of all adapters that are Linearisable, and of others where they are running.

    Parameters
    ----------
    model : MultibodyModel
    adapters : mapping of name to adapter
    state : State
        All bodies, at the point.
    states : mapping of name to (n_states,)
        Their own states; initial ones where absent.
    running : bool
        The adapters are initialised, so that `update` may be asked.
    """
    found = []
    for offset, (name, adapter) in enumerate(adapters.items()):
        index = model.index(adapter.bodies)
        part = state.select(index)
        with adapter_errors(name, state.t):
            if isinstance(adapter, Linearisable):
                x = states.get(name, _initial(adapter, part))
                found.append(_exact(adapter, index, part, x))
            elif running and not isinstance(adapter, Stepper):
                x = states.get(name, _initial(adapter, part))
                found.append(differentiated(Entry(adapter, model, offset), part, x))
    return found


def _initial(adapter: TemplateInterface, part: State) -> Float:
    if isinstance(adapter, ContinuousStates):
        return adapter.initial_states(part.t, part)
    return np.zeros(0)


def _exact(
    adapter: TemplateInterface, index: NDArray[np.intp], part: State, x: Float
) -> AdapterTerms:
    assert isinstance(adapter, Linearisable)
    linear = adapter.linearise(part, x)
    m = len(linear.Ax)
    # the states of a frame H that follows its body come last and are held; a convolution has
    # none, and the states of its fit start empty
    x = x[:m] if x.size >= m else np.zeros(m)
    contribution = Contribution(adapter.name, "exact")
    return AdapterTerms(index, linear, np.zeros((m, 6 * index.size)), x, contribution)


def differentiated(entry: Entry, part: State, x: Float) -> AdapterTerms:
    """Terms of a running adapter by central differences of checked step.

    Parameters
    ----------
    entry : Entry
        Its adapter is initialised and no Stepper.
    part : State
        Of its bodies.
    x : (n_states,)
    """
    n, m = 6 * entry.index.size, x.size
    scales = entry.states.state_scales() if entry.states is not None else np.zeros(0)

    def evaluate(z: Float) -> Float:
        d, v, y = np.split(z, [n, 2 * n])
        entry.evaluate(part.t, _moved(part, d, v), x + scales * y)
        rates = entry.states.derivatives() if entry.states is not None else np.zeros(0)
        return np.concatenate([entry.load.ravel(), rates])

    J, error = jacobian(evaluate, 2 * n + m)
    J[:, 2 * n :] /= scales
    F = evaluate(np.zeros(2 * n + m))[:n]
    Ma = entry.mass.copy() if entry.mass.size else np.zeros((n, n))
    linear = Linearisation(
        F0=F - J[:n, n : 2 * n] @ part.v.ravel() - J[:n, 2 * n :] @ x,
        K=-J[:n, :n],
        C=-J[:n, n : 2 * n],
        Ma=Ma,
        Ax=J[n:, 2 * n :],
        Bv=J[n:, n : 2 * n],
        Cx=J[:n, 2 * n :],
    )
    contribution = Contribution(entry.name, "differences", relative_error(J, error))
    return AdapterTerms(entry.index, linear, J[n:, :n], x, contribution)


def _moved(part: State, d: Float, v: Float) -> State:
    """The bodies displaced by d and with twists changed by v, (6k,) each."""
    shift, change = d.reshape(-1, 6), v.reshape(-1, 6)
    turns = [np.array(rotation_from_vector(vector(row, 3))).reshape(3, 3) for row in shift]
    R = np.einsum("kij,kjl->kil", np.array(turns), part.R)
    return State(part.t, part.r + shift[:, :3], R, part.v + change)
