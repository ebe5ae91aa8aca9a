"""Exact squared distances of single pairs, from the differences, in float64; they decide who is near.

Imports numba: import this module only on use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tagweave._typing import Float64Array, FloatArray
from tagweave.graphs.proposals import STRIPE, insert
from tagweave.kernels.compiling import kernel

if TYPE_CHECKING:
    from tagweave.graphs.distances import Features
    from tagweave.graphs.transform import RowTransform

SQUARES, ROOTS, CHI2 = 0, 1, 2
"""What is summed over the columns: (x - y)^2, (sqrt x - sqrt y)^2 or (x - y)^2 / (x + y)."""

# No fused multiply-add: equal rows must stay at distance 0, and x * f - y * f rounds both products only without it.
EXACT = {"reassoc", "nsz"}

# Added to every denominator: an empty bin of both histograms gives 0 / VOID = 0, any other bin is left as it is.
VOID = 1e-300


class Rows(NamedTuple):
    """Features and factors as the kernels take them: dense rows one after the other, or those of a CSR array."""

    data: FloatArray
    indices: NDArray[np.integer[Any]]
    indptr: NDArray[np.integer[Any]]
    width: int
    row_factor: Float64Array
    column_factor: Float64Array
    kind: int

    @classmethod
    def of(cls, X: Features, transform: RowTransform, metric: str) -> Rows:
        """Look at features through a transform, without a copy.

        Examples
        --------
        >>> import numpy as np
        >>> from tagweave.graphs.transform import RowTransform
        >>> X = np.array([[1.0, 0.0], [0.0, 1.0]])
        >>> squared_distance(Rows.of(X, RowTransform(X, "chi2", None), "chi2"), 0, 1)
        2.0
        """
        kind = {"hellinger": ROOTS, "chi2": CHI2}.get(metric, SQUARES)
        factors = (transform.row_factor, transform.column_factor, kind)
        if isinstance(X, sparse.csr_array):
            return cls(X.data, X.indices, X.indptr, X.shape[1], *factors)
        nothing = np.empty(0, np.int32)
        return cls(X.reshape(-1), nothing, nothing, X.shape[1], *factors)


@kernel(fastmath=EXACT, inline="always")
def _term(x: float, y: float, factor: float, kind: int) -> float:
    if kind == ROOTS:
        x, y = np.sqrt(x), np.sqrt(y)
    # The factor comes last: of columns far from 0 the difference is exact, but scaled values are not.
    difference = (x - y) * factor
    square = difference * difference
    return square / (x + y + VOID) if kind == CHI2 else square


@kernel(fastmath=EXACT)
def _dense(rows: Rows, i: int, j: int, kind: int) -> float:
    d = rows.width
    left, right = rows.data[i * d : (i + 1) * d], rows.data[j * d : (j + 1) * d]
    f, g, columns = rows.row_factor[i], rows.row_factor[j], rows.column_factor
    total = 0.0
    for c in range(d):
        total += _term(np.float64(left[c]) * f, np.float64(right[c]) * g, columns[c], kind)
    return total


@kernel(fastmath=EXACT)
def _sparse(rows: Rows, i: int, j: int) -> float:
    a, b, end_a, end_b = rows.indptr[i], rows.indptr[j], rows.indptr[i + 1], rows.indptr[j + 1]
    f, g, columns, indices = rows.row_factor[i], rows.row_factor[j], rows.column_factor, rows.indices
    total = 0.0
    while a < end_a or b < end_b:
        column_a = indices[a] if a < end_a else rows.width
        column_b = indices[b] if b < end_b else rows.width
        column = min(column_a, column_b)
        x = y = 0.0
        if column_a == column:
            x = np.float64(rows.data[a]) * f
            a += 1
        if column_b == column:
            y = np.float64(rows.data[b]) * g
            b += 1
        total += _term(x, y, columns[column], rows.kind)
    return total


@kernel(fastmath=EXACT)
def squared_distance(rows: Rows, i: int, j: int) -> float:
    """Return the squared distance of rows i and j."""
    if len(rows.indptr) > 0:
        found: float = _sparse(rows, i, j)
    # A kind that is a constant gives each loop its own vector code.
    elif rows.kind == SQUARES:
        found = _dense(rows, i, j, SQUARES)
    elif rows.kind == ROOTS:
        found = _dense(rows, i, j, ROOTS)
    else:
        found = _dense(rows, i, j, CHI2)
    return found


@kernel(nogil=True, fastmath=False)
def judge(
    exact: Rows, first: int, proposed: NDArray[np.intp], squared: Float64Array, neighbours: NDArray[np.intp]
) -> None:
    """Write the nearest of the instances proposed to ``first`` and those behind it; an index of -1 is nobody."""
    for r in range(len(proposed)):
        for j in np.sort(proposed[r]):  # so that the lower index comes first among equals
            if j >= 0 and j != first + r:
                distance = squared_distance(exact, first + r, j)
                if distance < squared[r, -1]:
                    insert(distance, j, squared[r], neighbours[r])


@kernel(nogil=True, fastmath=False)
def settle(
    exact: Rows,
    chosen: NDArray[np.intp],
    products: FloatArray,
    j0: int,
    shrunk: FloatArray,
    limit: Float64Array,
    squared: Float64Array,
    neighbours: NDArray[np.intp],
) -> None:
    """Go on with the search of the rows ``chosen`` in the columns of a block, which must come in increasing order.

    Exact distances are computed where the bound is within ``limit``, the largest distance of any k instances, or of
    those found so far.
    """
    dtype = products.dtype.type
    two = dtype(2)
    last = squared.shape[1] - 1
    for r in range(len(chosen)):
        i = chosen[r]
        within = limit[r]
        for start in range(0, products.shape[1], STRIPE):
            # Nothing is nearer than k duplicates of lower index: an early end for heaps of equal rows.
            if squared[r, last] == 0:
                break
            end = min(start + STRIPE, products.shape[1])
            hits = 0
            for c in range(start, end):
                hits += shrunk[i] + shrunk[j0 + c] - two * products[r, c] <= within
            if hits == 0:
                continue
            for c in range(start, end):
                j = j0 + c
                if shrunk[i] + shrunk[j] - two * products[r, c] <= within and i != j:
                    distance = squared_distance(exact, i, j)
                    if distance < squared[r, last]:
                        insert(distance, j, squared[r], neighbours[r])
                        # A little more, for the rounding to single precision.
                        within = min(within, dtype(squared[r, last] * (1 + 1e-6)))
