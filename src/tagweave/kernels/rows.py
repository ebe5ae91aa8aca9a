"""What the kernels read, and the sums over neighbours and classes from which they are made."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import get_num_threads, get_thread_id, prange
from numpy.typing import DTypeLike, NDArray

from tagweave._typing import Float64Array, FloatArray, Int8Array
from tagweave.kernels.compiling import kernel
from tagweave.kernels.turning import turn, turn_back

BLOCK = 64
"""Rows that are worked on together: as many lanes for the class term, and all of them stay in cache."""


class Costs(NamedTuple):
    """Ybar, not multiplied out: labels as one byte each, what a lost one costs, how much each row and column counts."""

    labels: Int8Array
    r_plus: float
    r_minus: float
    row_weight: Float64Array
    column_weight: Float64Array


class Smoothness(NamedTuple):
    """beta tr(Z' L_X Z) + gamma tr(Z L_C Z'), without entries where a term is absent.

    L_X is never formed: it is the diagonal `linked` (0 for isolated rows, else 1) less W, a sparse matrix by rows, with
    its rows and columns times `scale`. L_C is small, and sparse by rows. Flat, because Numba takes no tuple of tuples
    into a parallel loop.
    """

    beta: float
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    data: Float64Array
    scale: Float64Array
    gamma: float
    class_indptr: NDArray[np.int64]
    class_indices: NDArray[np.int32]
    class_data: Float64Array


class Scratch(NamedTuple):
    """What a block of rows needs besides the iterates, for each thread: the first axis.

    Three blocks by rows, and three that are turned: a line for each label, in it the rows of the block side by side.
    `order` counts the rows of a block.
    """

    gradients: FloatArray
    reduced: FloatArray
    moved: FloatArray
    turned: FloatArray
    up: FloatArray
    down: FloatArray
    order: NDArray[np.int32]

    @classmethod
    def create(cls, n_labels: int, dtype: DTypeLike) -> Scratch:
        """Make it for all threads."""
        threads = get_num_threads()
        # Zeros, because lanes beyond the last row take part in sums that nobody reads: no NaN, no denormals.
        gradients, reduced, moved = np.zeros((3, threads, BLOCK, n_labels), dtype)
        turned, up, down = np.zeros((3, threads, n_labels, BLOCK), dtype)
        return cls(gradients, reduced, moved, turned, up, down, np.arange(BLOCK, dtype=np.int32))


@kernel(inline="always")
def label_cost(label: int, r_plus: FloatArray, r_minus: FloatArray) -> FloatArray:
    """Return Ybar's entry, but for the weights."""
    return r_plus if label == 1 else (-r_minus if label == 0 else r_plus - r_plus)


@kernel()
def gather(smoothness: Smoothness, Z: FloatArray, i: int, out: FloatArray) -> None:
    """Write row i of beta L_X Z into `out`, eight neighbours at a time: the sums are the work, not the loop."""
    m = Z.shape[1]
    dtype = out.dtype.type
    indices, data, scale = smoothness.indices, smoothness.data, smoothness.scale
    factor = -smoothness.beta * scale[i]
    k, stop = smoothness.indptr[i], smoothness.indptr[i + 1]
    own = dtype(smoothness.beta if scale[i] > 0 else 0.0)
    row = Z[i]
    for j in range(m):
        out[j] = own * row[j]
    while k + 8 <= stop:
        ia, ib, ic, id_ = indices[k], indices[k + 1], indices[k + 2], indices[k + 3]
        ie, if_, ig, ih = indices[k + 4], indices[k + 5], indices[k + 6], indices[k + 7]
        a, b = dtype(factor * data[k] * scale[ia]), dtype(factor * data[k + 1] * scale[ib])
        c, d = dtype(factor * data[k + 2] * scale[ic]), dtype(factor * data[k + 3] * scale[id_])
        e, f = dtype(factor * data[k + 4] * scale[ie]), dtype(factor * data[k + 5] * scale[if_])
        g, h = dtype(factor * data[k + 6] * scale[ig]), dtype(factor * data[k + 7] * scale[ih])
        za, zb, zc, zd, ze, zf, zg, zh = Z[ia], Z[ib], Z[ic], Z[id_], Z[ie], Z[if_], Z[ig], Z[ih]
        for j in range(m):
            out[j] += (a * za[j] + b * zb[j] + c * zc[j] + d * zd[j]) + (e * ze[j] + f * zf[j] + g * zg[j] + h * zh[j])
        k += 8
    while k < stop:
        a, za = dtype(factor * data[k] * scale[indices[k]]), Z[indices[k]]
        for j in range(m):
            out[j] += a * za[j]
        k += 1


@kernel()
def gather_block(smoothness: Smoothness, Z: FloatArray, rows: NDArray[np.int32], out: FloatArray) -> None:
    """Write beta L_X Z, for some rows, into the first rows of `out`."""
    if len(smoothness.data) > 0:
        for r in range(len(rows)):
            gather(smoothness, Z, rows[r], out[r])
    else:
        out[: len(rows)] = 0


@kernel()
def mix_classes(smoothness: Smoothness, factor: float, turned: FloatArray, mixed: FloatArray) -> None:
    """Add factor gamma L_C times `turned` to `mixed`: a vector of rows for each entry of L_C."""
    dtype = mixed.dtype.type
    weight = factor * smoothness.gamma
    indices, data = smoothness.class_indices, smoothness.class_data
    for j in range(len(smoothness.class_indptr) - 1):
        k, stop = smoothness.class_indptr[j], smoothness.class_indptr[j + 1]
        out = mixed[j]
        while k + 4 <= stop:
            a, b = dtype(weight * data[k]), dtype(weight * data[k + 1])
            c, d = dtype(weight * data[k + 2]), dtype(weight * data[k + 3])
            ta, tb, tc, td = turned[indices[k]], turned[indices[k + 1]], turned[indices[k + 2]], turned[indices[k + 3]]
            for r in range(BLOCK):
                out[r] += a * ta[r] + b * tb[r] + c * tc[r] + d * td[r]
            k += 4
        while k < stop:
            a, ta = dtype(weight * data[k]), turned[indices[k]]
            for r in range(BLOCK):
                out[r] += a * ta[r]
            k += 1


@kernel()
def smooth_block(
    smoothness: Smoothness,
    Z: FloatArray,
    rows: NDArray[np.int32],
    out: FloatArray,
    turned: FloatArray,
    mixed: FloatArray,
    by_rows: FloatArray,
) -> None:
    """Write beta L_X Z + gamma Z L_C, for some rows, into the first rows of `out`; the rest is work space."""
    gather_block(smoothness, Z, rows, out)
    if len(smoothness.class_data) > 0:
        turn(Z, rows, turned)
        mixed[:] = 0
        mix_classes(smoothness, 1.0, turned, mixed)
        turn_back(mixed, by_rows)
        for r in range(len(rows)):
            row, found = out[r], by_rows[r]
            for j in range(Z.shape[1]):
                row[j] += found[j]


@kernel(parallel=True)
def smooth_rows(
    smoothness: Smoothness, Z: FloatArray, rows: NDArray[np.int32], scratch: Scratch, out: FloatArray
) -> None:
    """Write beta L_X Z + gamma Z L_C into the given rows of `out`."""
    for block in prange((len(rows) + BLOCK - 1) // BLOCK):
        t = get_thread_id()
        mine = rows[block * BLOCK : (block + 1) * BLOCK]
        found = scratch.gradients[t]
        smooth_block(smoothness, Z, mine, found, scratch.turned[t], scratch.up[t], scratch.moved[t])
        for r in range(len(mine)):
            out[mine[r]] = found[r]
