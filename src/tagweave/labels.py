"""What is known: labels in three states, 1, 0 and missing, and the paper's Ybar made from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike
from scipy import sparse

from tagweave._typing import BoolArray, Float64Array, FloatArray, Int8Array
from tagweave.memory import check_memory

POSITIVE: Final = 1
NEGATIVE: Final = 0
MISSING: Final = -1

Unstored = Literal["negative", "missing"]


@dataclass(frozen=True, eq=False)
class Labels:
    """A label matrix in three states, one byte each.

    Attributes
    ----------
    values : ndarray of int8, shape (n_instances, n_labels)
        1 positive, 0 negative, -1 missing.
    names : tuple or None
        The names of the labels, where the input had them.
    instances : tuple or None
        The names of the instances, where the input had them.
    """

    values: Int8Array
    names: tuple[Any, ...] | None = None
    instances: tuple[Any, ...] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """(n_instances, n_labels)."""
        return self.values.shape[0], self.values.shape[1]

    def to_float(self, missing: float = np.nan, dtype: DTypeLike = np.float64) -> FloatArray:
        """Return the values as floats, with `missing` in the place of what is not known."""
        return np.where(self.values == MISSING, missing, self.values).astype(dtype)

    @classmethod
    def from_any(cls, Y: Any, *, unstored: Unstored | None = None) -> Labels:
        """Read labels from whatever holds them.

        Parameters
        ----------
        Y : Labels, array-like, DataFrame or sparse matrix, shape (n_instances, n_labels)
            1 is positive and 0 negative. Missing is NaN (or None, pandas' NA, or masked in a masked array). An
            array without any missing cell may be of any number type, or boolean.
        unstored : {"negative", "missing"}, optional
            What the cells mean that a sparse `Y` does not store. There is no default: a sparse matrix cannot
            say it, and Tagweave does not guess. Stored zeros are always negative.

        Returns
        -------
        Labels

        Examples
        --------
        >>> import numpy as np
        >>> Labels.from_any([[1, np.nan], [0, 1]]).values
        array([[ 1, -1],
               [ 0,  1]], dtype=int8)
        >>> from scipy import sparse
        >>> Labels.from_any(sparse.csr_array([[1, 0]]), unstored="missing").values
        array([[ 1, -1]], dtype=int8)
        """
        if isinstance(Y, Labels):
            return Y
        if unstored not in (None, "negative", "missing"):
            raise ValueError(f"unstored must be 'negative' or 'missing'; got {unstored!r}")
        if sparse.issparse(Y):
            return cls(_from_sparse(Y, unstored))
        if hasattr(Y, "columns") and hasattr(Y, "index"):
            names, instances = tuple(Y.columns), tuple(Y.index)
            if len(set(names)) < len(names):
                twice = sorted({str(name) for name in names if names.count(name) > 1})
                raise ValueError(f"Y has the same column more than once: {', '.join(twice)}")
            numeric = all(dtype.kind in "biuf" for dtype in Y.dtypes)
            values = Y.to_numpy(dtype=np.float64 if numeric else object, na_value=np.nan)
            return cls(_from_dense(values, names), names, instances)
        if isinstance(Y, np.ma.MaskedArray):
            Y = np.ma.filled(Y.astype(np.float64), np.nan)
        return cls(_from_dense(np.asarray(Y), None))


def label_costs(
    labels: Labels,
    r_plus: float = 100.0,
    r_minus: float = 1.0,
    *,
    sample_weight: ArrayLike | None = None,
    label_weight: ArrayLike | None = None,
    dtype: DTypeLike = np.float64,
) -> FloatArray:
    """Return the paper's Ybar = (2Y - 1) * r: what it costs to move each score away from its label.

    Parameters
    ----------
    labels : Labels
        What is known.
    r_plus, r_minus : float
        The cost of a lost positive and of a lost negative; missing labels cost nothing.
    sample_weight : array-like of shape (n_instances,), optional
        How much to trust the labels of each instance; 0 is as good as missing.
    label_weight : array-like of shape (n_labels,), optional
        How much to trust each label.
    dtype : dtype
        Of the result.

    Returns
    -------
    ndarray of shape (n_instances, n_labels)

    Examples
    --------
    >>> import numpy as np
    >>> label_costs(Labels.from_any([[1, 0, np.nan]]), r_plus=100, r_minus=1)
    array([[100.,  -1.,   0.]])
    """
    n, m = labels.shape
    weights = check_weights("sample_weight", sample_weight, n), check_weights("label_weight", label_weight, m)
    return costs_of(labels.values, r_plus, r_minus, *weights).astype(dtype, copy=False)


def costs_of(
    values: Int8Array, r_plus: float, r_minus: float, sample_weight: FloatArray, label_weight: FloatArray
) -> Float64Array:
    """Return Ybar for some rows of labels, with weights that are checked.

    Examples
    --------
    >>> import numpy as np
    >>> costs_of(np.array([[1, 0, -1]], dtype=np.int8), 100, 1, np.array([0.5]), np.ones(3))
    array([[50. , -0.5,  0. ]])
    """
    # A table look-up: index -1, the missing one, is the last.
    costs: Float64Array = np.array([-r_minus, r_plus, 0.0])[values]
    costs *= sample_weight[:, None]
    costs *= label_weight
    return costs


def check_weights(name: str, given: ArrayLike | None, length: int) -> Float64Array:
    """Return so many weights, ones if none are given; raise a ValueError that names them for anything else.

    Examples
    --------
    >>> check_weights("label_weight", None, 2)
    array([1., 1.])
    """
    if given is None:
        return np.ones(length)
    try:
        weights = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be {length} numbers: {error}") from None
    if weights.shape != (length,):
        raise ValueError(f"{name} must have shape ({length},); got {weights.shape}")
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise ValueError(f"{name} must be finite and not negative")
    if not weights.any():
        raise ValueError(f"{name} must not be zero everywhere: nothing would be known")
    return weights


def _from_sparse(Y: Any, unstored: Unstored | None) -> Int8Array:
    if unstored is None:
        raise ValueError(
            "Y is sparse: say what the cells mean that it does not store, with "
            "unstored='negative' or unstored='missing'"
        )
    _check_dimensions(Y.shape)
    n, m = Y.shape
    check_memory(n * m, f"a label matrix of {n} x {m}", "use fewer labels or a part of the collection")
    stored = sparse.coo_array(Y)
    # SciPy adds up what is stored twice, and so does whoever looks at the matrix.
    stored.sum_duplicates()
    values = np.full(stored.shape, MISSING if unstored == "missing" else NEGATIVE, dtype=np.int8)
    codes, bad = _codes(stored.data)
    if bad.any():
        where = int(np.argmax(bad))
        _refuse(stored.data[where], int(stored.row[where]), int(stored.col[where]), None)
    values[stored.row, stored.col] = codes
    return values


def _from_dense(raw: np.ndarray[Any, Any], names: Sequence[Any] | None) -> Int8Array:
    _check_dimensions(raw.shape)
    codes, bad = _codes(raw)
    if bad.any():
        row, column = (int(k) for k in np.argwhere(bad)[0])
        _refuse(raw[row, column], row, column, names)
    return codes


def _check_dimensions(shape: tuple[int, ...]) -> None:
    if len(shape) != 2:
        raise ValueError(
            f"Y must have two dimensions, instances by labels; got shape {shape}"
            + (". A single label is Y.reshape(-1, 1)" if len(shape) == 1 else "")
        )


def _codes(raw: np.ndarray[Any, Any]) -> tuple[Int8Array, BoolArray]:
    """Code the cells as 1, 0, -1, and mark those that are none of these."""
    if raw.dtype.kind == "O":
        raw = np.array([_number(cell) for cell in raw.flat], dtype=np.float64).reshape(raw.shape)
    elif raw.dtype.kind not in "biuf":
        raise ValueError(f"Y must hold 1, 0 and NaN for missing; got values of type {raw.dtype}")
    missing = np.isnan(raw)
    codes = (raw == 1).astype(np.int8)
    codes[missing] = MISSING
    return codes, (raw != 0) & (raw != 1) & ~missing


def _number(cell: Any) -> float:
    """Return an object as a float: NaN where it is missing, infinite where it is no number (a text is none)."""
    if cell is None or type(cell).__name__ == "NAType":  # pandas' NA, without pandas
        return np.nan
    return float(cell) if isinstance(cell, Real | np.bool_) else np.inf


def _refuse(value: Any, row: int, column: int, names: Sequence[Any] | None) -> None:
    label = f"column {column}" if names is None else f"label {names[column]!r}"
    shown = value.item() if isinstance(value, np.generic) else value
    hint = " (missing is NaN, not -1)" if value == -1 else ""
    raise ValueError(f"Y must hold 1, 0 and NaN for missing; got {shown!r} at row {row}, {label}{hint}")
