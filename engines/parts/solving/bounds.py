"""A table of proven bounds: what a position is worth at least, and at most.

An entry is one word: the two bounds, and the part of the position's number that does not follow from the entry's index. So
no entry can be mistaken for that of another position, and its bounds are proven.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engines.compiled.bits import U, times, upper_product
from engines.compiled.kernel import helper, int64, when_started
from engines.contract import InputError

SPREAD = U(0x9E3779B97F4A7C15)
"""An odd number: multiplying by it scatters all 64-bit numbers and brings no two together."""
BOUNDS = U(0xFFFF)
"""The part of a word that holds the two bounds. An empty word says: at least -128, at most 128, which is nothing."""
FEWEST_PLACES = 2**16
"""The place must tell so much of a position's number that the bounds fit beside the rest."""


def new_table(megabytes: int) -> Any:
    """An empty table: as many words as fit."""
    try:
        return np.zeros(max(FEWEST_PLACES, megabytes * 1_000_000 // 8), np.uint64)
    except MemoryError:
        raise InputError(f"There is not enough memory for a table of {megabytes} MB.") from None


def prefetch(table: Any, place: Any) -> None:
    """Tell the processor that a word of the table will be needed soon."""


def _as_instructions() -> None:
    """Give numba the function above as the one instruction it is."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    @intrinsic
    def fetch(context: Any, table: Any, place: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            words = context.make_array(signature.args[0])(context, builder, args[0]).data
            pointer = ir.IntType(8).as_pointer()
            wanted = builder.bitcast(builder.gep(words, [args[1]]), pointer)
            whole = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [pointer, whole, whole, whole])
            name = "llvm.prefetch.p0"
            function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
            builder.call(function, [wanted, whole(0), whole(3), whole(1)])  # to read it, to keep it near, as data
            return context.get_dummy_value()

        return types.void(table, types.uint64), generate

    @overload(prefetch, strict=False)
    def _prefetch(table: Any, place: Any) -> Any:
        return lambda table, place: fetch(table, place)


when_started(_as_instructions)


@helper
def place_of(places: Any, number: Any) -> tuple[Any, Any]:
    """The place of a position with this number, and its name there.

    The scattered number, taken as a fraction of 2^64, times the number of places is the place, and what is left of it the
    name. Two numbers with the same place differ in what is left by the number of places or more, so their names differ even
    without the last 16 bits.
    """
    spread = times(number, SPREAD)
    return upper_product(spread, places), times(spread, places) & ~BOUNDS


@helper
def least(entry: Any) -> int:
    """What the position is worth at least."""
    return int64((entry >> U(8)) & U(255)) - 128


@helper
def most(entry: Any) -> int:
    """What the position is worth at most."""
    return 128 - int64(entry & U(255))


@helper
def names(entry: Any, name: Any) -> bool:
    """The entry is the position's own, or empty."""
    return (entry ^ name) <= BOUNDS


@helper
def entry_of(name: Any, low: int, high: int) -> Any:
    """The entry of a position that is worth so much at least and at most."""
    return name | (U(low + 128) << U(8)) | U(128 - high)
