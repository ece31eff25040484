"""Compiled loads by address: their signature, how they are compiled and how they are called.

A driver that takes a compiled function as an argument is compiled anew in every process, by
address it is not. A call costs a few nanoseconds.
"""

# the parts of numba and llvmlite that intrinsics are made of publish no types
# mypy: disable-error-code="no-untyped-call, import-untyped"

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import cast

from llvmlite import ir
from numba import cfunc, types
from numba.core import cgutils
from numba.core.base import BaseContext
from numba.core.ccallback import CFunc
from numba.core.typing.context import Context
from numba.core.typing.templates import Signature
from numba.extending import intrinsic

from cosim.multibody.interface import Float

__all__ = ["address_of", "call_load"]

_ARRAYS = 4  # motion, x, memory, out


@cache
def _compiled(kernel: Callable[..., None]) -> CFunc:
    """The C function of a kernel; kept, so that its address stays valid."""
    pointer = types.CPointer(types.float64)
    return cfunc(types.void(types.float64, *[pointer] * _ARRAYS), cache=True)(kernel)


def address_of(kernel: Callable[..., None]) -> int:
    """Address of ``kernel(t, motion, x, memory, out)``, compiled for plain pointers.

    Parameters
    ----------
    kernel : function
        At module level; see :class:`cosim.coupling.capabilities.CompiledLoad`.
    """
    address = _compiled(kernel).address
    assert address is not None
    return address


def _typed(
    _context: Context, address: types.Type, t: types.Type, arrays: types.BaseTuple
) -> tuple[Signature, Callable[..., ir.Value]]:
    """Types and code of `call_load`."""

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, args: Sequence[ir.Value]
    ) -> ir.Value:
        double = ir.DoubleType()
        pointers = [double.as_pointer()] * _ARRAYS
        function = ir.FunctionType(ir.VoidType(), [double, *pointers]).as_pointer()
        values = cgutils.unpack_tuple(builder, args[2])
        data = [
            context.make_array(kind)(context, builder, value).data
            for kind, value in zip(signature.args[2], values, strict=True)
        ]
        builder.call(builder.inttoptr(args[0], function), [args[1], *data])
        return context.get_dummy_value()

    return types.void(address, t, arrays), generate


_Call = Callable[[int, float, tuple[Float, Float, Float, Float]], None]

call_load = cast(_Call, intrinsic(_typed))
"""``call_load(address, t, (motion, x, memory, out))`` in compiled code."""
