"""ML-kNN (Zhang and Zhou, 2007), with missing labels left out of the counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tagweave._typing import Float64Array, FloatArray
from tagweave.baselines.base import Rival, labelled_rows
from tagweave.baselines.checks import check_positive
from tagweave.baselines.features import transformed
from tagweave.estimators.inputs import check_count
from tagweave.graphs.distances import METRICS, check_features
from tagweave.hierarchy import Hierarchy
from tagweave.labels import MISSING, POSITIVE, Labels, Unstored

# Bytes for the distances of a block of rows.
BLOCK_BYTES = 64 * 2**20


class MLkNN(Rival):
    r"""The labels of the nearest neighbours, weighed by Bayes' rule label by label.

    For each label, with c of the k nearest neighbours having it,

    .. math:: P(H | c) = \frac{P(H) P(c | H)}{P(H) P(c | H) + P(\bar H) P(c | \bar H)},

    where prior and likelihoods are smoothed frequencies over the instances that know the label. With missing labels the
    k nearest neighbours are those that know the label, so that c always is out of k. Scores are these probabilities.

    Parameters
    ----------
    n_neighbors : int
        The k above; the instance itself is left out. Where fewer know the label, all of them.
    smoothing : float
        The s of the paper, added to all counts.
    metric : {"euclidean", "cosine", "hellinger", "chi2"}
        See :class:`tagweave.graphs.InstanceGraph`; the Euclidean one takes the features as they are.
    hierarchy, fill, unstored
        As of the estimators, see :class:`tagweave.MLMGCO`.

    Attributes
    ----------
    prior_ : ndarray of shape (n_labels,)
        P(H).
    likelihood_ : ndarray of shape (2, n_labels, n_neighbors + 1)
        P(c | not H) and P(c | H).

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.baselines import MLkNN
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [0.05]]
    >>> Y = [[1], [1], [np.nan], [0], [0], [0], [np.nan]]
    >>> MLkNN(n_neighbors=1).fit(X, Y).scores_[6].round(3)
    array([0.738])
    """

    def __init__(
        self,
        n_neighbors: int = 10,
        smoothing: float = 1.0,
        metric: str = "euclidean",
        hierarchy: Any = None,
        fill: bool = True,
        unstored: Unstored | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.smoothing = smoothing
        self.metric = metric
        self.hierarchy = hierarchy
        self.fill = fill
        self.unstored = unstored

    def _complete(self, X: Any, labels: Labels, hierarchy: Hierarchy) -> FloatArray:
        check_count("n_neighbors", self.n_neighbors)
        check_positive(smoothing=self.smoothing)
        if self.metric not in METRICS or self.metric == "precomputed":
            raise ValueError(f"metric must be 'euclidean', 'cosine', 'hellinger' or 'chi2'; got {self.metric!r}")
        counts = self._count(X, labels)
        values, k, s = labels.values, self.n_neighbors, self.smoothing
        known = (values != MISSING).sum(axis=0)
        self.prior_: Float64Array = (s + (values == POSITIVE).sum(axis=0)) / (2 * s + known)
        self.likelihood_ = np.empty((2, values.shape[1], k + 1))
        for label, (column, count) in enumerate(zip(values.T, counts.T, strict=True)):
            for state in (0, 1):
                seen = np.bincount(count[column == state], minlength=k + 1)
                self.likelihood_[state, label] = (s + seen) / (s * (k + 1) + seen.sum())
        columns = np.arange(values.shape[1])
        absent, present = self.likelihood_[:, columns, counts]
        present, absent = present * self.prior_, absent * (1 - self.prior_)
        scores: Float64Array = present / (present + absent)
        return scores

    def _count(self, X: Any, labels: Labels) -> NDArray[np.int64]:
        """Return for each instance and label how many of the nearest that know the label have it."""
        from tagweave.baselines.mlknn_counts import count_neighbours
        from tagweave.kernels.chi2 import squared_chi2

        features = check_features(X, self.metric)
        rows = transformed(features, self.metric)
        train = labelled_rows(labels)
        known = np.ascontiguousarray(labels.values[train])
        own = np.full(len(rows), -1)
        own[train] = np.arange(len(train))
        lengths = np.square(rows).sum(axis=1)
        counts = np.empty(labels.shape, dtype=np.int64)
        step = max(1, BLOCK_BYTES // (16 * len(train)))
        for start in range(0, len(rows), step):
            block = slice(start, start + step)
            if self.metric == "chi2":
                distances = squared_chi2(rows[block], rows[train])
            else:
                distances = lengths[block, None] + lengths[train] - 2 * rows[block] @ rows[train].T
            order = np.argsort(distances, axis=1, kind="stable")
            count_neighbours(order, own[block], known, self.n_neighbors, counts[block])
        return counts
