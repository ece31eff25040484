"""The coupled system linearised about any state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from scipy.linalg import block_diag

from cosim.analysis.adapter_terms import AdapterTerms, Contribution, adapter_terms
from cosim.analysis.chart import Chart, chart_about
from cosim.analysis.differences import jacobian, relative_error
from cosim.analysis.kinematics import Point, body_motion, transport
from cosim.analysis.linear_system import LinearSystem
from cosim.analysis.multibody_terms import multibody_terms
from cosim.analysis.static_loads import StaticBalance
from cosim.coupling.template import TemplateInterface
from cosim.multibody.interface import Float, MultibodyModel, State

__all__ = ["LinearSystem", "linearise"]


def linearise(
    model: MultibodyModel,
    adapters: Mapping[str, TemplateInterface],
    q: Float,
    u: Float | None = None,
    *,
    u_dot: Float | None = None,
    states: Mapping[str, Float] | None = None,
    t: float = 0.0,
    settled: Float | None = None,
    running: bool = False,
) -> LinearSystem:
    """Linearise about a state, in the tangent space of the coordinates.

    Bodies and elements are differentiated to rounding; adapters give their own exact terms or
    are differentiated with checked steps. Loads that settle (mooring lines) enter by their
    static stiffness; :mod:`cosim.analysis.impedance` replaces that by what they do in motion.

    Parameters
    ----------
    model : MultibodyModel
    adapters : mapping of name to adapter
    q : (nq,)
    u : (nu,), optional
        Speeds. Without them the point is an equilibrium at rest.
    u_dot : (nu,), optional
        Accelerations at the point; those of the equations of motion where `u` is given.
    states : mapping of name to (n_states,), optional
        The adapters' own states; initial ones where absent.
    t : float
        Instant at which what depends on time is frozen, s.
    settled : (nu, nu), optional
        Stiffness of the loads that settle at this pose, where it is known, to save its cost.
    running : bool
        Adapters are initialised: those that do not know their linearisation are differentiated.
        Otherwise they enter by their static stiffness, if they have any.

    Raises
    ------
    AdapterError
    """
    q, speeds = model.closed(q, np.zeros(model.nu) if u is None else np.asarray(u, dtype=float))
    chart = chart_about(model, t, q)
    state = model.kinematics(t, q, speeds).copy()
    terms = adapter_terms(model, adapters, state, states=states or {}, running=running)
    rest = _Rest(model, adapters, {item.contribution.adapter for item in terms}, q=q, t=t)
    if u_dot is None:
        u_dot = np.zeros(model.nu)
        if u is not None:
            u_dot = _accelerations(model, terms, state, (q, speeds), rest)
    system = _assemble(model, chart, Point(t, q, speeds, u_dot), terms)
    # another pose may have other independent coordinates than the search had
    found = rest.settled_stiffness(None if model.closures else settled) + rest.fast_stiffness()
    K = system.K + found
    contributions = (*(item.contribution for item in terms), *rest.contributions)
    return replace(system, K=K, settled=found, contributions=contributions)


class _Rest:
    """Loads at rest of the adapters that bring nothing else."""

    def __init__(
        self,
        model: MultibodyModel,
        adapters: Mapping[str, TemplateInterface],
        known: set[str],
        *,
        q: Float,
        t: float,
    ) -> None:
        others = {name: adapter for name, adapter in adapters.items() if name not in known}
        self._balance = StaticBalance(model, others, q, t)
        self._size = self._balance.chart.size
        self._left_out = [name for name in others if name not in self._balance.names]
        self._error = 0.0

    @property
    def contributions(self) -> tuple[Contribution, ...]:
        """How these adapters entered."""
        return (
            *(Contribution(name, "static", self._error) for name in self._balance.names),
            *(Contribution(name, "none") for name in self._left_out),
        )

    def force(self) -> Float:
        """Generalised force at the point, (nu,)."""
        return self._balance.full_force()

    def fast_stiffness(self) -> Float:
        """K = -dQ/dd of the loads that are smooth functions of the pose."""
        if not self._balance.has_fast:
            return np.zeros((self._size, self._size))
        slope, error = jacobian(self._balance.of_fast_adapters, self._size)
        self._error = relative_error(slope, error)
        return -slope

    def settled_stiffness(self, known: Float | None) -> Float:
        """K = -dQ/dd of the loads that settle, where it is not known."""
        if known is not None or not self._balance.settles:
            return np.zeros((self._size, self._size)) if known is None else known
        return self._balance.settled_stiffness(np.zeros(self._size))


def _accelerations(
    model: MultibodyModel,
    terms: list[AdapterTerms],
    state: State,
    place: tuple[Float, Float],
    rest: _Rest,
) -> Float:
    """Accelerations u' of the equations of motion with the loads of all adapters."""
    force = rest.force()
    model.kinematics(state.t, *place)
    mass, bias = np.zeros((model.nu, model.nu)), model.bias()
    wrench = np.zeros((len(model.bodies), 6))
    for item in terms:
        mass += model.project_mass(item.index, item.linear.Ma)
        carried = item.linear.Ma @ bias[item.index].ravel()
        wrench[item.index] += item.load(state) - carried.reshape(-1, 6)
    u_dot, _ = model.accelerations(force + model.project(wrench), mass if terms else None)
    return u_dot


def _assemble(
    model: MultibodyModel, chart: Chart, point: Point, terms: list[AdapterTerms]
) -> LinearSystem:
    """Bodies, elements and the adapters whose terms are known."""
    motion = body_motion(model, chart, point)
    held = np.zeros((len(model.bodies), 6))
    for item in terms:
        inertial = item.linear.Ma @ motion.v_dot[item.index].ravel()
        held[item.index] += item.load(motion.state) - inertial.reshape(-1, 6)
    own = multibody_terms(model, chart, point, held)
    M, C, K = own.M, own.C, own.K
    Ax, Bv, Bd, Cx = [], [np.zeros((0, chart.size))], [np.zeros((0, chart.size))], []
    for item in terms:
        rows = (6 * item.index[:, None] + np.arange(6)).ravel()
        B, V, linear = motion.B[rows], motion.V[rows], item.linear
        M = M + B.T @ linear.Ma @ B
        C = C + B.T @ (linear.C @ B + linear.Ma @ motion.A_u[rows])
        K = K + B.T @ (linear.K @ B + linear.C @ V + linear.Ma @ motion.A_d[rows])
        Ax.append(linear.Ax)
        Bv.append(linear.Bv @ B)
        Bd.append(linear.Bv @ V + item.Bd @ B)
        Cx.append(B.T @ linear.Cx)
    return LinearSystem(
        speeds=chart.speeds,
        M=M,
        C=C,
        K=K,
        Ax=block_diag(*Ax) if Ax else np.zeros((0, 0)),
        Bv=np.vstack(Bv),
        Cx=np.hstack([np.zeros((chart.size, 0)), *Cx]),
        N=transport(model, chart, point.u),
        Bd=np.vstack(Bd),
        basis=chart.basis,
        motion=motion,
        error=own.error,
    )
