"""The adapter contract suite and mock Steppers, for us and for third parties."""

from cosim.testing.case import ContractCase
from cosim.testing.contract import AdapterContract
from cosim.testing.mock import AttachedMass, LaggingMass

__all__ = ["AdapterContract", "AttachedMass", "ContractCase", "LaggingMass"]
