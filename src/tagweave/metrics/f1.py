"""How well single entries are recovered: F1 of the best labels on provided, missing and test entries."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from tagweave._typing import BoolArray
from tagweave.exceptions import LabelWarning
from tagweave.hierarchy import Hierarchy
from tagweave.hierarchy.frames import as_matrix
from tagweave.metrics.checks import check_pair
from tagweave.metrics.order import top_k_mask


@dataclass(frozen=True)
class EntryMasks:
    """The three kinds of entries of a label matrix; each entry is of exactly one kind.

    Attributes
    ----------
    provided : ndarray of bool, (n_instances, n_labels)
        Known entries of training instances.
    missing : ndarray of bool, (n_instances, n_labels)
        Unknown entries of training instances.
    test : ndarray of bool, (n_instances, n_labels)
        All entries of test instances.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.metrics import entry_masks
    >>> int(entry_masks([[1, np.nan], [np.nan, np.nan]]).missing.sum())
    1
    """

    provided: BoolArray
    missing: BoolArray
    test: BoolArray


def entry_masks(Y: Any, test_rows: Any = None) -> EntryMasks:
    """Divide the entries as the paper's evaluation of imputations does.

    Parameters
    ----------
    Y : array or DataFrame, (n_instances, n_labels)
        The labels that the model was given: 1, 0 or missing (NaN, or -1 in whole numbers).
    test_rows : array of bool (n_instances,) or of row numbers, optional
        The test instances; without it those of which nothing is known.

    Returns
    -------
    EntryMasks

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.metrics import entry_masks
    >>> masks = entry_masks([[1, np.nan], [np.nan, np.nan]])
    >>> masks.provided
    array([[ True, False], [False, False]])
    >>> masks.test
    array([[False, False], [ True,  True]])
    """
    labels = as_matrix(Y, "Y")
    unknown = np.isnan(labels) if labels.dtype.kind == "f" else labels == -1
    n_rows = len(labels)
    if test_rows is None:
        of_test = unknown.all(axis=1)
    else:
        rows = np.asarray(test_rows)
        # An empty list is of floats to NumPy, and a fine answer to "which rows".
        rows = rows.astype(np.intp) if rows.size == 0 and rows.dtype != np.bool_ else rows
        if rows.ndim != 1 or rows.dtype.kind not in "biu" or (rows.dtype == np.bool_ and len(rows) != n_rows):
            raise ValueError(
                f"test_rows must be row numbers or a mask of {n_rows} booleans, got {rows.dtype} of shape {rows.shape}"
            )
        if rows.dtype != np.bool_ and rows.size and not (rows.min() >= 0 and rows.max() < n_rows):
            raise ValueError(f"test_rows must lie between 0 and {n_rows - 1}, got {rows.min()} to {rows.max()}")
        of_test = np.zeros(n_rows, dtype=np.bool_)
        of_test[rows] = True
    test = np.broadcast_to(of_test[:, None], labels.shape).copy()
    return EntryMasks(provided=~unknown & ~test, missing=unknown & ~test, test=test)


def top_k_f1(
    Y_true: Any,
    scores: Any,
    k: int = 10,
    *,
    entries: Any = None,
    hierarchy: Hierarchy | None = None,
) -> float:
    """Return the F1 score of the k best labels of each instance, over some of the entries.

    The k best labels of the whole row are set to 1 and all others to 0; only then the entries to judge are
    taken, all together (micro average), so missing entries compete with provided ones as in the paper.

    Parameters
    ----------
    Y_true : array or DataFrame of 0 and 1, (n_instances, n_labels)
        The complete truth.
    scores : array or DataFrame, (n_instances, n_labels)
        Higher is better.
    k : int, default=10
        How many labels are set in each row; more than there are means all.
    entries : ndarray of bool, (n_instances, n_labels), optional
        The entries to judge, for example ``entry_masks(Y).missing``; all by default.
    hierarchy : Hierarchy, optional
        Ranks a parent before a child of the same score.

    Returns
    -------
    float
        Between 0 and 1; nan, with a `LabelWarning`, if the entries hold no 1, neither true nor predicted.

    Examples
    --------
    >>> from tagweave.metrics import top_k_f1
    >>> top_k_f1([[1, 0, 1]], [[0.9, 0.8, 0.1]], k=2)
    0.5
    """
    truth, values = check_pair(Y_true, scores, hierarchy)
    predicted = top_k_mask(values, k, hierarchy)
    if entries is not None:
        judged = np.asarray(entries)
        if judged.dtype != np.bool_ or judged.shape != truth.shape:
            raise ValueError(
                f"entries must be booleans of shape {truth.shape}, got {judged.dtype} of shape {judged.shape}"
            )
        truth, predicted = truth & judged, predicted & judged
    ones = np.count_nonzero(truth) + np.count_nonzero(predicted)
    if ones == 0:
        warnings.warn("the entries hold no 1, neither true nor predicted: F1 is nan", LabelWarning, stacklevel=2)
        return float("nan")
    return 2 * int(np.count_nonzero(truth & predicted)) / int(ones)
