r"""State-space matrices of a linear system with named inputs and outputs.

.. math:: \dot y = A y + B f, \qquad z = C y + D f

with y the displacements d, the changes of the speeds and the states of the adapters. SciPy and
python-control take the matrices as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cosim.algebra.types import Complex
from cosim.analysis.linear_system import LinearSystem
from cosim.analysis.signals import Signals
from cosim.extras import optional_module
from cosim.multibody.interface import Float, MultibodyModel

if TYPE_CHECKING:
    from scipy.signal import StateSpace as ScipyStateSpace

__all__ = ["StateSpace", "state_space"]


@dataclass(frozen=True)
class StateSpace:
    """Matrices and names.

    Attributes
    ----------
    A : (ny, ny)
    B : (ny, nf)
    C : (nz, ny)
    D : (nz, nf)
    states, inputs, outputs : tuple of str
    """

    A: Float
    B: Float
    C: Float
    D: Float
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    def to_scipy(self) -> ScipyStateSpace:
        """As `scipy.signal.StateSpace`."""
        from scipy.signal import StateSpace as ScipyStateSpace

        return ScipyStateSpace(self.A, self.B, self.C, self.D)

    def to_control(self) -> object:
        """As `control.StateSpace` with the names of states, inputs and outputs.

        Raises
        ------
        CosimError
            python-control is not installed.
        """
        control = optional_module("control", "analysis", "a system for python-control")
        # dots separate systems and signals there
        names = {
            key: [name.replace(".", "_").replace("/", "_") for name in given]
            for key, given in (
                ("states", self.states),
                ("inputs", self.inputs),
                ("outputs", self.outputs),
            )
        }
        found: object = control.ss(self.A, self.B, self.C, self.D, **names)
        return found

    def transfer(self, s: Complex) -> Complex:
        """C (s - A)⁻¹ B + D, (ns, nz, nf), at complex s, (ns,), 1/s."""
        pencil = np.asarray(s)[:, None, None] * np.eye(len(self.A)) - self.A
        found = self.C @ np.linalg.solve(pencil, self.B.astype(complex)[None]) + self.D
        return np.asarray(found, dtype=complex)

    def frequency_response(self, omega: Float) -> Complex:
        """Complex amplitudes z per unit f where both go with exp(-i w t), (nw, nz, nf).

        The conjugate is what SciPy and python-control give, who take exp(+i w t).

        Parameters
        ----------
        omega : (nw,)
            rad/s.
        """
        return self.transfer(np.asarray(-1j * omega, dtype=complex))


def state_space(
    system: LinearSystem,
    model: MultibodyModel,
    *,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
) -> StateSpace:
    """State-space matrices with the inputs and outputs asked for.

    Parameters
    ----------
    system : LinearSystem
    model : MultibodyModel
        That the system is a linearisation of.
    inputs : sequence of str
        ``joint.coordinate``: a generalised force; ``body.fx`` ... ``body.mz`` and
        ``body/point.fx`` ...: a force or moment there, world axes. All joint coordinates by
        default.
    outputs : sequence of str
        ``joint.coordinate``: its displacement; with ``_rate`` or ``_acceleration`` behind, what
        the name says; ``body.x``, ``body.vx``, ``body.ax`` ... and ``body/point.x`` ...: change
        of position, velocity or acceleration, world axes; ``body.rx``, ``body.wx`` ...: of
        rotation and angular velocity. All joint coordinates and their rates by default.

    Raises
    ------
    ModelError
        An unknown name.
    """
    signals = Signals(system, model)
    into = tuple(inputs) or model.speeds
    out = tuple(outputs) or (*model.speeds, *(f"{name}_rate" for name in model.speeds))
    nu, m = len(system.speeds), len(system.Ax)
    B = np.zeros((system.size, len(into)))
    force = np.array([signals.force(name) for name in into]).reshape(len(into), nu).T
    B[nu : 2 * nu] = np.linalg.solve(system.M, force)
    A = system.state_matrix()
    rows = [signals.output(name) for name in out]
    displacement = np.array([row.d for row in rows])
    speed = np.array([row.u for row in rows])
    acceleration = np.array([row.u_dot for row in rows])
    C = acceleration @ A[nu : 2 * nu]
    C[:, :nu] += displacement
    C[:, nu : 2 * nu] += speed
    return StateSpace(
        A=A,
        B=B,
        C=C,
        D=acceleration @ B[nu : 2 * nu],
        states=(
            *system.speeds,
            *(f"{name}_rate" for name in system.speeds),
            *(f"adapter_state_{k}" for k in range(m)),
        ),
        inputs=into,
        outputs=out,
    )
