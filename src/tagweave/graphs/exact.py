"""Exact nearest neighbours: blocks of products propose, exact distances decide."""

from __future__ import annotations

from math import isqrt
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tagweave._typing import Float64Array, FloatArray
from tagweave.graphs import workers
from tagweave.graphs.selection import smallest
from tagweave.graphs.space import ProductSpace
from tagweave.graphs.transform import RowTransform, slices

if TYPE_CHECKING:
    from tagweave.graphs.distances import Features
    from tagweave.graphs.pairs import Rows

# Instances proposed beyond the k asked for; they absorb the rounding of the product in all but degenerate rows.
SPARE = 8

# Where more of the rows are unsettled, single precision is at fault, and double precision takes less time.
MANY = 0.1

# Limits are widened by this much, for their own rounding to single precision.
ROUNDING = 1e-6

BLOCK_ROWS = 1024
"""A block of products of this size stays in the processor's cache until it has been looked through."""


def search_exactly(
    X: Features, k: int, metric: str, scale: str | None, memory_budget: int
) -> tuple[Float64Array, NDArray[np.intp]]:
    """Find the k nearest neighbours of every instance, by features.

    Parameters
    ----------
    X : ndarray or csr_array
        Checked features.
    k : int
        From 1 to one less than there are instances.
    metric : {"euclidean", "cosine", "hellinger", "chi2"}
    scale : {"minmax", None}
    memory_budget : int
        Bytes to use besides the features, their transformed copy and the result.

    Returns
    -------
    squared, neighbours : ndarray of shape (n_instances, k)
        Increasing along each row, equal distances by index.

    Notes
    -----
    The products of all pairs, of which a half is computed, bound the distances from below. The ``k + SPARE``
    smallest bounds of each row are judged by exact distances; a row is settled if every other bound is beyond
    its k-th distance. The rest (many near ties, or bounds that are not tight, as those of chi-square) are looked
    through again, for everyone whose bound is within that distance.

    Examples
    --------
    >>> import numpy as np
    >>> search_exactly(np.array([[0.0], [1.0], [3.0]]), 1, "euclidean", None, 2**20)
    (array([[1.],
           [1.],
           [4.]]), array([[1],
           [0],
           [1]]))
    """
    from tagweave.graphs.pairs import Rows

    n, d = X.shape
    transform = RowTransform(X, metric, scale)
    space = ProductSpace(X, transform, memory_budget)
    exact = Rows.of(X, transform, metric)
    block = block_size(n, d, memory_budget)
    lower, proposed = propose(space, min(k + SPARE, n - 1), block)
    squared, neighbours = judge(exact, proposed, k)
    if proposed.shape[1] < n - 1:
        # Whoever was not proposed has a bound of at least the last one kept.
        unsettled = np.flatnonzero(lower[:, -1] <= squared[:, -1] * (1 + ROUNDING))
        limit = squared[unsettled, -1]
        if space.single and metric != "chi2" and len(unsettled) > n * MANY:
            space = ProductSpace(X, transform, memory_budget, precise=True)
        squared[unsettled], neighbours[unsettled] = look_through(space, exact, unsettled, limit, k, block)
    return squared, neighbours


def block_size(n: int, d: int, memory_budget: int) -> int:
    """Return how many rows make a block, so that each worker's products and dense rows fit the budget.

    Examples
    --------
    >>> 1 <= block_size(10**6, 1000, 2**20) < 32, block_size(10, 1000, 2**28)
    (True, 10)
    """
    share = memory_budget // workers.count()
    return max(1, min(n, BLOCK_ROWS, isqrt(share // 16), share // (32 * d)))


def propose(space: ProductSpace, keep: int, block: int) -> tuple[FloatArray, NDArray[np.intp]]:
    """Return the ``keep`` smallest lower bounds of each row, in increasing order, and whose they are."""
    from tagweave.graphs import proposals

    n = len(space.shrunk)
    lower = np.full((n, keep), np.inf, space.shrunk.dtype)
    proposed = np.full((n, keep), -1)
    blocks = slices(n, block)
    locks = [Lock() for _ in blocks]

    def offer(pair: tuple[int, int]) -> None:
        a, b = pair
        rows, columns = blocks[a], blocks[b]
        products = space.products(rows, columns)
        with locks[a]:
            proposals.offer_to_rows(products, rows.start, columns.start, space.shrunk, lower, proposed)
        if a != b:
            with locks[b]:
                proposals.offer_to_columns(products, rows.start, columns.start, space.shrunk, lower, proposed)

    # One diagonal after the other: two pairs at work seldom want the same lock.
    workers.for_each([(a, a + away) for away in range(len(blocks)) for a in range(len(blocks) - away)], offer)
    return lower, proposed


def judge(exact: Rows, proposed: NDArray[np.intp], k: int) -> tuple[Float64Array, NDArray[np.intp]]:
    """Return the ``k`` nearest, by exact distances, of the instances proposed to each."""
    from tagweave.graphs import pairs

    n = len(proposed)
    squared, neighbours = np.full((n, k), np.inf), np.full((n, k), -1)

    def task(rows: slice) -> None:
        pairs.judge(exact, rows.start, proposed[rows], squared[rows], neighbours[rows])

    workers.for_each(slices(n, BLOCK_ROWS), task)
    return squared, neighbours


def look_through(
    space: ProductSpace, exact: Rows, rows: NDArray[np.intp], limit: Float64Array, k: int, block: int
) -> tuple[Float64Array, NDArray[np.intp]]:
    """Search some rows among all instances whose bound is within ``limit``, squared distances that hold k instances."""
    from tagweave.graphs import pairs

    squared, neighbours = np.full((len(rows), k), np.inf), np.full((len(rows), k), -1)
    within = (limit * (1 + ROUNDING)).astype(space.shrunk.dtype)

    def task(part: slice) -> None:
        mine, found, who = rows[part], squared[part], neighbours[part]
        for columns in slices(len(space.shrunk), block):
            products = space.products(mine, columns)
            pairs.settle(exact, mine, products, columns.start, space.shrunk, within[part], found, who)

    workers.for_each(slices(len(rows), max(1, min(block, len(rows) // (4 * workers.count())))), task)
    return squared, neighbours


def select_distances(D: FloatArray, k: int, memory_budget: int) -> tuple[Float64Array, NDArray[np.intp]]:
    """Find the k nearest neighbours of every instance in a matrix of distances.

    Examples
    --------
    >>> import numpy as np
    >>> select_distances(np.array([[0.0, 2.0], [2.0, 0.0]]), 1, 2**20)[0]
    array([[2.],
           [2.]])
    """
    n = len(D)
    distances, neighbours = np.empty((n, k)), np.empty((n, k), np.intp)
    for rows in slices(n, max(1, memory_budget // (24 * n))):
        values: Float64Array = D[rows].astype(np.float64)
        values[np.arange(len(values)), np.arange(rows.start, rows.stop)] = np.inf
        distances[rows], neighbours[rows] = smallest(values, k)
    return distances, neighbours
