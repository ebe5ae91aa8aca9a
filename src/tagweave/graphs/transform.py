"""What turns a metric into sums over the columns: factors for rows and columns, and roots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from scipy import sparse

from tagweave._typing import Float64Array

if TYPE_CHECKING:
    from tagweave.graphs.distances import Features

# The reciprocals of smaller numbers overflow: a column that spans less is constant, a row that sums to less is empty.
TINY = float(np.finfo(np.float64).tiny)

BLOCK_ENTRIES = 2**20


class RowTransform:
    """The map of rows after which the Euclidean distance is the metric asked for.

    Parameters
    ----------
    X : ndarray or csr_array
        Checked features; the factors are read off them.
    metric : {"euclidean", "cosine", "hellinger", "chi2"}
        For "chi2" the map is that of "hellinger", whose distance is never larger.
    scale : {"minmax", None}
        With "minmax" each column spans 2, as on [-1, 1]: the shift is left out because distances do not see it.

    Attributes
    ----------
    row_factor : ndarray of shape (n_instances,)
        Makes rows unit vectors (cosine) or histograms of sum 1 (hellinger, chi2); 1 otherwise.
    column_factor : ndarray of shape (n_features,)
        What "minmax" multiplies the columns by; 1 otherwise.
    root : bool
        Whether the square root is taken at the end.

    Notes
    -----
    A row of zeros stays a row of zeros: at distance 0 from other empty rows and 1 from all the rest (cosine,
    hellinger and chi2). A constant column becomes 0.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.graphs.transform import RowTransform
    >>> X = np.array([[3.0, 4.0], [0.0, 0.0]])
    >>> RowTransform(X, "cosine", None)(X, slice(0, 2))
    array([[0.6, 0.8],
           [0. , 0. ]])
    """

    def __init__(self, X: Features, metric: str, scale: str | None) -> None:
        n, d = X.shape
        self.identity = metric == "euclidean" and scale is None
        self.root = metric in ("hellinger", "chi2")
        self.row_factor: Float64Array = np.ones(n)
        self.column_factor: Float64Array = np.ones(d)
        # Taking the minimum away makes the products more exact, but would fill a sparse matrix.
        self._low: Float64Array | None = None
        if scale == "minmax":
            low, high = (_extreme(X, name) for name in ("min", "max"))
            self.column_factor = _reciprocal(high / 2 - low / 2)
            self._low = None if isinstance(X, sparse.csr_array) else low
        elif metric != "euclidean":
            for rows in slices(n, max(1, BLOCK_ENTRIES // d)):
                self.row_factor[rows] = _reciprocal(_sizes(X[rows], metric))

    def __call__(self, X: Features, rows: slice) -> Float64Array | sparse.csr_array[np.float64]:
        """Transform some rows, in float64; sparse rows stay sparse."""
        values: Any = X[rows].astype(np.float64)
        if self.identity:
            return cast("Float64Array", values)
        if isinstance(values, sparse.csr_array):
            values.data *= self.column_factor[values.indices]
            values.data *= np.repeat(self.row_factor[rows], np.diff(values.indptr))
            if self.root:
                np.sqrt(values.data, out=values.data)
            return values
        if self._low is not None:
            values -= self._low
        values *= self.column_factor
        values *= self.row_factor[rows, None]
        return cast("Float64Array", np.sqrt(values, out=values) if self.root else values)


def slices(n: int, step: int) -> list[slice]:
    """Cut ``range(n)`` into slices of ``step``.

    Examples
    --------
    >>> from tagweave.graphs.transform import slices
    >>> slices(5, 3)
    [slice(0, 3, None), slice(3, 5, None)]
    """
    return [slice(start, min(start + step, n)) for start in range(0, n, step)]


def _extreme(X: Features, name: str) -> Float64Array:
    found: Any = getattr(X, name)(axis=0)
    return np.asarray(found.toarray().ravel() if isinstance(X, sparse.csr_array) else found, dtype=np.float64)


def _sizes(rows: Any, metric: str) -> Float64Array:
    """Return what each row is divided by: its length for cosine, its sum otherwise."""
    rows = rows.astype(np.float64)
    if metric != "cosine":
        return np.asarray(rows.sum(axis=1), dtype=np.float64).ravel()
    # The squares of the largest entry neither overflow nor vanish once it is 1.
    peaks: Any = abs(rows).max(axis=1)
    peak: Float64Array = peaks.toarray().ravel() if isinstance(rows, sparse.csr_array) else peaks
    if isinstance(rows, sparse.csr_array):
        rows.data *= np.repeat(_reciprocal(peak), np.diff(rows.indptr))
        squares: Any = rows.power(2)
    else:
        squares = np.square(rows * _reciprocal(peak)[:, None])
    return peak * np.sqrt(np.asarray(squares.sum(axis=1), dtype=np.float64).ravel())


def _reciprocal(sizes: Float64Array) -> Float64Array:
    return np.divide(1.0, sizes, out=np.zeros(len(sizes)), where=sizes >= TINY)
