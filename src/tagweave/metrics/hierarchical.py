"""How often a child is among the best labels of an instance while its parent is not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tagweave._typing import Float64Array
from tagweave.hierarchy import Hierarchy
from tagweave.hierarchy.sweeps import row_blocks
from tagweave.metrics.checks import check_k, check_pair
from tagweave.metrics.order import ranked_block


def hierarchical_loss(Y_true: Any, scores: Any, hierarchy: Hierarchy, k: int) -> float:
    """Return the paper's hierarchical loss at k.

    The number of instances and edges (child, parent) for which the child is among the k best labels, the
    parent is not, and the parent is not true either; divided by the number of entries, n_instances *
    n_labels.

    Parameters
    ----------
    Y_true : array or DataFrame of 0 and 1, (n_instances, n_labels)
        The complete truth.
    scores : array or DataFrame, (n_instances, n_labels)
        Higher is better; a parent ranks before a child of the same score.
    hierarchy : Hierarchy
        Its direct edges are counted.
    k : int
        How many labels are set in each row. All of them, if there are no more than k: then the loss is 0.

    Returns
    -------
    float
        Exactly 0.0 for scores without violation.

    Notes
    -----
    The code published with the paper divides by the number of edges in place of the number of labels.

    Examples
    --------
    >>> from tagweave.hierarchy import Hierarchy
    >>> from tagweave.metrics import hierarchical_loss
    >>> hierarchy = Hierarchy(["dog", "animal"], [("dog", "animal")])
    >>> hierarchical_loss([[0, 0], [1, 1]], [[0.9, 0.1], [0.5, 0.5]], hierarchy, k=1)
    0.25
    """
    return float(_losses(Y_true, scores, hierarchy, [check_k(k)])[0])


def average_hierarchical_loss(
    Y_true: Any, scores: Any, hierarchy: Hierarchy, ks: Iterable[int] = (5, 10, 20, 50, 100, 150)
) -> float:
    """Return the mean of the hierarchical losses at several k: the paper's AHL.

    Parameters
    ----------
    Y_true : array or DataFrame of 0 and 1, (n_instances, n_labels)
        The complete truth.
    scores : array or DataFrame, (n_instances, n_labels)
        Higher is better; a parent ranks before a child of the same score.
    hierarchy : Hierarchy
        Its direct edges are counted.
    ks : iterable of int, default=(5, 10, 20, 50, 100, 150)
        The paper's, but for MediaMill, where it uses (5, 10, 20, 50, 80). A k of n_labels or more adds a loss
        of 0 and still counts in the mean.

    Returns
    -------
    float
        Exactly 0.0 for scores without violation.

    Examples
    --------
    >>> from tagweave.hierarchy import Hierarchy
    >>> from tagweave.metrics import average_hierarchical_loss
    >>> hierarchy = Hierarchy(["dog", "animal"], [("dog", "animal")])
    >>> average_hierarchical_loss([[0, 0], [1, 1]], [[0.9, 0.1], [0.5, 0.5]], hierarchy, ks=(1, 2))
    0.125
    """
    checked = [check_k(k, "ks") for k in ks]
    if not checked:
        raise ValueError("ks must name at least one k, got none")
    return float(_losses(Y_true, scores, hierarchy, checked).mean())


def _losses(Y_true: Any, scores: Any, hierarchy: Hierarchy, ks: list[int]) -> Float64Array:
    """Return the loss at each k; the labels are ranked once for all."""
    truth, values = check_pair(Y_true, scores, hierarchy)
    n_labels = values.shape[1]
    child, parent = hierarchy.edge_index.T
    counts = np.zeros(len(ks), dtype=np.int64)
    for rows in row_blocks((len(values), max(n_labels, hierarchy.n_edges))):
        ranked = ranked_block(values[rows], hierarchy, n_labels)
        position = np.empty_like(ranked)
        np.put_along_axis(position, ranked, np.arange(n_labels)[None], axis=1)
        of_child, of_parent = position[:, child], position[:, parent]
        overtaken = (of_child < of_parent) & ~truth[rows][:, parent]
        of_child, of_parent = of_child[overtaken], of_parent[overtaken]
        counts += [np.count_nonzero((of_child < k) & (k <= of_parent)) for k in ks]
    return counts / values.size
