"""The adapter contract suite and mock Steppers, for us and for third parties."""

from cosim.testing.mock import AttachedMass, AttachedMassOptions, LaggingMass, LaggingMassOptions

__all__ = ["AttachedMass", "AttachedMassOptions", "LaggingMass", "LaggingMassOptions"]
