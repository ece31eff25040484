"""The adapter contract suite and mock Steppers, for us and for third parties."""

from cosim.testing.mock import AttachedMass, LaggingMass

__all__ = ["AttachedMass", "LaggingMass"]
