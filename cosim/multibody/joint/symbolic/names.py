"""Names of symbols: readable, and never two alike."""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

__all__ = ["Names", "free_name"]


def free_name(name: str, taken: set[str]) -> str:
    """The name, with as many _ behind it as it takes to be free; taken from now on."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name


class Names:
    """Hands out symbols whose names are not taken yet.

    Parameters
    ----------
    taken : iterable of str
        Names of the parameters and of the time.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def symbol(self, letter: str, owner: str) -> sp.Symbol:
        """A real symbol ``letter_owner``, with a number behind it where that name is taken."""
        base = f"{letter}_{owner.replace('/', '_')}"
        name, count = base, 1
        while name in self._taken:
            count += 1
            name = f"{base}_{count}"
        self._taken.add(name)
        return sp.Symbol(name, real=True)
