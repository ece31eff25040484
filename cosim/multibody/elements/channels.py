"""What the results show of each force element, by kind.

The order of the quantities is that of the columns which the kernels write
(:func:`cosim.multibody.elements.evaluate.evaluate`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cosim.model.elements import ElementKind, JointLoad, MatrixLoad, PointForce, Tension, Torsion
from cosim.model.system import System
from cosim.multibody.channel import Channel

__all__ = ["channels_of"]


def channels_of(system: System, name: str) -> tuple[Channel, ...]:
    """Channels ``name/quantity`` of one force element.

    Parameters
    ----------
    system : System
    name : str
        Of the element.
    """
    channels = tuple(_without_power(system, name, system.elements[name]))
    text = f"Power that '{name}' gives to the bodies, negative where it takes it from them"
    power = Channel("power", "W", text, point=channels[0].point)
    return tuple(replace(c, name=f"{name}/{c.name}") for c in (*channels, power))


def _without_power(system: System, name: str, element: ElementKind) -> Iterator[Channel]:
    match element:
        case PointForce(point=point):
            yield from _components(name, point)
        case JointLoad():
            yield from _joint_load(system, name, element)
        case Tension(points=(first, second)):
            place = f"{first} to {second}"
            yield Channel("tension", "N", f"Tension of '{name}'", point=place)
            yield Channel("length", "m", f"Length of '{name}'", point=place)
            yield Channel("elongation_rate", "m/s", f"Rate of the length of '{name}'", point=place)
        case Torsion(bodies=(first, second)):
            axis = {"frame": f"axis fixed in {first}", "point": f"{first} to {second}"}
            yield Channel("moment", "N m", f"Moment of '{name}' on {second}", **axis)
            yield Channel("angle", "rad", f"Twist of {second} against {first}", **axis)
        case MatrixLoad(body=body, at=(x, y, z)):
            place = f"point of {body} at ({x:g}, {y:g}, {z:g}) in the reference configuration"
            yield from _components(name, place)


def _joint_load(system: System, name: str, element: JointLoad) -> Iterator[Channel]:
    joint = system.joints[element.joint]
    coordinate = element.coordinate or joint.coordinates[0]
    angular = coordinate in joint.angular
    place, unit = f"'{coordinate}' of joint '{element.joint}'", "rad" if angular else "m"
    for quantity, units, text in (
        ("force", "N m" if angular else "N", f"Generalised force of '{name}' on {place}"),
        ("position", unit, f"Coordinate {place}, counted from the reference configuration"),
        ("rate", f"{unit}/s", f"Rate of {place}"),
    ):
        yield Channel(quantity, units, text, frame="parent", point="joint")


def _components(name: str, point: str) -> Iterator[Channel]:
    for quantity, units in (("force", "N"), ("moment", "N m")):
        for axis in "xyz":
            text = f"{quantity.capitalize()} of '{name}' along {axis}"
            yield Channel(f"{quantity}_{axis}", units, text, frame="world", point=point)
