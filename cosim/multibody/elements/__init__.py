"""Force elements and weight on plain arrays, for every formulation."""

from cosim.multibody.elements.evaluate import evaluate
from cosim.multibody.elements.force_elements import ForceElements
from cosim.multibody.elements.outputs import ElementOutputs
from cosim.multibody.elements.records import ElementArrays

__all__ = ["ElementArrays", "ElementOutputs", "ForceElements", "evaluate"]
