"""Average precision over the labels of an instance (AP) and over the instances of a label (mAP)."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from tagweave._typing import BoolArray, Float64Array
from tagweave.exceptions import LabelWarning
from tagweave.hierarchy import Hierarchy
from tagweave.hierarchy.sweeps import row_blocks
from tagweave.metrics.checks import check_pair
from tagweave.metrics.order import ranked_block


def average_precision(Y_true: Any, scores: Any, hierarchy: Hierarchy | None = None) -> float:
    """How well the labels of each instance are ranked: the paper's AP.

    For one instance, the mean over its positive labels of the precision at their rank. The result is the mean
    over the instances that have a positive label.

    Parameters
    ----------
    Y_true : array or DataFrame of 0 and 1, (n_instances, n_labels)
        The complete truth.
    scores : array or DataFrame, (n_instances, n_labels)
        Higher is better.
    hierarchy : Hierarchy, optional
        Ranks a parent before a child of the same score; without it the first column goes first.

    Returns
    -------
    float
        Between 0 and 1; nan, with a `LabelWarning`, if there is no positive label at all.

    Notes
    -----
    Without ties this is scikit-learn's ``average_precision_score(..., average="samples")``. With ties
    scikit-learn counts all equals at once, as no list that can be shown to a person would.

    Examples
    --------
    >>> from tagweave.metrics import average_precision
    >>> average_precision([[1, 0, 1]], [[0.9, 0.8, 0.1]])  # (1/1 + 2/3) / 2
    0.8333333333333333
    """
    truth, values = check_pair(Y_true, scores, hierarchy)
    total, counted = 0.0, 0
    for rows in row_blocks(values.shape):
        ranked = ranked_block(values[rows], hierarchy, values.shape[1])
        each = _average_precisions(np.take_along_axis(truth[rows], ranked, axis=1))
        total, counted = total + float(each.sum()), counted + each.size
    return _mean(total, counted)


def mean_average_precision(Y_true: Any, scores: Any, hierarchy: Hierarchy | None = None) -> float:
    """How well the instances are ranked for each label: the paper's mAP, the measure of retrieval.

    For one label, the mean over its positive instances of the precision at their rank. The result is the mean
    over the labels that have a positive instance. Ties keep the order of the rows.

    Parameters
    ----------
    Y_true : array or DataFrame of 0 and 1, (n_instances, n_labels)
        The complete truth.
    scores : array or DataFrame, (n_instances, n_labels)
        Higher is better.
    hierarchy : Hierarchy, optional
        Only checked against the columns: it says nothing about the order of instances.

    Returns
    -------
    float
        Between 0 and 1; nan, with a `LabelWarning`, if there is no positive label at all.

    Notes
    -----
    Without ties this is scikit-learn's ``average_precision_score(..., average="macro")`` over the labels that
    have a positive. The function called MAP in the code published with the paper is another one: it averages
    the precision at ranks 1 to n_c, the number of positives, instead of at the positives' ranks.

    Examples
    --------
    >>> from tagweave.metrics import mean_average_precision
    >>> mean_average_precision([[1], [0], [1]], [[0.9], [0.8], [0.1]])
    0.8333333333333333
    """
    truth, values = check_pair(Y_true, scores, hierarchy)
    total, counted = 0.0, 0
    for columns in row_blocks(values.T.shape):
        by_label = np.ascontiguousarray(values.T[columns])
        ranked = ranked_block(by_label, None, by_label.shape[1])
        each = _average_precisions(np.take_along_axis(truth.T[columns], ranked, axis=1))
        total, counted = total + float(each.sum()), counted + each.size
    return _mean(total, counted)


def _average_precisions(hits: BoolArray) -> Float64Array:
    """Return the average precision of each row of ranked hits that has a hit."""
    row, position = np.nonzero(hits)
    n_hits = np.bincount(row, minlength=len(hits))
    # Hits come row by row from left to right: how many the row has so far is the hit's number in its row.
    first = np.cumsum(n_hits) - n_hits
    so_far = np.arange(1, row.size + 1) - first[row]
    sums = np.bincount(row, weights=so_far / (position + 1), minlength=len(hits))
    averages: Float64Array = sums[n_hits > 0] / n_hits[n_hits > 0]
    return averages


def _mean(total: float, counted: int) -> float:
    if counted == 0:
        warnings.warn("Y_true has no positive label: the result is nan", LabelWarning, stacklevel=3)
        return float("nan")
    return total / counted
