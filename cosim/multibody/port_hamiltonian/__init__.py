"""Port-Hamiltonian systems to be held, connected and discretised: dense, readable, small."""

from cosim.multibody.port_hamiltonian.mechanics import ConstrainedMechanics
from cosim.multibody.port_hamiltonian.midpoint import MidpointStep, midpoint_step
from cosim.multibody.port_hamiltonian.pairs import KinematicPair, interconnect, pair
from cosim.multibody.port_hamiltonian.quadratic import Quadratic
from cosim.multibody.port_hamiltonian.rigid_body import RigidBody
from cosim.multibody.port_hamiltonian.system import PortHamiltonianSystem

__all__ = [
    "ConstrainedMechanics",
    "KinematicPair",
    "MidpointStep",
    "PortHamiltonianSystem",
    "Quadratic",
    "RigidBody",
    "interconnect",
    "midpoint_step",
    "pair",
]
