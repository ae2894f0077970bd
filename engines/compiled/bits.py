"""Bitboards: counting and finding bits with the processor's own instructions.

A board is a `uint64`, everything else an `int64`: mixing the two in arithmetic gives a float in numba, so squares are
turned into boards only by `bit`, and boards into squares only by `lowest`, `highest` and `nth`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.compiled.kernel import helper, when_started

U = np.uint64
"""The type of a board."""
EMPTY = U(0)
ONE = U(1)


def popcount(board: Any) -> int:
    """How many bits are set."""
    return int(board).bit_count()


def lowest(board: Any) -> int:
    """The number of the lowest bit that is set. The board must not be empty."""
    return (int(board) & -int(board)).bit_length() - 1


def highest(board: Any) -> int:
    """The number of the highest bit that is set. The board must not be empty."""
    return int(board).bit_length() - 1


def upside_down(board: Any) -> Any:
    """A board of eight rows of eight with its rows in reverse order."""
    return U(int.from_bytes(int(board).to_bytes(8, "little"), "big"))


def times(a: Any, b: Any) -> Any:
    """The product of two words, cut to 64 bits."""
    return U(int(a) * int(b) & 0xFFFFFFFFFFFFFFFF)


def upper_product(a: Any, b: Any) -> Any:
    """The upper 64 of the 128 bits of a product."""
    return U(int(a) * int(b) >> 64)


def nth(board: Any, n: int) -> int:
    """The number of the n-th lowest bit that is set, counted from 0. The board must have more than n."""
    for _ in range(n):
        board &= board - ONE
    return lowest(board)


def gathered(board: Any, mask: Any) -> Any:
    """The bits of a board at the places of a mask, side by side from the lowest on."""
    found, place = EMPTY, ONE
    while mask != EMPTY:
        if board & mask & ~(mask - ONE) != EMPTY:
            found |= place
        mask &= mask - ONE
        place <<= ONE
    return found


def _as_instructions() -> None:
    """Give numba the functions above as single LLVM instructions."""
    from llvmlite import binding, ir
    from numba import types
    from numba.extending import overload

    from engines.compiled.linker import instruction

    word, never_empty = ir.IntType(64), ir.Constant(ir.IntType(1), 1)
    board, number = types.uint64, types.int64

    instruction(popcount, number(board), lambda builder, args: builder.ctpop(args[0]))
    instruction(lowest, number(board), lambda builder, args: builder.cttz(args[0], never_empty))
    instruction(highest, number(board), lambda builder, args: builder.xor(builder.ctlz(args[0], never_empty), word(63)))
    instruction(upside_down, board(board), lambda builder, args: builder.bswap(args[0]))
    instruction(times, board(board, board), lambda builder, args: builder.mul(*args))

    def upper_half(builder: Any, args: Any) -> Any:
        double = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], double), builder.zext(args[1], double))
        return builder.trunc(builder.lshr(product, double(64)), word)

    instruction(upper_product, board(board, board), upper_half)

    def spread(name: str) -> Any:
        """One of the two instructions that move bits to the places of a mask, or from there."""

        def generate(builder: Any, args: Any) -> Any:
            kind = ir.FunctionType(word, [word, word])
            return builder.call(builder.module.declare_intrinsic(f"llvm.x86.bmi.{name}.64", fnty=kind), args)

        return generate

    if binding.get_host_cpu_features().get("bmi2"):  # one instruction, where there is one; else a loop
        instruction(gathered, board(board, board), spread("pext"))

        def nth_lowest(builder: Any, args: Any) -> Any:
            marked = builder.shl(word(1), args[1])
            return builder.cttz(spread("pdep")(builder, [marked, args[0]]), never_empty)

        instruction(nth, number(board, number), nth_lowest)
    else:
        overload(gathered, strict=False)(lambda board, mask: gathered)
        overload(nth, strict=False)(lambda board, n: nth)


when_started(_as_instructions)


@helper
def bit(square: int) -> Any:
    """The board with this one square."""
    return ONE << U(square)


def board(squares: Any) -> Any:
    """The board with all these squares. For building tables, not for kernels."""
    return U(sum(1 << square for square in squares))
