"""Approximate nearest neighbours: a navigable graph (HNSW, of faiss) proposes, exact distances order."""

from __future__ import annotations

import warnings
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tagweave._typing import Float64Array
from tagweave.graphs.exact import SPARE, block_size, judge, look_through
from tagweave.graphs.space import ProductSpace
from tagweave.graphs.transform import RowTransform, slices

if TYPE_CHECKING:
    from tagweave.graphs.distances import Features

LINKS = 32
"""Links of each node of the navigable graph, per layer; twice as many in the lowest."""

EF_CONSTRUCTION, EF_SEARCH = 80, 96
"""How many candidates are kept while a node is tied in, and while neighbours are looked for (at least)."""

CHI2_SPARE = 60
"""Proposed beyond the neighbours where hellinger stands in for chi2."""

N_SAMPLED = 300
"""Instances searched exactly to measure the recall."""


@cache
def load_faiss() -> Any | None:
    """Return the module faiss, or None where it is not installed.

    Examples
    --------
    >>> from tagweave.graphs.approximate import load_faiss
    >>> faiss = load_faiss()
    """
    with warnings.catch_warnings():
        # The classes that SWIG makes lack an attribute that newer Pythons ask for.
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            import faiss
        except ImportError:
            return None
    return faiss


def search_approximately(
    faiss: Any, X: Features, k: int, metric: str, scale: str | None, memory_budget: int
) -> tuple[Float64Array, NDArray[np.intp], float, int]:
    """Find most of the k nearest neighbours of every instance, and measure how many were found.

    Parameters
    ----------
    faiss : module
        As `load_faiss` returns it.
    X : ndarray or csr_array
        Checked features; sparse ones are held as a dense float32 copy.
    k : int
        From 1 to one less than there are instances.
    metric : {"euclidean", "cosine", "hellinger", "chi2"}
    scale : {"minmax", None}
    memory_budget : int
        Bytes to use besides the features, their transformed copies and the result.

    Returns
    -------
    squared, neighbours : ndarray of shape (n_instances, k)
        Exact distances, increasing along each row, equal ones by index.
    recall : float
        Measured on instances drawn from a fixed seed; after that they have their exact neighbours.
    n_sampled : int
        How many were drawn.

    Examples
    --------
    >>> import numpy as np
    >>> faiss = load_faiss()
    >>> X = np.random.default_rng(0).normal(size=(50, 3))
    >>> faiss is None or search_approximately(faiss, X, 5, "euclidean", None, 2**20)[2] > 0.9
    True
    """
    from tagweave.graphs.pairs import Rows

    n, d = X.shape
    transform = RowTransform(X, metric, scale)
    space = ProductSpace(X, transform, memory_budget)
    exact = Rows.of(X, transform, metric)
    keep = min(k + 1 + (CHI2_SPARE if metric == "chi2" else SPARE), n)
    proposed = _propose(faiss, space, keep, max(1, memory_budget // (16 * d)))
    squared, neighbours = judge(exact, proposed, k)
    block = block_size(n, d, memory_budget)
    # Of a heap of duplicates a navigable graph may reach only a part.
    lost = np.flatnonzero(np.isinf(squared[:, -1]))
    squared[lost], neighbours[lost] = look_through(space, exact, lost, squared[lost, -1], k, block)
    sample = np.sort(np.random.default_rng(0).choice(n, min(N_SAMPLED, n), replace=False))
    truth = look_through(space, exact, sample, squared[sample, -1], k, block)
    recall = float(np.mean(squared[sample] <= truth[0][:, -1:] * (1 + 1e-9)))
    squared[sample], neighbours[sample] = truth
    return squared, neighbours, recall, len(sample)


def _propose(faiss: Any, space: ProductSpace, keep: int, block: int) -> NDArray[np.intp]:
    """Return ``keep`` instances near each, itself among them and -1 where there are not so many."""
    n, d = space.rows.shape
    index = faiss.IndexHNSWFlat(d, LINKS)
    index.hnsw.efConstruction = EF_CONSTRUCTION
    index.hnsw.efSearch = max(EF_SEARCH, 2 * keep)
    # The index knows single precision only; rows of length 1 at most stay within its range.
    longest = float(space.shrunk.max())
    factor = longest**-0.5 if longest > 0 else 1.0

    def queries(rows: slice) -> Any:
        return np.ascontiguousarray(space.dense(rows) * factor, dtype=np.float32)

    for rows in slices(n, block):
        index.add(queries(rows))
    proposed = np.empty((n, keep), np.intp)
    for rows in slices(n, block):
        proposed[rows] = index.search(queries(rows), keep)[1]
    return proposed
