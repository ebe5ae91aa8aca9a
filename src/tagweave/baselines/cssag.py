"""CSSAG: scores of another method, turned into sets of labels that agree with the hierarchy."""

from __future__ import annotations

from typing import Any, Literal

from sklearn.base import clone

from tagweave._typing import FloatArray
from tagweave.baselines.base import Rival
from tagweave.baselines.condensing import condense
from tagweave.baselines.kde import KDE
from tagweave.hierarchy import Hierarchy
from tagweave.labels import Labels, Unstored

OUTPUTS = ("proportions", "values")


class CSSAG(Rival):
    """Condensing sort and select on trees and DAGs (Bi and Kwok, ICML 2011).

    Another method scores the labels; for every size k the algorithm chooses k labels that agree with the hierarchy and
    have a large sum of scores. See `tagweave.baselines.condensing` for the algorithm and for what is optimal.

    Parameters
    ----------
    scorer : estimator or None
        Whose `scores_` are decoded after a fit on the same X and Y; a clone of it is fitted. None is `KDE()`, the
        original's choice; the paper takes `MLMGCO` without constraint, since KDE knows no missing labels.
    parents : {"all", "any"}
        Whether a label needs all its parents (AND) or one of them (OR).
    condensing : {"greedy", "exact"}
        The published greedy rule, or the optimum of its relaxed problem; on trees they are the same.
    output : {"proportions", "values"}
        What the scores are. "proportions": the proportion of sizes k = 1 to n_labels at which the label is selected, so
        that the ranking of each instance is the order of selection, and nothing but the sets is told, as in the paper.
        "values": the value of the label's supernode, which can also be compared between instances.
    hierarchy : Hierarchy, sequence of (child, parent) or None
        What implies what; see `MLMGCO`.
    fill : bool
        Whether the known positives imply their ancestors beforehand.
    unstored : {"negative", "missing"} or None
        What the cells mean that a sparse Y does not store.

    Attributes
    ----------
    scorer_ : estimator
        The fitted clone.

    Notes
    -----
    The sets of all sizes are nested, so the order in which labels are selected is a ranking, of which every beginning
    is a set. Sets say how labels of an instance compare, and not how instances do: with "proportions" the AP is near
    that of the scores decoded, but the mAP falls, as the paper of MLMG reports. "values" does not lose it.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.baselines import CSSAG, KDE
    >>> X = np.array([[0.0], [1.0], [0.1]])
    >>> Y = np.array([[1, 1, 0], [0, 0, 1], [np.nan, np.nan, np.nan]])
    >>> model = CSSAG(KDE(alpha=0.1), hierarchy=[(0, 1)]).fit(X, Y)
    >>> model.scores_[2].round(2)
    array([0.67, 1.  , 0.33])
    """

    def __init__(
        self,
        scorer: Any = None,
        parents: Literal["all", "any"] = "all",
        condensing: Literal["greedy", "exact"] = "greedy",
        output: Literal["proportions", "values"] = "proportions",
        *,
        hierarchy: Any = None,
        fill: bool = True,
        unstored: Unstored | None = None,
    ) -> None:
        self.scorer = scorer
        self.parents = parents
        self.condensing = condensing
        self.output = output
        self.hierarchy = hierarchy
        self.fill = fill
        self.unstored = unstored

    def _complete(self, X: Any, labels: Labels, hierarchy: Hierarchy) -> FloatArray:
        if self.output not in OUTPUTS:
            raise ValueError(f"output must be {' or '.join(map(repr, OUTPUTS))}; got {self.output!r}")
        self.scorer_ = KDE() if self.scorer is None else clone(self.scorer)
        self.scorer_.fit(X, labels)
        condensed = condense(self.scorer_.scores_, hierarchy, parents=self.parents, condensing=self.condensing)
        return condensed.proportions() if self.output == "proportions" else condensed.values
