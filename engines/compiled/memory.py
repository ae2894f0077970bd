"""Memory that kernels read and write by its address, one 64-bit word at a time.

numba passes an array as seven words (data, shape, strides and others) in every call; an address is one.
"""

from __future__ import annotations

import ctypes
from typing import Any

from engines.compiled.bits import U
from engines.compiled.kernel import when_started


def peek(address: int, word: int) -> Any:
    """Read the 64-bit word at an offset, in words, from an address."""
    return U(ctypes.c_uint64.from_address(int(address) + 8 * int(word)).value)


def poke(address: int, word: int, value: Any) -> None:
    """Write the 64-bit word at an offset, in words, from an address."""
    ctypes.c_uint64.from_address(int(address) + 8 * int(word)).value = int(value)


def _as_instructions() -> None:
    """Give numba the two functions above as one instruction each."""
    from llvmlite import ir
    from numba import types

    from engines.compiled.linker import instruction

    pointer = ir.IntType(64).as_pointer()

    def place(builder: Any, args: Any) -> Any:
        return builder.gep(builder.inttoptr(args[0], pointer), [args[1]])

    instruction(peek, types.uint64(types.int64, types.int64), lambda builder, args: builder.load(place(builder, args)))
    instruction(
        poke,
        types.void(types.int64, types.int64, types.uint64),
        lambda builder, args: builder.store(args[2], place(builder, args)),
    )


when_started(_as_instructions)
