"""SMiLE (Tan, Yu, Yu and Wang, 2017), as scikit-multilearn-ng has it: an adapter."""

from __future__ import annotations

from typing import Any

import numpy as np

from tagweave._typing import FloatArray
from tagweave.baselines.base import Rival
from tagweave.baselines.checks import check_positive
from tagweave.baselines.features import map_features
from tagweave.estimators.inputs import check_count
from tagweave.hierarchy import Hierarchy
from tagweave.labels import POSITIVE, Labels, Unstored


class SMiLE(Rival):
    """Semi-supervised multi-label classification using incomplete label information, of scikit-multilearn-ng.

    Missing labels are first estimated from the co-occurrence of labels; then a linear map is fitted to the estimates
    that also has to agree within clusters of instances. Needs ``pip install tagweave[rivals]``.

    Parameters
    ----------
    s : float
        The smoothing of the co-occurrence.
    alpha : float
        The weight of the agreement.
    k : int
        The number of clusters: the package uses k-means where the method's paper has nearest neighbours.
    feature_map : {"standard", "cosine", "l1", "hellinger", "chi2", None}
        What happens to the features first, see :func:`~tagweave.baselines.features.map_features`.
    hierarchy, fill, unstored
        As of the estimators, see :class:`tagweave.MLMGCO`.

    Notes
    -----
    Known negatives and missing labels are the same to it. The scores are those of the linear map, before the package's
    threshold. The package loops over pairs of instances, and over instances and pairs of labels, in Python: a few
    thousand instances take minutes. It draws the clusters from NumPy's global random state.

    Examples
    --------
    >>> from tagweave.baselines import SMiLE
    >>> SMiLE(k=2).get_params()["s"]
    0.5
    """

    def __init__(
        self,
        s: float = 0.5,
        alpha: float = 0.35,
        k: int = 5,
        feature_map: str | None = "standard",
        hierarchy: Any = None,
        fill: bool = True,
        unstored: Unstored | None = None,
    ) -> None:
        self.s = s
        self.alpha = alpha
        self.k = k
        self.feature_map = feature_map
        self.hierarchy = hierarchy
        self.fill = fill
        self.unstored = unstored

    def _complete(self, X: Any, labels: Labels, hierarchy: Hierarchy) -> FloatArray:
        check_positive(s=self.s, alpha=self.alpha)
        check_count("k", self.k)
        try:
            from skmultilearn.missing import SMiLE as Packaged
        except ImportError as error:
            raise ImportError(
                "SMiLE is that of scikit-multilearn-ng, which is not installed; pip install tagweave[rivals]"
            ) from error
        features = map_features(X, self.feature_map)
        # Columns that are constant, or repeat others, would make the package invert a singular matrix.
        rank = int(np.linalg.matrix_rank(features - features.mean(axis=0)))
        if rank < features.shape[1]:
            left, values, _ = np.linalg.svd(features - features.mean(axis=0), full_matrices=False)
            features = left[:, :rank] * values[:rank]
        if features.shape[0] < self.k:
            raise ValueError(f"k={self.k} clusters need at least as many instances")
        model = Packaged(s=self.s, alpha=self.alpha, k=self.k)
        model.fit(features, (labels.values == POSITIVE).astype(np.int64))
        scores: FloatArray = features @ model.P + np.ravel(model.b)
        return scores
