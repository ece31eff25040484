"""Names of the array types that everything else uses."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Complex", "Float"]

Float = NDArray[np.float64]
Complex = NDArray[np.complex128]
