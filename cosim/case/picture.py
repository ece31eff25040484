"""A case drawn as it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosim.case.build import Assembly
from cosim.case.start import StartState
from cosim.coupling.capabilities import Plottable
from cosim.coupling.manager import ExternalForcesManager
from cosim.multibody.interface import Float
from cosim.results.configuration.draw import draw_configuration

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["start_figure"]


def start_figure(assembly: Assembly, start: StartState) -> Figure:
    """The configuration at the start of a run, mooring lines included.

    Adapters with something to draw are started and ended: they cannot run afterwards.

    Parameters
    ----------
    assembly : Assembly
    start : StartState
    """
    case, model = assembly.case, assembly.model
    lines = _lines(assembly, start)
    state = model.kinematics(case.time.start, start.q, start.u).copy()
    return draw_configuration(
        case,
        state,
        lines=lines,
        drawing=case.output.drawing,
        title=case.title or case.name,
        water=bool(assembly.adapters),
    )


def _lines(assembly: Assembly, start: StartState) -> dict[str, Float]:
    if not any(isinstance(adapter, Plottable) for adapter in assembly.adapters.values()):
        return {}
    with ExternalForcesManager(assembly.model) as manager:
        for adapter in assembly.adapters.values():
            manager.register(adapter)
        manager.initialize(assembly.case.time.start, start.q, start.u)
        return {
            shape.name: shape.nodes.copy()
            for shapes in manager.init_plot().values()
            for shape in shapes
            if shape.kind == "line"
        }
