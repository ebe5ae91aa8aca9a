"""Transformed features whose products bound all squared distances from below, in spite of rounding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from scipy import sparse

from tagweave._typing import FloatArray
from tagweave.graphs.transform import RowTransform, slices

if TYPE_CHECKING:
    from tagweave.graphs.distances import Features

# Single precision is given up where its guaranteed error would leave too many candidates to be useful.
LARGEST_SLACK = 1e-3

# Below this share of entries a sparse product takes less time than a dense one of mostly zeros.
SPARSE_PRODUCT = 0.003


class ProductSpace:
    """Rows and shrunk squared norms such that ``s_i + s_j - 2 x_i'x_j``, as rounded, is a lower bound.

    Parameters
    ----------
    X : ndarray or csr_array
        Checked features; float32 stays float32 where that is precise enough.
    transform : RowTransform
        Makes the metric Euclidean, or bounds it from below: (x - y)^2 / (x + y) lies between once and twice
        (sqrt x - sqrt y)^2, since (sqrt x + sqrt y)^2 does so with x + y. Chi-square neighbours are found by the
        products for "hellinger".
    memory_budget : int
        Bytes to use besides features and rows.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [0.0, 2.0]])
    >>> space = ProductSpace(X, RowTransform(X, "euclidean", None), 2**20)
    >>> space.shrunk, space.products(slice(0, 1), slice(0, 2))
    (array([1., 4.]), array([[1., 0.]]))
    """

    def __init__(self, X: Features, transform: RowTransform, memory_budget: int) -> None:
        n, d = X.shape
        terms = int(np.diff(X.indptr).max()) if isinstance(X, sparse.csr_array) else d
        # Rounding of a dot product of this many terms, of the sums around it and of the features themselves.
        slack = {kind: (terms + 16) * float(np.finfo(kind).eps) for kind in (np.float32, np.float64)}
        dtype: type[np.floating[Any]] = X.dtype.type
        if slack[dtype] > LARGEST_SLACK:
            dtype = np.float64
        norms = np.empty(n)
        blocks = []
        same = transform.identity and X.dtype == dtype
        self.rows: Any = X if same or isinstance(X, sparse.csr_array) else np.empty((n, d), dtype)
        for rows in slices(n, max(1, memory_budget // (24 * d))):
            block: Any = transform(X, rows)
            norms[rows] = np.asarray((block * block).sum(axis=1)).ravel()
            if isinstance(X, sparse.csr_array):
                blocks.append(block.astype(dtype))
            elif not same:
                self.rows[rows] = block
        if blocks:
            self.rows = sparse.vstack(blocks, format="csr")
        # The squares of single precision live between 1e-38 and 3e38.
        if dtype == np.float32 and (norms.max() > 1e30 or norms.min(initial=1.0, where=norms > 0) < 1e-25):
            self.rows, dtype = self.rows.astype(np.float64), np.float64
        self.shrunk: FloatArray = (norms * (1 - slack[dtype])).astype(dtype)
        self._thin = isinstance(X, sparse.csr_array) and X.nnz < SPARSE_PRODUCT * n * d

    def dense(self, rows: slice) -> FloatArray:
        """Return some of the rows as a dense array."""
        block = self.rows[rows]
        return cast("FloatArray", block.toarray() if isinstance(block, sparse.csr_array) else block)

    def products(self, rows: Any, columns: slice) -> FloatArray:
        """Return the products of the given rows (a slice or indices) with those of ``columns``."""
        left = self.rows[rows] if self._thin else self.dense(rows)
        return np.ascontiguousarray(left @ self.dense(columns).T)
