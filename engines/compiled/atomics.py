"""Atomic operations for threads that share memory: fetch-and-add, compare-and-swap, acquire loads, release stores and
fences.

In kernels each is one atomic instruction on a field of an array of records. Called from plain Python, a lock does the same.
"""

from __future__ import annotations

import ctypes
import threading
import time
from typing import Any

from engines.compiled.kernel import when_started

_one_at_a_time = threading.Lock()


def add_visits(nodes: Any, at: int, amount: int) -> int:
    """Atomically add to the visits of a row; returns the old number."""
    with _one_at_a_time:
        before = int(nodes[at].visits)
        nodes[at].visits += amount
        return before


def add_edge_visits(links: Any, at: int, amount: int) -> int:
    """Atomically add to the visits of an edge (the field `ways`); returns the old number."""
    with _one_at_a_time:
        before = int(links[at].ways)
        links[at].ways += amount
        return before


def add_total(nodes: Any, at: int, amount: float) -> None:
    """Atomically add to the sum of results of a row."""
    with _one_at_a_time:
        nodes[at].total += amount


def add_squares(nodes: Any, at: int, amount: float) -> None:
    """Atomically add to the sum of squared results of a row."""
    with _one_at_a_time:
        nodes[at].squares += amount


def compare_and_swap_visits(rows: Any, at: int, expected: int, value: int) -> bool:
    """Compare-and-swap of the visits of a row; False if they were not as expected."""
    return _compare_and_swap(rows, at, "visits", expected, value)


def compare_and_swap_edge_visits(rows: Any, at: int, expected: int, value: int) -> bool:
    """Compare-and-swap of the visits of an edge (the field `ways`)."""
    return _compare_and_swap(rows, at, "ways", expected, value)


def compare_and_swap_count(rows: Any, at: int, expected: int, value: int) -> bool:
    """Compare-and-swap of the number of moves of a row."""
    return _compare_and_swap(rows, at, "count", expected, value)


def compare_and_swap_tried(rows: Any, at: int, expected: int, value: int) -> bool:
    """Compare-and-swap of the number of moves that were tried."""
    return _compare_and_swap(rows, at, "tried", expected, value)


def _compare_and_swap(rows: Any, at: int, name: str, expected: int, value: int) -> bool:
    with _one_at_a_time:
        if rows[at][name] != expected:
            return False
        rows[at][name] = value
        return True


def fetch_add(numbers: Any, at: int, amount: int) -> int:
    """Atomically add to an integer in an array; returns the old value."""
    with _one_at_a_time:
        before = int(numbers[at])
        numbers[at] += amount
        return before


def fetch_add_at(address: int, amount: int) -> int:
    """Atomically add to the integer at an address; returns the old value."""
    with _one_at_a_time:
        number = ctypes.c_int64.from_address(int(address))
        before = int(number.value)
        number.value = before + int(amount)
        return before


def load_acquire(numbers: Any, at: int) -> int:
    """Acquire load of an integer in an array: all that was written before its release store is visible afterwards."""
    return int(numbers[at])


def store_release(numbers: Any, at: int, value: int) -> None:
    """Release store of an integer in an array: who loads it also sees all that was written before."""
    numbers[at] = value


def fence() -> None:
    """A memory fence: no load or store moves across it."""


def yield_thread() -> None:
    """Yield the processor to other threads in a spin loop."""
    time.sleep(0)


