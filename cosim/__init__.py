"""Co-simulation of offshore multiphysics: the multibody core and its orchestrator.

A case from a file, and one written in Python::

    import cosim

    results = cosim.run(cosim.read_case("cases/oc3_spar"))

    case = cosim.Case(
        bodies={"bob": cosim.Body(mass=2, cog=(0, 0, -1), inertia=(0.1, 0.1, 0.1))},
        joints={"hinge": cosim.Revolute(child="bob", at=(0, 0, 0), axis=(0, 1, 0))},
        start=cosim.Start(from_="reference", set={"hinge.angle_deg": 30}),
        time=cosim.TimeSettings(end=10),
    )
    results = cosim.run(case)

Names are imported when they are first used: `import cosim` itself costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cosim.analysis.linear import linearise
    from cosim.analysis.modes import natural_modes
    from cosim.analysis.state_space import state_space
    from cosim.analysis.waves import wave_response
    from cosim.case.modes import case_modes
    from cosim.case.read import read_case
    from cosim.case.resume import resume
    from cosim.case.run import run
    from cosim.case.schema import Case, Output, Start
    from cosim.case.sensitivity import case_sensitivity
    from cosim.case.tables import system_tables
    from cosim.coupling.capabilities import (
        CompiledLoad,
        CompiledLoads,
        ContinuousStates,
        EventSource,
        Linearisable,
        Plottable,
        Restorable,
        Shape,
        StaticLoads,
        Stepper,
        WaveExcited,
    )
    from cosim.coupling.template import CartForce, Channel, TemplateInterface
    from cosim.environment import (
        ElevationWaves,
        Environment,
        JonswapWaves,
        PiersonMoskowitzWaves,
        PowerLawCurrent,
        RegularWaves,
        SpectrumWaves,
        StillWater,
        TableCurrent,
        UniformCurrent,
    )
    from cosim.errors import CosimError
    from cosim.integrate.settings import TimeSettings
    from cosim.model import (
        BeamSection,
        Body,
        Cylindrical,
        EndStop,
        Fixed,
        Floating,
        JointLoad,
        MatrixLoad,
        Planar,
        PointForce,
        Prismatic,
        Revolute,
        RoundSection,
        Spherical,
        System,
        Tension,
        Torsion,
        Universal,
        flexible_beam,
    )
    from cosim.multibody.joint.symbolic.equations import derive
    from cosim.results.animation.movie import MovieSettings, write_movie
    from cosim.results.animation.page import write_page
    from cosim.results.configuration.draw import draw_configuration
    from cosim.results.reader import open_results
    from cosim.wire.peer import Instant, Loads, Peer, Setup, Signal, Step
    from cosim.wire.server import run_peer

__all__ = [
    "BeamSection",
    "Body",
    "CartForce",
    "Case",
    "Channel",
    "CompiledLoad",
    "CompiledLoads",
    "ContinuousStates",
    "CosimError",
    "Cylindrical",
    "ElevationWaves",
    "EndStop",
    "Environment",
    "EventSource",
    "Fixed",
    "Floating",
    "Instant",
    "JointLoad",
    "JonswapWaves",
    "Linearisable",
    "Loads",
    "MatrixLoad",
    "MovieSettings",
    "Output",
    "Peer",
    "PiersonMoskowitzWaves",
    "Planar",
    "Plottable",
    "PointForce",
    "PowerLawCurrent",
    "Prismatic",
    "RegularWaves",
    "Restorable",
    "Revolute",
    "RoundSection",
    "Setup",
    "Shape",
    "Signal",
    "SpectrumWaves",
    "Spherical",
    "Start",
    "StaticLoads",
    "Step",
    "Stepper",
    "StillWater",
    "System",
    "TableCurrent",
    "TemplateInterface",
    "Tension",
    "TimeSettings",
    "Torsion",
    "UniformCurrent",
    "Universal",
    "WaveExcited",
    "case_modes",
    "case_sensitivity",
    "derive",
    "draw_configuration",
    "flexible_beam",
    "linearise",
    "natural_modes",
    "open_results",
    "read_case",
    "resume",
    "run",
    "run_peer",
    "state_space",
    "system_tables",
    "wave_response",
    "write_movie",
    "write_page",
]

_ENVIRONMENT = ("Current", "Environment", "StillWater", "Waves")
_PLACES = {
    "CosimError": "cosim.errors",
    "case_modes": "cosim.case.modes",
    "case_sensitivity": "cosim.case.sensitivity",
    "derive": "cosim.multibody.joint.symbolic.equations",
    "linearise": "cosim.analysis.linear",
    "natural_modes": "cosim.analysis.modes",
    "state_space": "cosim.analysis.state_space",
    "wave_response": "cosim.analysis.waves",
    "TimeSettings": "cosim.integrate.settings",
    "draw_configuration": "cosim.results.configuration.draw",
    "open_results": "cosim.results.reader",
    "read_case": "cosim.case.read",
    "resume": "cosim.case.resume",
    "run": "cosim.case.run",
    "run_peer": "cosim.wire.server",
    "system_tables": "cosim.case.tables",
    "MovieSettings": "cosim.results.animation.movie",
    "write_movie": "cosim.results.animation.movie",
    "write_page": "cosim.results.animation.page",
    **dict.fromkeys(("Case", "Output", "Start"), "cosim.case.schema"),
    **dict.fromkeys(
        (
            "CompiledLoad",
            "CompiledLoads",
            "ContinuousStates",
            "EventSource",
            "Linearisable",
            "Plottable",
            "Restorable",
            "Shape",
            "StaticLoads",
            "Stepper",
            "WaveExcited",
        ),
        "cosim.coupling.capabilities",
    ),
    **dict.fromkeys(
        ("CartForce", "Channel", "TemplateInterface"),
        "cosim.coupling.template",
    ),
    **dict.fromkeys(("Instant", "Loads", "Peer", "Setup", "Signal", "Step"), "cosim.wire.peer"),
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'cosim' has no attribute '{name}'")
    default = "cosim.environment" if name.endswith(_ENVIRONMENT) else "cosim.model"
    value: object = getattr(import_module(_PLACES.get(name, default)), name)
    globals()[name] = value  # a peer asks for cosim.Loads ten thousand times a second
    return value


def __dir__() -> list[str]:
    return __all__
