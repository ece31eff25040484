"""Mooring lines by MoorDyn."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence

import numpy as np

from adapters.moordyn.binding import Reals, moordyn_version
from adapters.moordyn.checks import check_start
from adapters.moordyn.initial import rest
from adapters.moordyn.instance import DivergenceError, MoorDynInstance
from adapters.moordyn.levers import end_mass, place_points, step_inputs, wrenches
from adapters.moordyn.options import MoorDynOptions
from adapters.moordyn.resting import RestingLines
from adapters.moordyn.settle import Settler
from adapters.moordyn.setup import prepare
from adapters.moordyn.water import Water
from cosim.coupling.capabilities import (
    Plottable,
    Restorable,
    Shape,
    StaticLoads,
    Stepper,
)
from cosim.coupling.motion import Motion
from cosim.coupling.template import Channel, TemplateInterface
from cosim.errors import AdapterError
from cosim.multibody.interface import Float, MultibodyModel, State

__all__ = ["MoorDynAdapter"]

_CLOSING = 1e-9
"""Length of the last step of an advance, s."""


class MoorDynAdapter(TemplateInterface, Stepper, Restorable, StaticLoads, Plottable):
    """Lines of one MoorDyn system on any number of bodies.

    Fairleads are coupled points, led along the motion of their bodies in steps of at most
    MoorDyn's own: along the chord of each step, and in a closing step of 1 ns with the true
    velocity at the end, because the force contains the lines' internal damping. (Error of
    the force of the OC3 mooring in a motion of 2 m in 8 s, step 5 ms, relative to its
    amplitude: 5e-5; with start positions and start velocities 1e-3.)

    Parameters
    ----------
    model, name, options
        As for every adapter.

    Raises
    ------
    MooringFileError, ModelError
        The mooring does not fit the case.
    """

    Options = MoorDynOptions
    settles = True
    max_step = math.inf

    def __init__(self, model: MultibodyModel, name: str, options: MoorDynOptions) -> None:
        super().__init__(model, name, options)
        self._setup = prepare(name, options, model.system)
        self._water = Water(model.system.environment)
        self._interval = options.water_interval
        self._max_strain = options.max_strain
        self.bodies = self._setup.bodies
        self.inner_step = self._setup.time_step
        self._running: MoorDynInstance | None = None
        self._resting = RestingLines(self._setup, self._water, adapter=name)
        count, k = len(self._setup.fairleads), len(self.bodies)
        self._mass = np.zeros((count, 3, 3))
        self._wrench = np.zeros((k, 6))
        self._added_mass = np.zeros((6 * k, 6 * k))
        self._outputs = np.zeros(2 * len(self._setup.file.lines))

    def initialize(self, t0: float, state: State) -> None:
        """Start MoorDyn at the true pose, with the lines at rest in the current."""
        x, u = self._places(state)
        self._check_start(x)
        self._running = self._start(x)
        settler = Settler(self._running, self._setup.file, self._water.current, adapter=self.name)
        rest(self._running, settler, x, self._setup.key)
        # the state at rest holds no motion of the water: set it even where it is still
        self._running.set_water(*self._water.begin(t0, self._running.water_points()))
        start = np.subtract(x, np.multiply(_CLOSING, u)).tolist()
        self._note(state, self._running.follow([start], [u], _CLOSING))
        self._read_outputs()

    def advance(self, motion: Motion) -> None:
        """Follow the motion of the bodies; the lines end at ``motion.t1``."""
        running = self._instance()
        span = motion.t1 - motion.t0
        if span <= _CLOSING:
            raise AdapterError(f"cannot advance by {span:g} s", adapter=self.name, t=motion.t1)
        count = max(1, math.ceil((span - _CLOSING) / self.inner_step * (1.0 - 1e-12)))
        # never above MoorDyn's own step, or a dust step follows each
        dt = min((span - _CLOSING) / count, self.inner_step)
        instants = np.append(motion.t0 + dt * np.arange(count + 1), motion.t1)
        x, v = self._inputs(motion, instants, dt)
        try:
            force = self._follow(running, motion, x, v, dt)
        except DivergenceError as error:
            raise DivergenceError(error.reason, adapter=self.name, t=motion.t1) from error
        self._note(motion.end, force)

    def forces(self) -> Float:
        """Wrenches of the lines at the end of the last advance, (k, 6)."""
        return self._wrench.copy()

    def added_mass(self) -> Float:
        """Mass and added mass of the half segments at the fairleads, (6k, 6k)."""
        return self._added_mass.copy()

    def accept(self, t: float, state: State, x: Float) -> None:
        """Read the outputs of this instant."""
        self._read_outputs()

    def save_state(self) -> bytes:
        """Lines, and loads of this instant, with length and hash."""
        own = [array.tobytes() for array in self._kept()]
        return self._instance().save(b"".join(own))

    def restore_state(self, state: bytes) -> None:
        """Put back what `save_state` returned."""
        own = np.frombuffer(self._instance().restore(state))
        position = 0
        for array in self._kept():
            array[:] = own[position : position + array.size].reshape(array.shape)
            position += array.size

    def static_forces(self, state: State) -> Float:
        """Loads of the lines at rest, (k, 6), relaxed from their last place."""
        at_rest = State(state.t, state.r, state.R, np.zeros_like(state.v))
        force = self._resting.forces(self._places(state)[0])
        return self._load(at_rest, force, np.zeros_like(self._mass))

    def channels(self) -> Sequence[Channel]:
        """Tensions at both ends of every line."""
        return [
            Channel(f"{label}/{end}_tension", "N", f"tension of {label}, {place} segment")
            for label in self._labels()
            for end, place in (("fairlead", "last"), ("anchor", "first"))
        ]

    def outputs(self) -> Float:
        """Values of `channels`: MoorDyn's FairTen and the tension of the first segment."""
        return self._outputs.copy()

    def shapes(self) -> Sequence[Shape]:
        """The lines."""
        running = self._instance()
        return [Shape(label, "line", running.nodes(i)) for i, label in enumerate(self._labels())]

    def end(self) -> None:
        """Close MoorDyn."""
        self._resting.close()
        if self._running is not None:
            self._running.close()
        self._running = None

    def settings(self) -> Mapping[str, str]:
        """Version, scheme, step, the input file itself, and hashes of those that it names."""
        tables = self._setup.file.tables.items()
        return {
            "moordyn": moordyn_version(),
            "scheme": self._setup.file.options["tScheme"].value,
            "time_step": repr(self.inner_step),
            "input": self._setup.text,
            "input_sha256": hashlib.sha256(self._setup.text.encode()).hexdigest(),
            **{name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in tables},
        }

    def _check_start(self, x: list[float]) -> None:
        places = {
            fairlead.point: (x[3 * p], x[3 * p + 1], x[3 * p + 2])
            for p, fairlead in enumerate(self._setup.fairleads)
        }
        check_start(self._setup.file, places, self._max_strain)

    def _instance(self) -> MoorDynInstance:
        if self._running is None:
            raise AdapterError("MoorDyn is not running; call initialize first", adapter=self.name)
        return self._running

    def _start(self, x: list[float]) -> MoorDynInstance:
        file = self._setup.file
        instance = MoorDynInstance(self._setup.text, file.tables, adapter=self.name)
        instance.start(x, len(file.lines), len(file.points))
        return instance

    def _places(self, state: State) -> tuple[list[float], list[float]]:
        """Positions and velocities of the fairleads, (3p,) each."""
        x, u = np.empty((2, 1, 3 * len(self._setup.fairleads)))
        poses = state.r[None], state.R[None], state.v[None]
        place_points(poses, self._setup.owner, self._setup.lever, x, u)
        return x[0].tolist(), u[0].tolist()

    def _inputs(
        self, motion: Motion, instants: Float, dt: float
    ) -> tuple[list[list[float]], list[list[float]]]:
        sampled = motion.sample(instants)
        x, u = np.empty((2, instants.size, 3 * len(self._setup.fairleads)))
        poses = sampled.r, sampled.R, sampled.v
        place_points(poses, self._setup.owner, self._setup.lever, x, u)
        start, speed = np.empty((2, instants.size - 1, x.shape[1]))
        step_inputs(x, u, dt, _CLOSING, (start, speed))
        return start.tolist(), speed.tolist()

    def _follow(
        self,
        running: MoorDynInstance,
        motion: Motion,
        x: list[list[float]],
        v: list[list[float]],
        dt: float,
    ) -> Reals:
        count = len(x) - 1
        if not self._water.moves:
            running.follow(x[:count], v[:count], dt)
            return running.follow(x[count:], v[count:], _CLOSING)
        stride = max(1, int(self._interval / dt))
        first = np.arange(0, count, stride)
        last = np.minimum(first + stride, count)
        instants = np.append(motion.t0 + 0.5 * dt * (first + last), motion.t1)
        points = running.water_points()
        flow = self._water.during((motion.t0, motion.t1), points, instants)
        for i, j, u, a in zip(first.tolist(), last.tolist(), *flow, strict=False):
            running.set_water(u, a)
            running.follow(x[i:j], v[i:j], dt)
        running.set_water(flow[0][-1], flow[1][-1])
        return running.follow(x[count:], v[count:], _CLOSING)

    def _note(self, state: State, force: Reals) -> None:
        """Keep loads and end masses of this instant."""
        self._mass[:] = self._masses(self._instance())
        self._wrench[:] = self._load(state, np.array(force).reshape(-1, 3), self._mass)
        setup = self._setup
        end_mass(state.R, setup.owner, setup.lever, self._mass, self._added_mass)

    def _masses(self, instance: MoorDynInstance) -> Float:
        return np.array([instance.point_mass(f.point - 1) for f in self._setup.fairleads])

    def _load(self, state: State, force: Float, mass: Float) -> Float:
        wrench = np.empty((len(self.bodies), 6))
        poses = state.r, state.R, state.v
        wrenches(poses, self._setup.owner, self._setup.lever, (force, mass), wrench)
        return wrench

    def _kept(self) -> tuple[Float, ...]:
        """What a state holds besides the lines."""
        return self._wrench, self._added_mass, self._outputs, self._water.memory

    def _read_outputs(self) -> None:
        running = self._instance()
        for i in range(len(self._setup.file.lines)):
            self._outputs[2 * i : 2 * i + 2] = running.tensions(i)

    def _labels(self) -> list[str]:
        return [line.name or f"line{line.id}" for line in self._setup.file.lines]
