"""Steps so short that a run would never reach its end."""

from __future__ import annotations

from cosim.errors import SolverError

__all__ = ["Crawl"]

_WINDOW = 10_000
_LEAST = 1e-5


class Crawl:
    """Counts steps, and stops a run that would need a thousand million of them.

    An adaptive method follows a motion that runs away, or a spring far too stiff for it,
    with ever shorter steps: correct, and without end.
    """

    def __init__(self) -> None:
        self._count = 0
        self._length = 0.0

    @property
    def memory(self) -> tuple[float, float]:
        """What `recall` puts back."""
        return self._count, self._length

    def recall(self, count: float, length: float) -> None:
        """Go on counting from what `memory` held."""
        self._count, self._length = int(count), length

    def add(self, length: float, left: float) -> None:
        """One more step.

        Parameters
        ----------
        length : float
            Of the step, s.
        left : float
            From its start to the end of the interval, s.

        Raises
        ------
        SolverError
            The last ten thousand steps covered less than a hundred-thousandth of what is left.
        """
        self._count += 1
        self._length += length
        if self._count < _WINDOW:
            return
        if self._length < _LEAST * left:
            raise SolverError(
                f"the last {_WINDOW} steps advanced it by {self._length:.1e} s only; the motion "
                "diverges, or something is far too stiff or fast for this method"
            )
        self._count, self._length = 0, 0.0
