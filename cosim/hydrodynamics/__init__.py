"""Hydrodynamic databases and the time-domain loads they give.

From a file to a load: :func:`read_database` converts it to one convention,
:func:`check_database` says what is doubtful and refuses what is wrong, :func:`place` puts it
into the world, :func:`assemble` builds buoyancy, radiation memory and wave excitation.
"""

from cosim.hydrodynamics.assemble import Assembly, RadiationOptions, assemble
from cosim.hydrodynamics.checks import CheckedDatabase, ImportPolicy, check_database
from cosim.hydrodynamics.database import HydroBody, HydroDatabase, Source
from cosim.hydrodynamics.facts import BodyFacts
from cosim.hydrodynamics.findings import Finding
from cosim.hydrodynamics.frame import FixedFrame, HydroFrame, SlowFrame
from cosim.hydrodynamics.kernel import (
    causal_added_mass,
    estimate_added_mass_inf,
    radiation_kernel,
)
from cosim.hydrodynamics.loads import HydroLoads
from cosim.hydrodynamics.placement import FrameOptions, Placed, make_frame, place
from cosim.hydrodynamics.radiation import FitOptions, RadiationFit, fit_radiation
from cosim.hydrodynamics.read import read_database
from cosim.hydrodynamics.state_space import RadiationStates
from cosim.hydrodynamics.storage import load_database, save_database

__all__ = [
    "Assembly",
    "BodyFacts",
    "CheckedDatabase",
    "Finding",
    "FitOptions",
    "FixedFrame",
    "FrameOptions",
    "HydroBody",
    "HydroDatabase",
    "HydroFrame",
    "HydroLoads",
    "ImportPolicy",
    "Placed",
    "RadiationFit",
    "RadiationOptions",
    "RadiationStates",
    "SlowFrame",
    "Source",
    "assemble",
    "causal_added_mass",
    "check_database",
    "estimate_added_mass_inf",
    "fit_radiation",
    "load_database",
    "make_frame",
    "place",
    "radiation_kernel",
    "read_database",
    "save_database",
]
