"""MLML-exact: labels that agree with what is known, with similar instances and with classes that go together."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from tagweave._typing import Float64Array, FloatArray
from tagweave.baselines.base import Rival
from tagweave.baselines.shifted_systems import solve_shifted
from tagweave.estimators.inputs import check_nonnegative, class_weights, instance_weights
from tagweave.graphs import normalized_laplacian
from tagweave.hierarchy import Hierarchy
from tagweave.labels import MISSING, Labels, Unstored


class MLMLExact(Rival):
    """Multi-label learning with missing labels, the exact solution (Wu, Liu, Wang, Hu and Ji, ICPR 2014).

    Labels are coded 1 where positive, -1 where negative and 0 where missing, and the scores minimise

        |Z - Y|^2 + beta tr(Z' L_X Z) + gamma tr(Z L_C Z')

    over all matrices Z, without bounds. The minimiser solves the Sylvester equation

        Z + beta L_X Z + gamma Z L_C = Y

    Parameters
    ----------
    beta : float
        Weight of the smoothness over instances.
    gamma : float
        Weight of the smoothness over classes.
    graph : {"paper", "published"}, InstanceGraph or matrix of weights
        Which instances are alike; see `MLMGCO`.
    class_graph : {"paper", "published"}, ClassGraph or matrix of weights
        Which classes go together; see `MLMGCO`.
    tol : float
        The largest residual of the equation, relative to Y, in the Frobenius norm.
    hierarchy : Hierarchy, sequence of (child, parent) or None
        What implies what; see `MLMGCO`.
    fill : bool
        Whether the known positives imply their ancestors beforehand.
    unstored : {"negative", "missing"} or None
        What the cells mean that a sparse Y does not store.

    Attributes
    ----------
    residual_ : float
        Of the equation above, relative to Y, in the Frobenius norm: 0 is the optimum.
    graph_, class_graph_ : csr_array
        The weights of both graphs.

    Notes
    -----
    A missing label is drawn to 0, half-way between positive and negative: the bias that the paper of MLMG blames for
    the loss of these methods where much is missing. A lost positive costs no more than a lost negative.

    The original inverts a matrix of size n m, or calls a dense Sylvester solver, and gives up on large collections.
    Here the eigenvectors U of the small L_C turn the equation into m sparse systems in n unknowns,
    ((1 + gamma mu_j) I + beta L_X) z_j = (Y U)_j, solved side by side by conjugate gradients: the same solution.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.baselines import MLMLExact
    >>> W = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> Y = np.array([[1, 0], [np.nan, np.nan], [1, np.nan]])
    >>> model = MLMLExact(beta=1.0, gamma=0.1, graph=W, class_graph=[[0, 1], [1, 0]]).fit(np.zeros((3, 1)), Y)
    >>> model.scores_.round(3)
    array([[ 0.585, -0.502],
           [ 0.394, -0.158],
           [ 0.608, -0.024]])
    >>> model.residual_ < 1e-8
    True
    """

    def __init__(
        self,
        beta: float = 0.3,
        gamma: float = 0.03,
        graph: Any = "paper",
        class_graph: Any = "paper",
        *,
        tol: float = 1e-8,
        hierarchy: Any = None,
        fill: bool = True,
        unstored: Unstored | None = None,
    ) -> None:
        self.beta = beta
        self.gamma = gamma
        self.graph = graph
        self.class_graph = class_graph
        self.tol = tol
        self.hierarchy = hierarchy
        self.fill = fill
        self.unstored = unstored

    def _complete(self, X: Any, labels: Labels, hierarchy: Hierarchy) -> FloatArray:
        check_nonnegative(beta=self.beta, gamma=self.gamma, tol=self.tol)
        self.class_graph_ = class_weights(self.class_graph, labels)
        self.graph_ = instance_weights(self.graph, X, labels.shape[0])
        L_X, L_C = normalized_laplacian(self.graph_), normalized_laplacian(self.class_graph_)
        Y = signed(labels)
        Z = self._solve(Y, L_X, L_C)
        self.residual_ = float(np.linalg.norm(Y - self._image(Z, L_X, L_C)) / np.linalg.norm(Y))
        return Z

    def _solve(self, Y: Float64Array, L_X: sparse.csr_array[Any], L_C: sparse.csr_array[Any]) -> Float64Array:
        eigenvalues, U = np.linalg.eigh(L_C.toarray())
        # What rounding leaves below 0 is 0.
        shifts = 1 + self.gamma * np.maximum(eigenvalues, 0)
        Z: Float64Array = solve_shifted(L_X, self.beta, shifts, Y @ U, tol=self.tol) @ U.T
        return Z

    def _image(self, Z: Float64Array, L_X: sparse.csr_array[Any], L_C: sparse.csr_array[Any]) -> Float64Array:
        """Return what the equation says is Y."""
        image: Float64Array = Z + self.beta * (L_X @ Z) + self.gamma * (Z @ L_C)
        return image


def signed(labels: Labels) -> Float64Array:
    """Return the labels as 1, -1 and 0 where missing.

    Examples
    --------
    >>> import numpy as np
    >>> signed(Labels.from_any([[1, 0, np.nan]]))
    array([[ 1., -1.,  0.]])
    """
    coded: Float64Array = np.where(labels.values == MISSING, 0.0, 2.0 * labels.values - 1.0)
    return coded
