"""Joint coordinates with equations that SymPy derived, behind the interface of all models."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cosim.algebra.types import Float
from cosim.errors import ModelError
from cosim.model.elements import MatrixLoad
from cosim.model.system import System
from cosim.multibody.elements.channels import channels_of
from cosim.multibody.interface import Energy, MultibodyModel, Reactions, State
from cosim.multibody.joint.symbolic.equations import Equations, derive
from cosim.multibody.joint.symbolic.manifold import Manifold
from cosim.multibody.joint.symbolic.numeric import NumericEquations, solve
from cosim.multibody.joint.symbolic.shown import ShownValues
from cosim.multibody.joint.symbolic.subtrees import subtree_wrenches
from cosim.multibody.start_values import start_values

__all__ = ["SymbolicModel"]


class SymbolicModel(MultibodyModel):
    """A drop-in for the compiled model, made from the equations in symbols.

    Coordinates, speeds and results are those of
    :class:`~cosim.multibody.joint.model.JointModel`. B, its derivative, M and the loads are
    evaluated entry by entry from their expressions, products and solution are formed in
    numpy: some ten times slower, and independent of the kernels.

    Parameters
    ----------
    system : System
        A tree of joints; closed loops are refused.
    keep : collection of str
        Parameters that stay symbols, so that `equations.set_parameter` can change them.
    inline : bool or None
        See :func:`~cosim.multibody.joint.symbolic.equations.derive`; numbers come soonest from
        equations with intermediates.

    Attributes
    ----------
    numeric : NumericEquations

    Raises
    ------
    ModelError
        A cut joint.
    """

    def __init__(
        self, system: System, *, keep: Collection[str] = (), inline: bool | None = False
    ) -> None:
        for name, joint in system.joints.items():
            if joint.cut:
                raise ModelError(
                    f"joint '{name}' closes a loop, and the symbolic formulation runs trees only; "
                    "use the formulation 'joint'"
                )
        self._begin(derive(system, keep=keep, inline=inline))

    def _begin(self, equations: Equations) -> None:
        kin = equations.kin
        self.system, self.bodies = kin.system, kin.bodies
        self._manifold = Manifold(self.system)
        self.speeds = self._manifold.speeds
        self.nq, self.nu = len(kin.q), len(kin.u)
        elements = self.system.elements
        loads = (load for load in elements.values() if isinstance(load, MatrixLoad))
        self.frames = tuple(dict.fromkeys(e.axes for e in loads if e.axes != "world"))
        self.element_channels = tuple(
            c for name in elements for c in channels_of(self.system, name)
        )
        self.numeric = NumericEquations(equations, _poses(equations))
        self._shown = ShownValues(equations)
        n = len(self.bodies)
        self._rows = np.add.outer(6 * np.arange(n), kin.rows).ravel()
        arrays = self.numeric.arrays
        self._r, self._R = arrays["r"].reshape(n, 3), arrays["R"].reshape(n, 3, 3)
        self._v = np.zeros((n, 6))
        self._views = tuple(_read_only(a) for a in (self._r, self._R, self._v))

    def twin(self) -> SymbolicModel:
        """See :meth:`MultibodyModel.twin`; the equations are not derived again."""
        other = SymbolicModel.__new__(SymbolicModel)
        other._begin(self.numeric.equations)
        other.numeric.values[:] = self.numeric.values
        return other

    def initial(self, conditions: Mapping[str, float] | None = None) -> tuple[Float, Float]:
        """See :meth:`MultibodyModel.initial`."""
        displacement, u = start_values(self.system, self.speeds, conditions or {})
        return self._manifold.from_reference(displacement), u

    def set_frame(self, name: str, yaw: float) -> None:
        """See :meth:`MultibodyModel.set_frame`."""
        heading = self.numeric.equations.kin.values.headings[name]
        self.numeric.values[self.numeric.inputs.index(heading)] = yaw

    def kinematics(self, t: float, q: Float, u: Float) -> State:
        """See :meth:`MultibodyModel.kinematics`."""
        self.numeric.evaluate(t, q, u)
        self._v.reshape(-1)[self._rows] = self.numeric.arrays["B"] @ u
        return State(t, *self._views)

    def q_dot(self, q: Float, u: Float) -> Float:
        """See :meth:`MultibodyModel.q_dot`."""
        out = self.numeric.q_dot(q, u)
        self._manifold.add_pull(q, out)
        return out

    def retract(self, q: Float, displacement: Float) -> Float:
        """See :meth:`MultibodyModel.retract`."""
        return self._manifold.displaced(q, displacement)

    def difference(self, q: Float, origin: Float) -> Float:
        """See :meth:`MultibodyModel.difference`."""
        return self._manifold.difference(q, origin)

    def project(self, g: Float) -> Float:
        """See :meth:`MultibodyModel.project`."""
        return np.asarray(self.numeric.arrays["B"].T @ g.ravel()[self._rows])

    def project_mass(self, bodies: NDArray[np.intp], Ma: Float) -> Float:
        """See :meth:`MultibodyModel.project_mass`."""
        B = self.velocity_transformation().reshape(-1, 6, self.nu)[bodies].reshape(-1, self.nu)
        return np.asarray(B.T @ Ma @ B)

    def bias(self) -> Float:
        """See :meth:`MultibodyModel.bias`."""
        return self._twists(self.numeric.bias)

    def accelerations(
        self, Q: Float, mass: Float | None = None, *, body_mass: Float | None = None
    ) -> tuple[Float, Float]:
        """See :meth:`MultibodyModel.accelerations`."""
        M = self.numeric.mass_matrix()
        if mass is not None:
            M += mass
        if body_mass is not None:
            B = self.velocity_transformation().reshape(-1, 6, self.nu)
            M += np.einsum("iaj,iab,ibk->jk", B, body_mass, B, optimize=True)
        u_dot, failed = solve(M, self.numeric.force() + Q)
        if failed >= 0:
            raise self._refuse(failed)
        return u_dot, self._twists(self.numeric.arrays["B"] @ u_dot + self.numeric.bias)

    def own_force(self) -> Float:
        """See :meth:`MultibodyModel.own_force`."""
        return self.numeric.force()

    def energy(self) -> Energy:
        """See :meth:`MultibodyModel.energy`."""
        v = self._v.ravel()[self._rows]
        weights, springs, _ = self._shown.balance(self.numeric.values)
        return Energy(0.5 * float(v @ self.numeric.momenta(v)), weights + springs)

    def nonconservative_power(self) -> float:
        """See :meth:`MultibodyModel.nonconservative_power`."""
        return self._shown.balance(self.numeric.values)[2]

    def element_values(self) -> Float:
        """See :meth:`MultibodyModel.element_values`."""
        return self._shown.channels(self.numeric.values)

    def reactions(self, g: Float, v_dot: Float, Ma: Float | None = None) -> Reactions:
        """See :meth:`MultibodyModel.reactions`."""
        net = self._shown.lacking(self.numeric.values, State(0.0, *self._views), v_dot) - g
        if Ma is not None:
            net += (Ma @ v_dot.ravel()).reshape(-1, 6)
        points = self.numeric.arrays["points"].reshape(-1, 3)
        wrench = subtree_wrenches(self.numeric.equations.kin, self._r, net, points)
        return Reactions(tuple(self.system.joints), points.copy(), wrench)

    def velocity_transformation(self) -> Float:
        """See :meth:`MultibodyModel.velocity_transformation`."""
        out = np.zeros((6 * len(self.bodies), self.nu))
        out[self._rows] = self.numeric.arrays["B"]
        return out

    def _twists(self, rows: Float) -> Float:
        """The (n, 6) whose entries are zero out of the plane."""
        out = np.zeros((len(self.bodies), 6))
        out.reshape(-1)[self._rows] = rows
        return out

    def _refuse(self, speed: int) -> ModelError:
        joint, _, coordinate = self.speeds[speed].rpartition(".")
        return ModelError(
            f"the mass matrix is not positive definite: body '{self.system.joints[joint].child}' "
            f"has no positive inertia for coordinate '{coordinate}' of joint '{joint}'; "
            "check its mass, inertia and added mass"
        )


def _poses(equations: Equations) -> dict[str, sp.Matrix]:
    """Positions and attitudes of all bodies and the points of all joints, as columns."""
    kin = equations.kin
    positions = [x for body in kin.bodies for x in kin.position(body)]
    attitudes = [x for body in kin.bodies for x in kin.rotation(body)]
    points = [x for joint in kin.system.joints for x in kin.joint_point(joint)]
    columns = {"r": positions, "R": attitudes, "points": points}
    return {name: sp.Matrix(entries) for name, entries in columns.items()}


def _read_only(array: Float) -> Float:
    view = array.view()
    view.setflags(write=False)
    return view
