"""W_X, the graph of instances (Eq. 2)."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

from tagweave._typing import Float64Array
from tagweave.exceptions import GraphWarning
from tagweave.graphs.distances import check_features, resolve_scale
from tagweave.graphs.neighbours import check_method, search
from tagweave.graphs.report import GraphReport

if TYPE_CHECKING:
    from tagweave.graphs.distances import Features

FORMULAS = ("paper", "published")


class InstanceGraph(BaseEstimator):
    r"""The recipe of the instance graph: similar instances get similar labels.

    Parameters
    ----------
    formula : {"paper", "published"}
        "paper" is the formula under Eq. 2, :math:`W_{ij} = \exp(-d_{ij}^2 / (\varepsilon_i \varepsilon_j))`,
        where either is a neighbour of the other (symmetrised by the maximum). "published" is what the
        authors' MATLAB helper computes: :math:`\exp(-d_{ij}^4 / \varepsilon_i^4)`, symmetrised by the mean,
        so that a pair where only one is a neighbour of the other counts half.
    metric : {"euclidean", "cosine", "hellinger", "chi2", "precomputed"}
        "cosine" is the Euclidean distance of rows of unit length; "hellinger" that of the square roots of
        histograms of sum 1; "chi2" the root of :math:`\sum (x-y)^2/(x+y)` over histograms of sum 1. The last
        two ask for nonnegative features and suit bags of visual words. With "precomputed" the X of ``build``
        is a dense n x n matrix of distances.
    n_neighbors : int
        Neighbours of each instance, itself left out.
    kernel_neighbor : int
        :math:`\varepsilon_i` is the distance from instance i to its ``kernel_neighbor``-th nearest neighbour.
    scale : {"auto", "minmax", None}
        "minmax" brings each column to [-1, 1] first, as the paper's experiments do; "auto" does so with the
        Euclidean metric only.
    method : {"auto", "exact", "approximate"}
        How neighbours are found. "approximate" needs faiss (``pip install tagweave[fast]``; without it they are exact,
        with a GraphWarning), finds all but some and measures how many (see `build_with_report`). "auto" is exact
        below 200,000 instances and for sparse features.

    Notes
    -----
    What the formulas leave open, and what is done here:

    - An instance is left out of its own neighbours by index, so duplicates are neighbours at distance 0 and
      weight 1.
    - Where :math:`\varepsilon_i` would be 0 (``kernel_neighbor`` duplicates or more) it is the smallest
      positive distance among the neighbours of i; if there is none, i is tied to its duplicates only.
    - Constant columns count nothing. An empty row is at distance 1 from every other row that is not empty
      (cosine, hellinger and chi2).
    - Among equal distances the lower index is the nearer neighbour.
    - Asking for more neighbours than there are takes all, with a GraphWarning; so does an instance whose
      weights are all too small for a float64 and that ends up isolated.

    Examples
    --------
    >>> from tagweave.graphs import InstanceGraph
    >>> W = InstanceGraph(n_neighbors=1, kernel_neighbor=1).build([[0.0], [1.0], [3.0]])
    >>> W.toarray().round(3)
    array([[0.   , 0.368, 0.   ],
           [0.368, 0.   , 0.135],
           [0.   , 0.135, 0.   ]])
    """

    def __init__(
        self,
        formula: str = "paper",
        metric: str = "euclidean",
        n_neighbors: int = 20,
        kernel_neighbor: int = 7,
        scale: str | None = "auto",
        method: str = "auto",
    ) -> None:
        self.formula = formula
        self.metric = metric
        self.n_neighbors = n_neighbors
        self.kernel_neighbor = kernel_neighbor
        self.scale = scale
        self.method = method

    def build(self, X: Any) -> sparse.csr_array[np.float64]:
        """Compute the weights.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_instances, n_features)
            Training and test instances together, as in the paper. float32 stays float32 in the large product.

        Returns
        -------
        csr_array of shape (n_instances, n_instances)
            Symmetric, nonnegative, zero diagonal, float64, in canonical format.

        Examples
        --------
        >>> from tagweave.graphs import InstanceGraph
        >>> InstanceGraph(metric="chi2", n_neighbors=2, kernel_neighbor=1).build([[1, 2], [2, 4], [3, 1]]).nnz
        6
        """
        return self.build_with_report(X)[0]

    def build_with_report(self, X: Any) -> tuple[sparse.csr_array[np.float64], GraphReport]:
        """Compute the weights, and tell how the neighbours were found.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_instances, n_features)
            As for `build`.

        Returns
        -------
        weights : csr_array of shape (n_instances, n_instances)
            As of `build`.
        report : GraphReport
            The method, its recall and the seconds it took.

        Examples
        --------
        >>> from tagweave.graphs import InstanceGraph
        >>> InstanceGraph(n_neighbors=1, kernel_neighbor=1).build_with_report([[0.0], [1.0], [3.0]])[1].recall
        1.0
        """
        check_formula(self.formula)
        check_method(self.method, self.metric)
        scale = resolve_scale(self.metric, self.scale)
        for name in ("n_neighbors", "kernel_neighbor"):
            value = getattr(self, name)
            if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
                raise ValueError(f"{name}={value!r}; expected an integer of at least 1")
        return self._weigh(check_features(X, self.metric), scale)

    def _weigh(self, X: Features, scale: str | None) -> tuple[sparse.csr_array[np.float64], GraphReport]:
        n = X.shape[0]
        k, h = min(self.n_neighbors, n - 1), min(self.kernel_neighbor, n - 1)
        if k < self.n_neighbors or h < self.kernel_neighbor:
            warnings.warn(
                f"n_neighbors={self.n_neighbors} and kernel_neighbor={self.kernel_neighbor} "
                f"but only {n} instance(s): taken as {k} and {h}",
                GraphWarning,
                stacklevel=4,
            )
        if n == 1:
            return sparse.csr_array((1, 1), dtype=np.float64), search(X, 0, self.metric, scale)[2]
        distances, neighbours, report = search(X, max(k, h), self.metric, scale, self.method)
        epsilon = kernel_sizes(distances, h)
        distances, neighbours = distances[:, :k], neighbours[:, :k]
        if self.formula == "paper":
            exponent = _ratio(distances, epsilon[:, None]) * _ratio(distances, epsilon[neighbours])
        else:
            exponent = _ratio(distances, epsilon[:, None]) ** 4
        directed = sparse.csr_array(
            (np.exp(-exponent).ravel(), neighbours.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n)
        )
        transposed = directed.T.tocsr()
        W = directed.maximum(transposed) if self.formula == "paper" else (directed + transposed) / 2
        weights: sparse.csr_array[np.float64] = sparse.csr_array(W)
        # A weight too small for a float64 is no edge.
        weights.eliminate_zeros()
        weights.sort_indices()
        isolated = int(np.count_nonzero(np.diff(weights.indptr) == 0))
        if isolated:
            warnings.warn(
                f"{isolated} of {n} instances are isolated, since their weights underflow to 0: nothing reaches them",
                GraphWarning,
                stacklevel=4,
            )
        return weights, report


def check_formula(formula: str) -> None:
    """Raise a ValueError that lists the choices unless ``formula`` is one of them.

    Examples
    --------
    >>> from tagweave.graphs.instances import check_formula
    >>> check_formula("paper")
    """
    if formula not in FORMULAS:
        raise ValueError(f"formula={formula!r} is not known; expected one of {', '.join(map(repr, FORMULAS))}")


def kernel_sizes(distances: Float64Array, kernel_neighbor: int) -> Float64Array:
    r"""Read off the :math:`\varepsilon_i` of Eq. 2 from distances that increase along each row.

    Parameters
    ----------
    distances : ndarray of shape (n_instances, n_neighbors)
        To the nearest neighbours.
    kernel_neighbor : int
        1 for the nearest.

    Returns
    -------
    ndarray of shape (n_instances,)
        The distance to the ``kernel_neighbor``-th neighbour or, where that is 0, the smallest positive
        distance of the row; 0 if there is none.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.graphs.instances import kernel_sizes
    >>> kernel_sizes(np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0]]), 2)
    array([2., 3., 0.])
    """
    epsilon = distances[:, kernel_neighbor - 1].copy()
    zero = epsilon == 0
    if zero.any():
        positive = np.where(distances[zero] > 0, distances[zero], np.inf).min(axis=1)
        epsilon[zero] = np.where(np.isfinite(positive), positive, 0.0)
    return epsilon


def _ratio(distances: Float64Array, epsilon: Float64Array) -> Float64Array:
    """``distances / epsilon`` with 0 / 0 = 0 (a duplicate) and d / 0 = inf (not a duplicate, so no edge)."""
    out = np.where(distances > 0, np.inf, 0.0)
    with np.errstate(over="ignore"):  # infinite is what such a ratio means
        np.divide(distances, epsilon, out=out, where=epsilon > 0)
    return out
