"""MLML-appro: MLML with its two smoothness terms taken one after the other, so that the solution falls apart."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from tagweave._typing import Float64Array
from tagweave.baselines.mlml_exact import MLMLExact
from tagweave.baselines.shifted_systems import solve_shifted


class MLMLAppro(MLMLExact):
    """Multi-label learning with missing labels, the approximate solution (Wu, Liu, Wang, Hu and Ji, ICPR 2014).

    The scores are the closed form

        Z = (I + beta L_X)^-1 Y (I + gamma L_C)^-1

    which is smooth over instances and then over classes, in any order. They minimise the objective of `MLMLExact`
    with one more regularisation term, beta gamma tr(L_C Z' L_X Z): the product that is missing in
    I + beta L_X + gamma L_C for the two factors to part.

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
        The largest residual of the sparse systems, relative to their right-hand sides.
    hierarchy : Hierarchy, sequence of (child, parent) or None
        What implies what; see `MLMGCO`.
    fill : bool
        Whether the known positives imply their ancestors beforehand.
    unstored : {"negative", "missing"} or None
        What the cells mean that a sparse Y does not store.

    Attributes
    ----------
    residual_ : float
        Of (I + beta L_X) Z (I + gamma L_C) = Y, relative to Y, in the Frobenius norm.
    graph_, class_graph_ : csr_array
        The weights of both graphs.

    Notes
    -----
    The original text was not at hand: that its approximation is this product is our reading.

    Where beta or gamma is 0 this is `MLMLExact`. In the eigenvectors of both Laplacians, with eigenvalues l and u, it
    divides Y by (1 + beta l)(1 + gamma u) instead of 1 + beta l + gamma u: it shrinks more, and only what is rough
    over instances and over classes at once.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.baselines import MLMLAppro
    >>> W = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> Y = np.array([[1, 0], [np.nan, np.nan], [1, np.nan]])
    >>> model = MLMLAppro(beta=1.0, gamma=0.1, graph=W, class_graph=[[0, 1], [1, 0]]).fit(np.zeros((3, 1)), Y)
    >>> model.scores_.round(3)
    array([[ 0.563, -0.479],
           [ 0.412, -0.177],
           [ 0.604, -0.021]])
    """

    def _solve(self, Y: Float64Array, L_X: sparse.csr_array[Any], L_C: sparse.csr_array[Any]) -> Float64Array:
        smooth = solve_shifted(L_X, self.beta, np.ones(Y.shape[1]), Y, tol=self.tol)
        # L_C is symmetric, and so is the transpose of the system.
        by_classes: Float64Array = np.eye(Y.shape[1]) + self.gamma * L_C.toarray()
        return np.asarray(np.linalg.solve(by_classes, smooth.T).T, dtype=np.float64)

    def _image(self, Z: Float64Array, L_X: sparse.csr_array[Any], L_C: sparse.csr_array[Any]) -> Float64Array:
        by_instances: Float64Array = Z + self.beta * (L_X @ Z)
        image: Float64Array = by_instances + self.gamma * (by_instances @ L_C)
        return image
