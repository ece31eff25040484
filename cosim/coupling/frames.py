"""Horizontal frames of adapters that force elements use as their axes."""

from __future__ import annotations

from collections.abc import Mapping

from cosim.coupling.capabilities import HorizontalFrame
from cosim.coupling.template import NO_STATES, TemplateInterface
from cosim.errors import ModelError
from cosim.multibody.interface import MultibodyModel

__all__ = ["frames_in_use", "turn_to_reference"]


def frames_in_use(
    model: MultibodyModel, adapters: Mapping[str, TemplateInterface]
) -> dict[str, HorizontalFrame]:
    """Adapters whose frame H the elements of a model name.

    Raises
    ------
    ModelError
        An element names an adapter that is absent or has no such frame.
    """
    known = {n: a for n, a in adapters.items() if isinstance(a, HorizontalFrame)}
    missing = [name for name in model.frames if name not in known]
    if missing:
        raise ModelError(
            f"a matrix load has 'axes: {missing[0]}', but no adapter '{missing[0]}' has a "
            f"horizontal frame; use world or one of: {', '.join(known) or 'none'}"
        )
    return {name: known[name] for name in model.frames}


def turn_to_reference(model: MultibodyModel, adapters: Mapping[str, TemplateInterface]) -> None:
    """Give the elements the headings of the reference configuration.

    Raises
    ------
    ModelError
        See :func:`frames_in_use`.
    """
    for name, frame in frames_in_use(model, adapters).items():
        model.set_frame(name, frame.frame_yaw(NO_STATES))
