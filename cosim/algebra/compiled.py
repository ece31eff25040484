"""How kernels are compiled."""

from __future__ import annotations

import numba as nb

__all__ = ["compiled"]

# fused multiply-add only: no reordering, so that a sum is the same on every call
compiled = nb.njit(cache=True, error_model="numpy", fastmath={"contract"})
