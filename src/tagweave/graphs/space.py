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
        Checked features.
    transform : RowTransform
        Makes the metric Euclidean, or bounds it from below: (x - y)^2 / (x + y) lies between once and twice
        (sqrt x - sqrt y)^2, since (sqrt x + sqrt y)^2 does so with x + y. Chi-square neighbours are found by the
        products for "hellinger".
    memory_budget : int
        Bytes to use besides features and rows.
    precise : bool
        Whether to multiply in float64. So it is anyway where float32 would not do: its squares live between 1e-38 and
        3e38, and the error that is guaranteed grows with the columns.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [0.0, 2.0]])
    >>> space = ProductSpace(X, RowTransform(X, "euclidean", None), 2**20, precise=True)
    >>> space.shrunk, space.products(slice(0, 1), slice(0, 2))
    (array([1., 4.]), array([[1., 0.]]))
    """

    def __init__(self, X: Features, transform: RowTransform, memory_budget: int, *, precise: bool = False) -> None:
        n, d = X.shape
        self._X, self._transform = X, transform
        self._blocks = slices(n, max(1, memory_budget // (24 * d)))
        terms = int(np.diff(X.indptr).max()) if isinstance(X, sparse.csr_array) else d
        norms = np.empty(n)
        for rows in self._blocks:
            block: Any = transform(X, rows)
            norms[rows] = np.asarray((block * block).sum(axis=1)).ravel()
        in_range = norms.max() < 1e30 and norms.min(initial=1.0, where=norms > 0) > 1e-25
        self.single = not precise and in_range and _slack(terms, np.float32) < LARGEST_SLACK
        dtype = np.float32 if self.single else np.float64
        self.rows: Any = self._transformed(dtype)
        self.shrunk: FloatArray = (norms * (1 - _slack(terms, dtype))).astype(dtype)
        self._thin = isinstance(X, sparse.csr_array) and X.nnz < SPARSE_PRODUCT * n * d

    def _transformed(self, dtype: type[np.floating[Any]]) -> Features:
        X, transform = self._X, self._transform
        if transform.identity and X.dtype == dtype:
            return X
        if isinstance(X, sparse.csr_array):
            blocks: list[Any] = [transform(X, rows).astype(dtype) for rows in self._blocks]
            return sparse.csr_array(sparse.vstack(blocks))
        filled: FloatArray = np.empty(X.shape, dtype)
        for rows in self._blocks:
            filled[rows] = cast("FloatArray", transform(X, rows))
        return filled

    def dense(self, rows: slice) -> FloatArray:
        """Return some of the rows as a dense array."""
        block = self.rows[rows]
        return cast("FloatArray", block.toarray() if isinstance(block, sparse.csr_array) else block)

    def products(self, rows: Any, columns: slice) -> FloatArray:
        """Return the products of the given rows (a slice or indices) with those of ``columns``."""
        left = self.rows[rows] if self._thin else self.dense(rows)
        return np.ascontiguousarray(left @ self.dense(columns).T)


def _slack(terms: int, dtype: type[np.floating[Any]]) -> float:
    """Bound the rounding of a product of so many terms, of the sums around it and of the features themselves."""
    return (terms + 16) * float(np.finfo(dtype).eps)