def _as_instructions() -> None:
    """Tell numba to compile the functions above to atomic instructions."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic, overload

    from engines.compiled.linker import instruction

    def place(context: Any, builder: Any, kind: Any, array: Any, at: Any, offset: int, field: Any) -> Any:
        """The address of a field of a row."""
        found = context.make_array(kind)(context, builder, array)
        word = ir.IntType(64)
        size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
        address = builder.add(builder.ptrtoint(found.data, word), builder.mul(at, ir.Constant(word, size)))
        address = builder.add(address, ir.Constant(word, offset))
        return builder.inttoptr(address, context.get_data_type(field).as_pointer())

    def adds(function: Any, name: str) -> None:
        """The intrinsic that atomically adds to a field; for integers it returns the old value."""

        @intrinsic
        def add(typing: Any, nodes: Any, at: Any, amount: Any) -> Any:
            field = nodes.dtype.typeof(name)
            offset = nodes.dtype.offset(name)

            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                where = place(context, builder, nodes, args[0], args[1], offset, field)
                operation = "fadd" if isinstance(field, types.Float) else "add"
                return builder.atomic_rmw(operation, where, args[2], "seq_cst")

            return field(nodes, types.int64, field), generate

        if name == "visits":

            @overload(function, strict=False)
            def _add_visits(nodes: Any, at: Any, amount: Any) -> Any:
                return lambda nodes, at, amount: types.int64(add(nodes, at, amount))

        elif name == "ways":

            @overload(function, strict=False)
            def _add_edge_visits(links: Any, at: Any, amount: Any) -> Any:
                return lambda links, at, amount: types.int64(add(links, at, amount))

        else:

            @overload(function, strict=False)
            def _add(nodes: Any, at: Any, amount: Any) -> Any:
                def adding(nodes: Any, at: Any, amount: Any) -> None:
                    add(nodes, at, amount)

                return adding

    adds(add_visits, "visits")
    adds(add_edge_visits, "ways")
    adds(add_total, "total")
    adds(add_squares, "squares")

    def swaps(function: Any, name: str) -> None:
        """The intrinsic that compares and swaps a field."""

        @intrinsic
        def swap(typing: Any, rows: Any, at: Any, expected: Any, value: Any) -> Any:
            field, offset = rows.dtype.typeof(name), rows.dtype.offset(name)

            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                where = place(context, builder, rows, args[0], args[1], offset, field)
                found = builder.cmpxchg(where, args[2], args[3], "seq_cst", "seq_cst")
                return context.cast(builder, builder.extract_value(found, 1), types.boolean, types.boolean)

            return types.boolean(rows, types.int64, field, field), generate

        @overload(function, strict=False)
        def _swap_field(rows: Any, at: Any, expected: Any, value: Any) -> Any:
            return lambda rows, at, expected, value: swap(rows, at, expected, value)

    swaps(compare_and_swap_visits, "visits")
    swaps(compare_and_swap_edge_visits, "ways")
    swaps(compare_and_swap_count, "count")
    swaps(compare_and_swap_tried, "tried")

    def number_at(context: Any, builder: Any, kind: Any, args: Any) -> Any:
        return place(context, builder, kind, args[0], args[1], 0, types.int64)

    @intrinsic
    def add_to(typing: Any, numbers: Any, at: Any, amount: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.atomic_rmw("add", number_at(context, builder, numbers, args), args[2], "seq_cst")

        return types.int64(numbers, types.int64, types.int64), generate

    def add_there(builder: Any, args: Any) -> Any:
        return builder.atomic_rmw("add", builder.inttoptr(args[0], ir.IntType(64).as_pointer()), args[1], "seq_cst")

    instruction(fetch_add_at, types.int64(types.int64, types.int64), add_there)

    @intrinsic
    def load(typing: Any, numbers: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load_atomic(number_at(context, builder, numbers, args), "seq_cst", 8)

        return types.int64(numbers, types.int64), generate

    @intrinsic
    def store(typing: Any, numbers: Any, at: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.store_atomic(args[2], number_at(context, builder, numbers, args), "seq_cst", 8)
            return context.get_dummy_value()

        return types.void(numbers, types.int64, types.int64), generate

    instruction(fence, types.void(), lambda builder, args: builder.fence("acq_rel"))

    def give_way(builder: Any, args: Any) -> None:
        if system_can_yield():
            kind = ir.FunctionType(ir.IntType(32), [])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])

    instruction(yield_thread, types.void(), give_way)

    @overload(fetch_add, strict=False)
    def _fetch_add(numbers: Any, at: Any, amount: Any) -> Any:
        return lambda numbers, at, amount: add_to(numbers, at, amount)

    @overload(load_acquire, strict=False)
    def _load_acquire(numbers: Any, at: Any) -> Any:
        return lambda numbers, at: load(numbers, at)

    @overload(store_release, strict=False)
    def _store_release(numbers: Any, at: Any, value: Any) -> Any:
        return lambda numbers, at, value: store(numbers, at, value)


def system_can_yield() -> bool:
    """Whether the system has `sched_yield` (all but Windows)."""
    import os

    return hasattr(os, "sched_yield")


when_started(_as_instructions)
