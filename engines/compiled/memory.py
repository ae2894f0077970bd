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
    from numba.extending import intrinsic, overload

    word_type = ir.IntType(64)

    def place(builder: Any, address: Any, word: Any) -> Any:
        return builder.gep(builder.inttoptr(address, word_type.as_pointer()), [word])

    @intrinsic
    def load(context: Any, address: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load(place(builder, args[0], args[1]))

        return types.uint64(types.int64, types.int64), generate

    @intrinsic
    def save(context: Any, address: Any, word: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.store(args[2], place(builder, args[0], args[1]))
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.uint64), generate

    @overload(peek, strict=False)
    def _peek(address: Any, word: Any) -> Any:
        return lambda address, word: load(address, word)

    @overload(poke, strict=False)
    def _poke(address: Any, word: Any, value: Any) -> Any:
        return lambda address, word, value: save(address, word, value)


when_started(_as_instructions)
