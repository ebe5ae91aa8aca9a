"""What the rivals share: they take what the estimators take, and show what they show."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from tagweave._typing import FloatArray
from tagweave.estimators.inputs import read_collection
from tagweave.estimators.ranking import Ranked
from tagweave.hierarchy import Hierarchy
from tagweave.labels import MISSING, Labels, Unstored


class Rival(Ranked, BaseEstimator, ABC):
    """Another method to complete the missing labels of a collection.

    A subclass takes `hierarchy`, `fill` and `unstored` with its own parameters, and says what the scores are. It sees
    known labels only: those of the instances to predict are missing from Y, as for the estimators.

    Attributes
    ----------
    scores_ : ndarray of shape (n_instances, n_labels)
        Higher is more likely; their range is the method's own.
    hierarchy_ : Hierarchy
        Over the columns of Y; without edges if none was given.
    instances_ : tuple or None
        The names of the instances, where Y had them.
    """

    hierarchy: Any
    fill: bool
    unstored: Unstored | None

    def fit(self, X: Any, Y: Any) -> Self:
        """Complete the missing labels of a collection.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_instances, n_features)
            Training and test instances together.
        Y : array-like, DataFrame or sparse matrix of shape (n_instances, n_labels)
            1 and 0 where known, NaN where missing. Rows that are all missing are the instances to predict.

        Returns
        -------
        self
        """
        if X is None:
            raise ValueError(f"{type(self).__name__} needs X: the features of the instances")
        X, labels, hierarchy = read_collection(self, X, Y)
        if X.shape[0] != labels.shape[0]:
            raise ValueError(f"X has {X.shape[0]} instances but Y has {labels.shape[0]}")
        self.scores_ = self._complete(X, labels, hierarchy)
        self.hierarchy_, self.instances_ = hierarchy, labels.instances
        return self

    @abstractmethod
    def _complete(self, X: Any, labels: Labels, hierarchy: Hierarchy) -> FloatArray:
        """Return the scores of all instances."""
        ...


def labelled_rows(labels: Labels) -> NDArray[np.intp]:
    """Return the instances of which something is known: what a supervised method may learn from.

    Examples
    --------
    >>> labelled_rows(Labels.from_any([[1, np.nan], [np.nan, np.nan]]))
    array([0])
    """
    return np.flatnonzero((labels.values != MISSING).any(axis=1))
