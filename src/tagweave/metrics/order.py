"""The one rule for ties: a parent before its child, and otherwise the first column or row before the next.

A constraint that is met with equality leaves many ties between parents and children. Ranked by the
hierarchy's topological order a child never overtakes its parent, so a solution that satisfies the constraint
has a hierarchical loss of exactly 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tagweave._typing import BoolArray, FloatArray
from tagweave.hierarchy import Hierarchy
from tagweave.hierarchy.sweeps import row_blocks
from tagweave.metrics.checks import check_k, check_scores


def rank_labels(scores: Any, hierarchy: Hierarchy | None = None, top_k: int | None = None) -> NDArray[np.intp]:
    """Rank the labels of each instance from best to worst.

    Parameters
    ----------
    scores : array or DataFrame, (n_instances, n_labels)
        Any number but NaN; infinite scores are ranked first or last.
    hierarchy : Hierarchy, optional
        Ties are broken by its topological order, a parent before its child; without it by column.
    top_k : int, optional
        Return only so many columns for each instance, much faster; more than there are means all.

    Returns
    -------
    ndarray of int, (n_instances, n_labels or top_k)
        Columns of `scores`, the best first.

    Examples
    --------
    >>> from tagweave.hierarchy import Hierarchy
    >>> from tagweave.metrics import rank_labels
    >>> hierarchy = Hierarchy(["dog", "animal", "sky"], [("dog", "animal")])
    >>> rank_labels([[0.5, 0.5, 0.9]], hierarchy)
    array([[2, 1, 0]])
    >>> rank_labels([[0.5, 0.5, 0.9]], hierarchy, top_k=2)
    array([[2, 1]])
    """
    values = check_scores(scores, hierarchy)
    n_labels = values.shape[1]
    k = n_labels if top_k is None else min(check_k(top_k, "top_k"), n_labels)
    ranked = np.empty((values.shape[0], k), dtype=np.intp)
    for rows in row_blocks(values.shape):
        ranked[rows] = ranked_block(values[rows], hierarchy, k)
    return ranked


def rank_instances(column: Any, top_k: int | None = None) -> NDArray[np.intp]:
    """Rank the instances by their scores for one label, from best to worst; ties keep their order.

    Parameters
    ----------
    column : array or Series, (n_instances,)
        The scores of one label.
    top_k : int, optional
        Return only so many rows; more than there are means all.

    Returns
    -------
    ndarray of int, (n_instances or top_k,)
        Positions in `column`, the best first.

    Examples
    --------
    >>> from tagweave.metrics import rank_instances
    >>> rank_instances([0.2, 0.7, 0.7, 0.1])
    array([1, 2, 0, 3])
    """
    if np.ndim(column) != 1:
        raise ValueError(f"column must be 1-D, the scores of one label, got shape {np.shape(column)}")
    ranked: NDArray[np.intp] = rank_labels(np.asarray(column)[None], top_k=top_k)[0]
    return ranked


def top_k_mask(scores: Any, k: int, hierarchy: Hierarchy | None = None) -> BoolArray:
    """Set the k best labels of each instance, the paper's discrete label matrix.

    Parameters
    ----------
    scores : array or DataFrame, (n_instances, n_labels)
        Any number but NaN.
    k : int
        How many labels to set in each row; more than there are means all.
    hierarchy : Hierarchy, optional
        Breaks ties, as in `rank_labels`.

    Returns
    -------
    ndarray of bool, (n_instances, n_labels)
        Exactly ``min(k, n_labels)`` are True in each row.

    Examples
    --------
    >>> from tagweave.metrics import top_k_mask
    >>> top_k_mask([[0.5, 0.9, 0.5]], k=2)
    array([[ True,  True, False]])
    """
    values = check_scores(scores, hierarchy)
    k = min(check_k(k), values.shape[1])
    mask = np.empty(values.shape, dtype=np.bool_)
    for rows in row_blocks(values.shape):
        if hierarchy is None:
            mask[rows] = _best(values[rows], k)
        else:
            # Slice and index apart: together they would put the indexed axis first.
            mask[rows][:, hierarchy.order] = _best(values[rows][:, hierarchy.order], k)
    return mask


def ranked_block(values: FloatArray, hierarchy: Hierarchy | None, k: int) -> NDArray[np.intp]:
    """Rank the k best labels of a few rows that were checked before."""
    if hierarchy is not None:
        values = values[:, hierarchy.order]
    n_rows, n_labels = values.shape
    if k < n_labels:
        columns = np.nonzero(_best(values, k))[1].reshape(n_rows, k)
        best = np.take_along_axis(values, columns, axis=1)
        ranked = np.take_along_axis(columns, np.argsort(-best, axis=1, kind="stable"), axis=1)
    else:
        ranked = np.argsort(-values, axis=1, kind="stable")
    return ranked if hierarchy is None else hierarchy.order[ranked].astype(np.intp)


def _best(values: FloatArray, k: int) -> BoolArray:
    """Set the k largest of each row, among equals the first ones.

    A partition alone would take any of those that are equal to the k-th; so it gives the threshold only.
    """
    n_labels = values.shape[1]
    if k >= n_labels:
        return np.ones(values.shape, dtype=np.bool_)
    threshold = np.partition(values, n_labels - k, axis=1)[:, n_labels - k, None]
    best: BoolArray = values > threshold
    equal = values == threshold
    free = k - best.sum(axis=1, keepdims=True)
    tied = np.flatnonzero(equal.sum(axis=1) > free[:, 0])
    equal[tied] &= np.cumsum(equal[tied], axis=1) <= free[tied]
    best |= equal
    return best
