"""The force elements of a system, ready to be evaluated."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cosim.errors import ModelError
from cosim.model.elements import MatrixLoad
from cosim.model.system import System
from cosim.multibody.elements.compile import Compiler
from cosim.multibody.elements.records import ElementArrays

__all__ = ["ForceElements"]


class ForceElements:
    """Force elements (and weight) of a system, compiled to arrays.

    A formulation hands `arrays` to :func:`~cosim.multibody.elements.evaluate.evaluate`,
    from Python or from its own compiled code. Laws share one scratch stack: one thread at a
    time.

    Parameters
    ----------
    system : System
    bodies : sequence of str
        Order of all body arrays.
    weight : bool
        Whether `evaluate` applies the weight of the bodies, or the formulation itself does.

    Attributes
    ----------
    arrays : ElementArrays
    coordinates : tuple of (joint, coordinate)
        Joint coordinates that joint loads act on: the order of `xj`, `vj` and `Qj`.
    axes : tuple of str
        Names of the hydrodynamic frames that matrix loads use, for `set_frame`.

    Raises
    ------
    ModelError
        An expression that cannot be compiled; names the element.
    """

    arrays: ElementArrays
    coordinates: tuple[tuple[str, str], ...]

    def __init__(self, system: System, bodies: Sequence[str], *, weight: bool) -> None:
        compiler = Compiler(system, bodies)
        self.arrays = compiler.arrays(weight=weight)
        self.coordinates = tuple(compiler.coordinates)
        self._matrix_loads = [e for e in system.elements.values() if isinstance(e, MatrixLoad)]
        self.axes = tuple(dict.fromkeys(e.axes for e in self._matrix_loads if e.axes != "world"))

    def set_frame(self, name: str, yaw: float) -> None:
        """Turn the axes of all matrix loads that use a hydrodynamic frame.

        Only its heading matters: x is a displacement, which has no origin. The energy of a
        frame that is turned during a run changes without power.

        Parameters
        ----------
        name : str
            Adapter, as in `MatrixLoad.axes`.
        yaw : float
            Heading of the frame, rad, from the world's axes.

        Raises
        ------
        ModelError
            No matrix load uses that frame.
        """
        if name not in self.axes:
            listing = ", ".join(self.axes) or "none"
            raise ModelError(f"no matrix load uses the axes of '{name}'; in use: {listing}")
        for row, element in enumerate(self._matrix_loads):
            if element.axes == name:
                self.arrays.matrix_loads["yaw"][row] = yaw + math.radians(element.yaw_deg)
