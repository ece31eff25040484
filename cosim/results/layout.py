"""Which variables a run stores: the results' one layout.

===============================  ==========================  ========================
variable                         dimensions after time       units
===============================  ==========================  ========================
position                         body, xyz                   m
attitude_deg                     body, rpy                   degree
velocity, acceleration           body, xyz                   m/s, m/s2
angular_velocity, ..._acceleration  body, xyz                rad/s, rad/s2
point_position, ..._velocity, ..._acceleration  point, xyz   m, m/s, m/s2
joint_translation, joint_speed   translation                 m, m/s
joint_rotation_deg, joint_rate   rotation                    degree, rad/s
joint_point                      joint, xyz                  m
joint_force, joint_moment        joint, xyz                  N, N m
force, moment                    source, body, xyz           N, N m
wave_elevation                                               m
adapter/channel                                              the channel's own
element/name/quantity                                        the quantity's own
residual, energy/..., ledger/..., closure/...                1, J
shape/adapter/name               its nodes, xyz              m
===============================  ==========================  ========================
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from cosim.errors import AdapterError, CaseError
from cosim.integrate.sample import Sample
from cosim.model.sentences import nearest
from cosim.multibody.channel import Channel
from cosim.multibody.interface import MultibodyModel
from cosim.results.variables import Variable

__all__ = ["Layout", "split_speeds"]

_XYZ = ("x", "y", "z")
_COG = "centre of gravity"
_SCALARS: Mapping[str, tuple[str, str]] = {
    "residual": ("1", "Equations of motion left unsatisfied, relative"),
    "closure/gap": ("1", "Largest gap of the closed loops, m or rad"),
    "closure/shift": ("1", "From the solver's coordinates to closed ones, largest, m or rad"),
    "energy/kinetic": ("J", "Kinetic energy"),
    "energy/potential": ("J", "Energy of weight and conservative elements"),
    "ledger/exchanged": ("J", "Energy exchanged so far: the scale of the ledger"),
    "ledger/balance": ("1", "Energy made or lost by the integrator, relative"),
    "ledger/work": ("J", "Work done on the bodies by"),
    "ledger/coupling": ("1", "Energy made or lost by the coupling scheme, relative, at"),
}


@dataclass(frozen=True)
class Layout:
    """Variables and coordinates of the results of one run.

    Parameters
    ----------
    model : MultibodyModel
    bodies : mapping of adapter name to the bodies it loads
    channels : mapping of adapter name to its channels
    points : sequence of str
        ``body/point`` to follow.
    wanted : "all" or patterns
        Of variable names.
    """

    model: MultibodyModel
    bodies: Mapping[str, Sequence[str]] = field(default_factory=dict)
    channels: Mapping[str, Sequence[Channel]] = field(default_factory=dict)
    points: Sequence[str] = ()
    wanted: Literal["all"] | Sequence[str] = "all"

    def coordinates(self) -> Mapping[str, Sequence[str]]:
        """Names along each dimension."""
        translations, rotations = split_speeds(self.model)
        names = self.model.coordinates
        return {
            "xyz": _XYZ,
            "rpy": ("roll", "pitch", "yaw"),
            "body": self.model.bodies,
            "joint": tuple(self.model.system.joints),
            "point": tuple(self.points),
            "source": tuple(self.channels),
            "translation": tuple(names[i] for i in translations),
            "rotation": tuple(names[i] for i in rotations),
        }

    def variables(self, sample: Sample) -> list[Variable]:
        """Variables of this run, as far as they are wanted.

        Parameters
        ----------
        sample : Sample
            The first one: it shows which scalars and shapes there are.

        Raises
        ------
        AdapterError
            An adapter declares a channel twice, or gives another number of outputs.
        CaseError
            A pattern that no variable has.
        """
        self._check_outputs(sample)
        sizes = {name: len(labels) for name, labels in self.coordinates().items()}
        everything = [
            *(v for v in _arrays(sizes) if 0 not in v.shape),
            *self._channels(),
            *(_scalar(f"element/{c.name}", c) for c in self.model.element_channels),
            *_scalars(sample),
            *_shapes(sample),
        ]
        return _select(everything, self.wanted)

    def _check_outputs(self, sample: Sample) -> None:
        for adapter, channels in self.channels.items():
            names = [channel.name for channel in channels]
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise AdapterError(f"channels() declares '{twice}' twice", adapter=adapter)
            given = sample.outputs.get(adapter)
            if given is not None and given.shape != (len(names),):
                raise AdapterError(
                    f"outputs() has the shape {given.shape}; {len(names)} channels need "
                    f"({len(names)},)",
                    adapter=adapter,
                    t=sample.t,
                )

    def _channels(self) -> Iterator[Variable]:
        for adapter, channels in self.channels.items():
            for channel in channels:
                yield _scalar(f"{adapter}/{channel.name}", channel)


def _scalar(name: str, channel: Channel) -> Variable:
    return Variable(
        *(name, (), (), channel.units, channel.long_name),
        frame=channel.frame,
        point=channel.point,
    )


def split_speeds(model: MultibodyModel) -> tuple[list[int], list[int]]:
    """Indices of the joint coordinates that are translations, and of those that are rotations."""
    rotations = [
        number
        for number, name in enumerate(model.coordinates)
        if _is_angular(model, *name.rsplit(".", 1))
    ]
    return [i for i in range(len(model.coordinates)) if i not in rotations], rotations


def _is_angular(model: MultibodyModel, joint: str, coordinate: str) -> bool:
    return coordinate in model.system.joints[joint].angular


def _arrays(sizes: Mapping[str, int]) -> Iterator[Variable]:
    def array(
        name: str, dims: tuple[str, ...], units: str, long_name: str, point: str = _COG
    ) -> Variable:
        shape = tuple(sizes[dim] for dim in dims)
        return Variable(name, dims, shape, units, long_name, frame="world", point=point)

    body, point, joint = ("body", "xyz"), ("point", "xyz"), ("joint", "xyz")
    load = ("source", "body", "xyz")
    yield array("position", body, "m", "Position")
    yield array("attitude_deg", ("body", "rpy"), "degree", "Roll, pitch, yaw (R = Rz Ry Rx)")
    yield array("velocity", body, "m/s", "Velocity")
    yield array("angular_velocity", body, "rad/s", "Angular velocity")
    yield array("acceleration", body, "m/s2", "Acceleration")
    yield array("angular_acceleration", body, "rad/s2", "Angular acceleration")
    yield array("point_position", point, "m", "Position of the point", "point")
    yield array("point_velocity", point, "m/s", "Velocity of the point", "point")
    yield array("point_acceleration", point, "m/s2", "Acceleration of the point", "point")
    yield array("force", load, "N", "Force of the adapter on the body, added mass included")
    yield array("moment", load, "N m", "Moment of the adapter on the body, added mass included")
    yield array("joint_point", joint, "m", "Position of the joint", "joint")
    yield array("joint_force", joint, "N", "Force that the joint passes to its child", "joint")
    yield array("joint_moment", joint, "N m", "Moment that the joint passes to its child", "joint")
    yield from _coordinates(sizes)
    yield array("wave_elevation", (), "m", "Elevation of the water surface", "origin")


def _coordinates(sizes: Mapping[str, int]) -> Iterator[Variable]:
    moved = "Coordinate of the joint, counted from the reference configuration"
    for name, dim, units, long_name in (
        ("joint_translation", "translation", "m", moved),
        ("joint_rotation_deg", "rotation", "degree", moved),
        ("joint_speed", "translation", "m/s", "Generalised speed of the joint"),
        ("joint_rate", "rotation", "rad/s", "Generalised speed of the joint"),
    ):
        yield Variable(name, (dim,), (sizes[dim],), units, long_name, frame="parent", point="joint")


def _scalars(sample: Sample) -> Iterator[Variable]:
    for name in sample.scalars:
        units, text = _SCALARS.get(name, ("", ""))
        if not units:
            family, _, owner = name.rpartition("/")
            units, text = _SCALARS.get(family, ("1", family))
            text = f"{text} '{owner}'"
        yield Variable(name, (), (), units, text)


def _shapes(sample: Sample) -> Iterator[Variable]:
    for adapter, shapes in sample.shapes.items():
        for shape in shapes:
            name = f"shape/{adapter}/{shape.name}"
            yield Variable(
                name,
                (f"{name}/node", "xyz"),
                (len(shape.nodes), 3),
                "m",
                f"Nodes of {shape.name}",
                frame="world",
                point="node",
                kind=shape.kind,
            )


def _select(variables: list[Variable], wanted: Literal["all"] | Sequence[str]) -> list[Variable]:
    if wanted == "all":
        return variables
    names = [variable.name for variable in variables]
    for pattern in wanted:
        if not fnmatch.filter(names, pattern):
            hint = nearest(pattern, names) or f"; there are {', '.join(names)}"
            raise CaseError(f"output.channels: nothing is called '{pattern}'{hint}")
    return [v for v in variables if any(fnmatch.fnmatchcase(v.name, p) for p in wanted)]
