"""What "near" may mean, and which features may be asked for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, cast

import numpy as np
from scipy import sparse

from tagweave._typing import BoolArray, FloatArray

if TYPE_CHECKING:
    Features: TypeAlias = "FloatArray | sparse.csr_array[Any]"

METRICS = ("euclidean", "cosine", "hellinger", "chi2", "precomputed")
SCALES = ("auto", "minmax", None)

# Squares of larger numbers, summed over a few million columns, overflow.
LARGEST_VALUE = 1e150


def resolve_scale(metric: str, scale: str | None) -> str | None:
    """Check the two names; "auto" becomes "minmax" for the Euclidean metric and None for the others.

    Parameters
    ----------
    metric : str
        One of ``METRICS``.
    scale : str or None
        One of ``SCALES``.

    Returns
    -------
    str or None
        "minmax" or None.

    Examples
    --------
    >>> from tagweave.graphs.distances import resolve_scale
    >>> resolve_scale("euclidean", "auto"), resolve_scale("cosine", "auto")
    ('minmax', None)
    """
    if metric not in METRICS:
        raise ValueError(f"metric={metric!r} is not known; expected one of {', '.join(map(repr, METRICS))}")
    if scale not in SCALES:
        raise ValueError(f"scale={scale!r} is not known; expected one of {', '.join(map(repr, SCALES))}")
    if scale == "auto":
        return "minmax" if metric == "euclidean" else None
    if scale == "minmax" and metric != "euclidean":
        raise ValueError(
            f"scale='minmax' goes with metric='euclidean' only, got metric={metric!r}; expected scale='auto' or None"
        )
    return scale


def check_features(X: Any, metric: str = "euclidean") -> Features:
    """Check the features and bring them to a C-ordered float array or a canonical CSR array.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_instances, n_features)
        float32 (and float16, as float32) stays single precision; everything else becomes float64.
    metric : str
        "hellinger" and "chi2" refuse negative values; "precomputed" asks for a distance matrix.

    Returns
    -------
    ndarray or csr_array
        A copy only where one is needed.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.graphs.distances import check_features
    >>> check_features([[1, 2], [3, np.nan]])
    Traceback (most recent call last):
    ...
    ValueError: X holds nan at row 1, column 1; expected finite values
    """
    if metric == "precomputed":
        return check_distances(X)
    features: Features
    if sparse.issparse(X):
        given: Any = X
        rows = sparse.csr_array(given, dtype=_precision(given.dtype))
        if not rows.has_canonical_format:
            rows = rows.copy()  # the arrays may be the user's own
            rows.sum_duplicates()
        features, values = rows, cast("FloatArray", rows.data)
    else:
        features = _as_floats(X)
        values = features
    if features.ndim != 2:
        raise ValueError(f"X has {features.ndim} dimension(s); expected 2: instances x features")
    if features.shape[0] == 0 or features.shape[1] == 0:
        raise ValueError(f"X has shape {features.shape}; expected at least one instance and one feature")
    nonnegative = f"nonnegative values with metric={metric!r}" if metric in ("hellinger", "chi2") else None
    _check_values(features, values, nonnegative)
    return features


def check_distances(X: Any) -> FloatArray:
    """Check a matrix of distances: dense, square, finite, nonnegative, symmetric.

    Parameters
    ----------
    X : array-like of shape (n_instances, n_instances)
        Distances, not squared. The diagonal is never read.

    Returns
    -------
    ndarray
        The same values as floats.

    Examples
    --------
    >>> from tagweave.graphs.distances import check_distances
    >>> check_distances([[0, 1], [2, 0]])
    Traceback (most recent call last):
    ...
    ValueError: X is not symmetric: X[0, 1] = 1 but X[1, 0] = 2; expected distances with metric='precomputed'
    """
    if sparse.issparse(X):
        raise TypeError("X is sparse; metric='precomputed' expects a dense n x n matrix of distances")
    D = _as_floats(X)
    if D.ndim != 2 or D.shape[0] != D.shape[1] or D.shape[0] == 0:
        raise ValueError(f"X has shape {D.shape}; metric='precomputed' expects a square matrix of distances")
    _check_values(D, D, "nonnegative distances with metric='precomputed'")
    # A row at a time: the n x n comparison would need several copies of a matrix that may fill the memory.
    tolerance = 1e-10 if D.dtype == np.float64 else 1e-5
    for i in range(D.shape[0]):
        wrong = np.abs(D[i] - D[:, i]) > tolerance * np.maximum(D[i], D[:, i])
        if wrong.any():
            j = int(np.argmax(wrong))
            raise ValueError(
                f"X is not symmetric: X[{i}, {j}] = {D[i, j]:g} but X[{j}, {i}] = {D[j, i]:g}; "
                "expected distances with metric='precomputed'"
            )
    return D


def _precision(dtype: np.dtype[Any]) -> type[np.floating[Any]]:
    return np.float32 if dtype in (np.float16, np.float32) else np.float64


def _as_floats(X: Any) -> FloatArray:
    values = np.asarray(X)
    if values.dtype.kind == "c":
        raise ValueError("X holds complex numbers; expected real ones")
    try:
        return np.ascontiguousarray(values, dtype=_precision(values.dtype)) if values.ndim else values
    except (TypeError, ValueError) as error:
        raise ValueError(f"X holds values of type {values.dtype} that are not numbers: {error}") from error


def _check_values(X: Features, values: FloatArray, nonnegative: str | None) -> None:
    if values.size == 0:
        return
    # The extremes tell it all (NaN passes through both) without an n x d array of answers.
    low, high = float(values.min()), float(values.max())
    if not np.isfinite(low) or not np.isfinite(high):
        _refuse(X, ~np.isfinite(values), "finite values")
    if max(-low, high) > LARGEST_VALUE:
        _refuse(X, np.abs(values) > LARGEST_VALUE, f"magnitudes of at most {LARGEST_VALUE:g}")
    if nonnegative is not None and low < 0:
        _refuse(X, values < 0, nonnegative)


def _refuse(X: Features, wrong: BoolArray, expected: str) -> NoReturn:
    """Raise a ValueError that names the first entry of ``X`` marked in ``wrong``."""
    position = int(np.argmax(wrong))
    if isinstance(X, sparse.csr_array):
        row = int(np.searchsorted(X.indptr, position, side="right")) - 1
        column = int(X.indices[position])
        value = X.data[position]
    else:
        row, column = divmod(position, X.shape[1])
        value = X[row, column]
    raise ValueError(f"X holds {value:g} at row {row}, column {column}; expected {expected}")
