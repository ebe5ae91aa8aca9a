"""Kernel ridge regression on the observed labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from tagweave._typing import BoolArray, Float64Array, FloatArray
from tagweave.baselines.base import Rival, labelled_rows
from tagweave.baselines.checks import check_positive
from tagweave.baselines.kernels import kernel_matrix
from tagweave.estimators.inputs import check_count
from tagweave.hierarchy import Hierarchy
from tagweave.labels import MISSING, Labels, Unstored


class KernelRidge(Rival):
    r"""Kernel ridge regression of each label on the instances that know it.

    For each label the function :math:`f = \mu + \sum_i a_i k(x_i, \cdot)` over the instances whose label is known
    minimises :math:`\sum_i (y_i - f(x_i))^2 + \lambda a'Ka`, where mu is the mean of the known labels. A missing label
    takes no part: it is neither a negative nor a mean.

    Parameters
    ----------
    kernel : {"linear", "rbf", "chi2"}
        See :func:`tagweave.baselines.kernels.kernel_matrix`.
    ridge : float
        The lambda above; the kernel is about 1 on its diagonal.
    width : float
        Of the kernel, in mean squared distances.
    feature_map : {"standard", "cosine", "l1", "hellinger", "chi2", None}
        What happens to the features before a linear or rbf kernel, see :func:`~tagweave.baselines.features.map_features`.
    tol : float
        The relative residual at which the conjugate gradients stop.
    max_iter : int
        How many iterations they have.
    hierarchy, fill, unstored
        As of the estimators, see :class:`tagweave.MLMGCO`.

    Attributes
    ----------
    residual_ : float
        The largest relative residual over the labels, in float64: 0 would be the exact solution.
    n_iter_ : int
        Conjugate gradient iterations; 0 where one factorisation served all labels.

    Notes
    -----
    Where all labels are known on the same instances one Cholesky factorisation solves for all of them. Otherwise
    each label has a system of its own, and conjugate gradients solve them side by side, preconditioned by the
    factorisation of the system in which all is known: one product of two matrices per iteration for all labels.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.baselines import KernelRidge
    >>> Y = [[1, 0], [0, np.nan], [np.nan, np.nan]]
    >>> KernelRidge().fit([[0.0], [1.0], [0.1]], Y).scores_[2].round(2)
    array([0.64, 0.  ])
    """

    def __init__(
        self,
        kernel: str = "rbf",
        ridge: float = 0.3,
        width: float = 1.0,
        feature_map: str | None = "standard",
        tol: float = 1e-5,
        max_iter: int = 200,
        hierarchy: Any = None,
        fill: bool = True,
        unstored: Unstored | None = None,
    ) -> None:
        self.kernel = kernel
        self.ridge = ridge
        self.width = width
        self.feature_map = feature_map
        self.tol = tol
        self.max_iter = max_iter
        self.hierarchy = hierarchy
        self.fill = fill
        self.unstored = unstored

    def _complete(self, X: Any, labels: Labels, hierarchy: Hierarchy) -> FloatArray:
        check_positive(ridge=self.ridge, width=self.width, tol=self.tol)
        check_count("max_iter", self.max_iter)
        K = kernel_matrix(X, self.kernel, self.feature_map, self.width)
        rows = labelled_rows(labels)
        known = labels.values[rows] != MISSING
        truth = np.where(known, labels.values[rows], 0).astype(np.float64)
        counts = known.sum(axis=0)
        mean = truth.sum(axis=0) / np.maximum(counts, 1)
        targets = np.where(known, truth - mean, 0.0)
        system = K[np.ix_(rows, rows)]
        system[np.diag_indices_from(system)] += self.ridge
        factor = cho_factor(system, lower=True, overwrite_a=False, check_finite=False)
        if known.all():
            self.n_iter_ = 0
            weights = cho_solve(factor, targets, check_finite=False)
        else:
            weights, self.n_iter_ = _solve_masked(system, factor, targets, known, self.tol, self.max_iter)
        remaining = np.where(known, system @ weights - targets, 0.0)
        scale = np.linalg.norm(targets, axis=0)
        self.residual_ = float((np.linalg.norm(remaining, axis=0) / np.where(scale > 0, scale, 1.0)).max())
        return mean + K[:, rows] @ weights


def _solve_masked(
    system: Float64Array, factor: Any, targets: Float64Array, known: BoolArray, tol: float, max_iter: int
) -> tuple[Float64Array, int]:
    """Solve for each label the part of the system where it is known, by conjugate gradients side by side."""
    # Single precision is precise enough for the tolerance, and its matrix products cost half.
    A = system.astype(np.float32)
    lower = np.asarray(factor[0], dtype=np.float32)
    mask = known.astype(np.float32)
    residual = targets.astype(np.float32)
    weights = np.zeros_like(residual)
    goal = tol * np.linalg.norm(residual, axis=0)

    def precondition(values: Any) -> Any:
        return cho_solve((lower, factor[1]), values, check_finite=False) * mask

    step = precondition(residual)
    direction, product = step, (residual * step).sum(axis=0)
    for iteration in range(1, max_iter + 1):
        image = (A @ direction) * mask
        curvature = (direction * image).sum(axis=0)
        length = np.divide(product, curvature, out=np.zeros_like(product), where=curvature > 0)
        weights += length * direction
        residual -= length * image
        if (np.linalg.norm(residual, axis=0) <= goal).all():
            break
        step = precondition(residual)
        previous, product = product, (residual * step).sum(axis=0)
        ratio = np.divide(product, previous, out=np.zeros_like(product), where=previous > 0)
        direction = step + ratio * direction
    return weights.astype(np.float64), iteration
