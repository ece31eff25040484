"""What a test of the contract needs of an adapter; where that is missing it is skipped."""

from __future__ import annotations

from unittest import SkipTest

from cosim.coupling.capabilities import Restorable, Stepper
from cosim.testing.case import ContractCase

__all__ = ["require", "restorable_of", "stepper_of"]


def require(condition: bool, otherwise: str) -> None:
    """Skip the test unless `condition` holds."""
    if not condition:
        raise SkipTest(otherwise)


def stepper_of(case: ContractCase) -> Stepper:
    """The adapter as one with a clock of its own."""
    if not isinstance(case.adapter, Stepper):
        raise SkipTest("not a Stepper")
    return case.adapter


def restorable_of(case: ContractCase) -> Restorable:
    """The adapter as one whose history can be undone."""
    if not isinstance(case.adapter, Restorable):
        raise SkipTest("cannot be restored")
    return case.adapter
