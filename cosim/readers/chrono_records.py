"""The records of Chrono's YAML multibody files, as its parser (ChParserMbsYAML) reads them.

Keys that only draw, store or solve are kept as they are and not used. Everything else is
named, so that an unknown key is an error and not, as in Chrono, silence.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from cosim.model.base import NonNegative, Number, Positive, Strict, Vector3

__all__ = [
    "BodyLoad",
    "ChronoBody",
    "ChronoJoint",
    "Function",
    "Model",
    "ModelFile",
    "Motor",
    "Rotation",
    "Rsda",
    "SpringDamper",
    "Tsda",
]

Rotation = Vector3 | tuple[Number, Number, Number, Number]
Table = tuple[tuple[Number, Number], ...]


def _upper(entry: object) -> object:
    return entry.upper() if isinstance(entry, str) else entry


Version = Annotated[str, BeforeValidator(str)]
JointType = Annotated[
    Literal[
        "LOCK",
        "REVOLUTE",
        "SPHERICAL",
        "PRISMATIC",
        "UNIVERSAL",
        "CYLINDRICAL",
        "PLANAR",
        "POINT_LINE",
        "POINT_PLANE",
    ],
    BeforeValidator(_upper),
]


class Com(Strict):
    """Centre of mass and inertia axes in the body's reference frame."""

    location: Vector3 = (0.0, 0.0, 0.0)
    orientation: Rotation = (0.0, 0.0, 0.0)


class Inertia(Strict):
    """About the centre of mass, in the axes of `Com`; products are tensor components."""

    moments: Vector3
    products: Vector3 = (0.0, 0.0, 0.0)


class ChronoBody(Strict):
    """A body by its reference frame; a fixed one is earth."""

    name: str
    fixed: bool = False
    location: Vector3
    orientation: Rotation = (0.0, 0.0, 0.0)
    initial_linear_velocity: Vector3 | None = None
    initial_angular_velocity: Vector3 | None = None
    mass: Positive | None = None
    com: Com = Com()
    inertia: Inertia | None = None
    contact: Any = None
    visualization: Any = None


class ChronoJoint(Strict):
    """A joint at a place of the assembled system."""

    name: str
    type: JointType
    body1: str
    body2: str
    location: Vector3
    axis: Vector3 | None = None
    axis1: Vector3 | None = None
    axis2: Vector3 | None = None
    bushing_data: Any = None
    visualization: Any = None


class SpringDamper(Strict):
    """What translational and rotational spring-dampers have in common."""

    name: str
    type: str = ""
    body1: str
    body2: str
    spring_coefficient: NonNegative | None = None
    damping_coefficient: NonNegative | None = None
    spring_curve_data: Table | None = None
    damping_curve_data: Table | None = None
    preload: Number = 0.0
    visualization: Any = None


class Tsda(SpringDamper):
    """Between two points, world coordinates of the assembled system."""

    point1: Vector3
    point2: Vector3
    free_length: NonNegative | None = None
    degressivity_compression: NonNegative | None = None
    degressivity_expansion: NonNegative | None = None
    minimum_length: Any = None
    maximum_length: Any = None
    deformation: Any = None
    map_data: Any = None


class Rsda(SpringDamper):
    """About an axis; its angle is 0 as the system is assembled."""

    location: Vector3 = (0.0, 0.0, 0.0)
    axis: Vector3
    free_angle: Number | None = None


class Function(Strict):
    """A function of time."""

    type: Annotated[str, BeforeValidator(_upper)]
    value: Number | None = None
    coefficients: tuple[Number, ...] | None = None
    amplitude: Number | None = None
    frequency: Number | None = None
    phase: Number = 0.0
    slope: Number | None = None
    intercept: Number = 0.0
    y0: Number | None = None
    t0: Number = 0.0
    data: Table | None = None
    repeat: Any = None


class BodyLoad(Strict):
    """A force or torque on a body."""

    name: str
    type: Annotated[Literal["FORCE", "TORQUE"], BeforeValidator(_upper)]
    body: str
    load: Vector3
    local_load: bool = True
    point: Vector3 | None = None
    local_point: bool = True
    modulation_function: Function | None = None


class Motor(Strict):
    """A force, a torque or a motion between two bodies."""

    name: str
    type: Annotated[Literal["LINEAR", "ROTATION"], BeforeValidator(_upper)]
    body1: str
    body2: str
    location: Vector3
    axis: Vector3
    actuation_type: Annotated[str, BeforeValidator(_upper)]
    actuation_function: Function
    guide: Annotated[str, BeforeValidator(_upper)] = "PRISMATIC"
    spindle: Annotated[str, BeforeValidator(_upper)] = "REVOLUTE"


class Model(Strict):
    """The section `model`."""

    name: str = ""
    angle_degrees: bool = True
    data_path: Any = None
    bodies: tuple[ChronoBody, ...] = Field(min_length=1)
    joints: tuple[ChronoJoint, ...] = ()
    constraints: tuple[Any, ...] = ()
    tsdas: tuple[Tsda, ...] = ()
    rsdas: tuple[Rsda, ...] = ()
    body_loads: tuple[BodyLoad, ...] = ()
    load_controllers: tuple[Any, ...] = ()
    motors: tuple[Motor, ...] = ()


class ModelFile(Strict):
    """A model file."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    version: Version = Field(default="", alias="chrono-version")
    model: Model
