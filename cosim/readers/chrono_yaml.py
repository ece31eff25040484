"""Project Chrono's YAML dialect for multibody systems, which SEA-Stack and M4E share.

What it says (Chrono's parser, ChParserMbsYAML, versions 9 and 10): bodies by a reference
frame, with their centre of mass and inertia in it; joints, springs and motors at world
coordinates of the assembled system, which becomes our reference configuration; fixed bodies
are earth. Chrono solves for all coordinates of all bodies; here joints form a tree from
earth outwards, the others are cut, and bodies that nothing holds float.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from cosim.case.check import report
from cosim.case.source import Source
from cosim.model.base import EARTH
from cosim.model.sentences import Problem, problems
from cosim.model.system import System
from cosim.readers.chrono_joints import Joints
from cosim.readers.chrono_loads import MOTOR_JOINTS, add_body_load, add_motor
from cosim.readers.chrono_records import ModelFile
from cosim.readers.chrono_simulation import find_files, read_simulation, validated
from cosim.readers.chrono_springs import HINGES, add_rsda, add_tsda
from cosim.readers.chrono_tree import links, roots
from cosim.readers.chrono_velocities import start_rates
from cosim.readers.chrono_workspace import Workspace, plain_name
from cosim.readers.reading import Reading

__all__ = ["read_chrono_yaml"]


def read_chrono_yaml(path: str | Path, simulation: str | Path | None = None) -> Reading:
    """Read a Chrono, SEA-Stack or M4E model.

    Parameters
    ----------
    path : path
        A model file, Chrono's file of type MBS, or SEA-Stack's setup file.
    simulation : path, optional
        A simulation file, for gravity and the end of the run. By default the one that the
        other files name, or ``name.simulation.yaml`` beside ``name.model.yaml``.

    Returns
    -------
    Reading
        Gravity is that of the simulation file, 9.81 m/s² without one.

    Raises
    ------
    CaseError
        What is wrong, and what is not read, by name: file, line and what to do.
    """
    files = find_files(path, simulation)
    settings = read_simulation(files.simulation)
    model = validated(files.model, ModelFile).model
    space = Workspace(model)
    for name in ("constraints", "load_controllers"):
        if getattr(model, name):
            space.refuse((name,), f"{name.replace('_', ' ')} are not read")
    if not space.moving:
        space.refuse(("bodies",), "all of them are fixed: nothing moves")
    _assemble(space)
    _refused(files.model, space)
    description = {section: e for section, e in space.description.items() if e}
    if settings.gravity is not None:
        description = {"environment": {"gravity": settings.gravity}, **description}
    system = _validated(files.model, space, description)
    start = start_rates(space, system)
    _refused(files.model, space)
    return Reading(description, start, end=settings.end, title=model.name)


def _assemble(space: Workspace) -> None:
    joints = Joints(space)
    tree = links(space.moving, joints.all, loaded=_loaded(space, joints))
    for body in roots(space.moving, tree):
        name = space.end(body, ())
        float_joint = {"type": "floating", "parent": EARTH, "child": name}
        free = plain_name(f"{name}_floating", space.description["joints"])
        space.add("joints", free, float_joint, ("bodies",))
    names = {}
    for link in tree:
        name = joints.add(link)
        if not link.cut:
            names[link.joint.name] = name
    model = space.model
    for index, tsda in enumerate(model.tsdas):
        add_tsda(space, tsda, ("tsdas", index))
    for index, rsda in enumerate(model.rsdas):
        add_rsda(space, rsda, ("rsdas", index), joints=joints, names=names)
    for index, load in enumerate(model.body_loads):
        add_body_load(space, load, ("body_loads", index))
    for index, motor in enumerate(model.motors):
        add_motor(space, motor, ("motors", index), joints=joints, names=names)


def _loaded(space: Workspace, joints: Joints) -> set[str]:
    """Joints that springs and motors act on."""
    hinges = [joints.hinge(r.body1, r.body2, r.axis, HINGES) for r in space.model.rsdas]
    for motor in space.model.motors:
        types, _ = MOTOR_JOINTS[motor.type]
        hinges.append(joints.hinge(motor.body1, motor.body2, motor.axis, types))
    return {hinge.joint.name for hinge in hinges if hinge is not None}


def _refused(source: Source, space: Workspace) -> None:
    if space.problems:
        raise report(source, space.problems)


def _validated(source: Source, space: Workspace, description: dict[str, object]) -> System:
    """The system; mistakes are told at their places in the file."""
    try:
        return System.model_validate(description)
    except ValidationError as error:
        found: list[Problem] = []
        for path, text in problems(error, description, System):
            section, name = (*path, "", "")[:2]
            origin = space.origins.get((str(section), str(name)), ("model", *path))
            found.append((origin, text))
        raise report(source, found) from None
