"""Joint coordinates of a tree: topology, compiled kernels, model."""

from cosim.multibody.joint.model import JointModel

__all__ = ["JointModel"]
