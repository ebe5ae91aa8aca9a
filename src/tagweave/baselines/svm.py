"""A linear support vector machine for each label (an adapter of scikit-learn's LinearSVC)."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from tagweave._typing import Float64Array, FloatArray, Int8Array
from tagweave.baselines.base import Rival
from tagweave.baselines.checks import check_positive
from tagweave.baselines.features import map_features
from tagweave.estimators.inputs import check_count
from tagweave.hierarchy import Hierarchy
from tagweave.labels import MISSING, POSITIVE, Labels, Unstored


class OneVsRestSVM(Rival):
    r"""One linear support vector machine for each label, on the instances that know it.

    Each minimises :math:`\tfrac12 |w|^2 + C \sum_i \max(0, 1 - y_i (w'x_i + b))^2` over the instances whose label y in
    {-1, 1} is known; the scores are :math:`w'x + b`. A missing label takes no part.

    Parameters
    ----------
    C : float
        The weight of the errors above.
    class_weight : dict, "balanced" or None
        See :class:`sklearn.svm.LinearSVC`.
    feature_map : {"standard", "cosine", "l1", "hellinger", "chi2", None}
        What happens to the features first, see :func:`~tagweave.baselines.features.map_features`.
    tol : float
        See :class:`sklearn.svm.LinearSVC`.
    max_iter : int
        See :class:`sklearn.svm.LinearSVC`.
    n_jobs : int, optional
        How many labels are learned at the same time, in threads.
    hierarchy, fill, unstored
        As of the estimators, see :class:`tagweave.MLMGCO`.

    Attributes
    ----------
    n_not_converged_ : int
        Labels whose solver ran out of iterations.

    Notes
    -----
    Where the known values of a label are all the same there is nothing to separate: the scores are -1, 1, or 0 if
    nothing is known.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.baselines import OneVsRestSVM
    >>> Y = [[1, 0], [0, 0], [np.nan, np.nan]]
    >>> OneVsRestSVM(feature_map=None, C=100).fit([[-1.0], [1.0], [-2.0]], Y).scores_[2].round(1)
    array([ 2., -1.])
    """

    def __init__(
        self,
        C: float = 1.0,
        class_weight: Any = None,
        feature_map: str | None = "standard",
        tol: float = 1e-3,
        max_iter: int = 1000,
        n_jobs: int | None = None,
        hierarchy: Any = None,
        fill: bool = True,
        unstored: Unstored | None = None,
    ) -> None:
        self.C = C
        self.class_weight = class_weight
        self.feature_map = feature_map
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.hierarchy = hierarchy
        self.fill = fill
        self.unstored = unstored

    def _complete(self, X: Any, labels: Labels, hierarchy: Hierarchy) -> FloatArray:
        check_positive(C=self.C, tol=self.tol)
        check_count("max_iter", self.max_iter)
        features = map_features(X, self.feature_map)
        # The warnings of threads would go their own ways: each reports here whether it converged. LIBLINEAR lets go
        # of the interpreter, so threads are enough, and the features are shared.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            found = Parallel(n_jobs=self.n_jobs, prefer="threads")(
                delayed(self._scores)(features, column) for column in labels.values.T
            )
        self.n_not_converged_ = sum(not converged for _, converged in found)
        return np.stack([scores for scores, _ in found], axis=1)

    def _scores(self, features: Float64Array, column: Int8Array) -> tuple[Float64Array, bool]:
        known = np.flatnonzero(column != MISSING)
        values: NDArray[Any] = np.where(column[known] == POSITIVE, 1, -1)
        if len(np.unique(values)) < 2:
            return np.full(len(column), float(values[0]) if len(values) else 0.0), True
        machine = LinearSVC(
            C=self.C,
            class_weight=self.class_weight,
            dual="auto",
            # The constant column is penalised like the others; a large one hardly is.
            intercept_scaling=10.0,
            tol=self.tol,
            max_iter=self.max_iter,
            random_state=0,
        ).fit(features[known], values)
        return machine.decision_function(features), bool(machine.n_iter_ < self.max_iter)
