"""What is integrated beside the equations of motion, without a say in the step size."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from cosim.multibody.interface import Float, State

__all__ = ["NoQuadrature", "Quadrature"]


class Quadrature(ABC):
    """Rates that a method integrates with its own weights, outside its error norm.

    Attributes
    ----------
    values : (m,)
        Rates at the last evaluation.
    """

    values: Float

    @abstractmethod
    def evaluate(self, t: float, state: State, v_dot: Float, power: float | None = None) -> None:
        """Set `values` from the evaluation just made.

        `power` is that of the non-conservative elements, W; None asks the model.
        """


class NoQuadrature(Quadrature):
    """Nothing to integrate."""

    def __init__(self) -> None:
        self.values = np.zeros(0)

    def evaluate(self, t: float, state: State, v_dot: Float, power: float | None = None) -> None:
        """Do nothing."""
