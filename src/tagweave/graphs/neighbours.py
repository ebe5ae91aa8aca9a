"""Exact nearest neighbours: one matrix product proposes, exact distances decide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tagweave._typing import Float64Array, FloatArray
from tagweave.graphs.distances import RowTransform, check_features, resolve_scale
from tagweave.graphs.selection import smallest

if TYPE_CHECKING:
    from tagweave.graphs.distances import Features

MEMORY_BUDGET = 256 * 2**20
"""Bytes that the search may use besides the features themselves."""

# Rows proposed beyond the k asked for; they absorb the rounding of the product in all but degenerate rows.
SPARE = 8
BLOCK_ROWS = 512
# Single precision is given up where its guaranteed error would leave too many candidates to be useful.
LARGEST_SLACK = 1e-3


def nearest_neighbours(
    X: Any,
    n_neighbors: int,
    *,
    metric: str = "euclidean",
    scale: str | None = "auto",
    memory_budget: int = MEMORY_BUDGET,
) -> tuple[Float64Array, NDArray[np.intp]]:
    """Exact nearest neighbours of every instance among the others.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_instances, n_features)
        Features, or the matrix of distances with ``metric="precomputed"``.
    n_neighbors : int
        How many, fewer than there are instances.
    metric : {"euclidean", "cosine", "hellinger", "chi2", "precomputed"}
        See :class:`tagweave.graphs.InstanceGraph`.
    scale : {"auto", "minmax", None}
        See :class:`tagweave.graphs.InstanceGraph`.
    memory_budget : int
        Bytes to use besides the features.

    Returns
    -------
    distances : ndarray of shape (n_instances, n_neighbors)
        float64, increasing along each row.
    indices : ndarray of shape (n_instances, n_neighbors)
        The instance itself is left out by its index, so a duplicate is a neighbour like any other. Among
        equal distances the lower index comes first.

    Notes
    -----
    The blocked product gives ``|x|^2 + |y|^2 - 2 x'y`` with an error known in advance. The ``n_neighbors``
    nearest are among the instances whose lower bound does not exceed the ``n_neighbors``-th exact distance
    found; exact distances are computed from the differences, in float64, so near duplicates are told apart.

    Examples
    --------
    >>> from tagweave.graphs import nearest_neighbours
    >>> distances, indices = nearest_neighbours([[0.0], [1.0], [3.0]], 1, scale=None)
    >>> distances.ravel(), indices.ravel()
    (array([1., 1., 2.]), array([1, 0, 1]))
    """
    scale = resolve_scale(metric, scale)
    features = check_features(X, metric)
    if not 0 <= n_neighbors < features.shape[0]:
        raise ValueError(
            f"n_neighbors={n_neighbors} with {features.shape[0]} instance(s); "
            f"expected 0 to {features.shape[0] - 1}: an instance is no neighbour of itself"
        )
    return search(features, n_neighbors, metric, scale, memory_budget)


def search(
    X: Features, k: int, metric: str, scale: str | None, memory_budget: int = MEMORY_BUDGET
) -> tuple[Float64Array, NDArray[np.intp]]:
    """Search checked features; ``scale`` is resolved and ``k`` smaller than the number of instances."""
    n = X.shape[0]
    distances, indices = np.empty((n, k)), np.empty((n, k), np.intp)
    if k == 0:
        return distances, indices
    blocks: Iterator[tuple[slice, Float64Array, NDArray[np.intp]]]
    if metric == "precomputed":
        blocks = _scan_precomputed(cast("FloatArray", X), k, memory_budget)
    elif metric == "chi2":
        blocks = _scan_chi2(X, k, memory_budget)
    else:
        blocks = _scan_euclidean(EuclideanSpace(X, RowTransform(X, metric, scale), memory_budget), k, memory_budget)
    for rows, chosen, neighbours in blocks:
        distances[rows], indices[rows] = chosen, neighbours
    return distances, indices


def _slices(n: int, step: int) -> Iterator[slice]:
    for start in range(0, n, step):
        yield slice(start, min(start + step, n))


def _forget_self(values: FloatArray, rows: slice, first_column: int = 0) -> None:
    """Put infinity where an instance meets itself in a block of rows and columns."""
    own = np.arange(rows.start, rows.stop) - first_column
    inside = (own >= 0) & (own < values.shape[1])
    values[np.flatnonzero(inside), own[inside]] = np.inf


def _scan_precomputed(
    D: FloatArray, k: int, memory_budget: int
) -> Iterator[tuple[slice, Float64Array, NDArray[np.intp]]]:
    for rows in _slices(D.shape[0], max(1, memory_budget // (24 * D.shape[0]))):
        block: Float64Array = D[rows].astype(np.float64)
        _forget_self(block, rows)
        yield rows, *smallest(block, k)


def _scan_chi2(X: Features, k: int, memory_budget: int) -> Iterator[tuple[slice, Float64Array, NDArray[np.intp]]]:
    from tagweave.graphs.chi2 import squared_chi2

    n, n_bins = X.shape
    normalise = RowTransform(X, "chi2", None)

    def histograms(rows: slice) -> Float64Array:
        return normalise(X[rows].toarray() if isinstance(X, sparse.csr_array) else X[rows])

    step = max(1, memory_budget // (8 * (4 * n_bins + 3 * n)))
    for rows in _slices(n, min(step, n)):
        left = histograms(rows)
        block = np.empty((left.shape[0], n))
        for columns in _slices(n, step):
            block[:, columns] = squared_chi2(left, histograms(columns))
        _forget_self(block, rows)
        squared, neighbours = smallest(block, k)
        yield rows, np.sqrt(squared), neighbours


class EuclideanSpace:
    """Transformed features, with cheap bounds for all pairs and exact distances for some."""

    def __init__(self, X: Features, transform: RowTransform, memory_budget: int) -> None:
        self.shape = X.shape
        self._budget = memory_budget
        self._X, self._transform = X, transform
        self._exact: sparse.csr_array[np.float64] | None = None
        single = X.dtype == np.float32
        if isinstance(X, sparse.csr_array):
            self._exact = transform.sparse(X)
            terms = int(np.diff(X.indptr).max())
        else:
            terms = X.shape[1]
        # Rounding of a dot product of this many terms, of the sums around it and of the features themselves.
        slack = (terms + 16) * float(np.finfo(X.dtype).eps)
        if single and slack > LARGEST_SLACK:
            single, slack = False, (terms + 16) * float(np.finfo(np.float64).eps)
        dtype = np.float32 if single else np.float64
        self.work: Features
        if self._exact is not None:
            self.work = self._exact.astype(dtype)
            norms = np.asarray(self._exact.multiply(self._exact).sum(axis=1), dtype=np.float64).ravel()
        else:
            same = transform.identity and X.dtype == dtype
            self.work = cast("FloatArray", X) if same else np.empty(X.shape, dtype)
            norms = np.empty(X.shape[0])
            for rows in _slices(X.shape[0], max(1, memory_budget // (24 * X.shape[1]))):
                block = transform(cast("FloatArray", X)[rows])
                if not same:
                    self.work[rows] = block
                norms[rows] = np.square(block).sum(axis=1)
        # The squares of single precision live between 1e-38 and 3e38.
        if single and (norms.max() > 1e30 or norms.min(initial=1.0, where=norms > 0) < 1e-25):
            self.work, dtype = self.work.astype(np.float64), np.float64
        self._shrunk: FloatArray = (norms * (1 - slack)).astype(dtype)

    def lower_bounds(self, rows: slice | NDArray[np.intp], columns: slice) -> FloatArray:
        """Bounds from below on the squared distances of a block of pairs, valid in spite of rounding."""
        left = self.work[rows]
        if isinstance(left, sparse.csr_array):
            products = cast("FloatArray", (self.work[columns] @ left.toarray().T).T)
        else:
            products = left @ cast("FloatArray", self.work)[columns].T
        products *= -2
        products += self._shrunk[rows, None]
        products += self._shrunk[columns]
        return products

    def squared_distances(self, rows: NDArray[np.intp], others: NDArray[np.intp]) -> Float64Array:
        """Squared distances from the differences, in float64, for ``others`` of shape (n_rows, n_others)."""
        out = np.empty(others.shape)
        width = others.shape[1]
        if self._exact is not None:
            # Beside the two gathered operands their difference; all as sparse as the rows are.
            weight = 48 * max(1, int(np.diff(self._exact.indptr).max()))
            for part in _slices(len(rows), max(1, self._budget // (weight * width))):
                left = self._exact[np.repeat(rows[part], width)]
                difference = left - self._exact[others[part].ravel()]
                difference.data **= 2
                out[part] = np.asarray(difference.sum(axis=1)).reshape(-1, width)
            return out
        # Small parts stay in the processor's cache, which matters more here than the number of calls.
        room = min(self._budget, 8 * 2**20)
        for part in _slices(len(rows), max(1, room // (16 * self.shape[1] * width))):
            offsets = self._rows(others[part].ravel()).reshape(-1, width, self.shape[1])
            offsets -= self._rows(rows[part])[:, None, :]
            out[part] = np.einsum("rod,rod->ro", offsets, offsets)
        return out

    def _rows(self, rows: NDArray[np.intp]) -> Float64Array:
        if self._X.dtype == np.float64:
            return cast("Float64Array", self.work)[rows]
        return self._transform(cast("FloatArray", self._X)[rows])


def _scan_euclidean(
    space: EuclideanSpace, k: int, memory_budget: int
) -> Iterator[tuple[slice, Float64Array, NDArray[np.intp]]]:
    n, n_features = space.shape
    keep = min(k + SPARE, n - 1)
    block_rows = max(1, min(n, BLOCK_ROWS, memory_budget // (32 * n_features), memory_budget // (64 * (keep + 1))))
    block_columns = max(keep, memory_budget // (24 * block_rows))
    for rows in _slices(n, block_rows):
        everyone = np.arange(rows.start, rows.stop)
        lower = np.empty((len(everyone), 0), space.work.dtype)
        proposed = np.empty((len(everyone), 0), np.intp)
        for columns in _slices(n, block_columns):
            bounds = space.lower_bounds(rows, columns)
            _forget_self(bounds, rows, columns.start)
            best = np.argpartition(bounds, min(keep, bounds.shape[1]) - 1, axis=1)[:, :keep]
            lower = np.hstack([lower, np.take_along_axis(bounds, best, axis=1)])
            proposed = np.hstack([proposed, best + columns.start])
            if lower.shape[1] > keep:
                best = np.argpartition(lower, keep - 1, axis=1)[:, :keep]
                lower = np.take_along_axis(lower, best, axis=1)
                proposed = np.take_along_axis(proposed, best, axis=1)
        proposed.sort(axis=1)  # so that ties go to the lower index
        squared, chosen = smallest(space.squared_distances(everyone, proposed), k)
        neighbours = np.take_along_axis(proposed, chosen, axis=1)
        # Whoever was not proposed lies at `reach` or beyond; a row is settled if that is beyond its k-th
        # neighbour.
        limit: Float64Array = np.asarray(squared[:, -1] * (1 + 1e-9))
        unsettled = np.flatnonzero(lower.max(axis=1) <= limit)
        if keep < n - 1 and len(unsettled):
            squared[unsettled], neighbours[unsettled] = _settle(
                space, everyone[unsettled], limit[unsettled], k, block_columns
            )
        yield rows, np.sqrt(squared), neighbours


def _settle(
    space: EuclideanSpace, rows: NDArray[np.intp], limit: Float64Array, k: int, block_columns: int
) -> tuple[Float64Array, NDArray[np.intp]]:
    """Choose among all instances whose lower bound is within ``limit``: for rows with many (near) ties."""
    found: list[list[tuple[Float64Array, NDArray[np.intp]]]] = [[] for _ in rows]
    duplicates = np.zeros(len(rows), np.intp)
    for columns in _slices(space.shape[0], block_columns):
        bounds = space.lower_bounds(rows, columns)
        for r, row in enumerate(rows):
            candidates = np.flatnonzero(bounds[r] <= limit[r]) + columns.start
            candidates = candidates[candidates != row]
            for part in _slices(len(candidates), 256):
                # Nothing is nearer than k duplicates of lower index: an early end for heaps of equal rows.
                if duplicates[r] >= k:
                    break
                squared = space.squared_distances(rows[r : r + 1], candidates[None, part])
                found[r].append((squared, candidates[part]))
                duplicates[r] += np.count_nonzero(squared == 0)
    squared = np.empty((len(rows), k))
    neighbours = np.empty((len(rows), k), np.intp)
    for r, parts in enumerate(found):
        chosen, where = smallest(np.hstack([part[0] for part in parts]), k)
        squared[r] = chosen[0]
        neighbours[r] = np.concatenate([part[1] for part in parts])[where[0]]
    return squared, neighbours
