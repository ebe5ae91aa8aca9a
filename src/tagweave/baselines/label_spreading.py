"""Label spreading, one label at a time (an adapter of scikit-learn's LabelSpreading)."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.semi_supervised import LabelSpreading

from tagweave._typing import Float64Array, FloatArray, Int8Array
from tagweave.baselines.base import Rival
from tagweave.baselines.checks import check_fraction, check_positive
from tagweave.estimators.inputs import check_count
from tagweave.graphs import InstanceGraph
from tagweave.hierarchy import Hierarchy
from tagweave.labels import MISSING, Labels, Unstored


class PerLabelSpreading(Rival):
    r"""Label spreading (Zhou et al., 2004) on the instance graph, for each label by itself.

    With y a row of two for each instance, 1 at its known class and 0 elsewhere, the scores are those of the positive
    class in :math:`(1 - \alpha) (I - \alpha D^{-1/2} W D^{-1/2})^{-1} y`, normalised to sum 1 over the two classes.

    Parameters
    ----------
    alpha : float
        How much comes from the neighbours, above 0 and below 1.
    graph : InstanceGraph, optional
        The recipe of W; the paper's if not given.
    tol : float
        See :class:`sklearn.semi_supervised.LabelSpreading`.
    max_iter : int
        See :class:`sklearn.semi_supervised.LabelSpreading`.
    hierarchy, fill, unstored
        As of the estimators, see :class:`tagweave.MLMGCO`.

    Attributes
    ----------
    n_not_converged_ : int
        Labels whose iteration ended at `max_iter`.

    Notes
    -----
    Where the known values of a label are all the same, or nothing from a known instance reaches another, the score is
    the share of positives among the known values; 0 if there are none.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.baselines import PerLabelSpreading
    >>> from tagweave.graphs import InstanceGraph
    >>> graph = InstanceGraph(n_neighbors=1, kernel_neighbor=1)
    >>> Y = [[1], [0], [np.nan], [np.nan]]
    >>> model = PerLabelSpreading(graph=graph).fit([[0.0], [1.0], [0.1], [1.1]], Y)
    >>> model.scores_.ravel().round(1)
    array([1., 0., 1., 0.])
    """

    def __init__(
        self,
        alpha: float = 0.5,
        graph: InstanceGraph | None = None,
        tol: float = 1e-3,
        max_iter: int = 100,
        hierarchy: Any = None,
        fill: bool = True,
        unstored: Unstored | None = None,
    ) -> None:
        self.alpha = alpha
        self.graph = graph
        self.tol = tol
        self.max_iter = max_iter
        self.hierarchy = hierarchy
        self.fill = fill
        self.unstored = unstored

    def _complete(self, X: Any, labels: Labels, hierarchy: Hierarchy) -> FloatArray:
        check_fraction(alpha=self.alpha)
        check_positive(alpha=self.alpha, tol=self.tol)
        check_count("max_iter", self.max_iter)
        W = (self.graph if self.graph is not None else InstanceGraph()).build(X)
        self.n_not_converged_ = 0
        return np.stack([self._spread(W, column) for column in labels.values.T], axis=1)

    def _spread(self, W: sparse.csr_array[Any], column: Int8Array) -> Float64Array:
        known = column[column != MISSING]
        share = float((known == 1).mean()) if len(known) else 0.0
        scores = np.full(len(column), share)
        if share in (0.0, 1.0):
            return scores
        # scikit-learn hands its callable the instances; ours are their positions, and the graph is made already.
        model = LabelSpreading(
            kernel=lambda X, Y: sparse.csr_matrix(W), alpha=self.alpha, max_iter=self.max_iter, tol=self.tol
        )
        with warnings.catch_warnings():
            # Instances that nothing reaches divide 0 by 0; those are told apart below.
            warnings.filterwarnings("ignore", message="invalid value encountered", category=RuntimeWarning)
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(np.arange(len(column), dtype=np.float64)[:, None], column)
        self.n_not_converged_ += int(model.n_iter_ >= self.max_iter)
        reached = model.label_distributions_.sum(axis=1) > 0
        scores[reached] = model.label_distributions_[reached, 1]
        return scores
