"""The kernels that a rival may compare instances by."""

from __future__ import annotations

from typing import Any

import numpy as np

from tagweave._typing import Float64Array
from tagweave.baselines.features import map_features
from tagweave.memory import check_memory

KERNELS = ("linear", "rbf", "chi2")


def kernel_matrix(X: Any, kernel: str, feature_map: str | None, width: float) -> Float64Array:
    """Return the kernel between all instances.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_instances, n_features)
    kernel : {"linear", "rbf", "chi2"}
        "rbf" is exp(-d^2 / (width * mean d^2)) of the Euclidean distance; "chi2" the same of the chi-square distance
        between rows of sum 1; "linear" the product, divided by its mean on the diagonal.
    feature_map : str or None
        What happens to the features first, see `map_features`; "chi2" takes them as histograms whatever it says.
    width : float
        Above 0.

    Returns
    -------
    ndarray of float64, shape (n_instances, n_instances)

    Examples
    --------
    >>> kernel_matrix([[1.0, 0.0], [0.0, 1.0]], "chi2", None, 1.0).round(3)
    array([[1.   , 0.135],
           [0.135, 1.   ]])
    """
    if kernel not in KERNELS:
        raise ValueError(f"kernel={kernel!r} is not known; expected one of {', '.join(map(repr, KERNELS))}")
    rows = map_features(X, "l1" if kernel == "chi2" else feature_map)
    n = len(rows)
    check_memory(3 * 8 * n * n, f"a kernel between {n} instances", "use a part of the collection")
    if kernel == "linear":
        products: Float64Array = rows @ rows.T
        return products / (np.trace(products) / n or 1.0)
    if kernel == "chi2":
        from tagweave.graphs.chi2 import squared_chi2

        squared = squared_chi2(rows, rows)
    else:
        lengths = np.square(rows).sum(axis=1)
        squared = np.maximum(lengths[:, None] + lengths - 2 * rows @ rows.T, 0.0)
        np.fill_diagonal(squared, 0.0)
    values: Float64Array = np.exp(squared / (-width * (squared.mean() or 1.0)))
    return values
