"""How kernels are compiled."""

from __future__ import annotations

import numba as nb

__all__ = ["compiled"]

# no fastmath, not even fused multiply-add: LLVM fuses kernels just compiled and kernels loaded
# from the cache differently, and a resumed run would differ from one that compiled
compiled = nb.njit(cache=True, error_model="numpy")
