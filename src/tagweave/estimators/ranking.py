"""Reading the scores both ways: the best labels of an instance, the best instances of a label."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from tagweave._typing import FloatArray, IntArray
from tagweave.hierarchy import Hierarchy
from tagweave.metrics import rank_instances, rank_labels


class Annotation(NamedTuple):
    """The best labels of each instance, from best to worst.

    Attributes
    ----------
    labels : ndarray of object, shape (n_instances, top_k)
        Their names, or column numbers where Y had no names.
    scores : ndarray, shape (n_instances, top_k)
    """

    labels: np.ndarray[Any, np.dtype[Any]]
    scores: FloatArray


class Retrieval(NamedTuple):
    """The best instances of a label, from best to worst.

    Attributes
    ----------
    instances : ndarray, shape (top_k,)
        Their names, or row numbers where Y had no names.
    scores : ndarray, shape (top_k,)
    """

    instances: np.ndarray[Any, np.dtype[Any]]
    scores: FloatArray


class Ranked:
    """A mixin that ranks `scores_`, a parent before its child where they tie."""

    scores_: FloatArray
    hierarchy_: Hierarchy
    instances_: tuple[Any, ...] | None

    def annotate(self, top_k: int = 10, instances: Any = None) -> Annotation:
        """Return the best labels of the fitted instances (image annotation: rows of the scores).

        Parameters
        ----------
        top_k : int
            How many labels; all of them if there are fewer.
        instances : array-like of int, slice or boolean mask, optional
            Which rows; all of them if not given.

        Returns
        -------
        Annotation
            Arrays `labels` and `scores` of shape (n_rows, top_k).
        """
        check_is_fitted(self, "scores_")
        rows = self.scores_ if instances is None else self.scores_[instances]
        order = rank_labels(rows, self.hierarchy_, top_k=top_k)
        return Annotation(_names(self.hierarchy_.labels)[order], np.take_along_axis(rows, order, axis=1))

    def retrieve(self, label: Any, top_k: int = 10) -> Retrieval:
        """Return the best instances of a label (tag-based retrieval: columns of the scores).

        Parameters
        ----------
        label : hashable
            Its name, or column number where Y had no names.
        top_k : int
            How many instances; all of them if there are fewer.

        Returns
        -------
        Retrieval
            Arrays `instances` and `scores` of shape (top_k,).
        """
        check_is_fitted(self, "scores_")
        column = self.scores_[:, self.hierarchy_.index(label)]
        order: IntArray = rank_instances(column, top_k=top_k)
        names = order if self.instances_ is None else _names(self.instances_)[order]
        return Retrieval(names, column[order])


def _names(names: tuple[Any, ...]) -> np.ndarray[Any, np.dtype[Any]]:
    """Return names as an array of one dimension, even where they are tuples themselves."""
    array = np.empty(len(names), dtype=object)
    array[:] = names
    return array
