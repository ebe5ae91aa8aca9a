"""Voting: the neighbours in the paper's graph say which labels an instance has, each as loud as it is near."""

from __future__ import annotations

from typing import Any

import numpy as np

from tagweave._typing import FloatArray
from tagweave.baselines.base import Rival
from tagweave.baselines.popularity import frequencies
from tagweave.estimators.inputs import instance_weights
from tagweave.hierarchy import Hierarchy
from tagweave.labels import MISSING, POSITIVE, Labels, Unstored


class NeighborVoting(Rival):
    """Score each label by the weighted proportion of positives among the neighbours that know it.

    The score of instance i and label k is the sum of W(i, j) over the neighbours j where k is 1, divided by the sum
    over those where k is known. It is one step of what the smoothness term of MLMG repeats until nothing moves, and
    no label hears of another. Where no neighbour knows a label, the score is the label's frequency.

    Parameters
    ----------
    graph : {"paper", "published"}, InstanceGraph or matrix of weights
        Who is a neighbour of whom; see `MLMGCO`.
    hierarchy : Hierarchy, sequence of (child, parent) or None
        What implies what; see `MLMGCO`.
    fill : bool
        Whether the known positives imply their ancestors before the vote.
    unstored : {"negative", "missing"} or None
        What the cells mean that a sparse Y does not store.

    Attributes
    ----------
    graph_ : csr_array of shape (n_instances, n_instances)
        The weights.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.baselines import NeighborVoting
    >>> W = np.array([[0, 0, 3], [0, 0, 1], [3, 1, 0]])
    >>> Y = np.array([[1, np.nan], [0, 1], [np.nan, np.nan]])
    >>> NeighborVoting(graph=W).fit(np.zeros((3, 1)), Y).scores_[2]
    array([0.75, 1.  ])
    """

    def __init__(
        self,
        graph: Any = "paper",
        *,
        hierarchy: Any = None,
        fill: bool = True,
        unstored: Unstored | None = None,
    ) -> None:
        self.graph = graph
        self.hierarchy = hierarchy
        self.fill = fill
        self.unstored = unstored

    def _complete(self, X: Any, labels: Labels, hierarchy: Hierarchy) -> FloatArray:
        self.graph_ = instance_weights(self.graph, X, labels.shape[0])
        votes: FloatArray = self.graph_ @ (labels.values == POSITIVE).astype(np.float64)
        heard: FloatArray = self.graph_ @ (labels.values != MISSING).astype(np.float64)
        silent = heard == 0
        scores: FloatArray = np.where(silent, frequencies(labels), votes / np.where(silent, 1.0, heard))
        return scores
