"""What two runs that share a system must agree on."""

from __future__ import annotations

from cosim.errors import CaseError
from cosim.model.system import System
from cosim.wire.peer import Setup

__all__ = ["check_setup"]


def check_setup(system: System, setup: Setup) -> None:
    """Refuse a master with other gravity, other water, or settings that nobody reads.

    Raises
    ------
    CaseError
        Names both values.
    """
    if setup.settings:
        raise CaseError(
            f"a served case takes no settings, and '{next(iter(setup.settings))}' is given; write "
            "it into the served case, or change it with --set"
        )
    here = system.environment
    for name, own, given in (
        ("gravity", here.gravity, setup.gravity),
        ("water_density", here.water_density, setup.water_density),
        ("water_depth", here.water_depth, setup.water_depth),
    ):
        if own != given:
            raise CaseError(
                f"environment.{name} is {own:g} in the served case and {given:g} in the calling "
                "one; write the same in both"
            )
    last = here.sea_state.end_time
    if setup.end > last:
        raise CaseError(
            f"the calling run ends at {setup.end:g} s and the record of the waves of the served "
            f"case at {last:g} s; end it there, or use a longer record"
        )
