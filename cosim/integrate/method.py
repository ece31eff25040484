"""What every integration method offers the coupling schemes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from cosim.coupling.evaluation import Evaluation
from cosim.integrate.piece import Piece
from cosim.multibody.interface import Float

__all__ = ["Method", "Tolerances"]


@dataclass(frozen=True)
class Tolerances:
    """Error control of an adaptive method: ``atol + rtol |y|`` by component.

    Attributes
    ----------
    rtol : float
    atol : (n,)
    max_step : float
        s.
    """

    rtol: float
    atol: Float
    max_step: float


class Method(ABC):
    """An initial-value solver that is stepped, and restarted at no great cost.

    Call order: `restart`, `step`*, `restart`, ... A restart keeps the step size.

    Parameters
    ----------
    evaluation : Evaluation
        The right-hand side, with the quadrature beside it.

    Attributes
    ----------
    t : float
    y : (n,)
        Present point; not changed in place.
    steps, rejected : int
        Counters.
    step_size : float
        Of the next step, s; 0 where it is still to be found. It survives a restart.
    """

    step_size: float

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self.t: float = 0.0
        self.y: Float
        self.steps = 0
        self.rejected = 0

    @abstractmethod
    def restart(self, t: float, y: Float, *, again: bool = False) -> None:
        """Begin at a point, without memory of earlier derivatives.

        Parameters
        ----------
        t : float
        y : (n,)
        again : bool
            True for a repetition from the same point with the same load there: the same
            first derivative and the same steps are used.
        """

    @abstractmethod
    def refresh(self) -> None:
        """Loads may have jumped at the present point: evaluate the derivative anew."""

    @abstractmethod
    def step(self, t_end: float) -> Piece:
        """One accepted step, not beyond t_end; it ends there exactly if it is the last.

        Raises
        ------
        SolverError
        """
