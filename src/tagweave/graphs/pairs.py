"""Exact squared distances of single pairs, from the differences, in float64 (imports numba: import on use only)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tagweave._typing import Float64Array, FloatArray
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
def _term(x: float, y: float, kind: int) -> float:
    if kind == ROOTS:
        x, y = np.sqrt(x), np.sqrt(y)
    difference = x - y
    square = difference * difference
    return square / (x + y + VOID) if kind == CHI2 else square


@kernel(fastmath=EXACT)
def _dense(rows: Rows, i: int, j: int, kind: int) -> float:
    d = rows.width
    left, right = rows.data[i * d : (i + 1) * d], rows.data[j * d : (j + 1) * d]
    f, g, columns = rows.row_factor[i], rows.row_factor[j], rows.column_factor
    total = 0.0
    for c in range(d):
        total += _term(np.float64(left[c]) * columns[c] * f, np.float64(right[c]) * columns[c] * g, kind)
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
            x = np.float64(rows.data[a]) * columns[column] * f
            a += 1
        if column_b == column:
            y = np.float64(rows.data[b]) * columns[column] * g
            b += 1
        total += _term(x, y, rows.kind)
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
