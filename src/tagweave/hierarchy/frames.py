"""Matrices in and out: what comes as a pandas DataFrame goes back as one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tagweave.hierarchy.checks import Label, plain


def is_dataframe(values: object) -> bool:
    """Tell whether these values are a pandas DataFrame, without importing pandas for it."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(values, pandas.DataFrame)


def as_matrix(values: Any, name: str, labels: Sequence[Label] | None = None) -> NDArray[Any]:
    """Return the values as a 2-D array of numbers with one column per label; no copy if it is one already.

    The columns of a DataFrame must be the labels, in their order: columns are never matched by position while
    their names say otherwise.
    """
    if sparse.issparse(values):
        raise TypeError(f"{name} must be dense (an array or a DataFrame), got a sparse {type(values).__name__}")
    if is_dataframe(values):
        if labels is not None:
            check_columns(values, name, labels)
        matrix = _numbers_of(values, name)
    else:
        matrix = np.asarray(values)
    if matrix.dtype.kind not in "biuf":
        raise TypeError(f"{name} must hold numbers, got dtype {matrix.dtype}")
    if matrix.ndim != 2:
        raise ValueError(f"{name} must be 2-D, (n_instances, n_labels), got {matrix.ndim}-D of shape {matrix.shape}")
    if labels is not None and matrix.shape[1] != len(labels):
        raise ValueError(f"{name} must have one column for each of the {len(labels)} labels, got shape {matrix.shape}")
    return matrix


def check_columns(frame: Any, name: str, labels: Sequence[Label], whose: str = "the hierarchy's labels") -> None:
    """Refuse a DataFrame whose columns are not the labels in their order."""
    columns = [plain(column) for column in frame.columns]
    if columns == list(labels):
        return
    if len(columns) != len(labels):
        problem = f"there are {len(columns)} columns, not {len(labels)}"
    else:
        pairs = enumerate(zip(columns, labels, strict=True))
        position, (column, label) = next((i, pair) for i, pair in pairs if pair[0] != pair[1])
        problem = f"column {position} is {column!r}, not {label!r}"
    raise ValueError(
        f"the columns of {name} must be {whose} in the same order, but {problem}; "
        "reorder the DataFrame, or the hierarchy with hierarchy.reorder or hierarchy.subset"
    )


def _numbers_of(frame: Any, name: str) -> NDArray[Any]:
    """Return a DataFrame's values; nullable, object and mixed columns become float64 with NaN."""
    values: NDArray[Any] = frame.to_numpy()
    if values.dtype.kind in "biuf":
        return values
    try:
        numbers: NDArray[Any] = frame.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} must hold numbers; its DataFrame does not: {error}") from error
    return numbers


def like(matrix: NDArray[Any], original: Any) -> Any:
    """Return the matrix as a DataFrame with the original's index and columns, if the original is one."""
    if not is_dataframe(original):
        return matrix
    return type(original)(matrix, index=original.index, columns=original.columns)
