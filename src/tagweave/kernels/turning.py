"""Blocks of rows turned, so that a loop over rows runs along memory, and turned back.

Tiles as wide as a cache line are turned in registers, by exchanging ever smaller blocks of two vectors; a loop over
single scores costs several times as much, and would be most of an iteration.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numpy.typing import NDArray

from tagweave._typing import FloatArray
from tagweave.kernels.compiling import kernel

_LINE = 64  # bytes


@intrinsic
def turn_tile(typing: Any, source: Any, i: Any, j: Any, target: Any, k: Any, l: Any) -> Any:  # noqa: E741
    """Write the tile of `source` at (i, j), turned, into `target` at (k, l); both are matrices by rows.

    A tile has 16 rows and columns of float32, or 8 of float64: `tile_size` of the target, to whose precision it goes.
    """
    size = _LINE // np.dtype(target.dtype.name).itemsize

    def generate(context: Any, builder: ir.IRBuilder, signature: Any, values: Any) -> Any:
        def lines(matrix_type: Any, matrix: Any, row: Any, column: Any) -> list[Any]:
            """Return pointers to the tile's rows."""
            element = context.get_value_type(matrix_type.dtype)
            vector = ir.VectorType(element, size)
            array = context.make_array(matrix_type)(context, builder, matrix)
            strides = cgutils.unpack_tuple(builder, array.strides)
            start = builder.gep(builder.bitcast(array.data, element.as_pointer()), [column])
            address = builder.ptrtoint(start, strides[0].type)
            return [
                builder.inttoptr(
                    builder.add(address, builder.mul(builder.add(row, row.type(q)), strides[0])), vector.as_pointer()
                )
                for q in range(size)
            ]

        def bytes_of(matrix_type: Any) -> int:
            return int(context.get_abi_sizeof(context.get_value_type(matrix_type.dtype)))

        source_type, _, _, target_type, _, _ = signature.args
        found = lines(source_type, values[0], values[1], values[2])
        tile = [builder.load(line, align=bytes_of(source_type)) for line in found]
        if bytes_of(source_type) < bytes_of(target_type):
            wider = ir.VectorType(context.get_value_type(target_type.dtype), size)
            tile = [builder.fpext(line, wider) for line in tile]
        half = size // 2
        while half:
            # Of each pair of rows, the right half of the upper one changes place with the left half of the lower one.
            upper = [lane if not lane & half else size + lane - half for lane in range(size)]
            lower = [lane + half if not lane & half else size + lane for lane in range(size)]
            for row in range(size):
                if not row & half:
                    pair = tile[row], tile[row + half]
                    tile[row], tile[row + half] = (
                        builder.shuffle_vector(*pair, ir.Constant(ir.VectorType(ir.IntType(32), size), mask))
                        for mask in (upper, lower)
                    )
            half //= 2
        for turned, line in zip(tile, lines(target_type, values[3], values[4], values[5]), strict=True):
            builder.store(turned, line, align=bytes_of(target_type))
        return context.get_dummy_value()

    return types.void(source, types.intp, types.intp, target, types.intp, types.intp), generate


@kernel()
def tile_size(Z: FloatArray) -> int:
    """Return how many rows and columns of Z make a tile."""
    return _LINE // Z.itemsize


@kernel()
def turn(Z: FloatArray, rows: NDArray[np.int32], turned: FloatArray) -> None:
    """Copy rows of Z, in ascending order, into the columns of `turned`; columns beyond them stay as they are."""
    m, size, count = Z.shape[1], tile_size(turned), len(rows)
    whole = m - m % size
    for r in range(0, count, size):
        if r + size <= count and rows[r + size - 1] - rows[r] == size - 1:
            for j in range(0, whole, size):
                turn_tile(Z, rows[r], j, turned, j, r)
        else:
            for q in range(r, min(r + size, count)):
                for j in range(whole):
                    turned[j, q] = Z[rows[q], j]
    for r in range(count):
        for j in range(whole, m):
            turned[j, r] = Z[rows[r], j]


@kernel()
def turn_back(turned: FloatArray, out: FloatArray) -> None:
    """Copy the columns of `turned` into the rows of `out`, all of them."""
    m, size, count = len(turned), tile_size(out), turned.shape[1]
    whole = m - m % size
    for r in range(0, count, size):
        for j in range(0, whole, size):
            turn_tile(turned, j, r, out, r, j)
    for r in range(count):
        for j in range(whole, m):
            out[r, j] = turned[j, r]
