"""What all coupling schemes share, and the run without Steppers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np

from cosim.coupling.entry import Entry
from cosim.coupling.equations import CoupledEquations
from cosim.errors import SolverError
from cosim.integrate.crawl import Crawl
from cosim.integrate.method import Method
from cosim.integrate.piece import Outcome, Piece
from cosim.multibody.interface import Float, State

__all__ = ["Free", "NotConvergedError", "Scheme"]

_MOST_STEPS = 50_000
"""Within one step of a scheme; each is kept, with its dense output, until the step is committed."""


class NotConvergedError(SolverError):
    """The passes of one communication step do not agree; a shorter step may."""


class Scheme(ABC):
    """Takes the coupled system from one committed point to the next.

    Call order: `start`, then (`solve`+, `commit`)*. `solve` may be repeated from the same
    point with another end; only `commit` makes it history for the Steppers.

    Parameters
    ----------
    equations : CoupledEquations
    method : Method

    Attributes
    ----------
    t, y : float, (n,)
        The committed point.
    passes : int
        Integrations over communication steps so far.
    error : (nz,) or None
        Returned minus used loads at the end of the last committed step.
    """

    communicates = True
    """Whether steps end at communication instants."""
    leads_trials = False
    """Whether the Steppers are led to every point at which the equations are evaluated."""

    def __init__(self, equations: CoupledEquations, method: Method) -> None:
        self.equations = equations
        self.method = method
        self.t = 0.0
        self.y: Float
        self.passes = 0
        self.error: Float | None = None
        self._saved: list[bytes] | None = None
        self._parts: list[State] = []
        self._crawl = Crawl()

    def start(self, t: float, y: Float) -> None:
        """Begin at the point where the adapters were initialised."""
        self.t, self.y = t, y
        self.method.restart(t, y)
        self._parts = self.equations.parts(self.equations.state(t, y))

    @property
    def saved(self) -> list[bytes] | None:
        """States of the Restorable adapters at the committed point, if they were saved."""
        return self._saved

    def rest(self) -> None:
        """Begin anew at the committed point, as `recall` does: steps end here in any run."""
        self.method.restart(self.t, self.y)

    def renew(self) -> None:
        """See the committed point anew: the equations are others from here on."""
        self.method.restart(self.t, self.y)
        self._parts = self.equations.parts(self.equations.state(self.t, self.y))

    def memory(self) -> list[Float]:
        """What `recall` puts back at the committed point, beside t and y."""
        return [np.array([self.passes, *self._crawl.memory])]

    def recall(self, t: float, y: Float, memory: list[Float]) -> None:
        """Stand at a committed point; the adapters and their loads are there already."""
        passes, *crawl = memory[0]
        self.passes = int(passes)
        self._crawl.recall(*crawl)
        self._saved = None
        self.start(t, y)

    def adopt(self, other: Scheme) -> None:
        """Stand at the committed point of another scheme over the same equations."""
        self.t, self.y, self.error = other.t, other.y, other.error
        self._parts = other._parts
        self._saved = None

    @abstractmethod
    def solve(self, t_end: float) -> Outcome:
        """Solution from the committed point to t_end, or less far if not `communicates`.

        Raises
        ------
        SolverError, AdapterError
        NotConvergedError
            A shorter step may help.
        """

    @abstractmethod
    def commit(self, outcome: Outcome) -> None:
        """The outcome is history: Steppers have advanced over it, once."""

    def relive(self, outcome: Outcome) -> Iterator[Piece]:
        """Pieces of an uncommitted outcome, adapters with history as they were in each."""
        equations = self.equations
        if not equations.history or len(outcome.pieces) == 1:
            yield from outcome.pieces
            return
        assert self._saved is not None
        equations.restore(self._saved, history_only=True)
        for piece in outcome.pieces[:-1]:
            yield piece
            equations.accept_inside(piece.t1, piece.y1)
        yield outcome.pieces[-1]

    def interrupted(self) -> None:
        """The committed point is an event: derivatives and loads may jump there."""
        self.method.restart(self.t, self.y)
        if self.equations.held is not None:
            self.equations.held.forget()

    def _rewind(self) -> None:
        """Save all Restorable adapters at the committed point, or put them back there."""
        if self._saved is None:
            self._saved = self.equations.save()
        else:
            self.equations.restore(self._saved)

    def _integrate(self, t_end: float) -> Outcome:
        pieces = [self._step(t_end)]
        while pieces[-1].t1 < t_end:
            if len(pieces) == _MOST_STEPS:
                raise NotConvergedError(
                    f"{_MOST_STEPS} steps did not cover the {t_end - self.t:g} s to the next "
                    "communication instant; the motion diverges, or communication_step is far too "
                    "long for the fastest motion, or too stiff a load asks for method: Radau"
                )
            self._accept_inside(pieces[-1])
            pieces.append(self._step(t_end))
        return Outcome(tuple(pieces))

    def _step(self, t_end: float) -> Piece:
        piece = self.method.step(t_end)
        self._crawl.add(piece.t1 - piece.t0, t_end - piece.t0)
        return piece

    def _accept_inside(self, piece: Piece) -> None:
        if self.equations.history:
            self.equations.accept_inside(piece.t1, piece.y1)
            self.method.refresh()

    def _advance_steppers(self, outcome: Outcome) -> list[State]:
        """All Steppers follow the outcome; returns the states of their bodies at its end."""
        equations = self.equations
        equations.tell_coordinates(outcome.t1, outcome.y1)
        end = equations.parts(equations.state(outcome.t1, outcome.y1))
        for i, entry in enumerate(equations.steppers):
            start = self._parts[i]
            for t in _instants(entry, outcome.t0, outcome.t1):
                inside = equations.state(t, outcome.at(t)).select(entry.index)
                equations.advance(entry, start, inside)
                start = inside
            equations.advance(entry, start, end[i])
        return end

    def _committed(self, outcome: Outcome) -> None:
        self.t, self.y = outcome.t1, outcome.y1
        self._saved = None


def _instants(entry: Entry, t0: float, t1: float) -> list[float]:
    """Instants between t0 and t1 at which a Stepper with a short step must stop."""
    assert entry.stepper is not None
    longest = entry.stepper.max_step * (1.0 + 1e-9)
    count = 1
    while (t1 - t0) / count > longest:
        count *= 2
    return [t0 + k * (t1 - t0) / count for k in range(1, count)]


class Free(Scheme):
    """No Stepper takes part: the method alone chooses its steps."""

    communicates = False

    def solve(self, t_end: float) -> Outcome:
        """One accepted step, or all steps to t_end when repeated with another end."""
        if self.equations.history:
            self._rewind()
        if self.method.t == self.t:
            return Outcome((self._step(t_end),))
        self.method.restart(self.t, self.y)
        return self._integrate(t_end)

    def commit(self, outcome: Outcome) -> None:
        """Go on from the end of the outcome."""
        self._committed(outcome)
        if self.equations.history:
            self.method.refresh()
