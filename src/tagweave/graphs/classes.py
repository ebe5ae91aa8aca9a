"""W_C, the graph of classes (Eq. 3)."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

from tagweave._typing import Float64Array
from tagweave.graphs.instances import check_formula
from tagweave.graphs.selection import smallest

# Rows converted to float64 at a time hold about this many entries.
BLOCK_ENTRIES = 2**22


class ClassGraph(BaseEstimator):
    r"""The recipe of the class graph: classes that occur together get similar scores.

    Parameters
    ----------
    formula : {"paper", "published"}
        "paper" is the formula under Eq. 3, the cosine between the columns of Y in {0, 1/2, 1} over all
        instances, 1/2 where the label is missing, test instances included; symmetrised by the maximum.
        "published" follows the authors' MATLAB helper: the cosine between the columns of observed positives,
        symmetrised by the mean.
    n_neighbors : int or None
        Each class keeps this many of its most similar classes; all with None, or if there are not that many.

    Notes
    -----
    A class whose column is all zeros (with "published": without any observed positive) is isolated. Equal
    similarities are frequent among rare classes: the lower index is kept, and equality is decided without
    rounding (similarities are compared as ratios of integers).

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.graphs import ClassGraph
    >>> labels = np.array([[1, 1, 0], [1, -1, 0], [0, 0, 1]], dtype=np.int8)
    >>> ClassGraph().build(labels).toarray().round(3)
    array([[0.   , 0.949, 0.   ],
           [0.949, 0.   , 0.   ],
           [0.   , 0.   , 0.   ]])
    """

    def __init__(self, formula: str = "paper", n_neighbors: int | None = 10) -> None:
        self.formula = formula
        self.n_neighbors = n_neighbors

    def build(self, labels: Any) -> sparse.csr_array[np.float64]:
        """Compute the weights.

        Parameters
        ----------
        labels : array-like of int8 of shape (n_instances, n_classes)
            1 positive, 0 negative, -1 missing.

        Returns
        -------
        csr_array of shape (n_classes, n_classes)
            Symmetric, nonnegative, zero diagonal, float64, in canonical format.

        Examples
        --------
        >>> import numpy as np
        >>> from tagweave.graphs import ClassGraph
        >>> W = ClassGraph("published", n_neighbors=None).build(np.array([[1, 1], [1, -1]], dtype=np.int8))
        >>> W.toarray().round(3)
        array([[0.   , 0.707],
               [0.707, 0.   ]])
        """
        check_formula(self.formula)
        n_neighbors = self.n_neighbors
        if n_neighbors is not None and (
            not isinstance(n_neighbors, Integral) or isinstance(n_neighbors, bool) or n_neighbors < 1
        ):
            raise ValueError(f"n_neighbors={n_neighbors!r}; expected None or an integer of at least 1")
        products = gram(_check_labels(labels), missing_counts=self.formula == "paper")
        m = products.shape[0]
        squared_norms = np.diag(products).copy()
        np.fill_diagonal(products, 0.0)
        # <a,b>^2 / |b|^2 orders the classes b as the cosine with a does. Numerator and denominator are
        # integers, and a correctly rounded quotient is the same for equal fractions: rounding neither makes
        # nor breaks ties.
        order_key = np.square(products) / np.where(squared_norms > 0, squared_norms, 1.0)
        np.fill_diagonal(order_key, -1.0)
        k = m - 1 if n_neighbors is None else min(n_neighbors, m - 1)
        columns = smallest(-order_key, k)[1]
        rows = np.repeat(np.arange(m), k)
        kept = columns.ravel()
        norms = np.sqrt(squared_norms)
        norms[norms == 0] = 1.0
        directed = sparse.csr_array(
            (products[rows, kept] / norms[rows] / norms[kept], kept, np.arange(m + 1) * k), shape=(m, m)
        )
        transposed = directed.T.tocsr()
        W = directed.maximum(transposed) if self.formula == "paper" else (directed + transposed) / 2
        weights: sparse.csr_array[np.float64] = sparse.csr_array(W)
        weights.eliminate_zeros()
        weights.sort_indices()
        return weights


def gram(labels: np.ndarray[Any, np.dtype[Any]], *, missing_counts: bool) -> Float64Array:
    """Inner products of the label columns, exact.

    Parameters
    ----------
    labels : ndarray of shape (n_instances, n_classes)
        1, 0 and -1 for missing.
    missing_counts : bool
        Whether a missing label is 1/2 or 0.

    Returns
    -------
    ndarray of shape (n_classes, n_classes)
        Of twice the labels if ``missing_counts``, so that all sums are integers; a cosine does not see the
        factor.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.graphs.classes import gram
    >>> gram(np.array([[1, -1], [1, 0]], dtype=np.int8), missing_counts=True)
    array([[8., 2.],
           [2., 1.]])
    """
    n, m = labels.shape
    products = np.zeros((m, m))
    step = max(1, BLOCK_ENTRIES // m)
    for start in range(0, n, step):
        block = labels[start : start + step]
        values = (block == 1).astype(np.float64)
        if missing_counts:
            values *= 2
            values[block == -1] = 1
        products += values.T @ values
    return products


def _check_labels(labels: Any) -> np.ndarray[Any, np.dtype[Any]]:
    values = np.asarray(labels)
    if values.ndim != 2 or values.shape[1] == 0:
        raise ValueError(f"labels has shape {values.shape}; expected instances x classes")
    if values.dtype.kind not in "biu":
        raise ValueError(f"labels has type {values.dtype}; expected integers: 1, 0, and -1 for missing")
    if values.size and values.dtype.kind != "b" and (values.min() < -1 or values.max() > 1):
        wrong = values[(values < -1) | (values > 1)][0]
        raise ValueError(f"labels holds {wrong}; expected 1, 0, and -1 for missing")
    return values
