"""Kernel dependency estimation: ridge regression from the features to the principal components of the labels."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from tagweave._typing import Float64Array, FloatArray
from tagweave.baselines.base import Rival, labelled_rows
from tagweave.baselines.feature_kernel import kernel_of
from tagweave.hierarchy import Hierarchy
from tagweave.labels import POSITIVE, Labels, Unstored


class KDE(Rival):
    """Kernel dependency estimation (Weston, Chapelle, Elisseeff, Schoelkopf and Vapnik, NIPS 2002).

    The label vectors of the training instances are projected on their principal components (kernel PCA with a linear
    kernel, as for CSSAG), each projection is learnt by kernel ridge regression, and the projections predicted are taken
    back to label vectors: the scores.

    Parameters
    ----------
    alpha : float
        The ridge, added to the diagonal of the kernel of the training instances.
    n_components : int or None
        How many components of the labels to keep; all if None, or if there are no more.
    kernel : str, FeatureKernel or matrix of shape (n_instances, n_instances)
        The kernel of the features: the metric of an exponential kernel ("euclidean" is the Gaussian one, "chi2" suits
        bags of visual words), a recipe, or a ready kernel.
    hierarchy : Hierarchy, sequence of (child, parent) or None
        What implies what; see `MLMGCO`.
    fill : bool
        Whether the known positives imply their ancestors beforehand.
    unstored : {"negative", "missing"} or None
        What the cells mean that a sparse Y does not store.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_labels)
        Orthonormal rows.
    n_components_ : int

    Notes
    -----
    The method knows no missing labels: among the training instances, those with a label known, what is missing counts
    as negative.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.baselines import KDE
    >>> X = np.array([[0.0], [1.0], [0.1], [0.9]])
    >>> Y = np.array([[1, 0], [0, 1], [np.nan, np.nan], [np.nan, np.nan]])
    >>> KDE(alpha=0.1).fit(X, Y).scores_[2:].round(1)
    array([[0.9, 0.1],
           [0.1, 0.9]])
    """

    def __init__(
        self,
        alpha: float = 0.1,
        n_components: int | None = None,
        kernel: Any = "euclidean",
        *,
        hierarchy: Any = None,
        fill: bool = True,
        unstored: Unstored | None = None,
    ) -> None:
        self.alpha = alpha
        self.n_components = n_components
        self.kernel = kernel
        self.hierarchy = hierarchy
        self.fill = fill
        self.unstored = unstored

    def _complete(self, X: Any, labels: Labels, hierarchy: Hierarchy) -> FloatArray:
        if not 0 < self.alpha < np.inf:
            raise ValueError(f"alpha must be a positive number; got {self.alpha!r}")
        rows = labelled_rows(labels)
        K = kernel_of(self.kernel, X, labels.shape[0])
        Y = (labels.values[rows] == POSITIVE).astype(np.float64)
        mean = Y.mean(axis=0)
        self.components_ = self._principal(Y - mean)
        self.n_components_ = len(self.components_)
        projections = (Y - mean) @ self.components_.T
        known = K[np.ix_(rows, rows)]
        known[np.diag_indices_from(known)] += self.alpha
        predicted = K[:, rows] @ cho_solve(cho_factor(known, overwrite_a=True), projections)
        scores: FloatArray = mean + predicted @ self.components_
        return scores

    def _principal(self, centred: Float64Array) -> Float64Array:
        n_components = self.n_components
        if n_components is not None and (
            not isinstance(n_components, Integral) or isinstance(n_components, bool) or n_components < 1
        ):
            raise ValueError(f"n_components must be None or a whole number of at least 1; got {n_components!r}")
        variances, directions = np.linalg.eigh(centred.T @ centred)
        # The largest first, and none of what is rounding only.
        variances, directions = variances[::-1], directions[:, ::-1]
        n_found = int(np.count_nonzero(variances > max(0.0, variances[0]) * len(variances) * np.finfo(np.float64).eps))
        components: Float64Array = directions[:, : n_found if n_components is None else min(n_components, n_found)].T
        return components
