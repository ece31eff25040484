"""Some samples in a row, turned into values of the results' variables all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cosim.algebra.attitude import roll_pitch_yaw
from cosim.integrate.sample import Sample
from cosim.multibody.interface import Float, MultibodyModel
from cosim.results.layout import Layout, split_speeds
from cosim.results.variables import Variable

__all__ = ["Chunk"]


class Chunk:
    """Room for `size` samples.

    Parameters
    ----------
    layout : Layout
    variables : sequence of Variable
        Those to compute, shapes left out.
    probe : MultibodyModel
        A model of the same system for this object's own use: the driver's keeps its state.
    size : int
    """

    def __init__(
        self, layout: Layout, variables: Sequence[Variable], probe: MultibodyModel, size: int
    ) -> None:
        self._wanted = {variable.name for variable in variables}
        self._probe = probe
        self._channels = layout.channels
        self._points = _Points(layout)
        self._split = split_speeds(probe)
        n, sources = len(probe.bodies), len(layout.channels)
        self.count = 0
        self._t = np.empty(size)
        self._r = np.empty((size, n, 3))
        self._R = np.empty((size, n, 3, 3))
        self._v = np.empty((size, n, 6))
        self._a = np.empty((size, n, 6))
        self._loads = np.zeros((size, sources, n, 6))
        self._d = np.empty((size, len(probe.coordinates)))
        self._u = np.empty((size, len(probe.coordinates)))
        joints = len(probe.system.joints)
        self._joint_points = np.empty((size, joints, 3))
        self._joint_loads = np.empty((size, joints, 6))
        self._rows = {a: probe.index(bodies) for a, bodies in layout.bodies.items()}
        self._outputs = {a: np.empty((size, len(c))) for a, c in layout.channels.items()}
        self._elements = np.empty((size, len(probe.element_channels)))
        self._scalars: dict[str, Float] = {}

    @property
    def is_full(self) -> bool:
        """No room for another sample."""
        return self.count == self._t.size

    def add(self, sample: Sample) -> None:
        """Take a sample; copies it."""
        i = self.count
        self._t[i] = sample.t
        self._r[i], self._R[i], self._v[i] = sample.state.r, sample.state.R, sample.state.v
        self._a[i], self._elements[i] = sample.v_dot, sample.elements
        for number, adapter in enumerate(self._channels):
            if adapter in sample.loads:
                self._loads[i, number, self._rows[adapter]] = sample.loads[adapter]
            self._outputs[adapter][i] = sample.outputs.get(adapter, np.nan)
        for name, value in sample.scalars.items():
            if name not in self._scalars:
                self._scalars[name] = np.full(self._t.size, np.nan)
            self._scalars[name][i] = value
        self._d[i], self._u[i] = self._probe.coordinate_values(sample.t, sample.q, sample.u)
        if self._wanted & {"joint_point", "joint_force", "joint_moment"}:
            self._add_reactions(i, sample)
        self.count += 1

    def _add_reactions(self, i: int, sample: Sample) -> None:
        for name, yaw in sample.frames.items():
            self._probe.set_frame(name, yaw)
        self._probe.kinematics(sample.t, sample.q, sample.u)
        reactions = self._probe.reactions(self._loads[i].sum(axis=0), sample.v_dot)
        self._joint_points[i] = reactions.point
        self._joint_loads[i] = reactions.wrench

    def values(self) -> Mapping[str, Float]:
        """Values of the wanted variables and of ``time``; the chunk is empty afterwards."""
        n, self.count = self.count, 0
        t = self._t[:n].copy()
        available = {
            **self._body_values(n),
            **self._points.values(self._r[:n], self._R[:n], self._v[:n], self._a[:n]),
            **self._coordinate_values(n),
            "wave_elevation": self._probe.system.environment.sea_state.elevation(t),
            **{name: values[:n].copy() for name, values in self._scalars.items()},
        }
        for adapter, channels in self._channels.items():
            for k, channel in enumerate(channels):
                available[f"{adapter}/{channel.name}"] = self._outputs[adapter][:n, k].copy()
        for k, channel in enumerate(self._probe.element_channels):
            available[f"element/{channel.name}"] = self._elements[:n, k].copy()
        chosen = {name: value for name, value in available.items() if name in self._wanted}
        return {"time": t, **chosen}

    def _body_values(self, n: int) -> dict[str, Float]:
        v, a = self._v[:n].copy(), self._a[:n].copy()
        loads, joint_loads = self._loads[:n].copy(), self._joint_loads[:n].copy()
        return {
            "position": self._r[:n].copy(),
            "attitude_deg": np.degrees(roll_pitch_yaw(self._R[:n])),
            "velocity": v[..., :3],
            "angular_velocity": v[..., 3:],
            "acceleration": a[..., :3],
            "angular_acceleration": a[..., 3:],
            "force": loads[..., :3],
            "moment": loads[..., 3:],
            "joint_point": self._joint_points[:n].copy(),
            "joint_force": joint_loads[..., :3],
            "joint_moment": joint_loads[..., 3:],
        }

    def _coordinate_values(self, n: int) -> dict[str, Float]:
        translations, rotations = self._split
        d, u = self._d[:n], self._u[:n]
        return {
            "joint_translation": d[:, translations],
            "joint_rotation_deg": np.degrees(d[:, rotations]),
            "joint_speed": u[:, translations],
            "joint_rate": u[:, rotations],
        }


class _Points:
    """Motion of points fixed to bodies."""

    def __init__(self, layout: Layout) -> None:
        system = layout.model.system
        places = [system.point(address) for address in layout.points]
        self._bodies: NDArray[np.intp] = layout.model.index([body for body, _ in places])
        arms = [np.subtract(place, system.bodies[body].cog) for body, place in places]
        self._arms = np.array(arms, dtype=np.float64).reshape(-1, 3)

    def values(self, r: Float, R: Float, v: Float, a: Float) -> dict[str, Float]:
        rows = self._bodies
        arm = np.einsum("tpij,pj->tpi", R[:, rows], self._arms)
        w, w_dot = v[:, rows, 3:], a[:, rows, 3:]
        turning = np.cross(w, arm)
        return {
            "point_position": r[:, rows] + arm,
            "point_velocity": v[:, rows, :3] + turning,
            "point_acceleration": a[:, rows, :3] + np.cross(w_dot, arm) + np.cross(w, turning),
        }
