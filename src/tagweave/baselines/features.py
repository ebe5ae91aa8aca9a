"""Features as the rivals take them: one documented map of the rows, named by a parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.kernel_approximation import AdditiveChi2Sampler

from tagweave._typing import Float64Array
from tagweave.graphs.distances import check_features
from tagweave.graphs.transform import RowTransform
from tagweave.memory import check_memory

if TYPE_CHECKING:
    from tagweave.graphs.distances import Features

FEATURE_MAPS = ("standard", "cosine", "l1", "hellinger", "chi2", None)

_HISTOGRAMS = {"l1": "chi2", "hellinger": "hellinger", "chi2": "chi2"}
_CHI2_COPIES = 3


def map_features(X: Any, feature_map: str | None) -> Float64Array:
    """Return dense features after a map that a linear method needs to see what matters.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_instances, n_features)
        Training and test instances together.
    feature_map : {"standard", "cosine", "l1", "hellinger", "chi2", None}
        "standard" brings every column to mean 0 and variance 1 (a constant one to 0); "cosine" every row to length
        1; "l1" every row to sum 1; "hellinger" takes the square root of that; "chi2" maps it so that products
        approximate the additive chi-square kernel, three columns for each (Vedaldi and Zisserman, 2012). The last
        three ask for nonnegative features and suit bags of visual words. None leaves the features alone.

    Returns
    -------
    ndarray of float64, shape (n_instances, n_columns)

    Examples
    --------
    >>> map_features([[1, 3], [2, 2]], "l1")
    array([[0.25, 0.75],
           [0.5 , 0.5 ]])
    """
    if feature_map not in FEATURE_MAPS:
        raise ValueError(
            f"feature_map={feature_map!r} is not known; expected one of {', '.join(map(repr, FEATURE_MAPS))}"
        )
    features = check_features(X, _HISTOGRAMS.get(feature_map or "", "euclidean"))
    n, d = features.shape
    copies = _CHI2_COPIES if feature_map == "chi2" else 1
    check_memory(2 * 8 * copies * n * d, f"features of {n} x {copies * d}", "use fewer features or instances")
    rows: Float64Array = (features if isinstance(features, np.ndarray) else features.toarray()).astype(np.float64)
    if feature_map is None:
        return rows
    if feature_map == "standard":
        rows -= rows.mean(axis=0)
        spread = rows.std(axis=0)
        # Rounding leaves a constant column of large numbers with a spread that is no spread.
        rows /= np.where(spread > 1e-12 * np.abs(rows).max(axis=0, initial=0.0), spread, np.inf)
        return rows
    mapped = transformed(rows, _HISTOGRAMS.get(feature_map, feature_map))
    if feature_map == "chi2":
        mapped = np.asarray(AdditiveChi2Sampler(sample_steps=2).fit_transform(mapped))
    return mapped


def transformed(features: Features, metric: str, scale: str | None = None) -> Float64Array:
    """Return checked features as the metric sees them, dense: histograms of sum 1 for chi2, otherwise Euclidean rows.

    Examples
    --------
    >>> transformed(np.array([[1.0, 3.0]]), "chi2")
    array([[0.25, 0.75]])
    """
    rows = RowTransform(features, metric, scale)(features, slice(0, features.shape[0]))
    dense: Float64Array = rows if isinstance(rows, np.ndarray) else rows.toarray()
    # The graphs map histograms to their roots, whose distance bounds that of chi2.
    return np.square(dense, out=dense) if metric == "chi2" else dense
