"""What a metric accepts: a complete truth, scores for all of it, and columns that agree."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from tagweave._typing import BoolArray, FloatArray
from tagweave.hierarchy import Hierarchy
from tagweave.hierarchy.frames import as_matrix, check_columns, is_dataframe


def check_scores(scores: Any, hierarchy: Hierarchy | None = None) -> FloatArray:
    """Return scores as a float matrix without NaN; infinite scores can be ranked and are allowed."""
    labels = None if hierarchy is None else hierarchy.labels
    values = as_matrix(scores, "scores", labels)
    floats: FloatArray = values if values.dtype.kind == "f" else values.astype(np.float64)
    if np.isnan(floats).any():
        row, column = np.argwhere(np.isnan(floats))[0]
        raise ValueError(f"scores must be numbers to be ranked, got NaN in row {row}, column {column}")
    return floats


def check_truth(Y_true: Any, hierarchy: Hierarchy | None = None) -> BoolArray:
    """Return complete 0/1 labels as booleans."""
    labels = None if hierarchy is None else hierarchy.labels
    values = as_matrix(Y_true, "Y_true", labels)
    truth: BoolArray = values == 1
    other = ~(truth | (values == 0))
    if other.any():
        row, column = np.argwhere(other)[0]
        raise ValueError(
            f"Y_true must be complete, 0 or 1 everywhere, got {values[row, column]} in row {row}, "
            f"column {column}; judge a part of the entries with a mask, not with missing truth"
        )
    return truth


def check_pair(Y_true: Any, scores: Any, hierarchy: Hierarchy | None) -> tuple[BoolArray, FloatArray]:
    """Return truth and scores of the same shape, with something in them."""
    truth = check_truth(Y_true, hierarchy)
    values = check_scores(scores, hierarchy)
    if truth.shape != values.shape:
        raise ValueError(f"Y_true and scores must have the same shape, got {truth.shape} and {values.shape}")
    if truth.size == 0:
        raise ValueError(f"Y_true must have at least one instance and one label, got shape {truth.shape}")
    if is_dataframe(Y_true) and is_dataframe(scores):
        check_columns(scores, "scores", list(Y_true.columns), whose="Y_true's columns")
    return truth, values


def check_k(k: Any, name: str = "k") -> int:
    """Return a positive whole number."""
    if not isinstance(k, numbers.Integral) or isinstance(k, bool) or k < 1:
        raise ValueError(f"{name} must be a positive whole number, got {k!r}")
    return int(k)
