"""Where a run starts: reference or equilibrium, and the values that the case sets."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cosim.algebra.attitude import roll_pitch_yaw
from cosim.algebra.rotations import rotation_from_vector
from cosim.algebra.rows import vector
from cosim.analysis.equilibrium import Equilibrium, find_equilibrium
from cosim.case.check import report
from cosim.case.schema import Case
from cosim.coupling.capabilities import Linearisable
from cosim.coupling.template import TemplateInterface
from cosim.errors import EquilibriumError, ModelError
from cosim.model.joints import Floating, Spherical
from cosim.model.sentences import Problem
from cosim.multibody.interface import Float, MultibodyModel

__all__ = ["StartState", "check_start", "named_coordinates", "rest_of", "start_state"]

LOG = logging.getLogger(__name__)

_FAR, _TILTED = 1.0, 10.0
"""How far from its described place, m, and attitude, degrees, a body may float at rest."""


@dataclass(frozen=True)
class StartState:
    """Coordinates and speeds at the start.

    Attributes
    ----------
    q : (nq,)
    u : (nu,)
    equilibrium : Equilibrium or None
        What was found, where the case asks for it.
    """

    q: Float
    u: Float
    equilibrium: Equilibrium | None


def check_start(case: Case, model: MultibodyModel) -> None:
    """Refuse names in ``start.set`` that the model does not know, all of them at once.

    Raises
    ------
    CaseError
    """
    found: list[Problem] = []
    for key, value in case.start.set.items():
        try:
            model.initial({key: value})
        except ModelError as error:
            found.append((("start", "set", key), str(error)))
    if found:
        raise report(case.origin, found)


def start_state(
    case: Case, model: MultibodyModel, adapters: Mapping[str, TemplateInterface]
) -> StartState:
    """Find the start of a run.

    Parameters
    ----------
    case : Case
    model : MultibodyModel
    adapters : mapping of name to adapter
        Constructed, not yet initialised.

    Raises
    ------
    EquilibriumError
        None near the reference configuration.
    """
    q, u = model.initial(case.start.set)
    if case.start.from_ == "reference":
        return StartState(q, u, None)
    try:
        found = rest_of(case, model, adapters)
    except EquilibriumError as error:
        raise EquilibriumError(
            f"{error}; or start from the pose as described, 'start: {{from: reference}}'"
        ) from error
    reference, _ = model.initial()
    q, u = model.initial_near(named_coordinates(model, found.q, reference), case.start.set)
    return StartState(q, u, found)


def rest_of(
    case: Case, model: MultibodyModel, adapters: Mapping[str, TemplateInterface]
) -> Equilibrium:
    """The equilibrium of a case near its reference configuration.

    Raises
    ------
    EquilibriumError
        There is none.
    """
    reference, _ = model.initial()
    found = find_equilibrium(model, adapters, reference, t=case.time.start)
    _warn_of_distance(model, adapters, found.q)
    return found


def _warn_of_distance(
    model: MultibodyModel, adapters: Mapping[str, TemplateInterface], q: Float
) -> None:
    """Tell of bodies that float far from where their linear loads hold."""
    state = model.kinematics(0.0, q, np.zeros(model.nu))
    linear = (a for a in adapters.values() if isinstance(a, Linearisable))
    for name in dict.fromkeys(body for adapter in linear for body in adapter.bodies):
        body = int(model.index([name])[0])
        depth = float(model.system.bodies[name].cog[2] - state.r[body, 2])
        tilt = math.degrees(math.acos(min(1.0, float(state.R[body, 2, 2]))))
        if abs(depth) > _FAR or tilt > _TILTED:
            LOG.warning(
                "at rest, body '%s' lies %.3g m %s and %.3g degrees tilted from the configuration "
                "of the case, about which its loads in the water are linear; check its mass, "
                "volume and mooring",
                name,
                abs(depth),
                "below" if depth > 0.0 else "above",
                tilt,
            )


def named_coordinates(model: MultibodyModel, q: Float, reference: Float) -> dict[str, float]:
    """The pose q by the names of its coordinates, as `initial` takes them, m and rad."""
    displacement = dict(zip(model.speeds, model.difference(q, reference), strict=True))
    for name, joint in model.system.joints.items():
        if isinstance(joint, Floating | Spherical) and not joint.cut:
            keys = [f"{name}.{angle}" for angle in joint.angular]
            phi = vector(np.array([displacement[key] for key in keys]), 0)
            R = np.array(rotation_from_vector(phi)).reshape(3, 3)
            displacement.update(zip(keys, roll_pitch_yaw(R), strict=True))
    return {key: float(value) for key, value in displacement.items()}
