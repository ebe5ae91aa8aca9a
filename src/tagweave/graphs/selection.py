"""The k smallest of each row, ties broken by position: no graph depends on how a sort was coded."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

ScalarT = TypeVar("ScalarT", bound="np.floating[Any]")


def smallest(values: NDArray[ScalarT], k: int) -> tuple[NDArray[ScalarT], NDArray[np.intp]]:
    """Choose the ``k`` smallest entries of each row, ordered by value and then by column.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_columns)
        No NaN; infinity marks entries that are chosen last.
    k : int
        Between 0 and ``n_columns``.

    Returns
    -------
    chosen : ndarray of shape (n_rows, k)
        The values, increasing along each row.
    columns : ndarray of shape (n_rows, k)
        Where they stood; among equal values the lower column comes first, at the cut as well.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.graphs.selection import smallest
    >>> smallest(np.array([[2.0, 1.0, 3.0, 1.0, 2.0]]), 3)[1]
    array([[1, 3, 0]])
    """
    n_rows, n_columns = values.shape
    if k == 0 or n_rows == 0:
        return np.empty((n_rows, k), values.dtype), np.empty((n_rows, k), np.intp)
    if k == n_columns:
        columns = np.argsort(values, axis=1, kind="stable")
        return np.take_along_axis(values, columns, axis=1), columns
    columns = np.argpartition(values, k - 1, axis=1)[:, :k]
    columns.sort(axis=1)
    chosen = np.take_along_axis(values, columns, axis=1)
    order = np.argsort(chosen, axis=1, kind="stable")
    columns = np.take_along_axis(columns, order, axis=1)
    chosen = np.take_along_axis(chosen, order, axis=1)
    cut = chosen[:, -1:]
    # A partition picks arbitrarily among values equal to the last one kept: those rows are chosen again.
    for row in np.flatnonzero((values <= cut).sum(axis=1) > k):
        candidates = np.flatnonzero(values[row] <= cut[row])
        order_row = np.argsort(values[row, candidates], kind="stable")[:k]
        columns[row] = candidates[order_row]
        chosen[row] = values[row, columns[row]]
    return chosen, columns
