"""Hydrodynamic loads in time: buoyancy, radiation with memory, wave excitation."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from adapters.capytaine.build import build_database
from adapters.capytaine.hulls import Hull
from adapters.capytaine.options import HydroOptions
from adapters.capytaine.sea import current_findings, refuse_other_sea
from cosim.algebra.attitude import rotation_from_rpy
from cosim.algebra.types import Complex
from cosim.coupling.capabilities import (
    CompiledLoad,
    CompiledLoads,
    ContinuousStates,
    HorizontalFrame,
    Linearisable,
    Linearisation,
    Restorable,
    StaticLoads,
    WaveExcited,
)
from cosim.coupling.template import Channel, TemplateInterface
from cosim.environment import Environment
from cosim.errors import DatabaseError
from cosim.hydrodynamics.assemble import Assembly, assemble
from cosim.hydrodynamics.check_weight import check_weight
from cosim.hydrodynamics.checks import CheckedDatabase, check_database
from cosim.hydrodynamics.compiled_load import compiled_load
from cosim.hydrodynamics.findings import Finding
from cosim.hydrodynamics.placement import make_frame, place
from cosim.hydrodynamics.read import read_database
from cosim.hydrodynamics.regular_wave import regular_excitation
from cosim.model.system import System
from cosim.multibody.interface import Float, MultibodyModel, State

__all__ = ["CapytaineAdapter"]

LOG = logging.getLogger(__name__)

_PARTS = {"buoyancy": "hydrostatic", "radiation": "radiation memory", "waves": "wave excitation"}
_AXES = ("fx", "fy", "fz", "mx", "my", "mz")
_FRAME = (
    Channel("frame_x", "m", "x of the hydrodynamic frame H", frame="world"),
    Channel("frame_y", "m", "y of the hydrodynamic frame H", frame="world"),
    Channel("frame_yaw", "rad", "yaw of the hydrodynamic frame H", frame="world"),
)


class CapytaineAdapter(
    TemplateInterface,
    ContinuousStates,
    Restorable,
    StaticLoads,
    Linearisable,
    WaveExcited,
    HorizontalFrame,
    CompiledLoads,
):
    r"""Load of one hydrodynamic database on its bodies.

    .. math:: g_e = g_{buoyancy} - C d - C_x x + f_{waves}(t), \qquad M_a = A_\infty

    x are the states of the radiation memory, integrated with the equations of motion. The
    added mass is the full matrix; all of it is in the frame H of the database.

    Parameters
    ----------
    model : MultibodyModel
    name : str
    options : HydroOptions

    Attributes
    ----------
    findings : tuple of Finding
        What import, placement and fit had to say.
    database : HydroDatabase
        Checked and placed; names and centres of gravity of the model.
    assembly : Assembly

    Raises
    ------
    DatabaseError
        The database cannot be used, or contradicts the environment or the bodies.
    """

    class Options(HydroOptions):
        """Schema of this adapter's part of the case file."""

    def __init__(self, model: MultibodyModel, name: str, options: HydroOptions) -> None:
        super().__init__(model, name, options)
        self.bodies = tuple(options.names)
        model.index(self.bodies)
        environment = model.system.environment
        self.path = options.database or self._compute(options, environment)
        checked = self._read(options, environment)
        centres = {body: model.system.bodies[body].cog for body in self.bodies}
        placed = place(
            checked.database, centres, options.frame, check_centres=options.check_centres
        )
        self.database = placed.database
        self.assembly: Assembly = assemble(
            placed.database,
            self.bodies,
            frame=make_frame(options.frame, placed, self.bodies),
            sea=environment.sea_state,
            radiation=options.radiation,
            interaction=options.body_interaction,
        )
        weight = check_weight(placed.database, _masses(model.system, self.bodies))
        self.findings: tuple[Finding, ...] = (
            *checked.findings,
            *weight,
            *current_findings(environment),
            *self.assembly.findings,
        )
        for finding in self.findings:
            level = logging.WARNING if finding.severity == "warning" else logging.INFO
            LOG.log(level, "adapter '%s': %s", name, finding.sentence)
        self._loads = self.assembly.loads
        self.n_states = self._loads.n_states
        self.accept_has_effect = self._loads.memory.keeps_history
        self.longest_step = self._loads.memory.longest_step

    def _compute(self, options: HydroOptions, environment: Environment) -> Path:
        if options.omega is None:
            raise DatabaseError(f"adapter '{self.name}': 'hulls' need 'omega'")
        bodies = self.model.system.bodies
        hulls = [
            Hull(
                name=options.names[body],
                geometry=geometry,
                centre_of_gravity=bodies[body].cog,
                rotation=rotation_from_rpy(np.radians(bodies[body].attitude_deg)),
                folder=options.folder,
            )
            for body, geometry in options.hulls.items()
        ]
        return build_database(
            hulls,
            omegas=options.omega.values(),
            headings_deg=options.headings_deg,
            rho=options.water_density or environment.water_density,
            g=options.gravity or environment.gravity,
            water_depth=options.water_depth or environment.water_depth,
        )

    def _read(self, options: HydroOptions, environment: Environment) -> CheckedDatabase:
        """Database with the bodies wanted, under the names of the model, in its own order."""
        density = options.water_density or environment.water_density
        database = read_database(self.path, options.facts, water_density=density)
        refuse_other_sea(database, options, environment)
        theirs = options.names
        wanted = set(theirs.values())
        for body in theirs.values():
            database.index(body)
        database = database.select([body for body in database.names if body in wanted])
        checked = check_database(database, options.accept)
        ours = {their: our for our, their in theirs.items()}
        return replace(checked, database=checked.database.rename(ours))

    def initialize(self, t0: float, state: State) -> None:
        """Start the memory from rest."""
        self._loads.start(t0, _pose(state), self.initial_states(t0, state))

    def initial_states(self, t0: float, state: State) -> Float:
        """Memory empty, H under its body."""
        return self._loads.initial(state.r, state.R)

    def state_scales(self) -> Float:
        """One m/s (a tenth rad/s) over the rate of each memory state; 1 m and rad for H."""
        states = self.assembly.states
        speed = np.where(states.dof % 6 < 3, 1.0, 0.1)
        memory = speed / np.hypot(states.decay, states.turn)
        count = self._loads.memory.n_states
        return np.concatenate([memory[:count], np.ones(self.n_states - count)])

    def update(self, t: float, state: State, x: Float) -> None:
        """Evaluate all loads at a trial point."""
        self._loads.evaluate(t, _pose(state), x)

    def forces(self) -> Float:
        """g_e, (k, 6), of the last `update`."""
        return self._loads.load

    def added_mass(self) -> Float:
        """A_inf turned with H, (6k, 6k)."""
        return self._loads.added_mass

    def frame_yaw(self, x: Float) -> float:
        """Heading of H, rad."""
        return self._loads.frame_yaw(x)

    def derivatives(self) -> Float:
        """Rates of the memory states and of H."""
        return self._loads.derivatives

    def compiled(self) -> CompiledLoad | None:
        """Load for a compiled driver; None with a moving H, convolution or wave record."""
        return compiled_load(self._loads)

    def accept(self, t: float, state: State, x: Float) -> None:
        """Keep the point as history of a convolution."""
        self._loads.accept(t, _pose(state), x)

    def save_state(self) -> bytes:
        """History of a convolution; nothing with a state space."""
        return self._loads.memory.save()

    def restore_state(self, state: bytes) -> None:
        """Put back what `save_state` returned."""
        self._loads.memory.restore(state)

    def static_forces(self, state: State) -> Float:
        """Buoyancy at rest, (k, 6)."""
        return self._loads.static(state.r, state.R)

    def linearise(self, state: State, x: Float) -> Linearisation:
        """Exact linearisation in still water; H held where it is."""
        loads, memory = self._loads, self.assembly.states
        loads.evaluate(state.t, _pose(state), loads.initial(state.r, state.R))
        A, B = memory.matrices()
        T = loads.turn()
        size = 6 * len(self.bodies)
        return Linearisation(
            F0=self.static_forces(state).ravel(),
            K=loads.stiffness(state.r, state.R),
            C=np.zeros((size, size)),
            Ma=loads.added_mass.copy(),
            Ax=A,
            Bv=B @ T.T,
            Cx=-T @ memory.C,
        )

    def wave_excitation(self, omega: Float, heading: float) -> Complex:
        """Excitation of a regular wave of unit amplitude, (nw, 6k), H in its reference place."""
        environment, ordered = self.model.system.environment, self.database.select(self.bodies)
        water = environment.water_depth, environment.gravity
        return regular_excitation(ordered, water, self._loads.frame.pose, omega, heading)

    def channels(self) -> Sequence[Channel]:
        """Three parts of the load on every body, power of radiation, pose of a moving H."""
        parts = [
            Channel(
                name=f"{body}.{part}_{axis}",
                units="N" if axis[0] == "f" else "N m",
                long_name=f"{_PARTS[part]} {'force' if axis[0] == 'f' else 'moment'} along "
                f"{axis[1]} on {body}",
                frame="world",
                point=f"centre of gravity of {body}",
            )
            for body in self.bodies
            for part in _PARTS
            for axis in _AXES
        ]
        power = Channel("radiation_power", "W", "power of the radiation memory on all bodies")
        return [*parts, power, *(_FRAME if self._loads.frame.moves else ())]

    def outputs(self) -> Float:
        """Values of `channels` at the last `update`."""
        loads = self._loads
        pose = loads.frame.pose if loads.frame.moves else ()
        return np.concatenate([loads.parts().ravel(), [loads.radiation_power()], pose])

    def settings(self) -> Mapping[str, str]:
        """Database, its origin and hash, and the quality of the fit."""
        source = self.database.source
        return {
            "database": str(self.path),
            "sha256": hashlib.sha256(Path(self.path).read_bytes()).hexdigest(),
            "tool": f"{source.tool} {source.version}",
            "findings": "\n".join(f"{f.severity}: {f.sentence}" for f in self.findings),
        }


def _masses(system: System, names: Sequence[str]) -> dict[str, float]:
    bodies = {name: system.bodies[name] for name in names}
    return {name: body.mass for name, body in bodies.items() if body.gravity_scale}


def _pose(state: State) -> tuple[Float, Float, Float]:
    return state.r, state.R, state.v
