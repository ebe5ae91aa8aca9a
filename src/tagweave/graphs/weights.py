"""The check of a weight matrix that a user brings along."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import sparse

from tagweave._typing import BoolArray
from tagweave.exceptions import GraphWarning

RELATIVE_TOLERANCE = 1e-10


def check_weights(W: Any, name: str = "graph", n: int | None = None) -> sparse.csr_array[np.float64]:
    """Check a ready weight matrix and bring it to the form of the graphs built here.

    Parameters
    ----------
    W : array-like, DataFrame or sparse matrix of shape (n, n)
        Finite, nonnegative, symmetric to a relative 1e-10.
    name : str
        The argument that errors speak of.
    n : int, optional
        The number of nodes expected.

    Returns
    -------
    csr_array of shape (n, n)
        Exactly symmetric (the mean of both halves), zero diagonal, float64, canonical; never the user's own
        data.

    Warns
    -----
    GraphWarning
        If there are self-loops. They are dropped: in the sums of Eqs. 2 and 3 a self-loop adds nothing, but
        it would enlarge the degree and so weaken the node's true edges.

    Examples
    --------
    >>> from tagweave.graphs import check_weights
    >>> check_weights([[0, 1], [1, 0]]).nnz
    2
    >>> check_weights([[0, 1], [2, 0]], "class_graph")
    Traceback (most recent call last):
    ...
    ValueError: class_graph is not symmetric: class_graph[0, 1] = 1.0 but class_graph[1, 0] = 2.0
    """
    weights = _to_csr(W, name)
    rows, columns = weights.shape
    if rows != columns:
        raise ValueError(f"{name} has shape {weights.shape}; expected a square matrix of weights")
    if n is not None and rows != n:
        raise ValueError(f"{name} has shape {weights.shape}; expected ({n}, {n})")
    _check_entries(weights, ~np.isfinite(weights.data), name, "finite weights")
    _check_entries(weights, weights.data < 0, name, "nonnegative weights")
    loops = int(np.count_nonzero(weights.diagonal()))
    if loops:
        warnings.warn(f"{name} has {loops} self-loop(s) on its diagonal: dropped", GraphWarning, stacklevel=2)
        entries = weights.tocoo()
        off = entries.row != entries.col
        weights = sparse.csr_array((entries.data[off], (entries.row[off], entries.col[off])), shape=weights.shape)
    transposed = sparse.csr_array(weights.T)
    symmetric = weights
    # Most graphs are symmetric to the last bit: no sums and differences, which are several graphs more in memory.
    if not _same(weights, transposed):
        _check_symmetry(weights, transposed, name)
        symmetric = sparse.csr_array((weights + transposed) * 0.5)
    symmetric.eliminate_zeros()
    symmetric.sort_indices()
    return symmetric


def _to_csr(W: Any, name: str) -> sparse.csr_array[np.float64]:
    values: Any = W if sparse.issparse(W) else np.asarray(W)
    if values.dtype.kind == "c":
        raise ValueError(f"{name} holds complex numbers; expected real ones")
    if values.ndim != 2:
        raise ValueError(f"{name} has {values.ndim} dimension(s); expected a square matrix of weights")
    try:
        floats: Any = values if sparse.issparse(W) else values.astype(np.float64)
        weights: sparse.csr_array[np.float64] = sparse.csr_array(floats, dtype=np.float64, copy=True)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} holds values of type {values.dtype} that are not numbers: {error}") from error
    weights.sum_duplicates()
    return weights


def _check_entries(
    weights: sparse.csr_array[np.float64],
    wrong: BoolArray,
    name: str,
    expected: str,
) -> None:
    if wrong.any():
        position = int(np.argmax(wrong))
        row = int(np.searchsorted(weights.indptr, position, side="right")) - 1
        column = int(weights.indices[position])
        raise ValueError(f"{name}[{row}, {column}] = {float(weights.data[position])!r}; expected {expected}")


def _same(A: sparse.csr_array[np.float64], B: sparse.csr_array[np.float64]) -> bool:
    A.sort_indices()
    B.sort_indices()
    return all(np.array_equal(getattr(A, part), getattr(B, part)) for part in ("indptr", "indices", "data"))


def _check_symmetry(weights: sparse.csr_array[np.float64], transposed: sparse.csr_array[np.float64], name: str) -> None:
    difference = sparse.csr_array(abs(weights - transposed))
    excess = (difference - RELATIVE_TOLERANCE * weights.maximum(transposed)).tocoo()
    wrong = np.flatnonzero(excess.data > 0)
    if len(wrong):
        first = wrong[np.lexsort((excess.col[wrong], excess.row[wrong]))[0]]
        i, j = int(excess.row[first]), int(excess.col[first])
        raise ValueError(
            f"{name} is not symmetric: {name}[{i}, {j}] = {float(weights[i, j])!r} "
            f"but {name}[{j}, {i}] = {float(weights[j, i])!r}"
        )
