"""Popularity: the more often a label is given, the likelier it is, whatever the instance."""

from __future__ import annotations

from typing import Any

import numpy as np

from tagweave._typing import Float64Array, FloatArray
from tagweave.baselines.base import Rival
from tagweave.hierarchy import Hierarchy
from tagweave.labels import MISSING, POSITIVE, Labels, Unstored


class Popularity(Rival):
    """Score each label by the proportion of positives among its known values: what any method has to beat.

    Parameters
    ----------
    hierarchy : Hierarchy, sequence of (child, parent) or None
        What implies what; see `MLMGCO`.
    fill : bool
        Whether the known positives imply their ancestors before anything is counted.
    unstored : {"negative", "missing"} or None
        What the cells mean that a sparse Y does not store.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.baselines import Popularity
    >>> Y = np.array([[1, 0], [1, 1], [np.nan, 0], [np.nan, np.nan]])
    >>> Popularity().fit(np.zeros((4, 1)), Y).scores_[3]
    array([1.        , 0.33333333])
    """

    def __init__(self, *, hierarchy: Any = None, fill: bool = True, unstored: Unstored | None = None) -> None:
        self.hierarchy = hierarchy
        self.fill = fill
        self.unstored = unstored

    def _complete(self, X: Any, labels: Labels, hierarchy: Hierarchy) -> FloatArray:
        scores: FloatArray = np.tile(frequencies(labels), (labels.shape[0], 1))
        return scores


def frequencies(labels: Labels) -> Float64Array:
    """Return the proportion of positives among the known values of each label; 0 where none is known.

    Examples
    --------
    >>> import numpy as np
    >>> frequencies(Labels.from_any([[1, np.nan], [0, np.nan]]))
    array([0.5, 0. ])
    """
    known = np.count_nonzero(labels.values != MISSING, axis=0)
    positive = np.count_nonzero(labels.values == POSITIVE, axis=0)
    proportions: Float64Array = positive / np.maximum(known, 1)
    return proportions
