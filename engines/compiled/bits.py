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
    from numba.extending import intrinsic, overload

    @intrinsic
    def count_bits(context: Any, board: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.uint64), generate

    @intrinsic
    def trailing_zeros(context: Any, board: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.uint64), generate

    @intrinsic
    def leading_zeros(context: Any, board: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.uint64), generate

    @intrinsic
    def swap_bytes(context: Any, board: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.bswap(args[0])

        return types.uint64(types.uint64), generate

    @intrinsic
    def multiply_high(context: Any, a: Any, b: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            double = ir.IntType(128)
            product = builder.mul(builder.zext(args[0], double), builder.zext(args[1], double))
            return builder.trunc(builder.lshr(product, double(64)), ir.IntType(64))

        return types.uint64(types.uint64, types.uint64), generate

    @intrinsic
    def deposit(context: Any, bits: Any, board: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            kind = ir.FunctionType(word, [word, word])
            return builder.call(builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=kind), args)

        return types.uint64(types.uint64, types.uint64), generate

    @intrinsic
    def extract(context: Any, board: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            kind = ir.FunctionType(word, [word, word])
            return builder.call(builder.module.declare_intrinsic("llvm.x86.bmi.pext.64", fnty=kind), args)

        return types.uint64(types.uint64, types.uint64), generate

    @overload(gathered, strict=False)
    def _gathered(board: Any, mask: Any) -> Any:
        if binding.get_host_cpu_features().get("bmi2"):
            return lambda board, mask: extract(board, mask)
        return gathered

    @overload(nth, strict=False)
    def _nth(board: Any, n: Any) -> Any:
        if binding.get_host_cpu_features().get("bmi2"):  # one instruction, where there is one; else a loop
            return lambda board, n: trailing_zeros(deposit(ONE << U(n), board))
        return nth

    @overload(popcount, strict=False)
    def _popcount(board: Any) -> Any:
        return lambda board: count_bits(board)

    @overload(times, inline="always", strict=False)
    def _times(a: Any, b: Any) -> Any:
        return lambda a, b: a * b

    @overload(upper_product, strict=False)
    def _upper_product(a: Any, b: Any) -> Any:
        return lambda a, b: multiply_high(a, b)

    @overload(lowest, strict=False)
    def _lowest(board: Any) -> Any:
        return lambda board: trailing_zeros(board)

    @overload(highest, strict=False)
    def _highest(board: Any) -> Any:
        return lambda board: 63 - leading_zeros(board)

    @overload(upside_down, strict=False)
    def _upside_down(board: Any) -> Any:
        return lambda board: swap_bytes(board)


when_started(_as_instructions)


@helper
def bit(square: int) -> Any:
    """The board with this one square."""
    return ONE << U(square)


def board(squares: Any) -> Any:
    """The board with all these squares. For building tables, not for kernels."""
    return U(sum(1 << square for square in squares))
