"""Nearest neighbours: exact up to a size where approximate ones take less time, and the report on which it was."""

from __future__ import annotations

import logging
import warnings
from time import perf_counter
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tagweave._typing import Float64Array, FloatArray
from tagweave.exceptions import GraphWarning
from tagweave.graphs import approximate
from tagweave.graphs.distances import check_features, resolve_scale
from tagweave.graphs.exact import search_exactly, select_distances
from tagweave.graphs.report import GraphReport

if TYPE_CHECKING:
    from tagweave.graphs.distances import Features

logger = logging.getLogger("tagweave")

METHODS = ("auto", "exact", "approximate")

MEMORY_BUDGET = 256 * 2**20
"""Bytes that the search may use besides the features, their transformed copy and the result."""

APPROXIMATE_FROM = 200_000
"""So many dense instances, or more, are searched approximately by "auto", if faiss is there.

Seconds on two cores, exact and approximate, of generated instances with 256 features: 5 and 6 for 50,000, 18 and 13 for
100,000. Exactness is worth as much.
"""

LOW_RECALL = 0.95
"""Below it a graph is worth a warning."""


def nearest_neighbours(
    X: Any,
    n_neighbors: int,
    *,
    metric: str = "euclidean",
    scale: str | None = "auto",
    method: str = "exact",
    memory_budget: int = MEMORY_BUDGET,
) -> tuple[Float64Array, NDArray[np.intp]]:
    """Nearest neighbours of every instance among the others.

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
    method : {"auto", "exact", "approximate"}
        See :class:`tagweave.graphs.InstanceGraph`.
    memory_budget : int
        Bytes to use besides the features, their transformed copy and the result.

    Returns
    -------
    distances : ndarray of shape (n_instances, n_neighbors)
        float64, increasing along each row.
    indices : ndarray of shape (n_instances, n_neighbors)
        The instance itself is left out by its index, so a duplicate is a neighbour like any other. Among
        equal distances the lower index comes first.

    Examples
    --------
    >>> from tagweave.graphs import nearest_neighbours
    >>> distances, indices = nearest_neighbours([[0.0], [1.0], [3.0]], 1, scale=None)
    >>> distances.ravel(), indices.ravel()
    (array([1., 1., 2.]), array([1, 0, 1]))
    """
    scale = resolve_scale(metric, scale)
    check_method(method, metric)
    features = check_features(X, metric)
    if not 0 <= n_neighbors < features.shape[0]:
        raise ValueError(
            f"n_neighbors={n_neighbors} with {features.shape[0]} instance(s); "
            f"expected 0 to {features.shape[0] - 1}: an instance is no neighbour of itself"
        )
    return search(features, n_neighbors, metric, scale, method, memory_budget)[:2]


def check_method(method: str, metric: str) -> None:
    """Raise a ValueError unless neighbours can be searched so.

    Examples
    --------
    >>> from tagweave.graphs.neighbours import check_method
    >>> check_method("auto", "precomputed")
    """
    if method not in METHODS:
        raise ValueError(f"method={method!r} is not known; expected one of {', '.join(map(repr, METHODS))}")
    if method == "approximate" and metric == "precomputed":
        raise ValueError("method='approximate' with metric='precomputed'; expected 'auto' or 'exact': all is known")


def search(
    X: Features, k: int, metric: str, scale: str | None, method: str = "auto", memory_budget: int = MEMORY_BUDGET
) -> tuple[Float64Array, NDArray[np.intp], GraphReport]:
    """Search checked features; ``scale`` is resolved and ``k`` smaller than the number of instances."""
    started = perf_counter()
    recall, n_sampled = 1.0, 0
    faiss = _faiss_for(X, method, metric) if k else None
    if k == 0:
        distances, neighbours = np.empty((X.shape[0], 0)), np.empty((X.shape[0], 0), np.intp)
    elif metric == "precomputed":
        distances, neighbours = select_distances(cast("FloatArray", X), k, memory_budget)
    elif faiss is None:
        squared, neighbours = search_exactly(X, k, metric, scale, memory_budget)
        distances = np.sqrt(squared)
    else:
        squared, neighbours, recall, n_sampled = approximate.search_approximately(
            faiss, X, k, metric, scale, memory_budget
        )
        distances = np.sqrt(squared)
        if recall < LOW_RECALL:
            warnings.warn(
                f"the approximate search found {recall:.1%} of the true neighbours (of {n_sampled} instances); "
                "method='exact' finds all",
                GraphWarning,
                stacklevel=5,
            )
    report = GraphReport("exact" if faiss is None else "approximate", recall, n_sampled, perf_counter() - started)
    logger.info("found the %d nearest neighbours of %d instances: %s", k, X.shape[0], report)
    return distances, neighbours, report


def _faiss_for(X: Features, method: str, metric: str) -> Any | None:
    """Return faiss if the search is to be approximate."""
    if method == "exact" or metric == "precomputed":
        return None
    if method == "auto" and (X.shape[0] < APPROXIMATE_FROM or isinstance(X, sparse.csr_array)):
        return None
    faiss = approximate.load_faiss()
    if faiss is None and method == "approximate":
        warnings.warn(
            "method='approximate' needs faiss, which is not installed (pip install tagweave[fast]): "
            "the neighbours are exact, which takes longer",
            GraphWarning,
            stacklevel=4,
        )
    return faiss
