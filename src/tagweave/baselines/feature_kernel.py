"""The kernel of the features that kernel methods share: near in the metric of a graph means alike."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from tagweave._typing import Float64Array
from tagweave.graphs.distances import RowTransform, check_features, resolve_scale
from tagweave.memory import check_memory


class FeatureKernel(BaseEstimator):
    r"""The recipe of a kernel :math:`K_{ij} = \exp(-d_{ij}^2 / (s \, \overline{d^2}))`.

    Parameters
    ----------
    metric : {"euclidean", "cosine", "hellinger", "chi2", "precomputed"}
        The distance d; see `InstanceGraph`. "euclidean" makes the Gaussian kernel, "chi2" the exponential chi-square
        kernel of bags of visual words. With "precomputed" the X of ``build`` is a matrix of distances.
    bandwidth : float
        s, in units of the mean of the squared distances, so that it need not know the features.
    scale : {"auto", "minmax", None}
        See `InstanceGraph`.

    Examples
    --------
    >>> from tagweave.baselines.feature_kernel import FeatureKernel
    >>> FeatureKernel().build([[0.0], [1.0], [2.0]]).round(3)
    array([[1.   , 0.189, 0.001],
           [0.189, 1.   , 0.189],
           [0.001, 0.189, 1.   ]])
    """

    def __init__(self, metric: str = "euclidean", bandwidth: float = 0.3, scale: str | None = "auto") -> None:
        self.metric = metric
        self.bandwidth = bandwidth
        self.scale = scale

    def build(self, X: Any) -> Float64Array:
        """Compute the kernel matrix.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_instances, n_features)

        Returns
        -------
        ndarray of shape (n_instances, n_instances)
            Ones on the diagonal; all ones if all instances are the same.
        """
        if not 0 < self.bandwidth < np.inf:
            raise ValueError(f"bandwidth must be a positive number; got {self.bandwidth!r}")
        scale = resolve_scale(self.metric, self.scale)
        features = check_features(X, self.metric)
        n = features.shape[0]
        check_memory(3 * 8 * n**2, f"a kernel of {n} x {n}", "use a part of the collection")
        squared = self._squared_distances(features, scale)
        np.fill_diagonal(squared, 0.0)
        # The mean over pairs of different instances: it does not depend on how many there are.
        mean = squared.sum() / max(1, n * (n - 1))
        if mean > 0:
            squared /= -self.bandwidth * mean
        kernel: Float64Array = np.exp(squared, out=squared)
        return kernel

    def _squared_distances(self, features: Any, scale: str | None) -> Float64Array:
        if self.metric == "precomputed":
            distances: Float64Array = features.astype(np.float64)
            return distances**2
        transform = RowTransform(features, self.metric, scale)
        rows: Any
        if isinstance(features, np.ndarray):
            rows = transform(features)
        else:
            rows = transform.sparse(features) if self.metric != "chi2" else transform(features.toarray())
        if self.metric == "chi2":
            from tagweave.graphs.chi2 import squared_chi2

            return squared_chi2(rows, rows)
        products = rows @ rows.T
        if not isinstance(products, np.ndarray):
            products = products.toarray()
        norms = np.diag(products).copy()
        products *= -2
        products += norms
        products += norms[:, None]
        # Rounding may leave duplicates a little below 0.
        squared: Float64Array = np.maximum(products, 0.0, out=products)
        return squared


def kernel_of(given: Any, X: Any, n: int) -> Float64Array:
    """Return the kernel that a metric's name, a recipe or a ready matrix stands for.

    Examples
    --------
    >>> kernel_of("euclidean", [[0.0], [0.0]], 2)
    array([[1., 1.],
           [1., 1.]])
    """
    if isinstance(given, str):
        given = FeatureKernel(given)
    if isinstance(given, FeatureKernel):
        return given.build(X)
    K: Float64Array = np.array(given, dtype=np.float64)
    if K.shape != (n, n):
        raise ValueError(f"kernel has shape {K.shape}; expected ({n}, {n})")
    if not np.isfinite(K).all():
        raise ValueError("kernel has NaN or infinite values; expected finite ones")
    if not np.allclose(K, K.T, rtol=1e-10, atol=1e-12 * float(np.abs(K).max(initial=0.0))):
        raise ValueError("kernel is not symmetric")
    return K
