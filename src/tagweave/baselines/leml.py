"""LEML (Yu, Jain, Kar and Dhillon, 2014): a linear map of low rank, fitted to the observed labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from tagweave._typing import BoolArray, Float64Array, FloatArray
from tagweave.baselines.base import Rival, labelled_rows
from tagweave.baselines.checks import check_positive
from tagweave.baselines.features import map_features
from tagweave.estimators.inputs import check_count
from tagweave.hierarchy import Hierarchy
from tagweave.labels import MISSING, POSITIVE, Labels, Unstored

# Of the gradient of W when its turn begins: its next turn will mend what is left.
INNER_TOLERANCE = 1e-2


class LEML(Rival):
    r"""Low-rank empirical risk minimisation for multi-label learning with missing labels.

    The labels are linear in the features, :math:`Y \approx XWH'`, through `rank` dimensions. Minimises

    .. math:: \tfrac12 \sum_{(i,j)\ \mathrm{known}} (y_{ij} - x_i' W h_j)^2 + \tfrac\lambda2 (|W|_F^2 + |H|_F^2)

    with y in {0, 1}. The sum of the two norms is the factored form of the nuclear norm of :math:`Z = WH'`.

    Parameters
    ----------
    rank : int
        Columns of W and H; the paper's experiments have 50 on Corel5k. No more than there are labels or features.
    lam : float
        The lambda above.
    feature_map : {"standard", "cosine", "l1", "hellinger", "chi2", None}
        What happens to the features first, see :func:`~tagweave.baselines.features.map_features`. A constant column is
        added to them.
    max_iter : int
        Rounds of H and W.
    inner_iter : int
        Conjugate gradient iterations for W in each round, at the most.
    tol : float
        Stops when the gradient is this small relative to that at the start.
    random_state : int, RandomState or None
        Of the start of W.
    hierarchy, fill, unstored
        As of the estimators, see :class:`tagweave.MLMGCO`.

    Attributes
    ----------
    W_ : ndarray of shape (n_columns + 1, rank)
        Its last row belongs to the constant column.
    H_ : ndarray of shape (n_labels, rank)
    objective_ : ndarray of shape (n_iter_,)
        After each round; it never increases.
    gradient_ : float
        The norm of the gradient of both factors at the end, relative to that at the start.
    n_iter_ : int

    Notes
    -----
    For given W each row of H is a ridge regression of its own, solved exactly. For given H the problem in W is
    quadratic, and conjugate gradients minimise it from where W is, so no round can increase the objective. A product
    with its Hessian costs two products with X where labels are missing, and, through the Gram matrix of the features,
    nothing that grows with the number of instances where all are known.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.baselines import LEML
    >>> Y = [[1, 0], [0, 1], [np.nan, 1], [np.nan, np.nan]]
    >>> model = LEML(rank=2, lam=0.1, random_state=0).fit([[0.0], [1.0], [1.1], [0.1]], Y)
    >>> bool(model.scores_[3, 0] > model.scores_[3, 1])
    True
    """

    def __init__(
        self,
        rank: int = 50,
        lam: float = 10.0,
        feature_map: str | None = "standard",
        max_iter: int = 50,
        inner_iter: int = 20,
        tol: float = 1e-3,
        random_state: Any = 0,
        hierarchy: Any = None,
        fill: bool = True,
        unstored: Unstored | None = None,
    ) -> None:
        self.rank = rank
        self.lam = lam
        self.feature_map = feature_map
        self.max_iter = max_iter
        self.inner_iter = inner_iter
        self.tol = tol
        self.random_state = random_state
        self.hierarchy = hierarchy
        self.fill = fill
        self.unstored = unstored

    def _complete(self, X: Any, labels: Labels, hierarchy: Hierarchy) -> FloatArray:
        check_positive(lam=self.lam, tol=self.tol)
        for name in ("rank", "max_iter", "inner_iter"):
            check_count(name, getattr(self, name))
        features = map_features(X, self.feature_map)
        features = np.hstack([features, np.ones((len(features), 1))])
        rows = labelled_rows(labels)
        known = labels.values[rows] != MISSING
        loss = _SquaredLoss(features[rows], (labels.values[rows] == POSITIVE).astype(np.float64), known, self.lam)
        rank = min(self.rank, features.shape[1], labels.shape[1])
        random = check_random_state(self.random_state)
        self.W_, self.H_ = self._alternate(loss, random.normal(size=(features.shape[1], rank)) / features.shape[1])
        return features @ self.W_ @ self.H_.T

    def _alternate(self, loss: _SquaredLoss, W: Float64Array) -> tuple[Float64Array, Float64Array]:
        values: list[float] = []
        first = 0.0
        for _ in range(self.max_iter):
            H = loss.best_H(W)
            # H is exact: what remains of the gradient is that of W.
            gradient = float(np.linalg.norm(loss.gradient_W(W, H)))
            first = first or gradient
            if gradient <= self.tol * first:
                break
            W = loss.better_W(W, H, self.inner_iter)
            values.append(loss.value(W, H))
        else:
            H = loss.best_H(W)
            gradient = float(np.linalg.norm(loss.gradient_W(W, H)))
        values.append(loss.value(W, H))
        self.objective_ = np.array(values)
        self.gradient_, self.n_iter_ = gradient / (first or 1.0), len(values)
        return W, H


@dataclass
class _SquaredLoss:
    """The objective, as a function of one factor when the other is given."""

    X: Float64Array
    Y: Float64Array
    known: BoolArray
    lam: float

    def __post_init__(self) -> None:
        self.complete = bool(self.known.all())
        self.mask = self.known.astype(np.float64)
        if self.complete:
            self.gram, self.correlation = self.X.T @ self.X, self.X.T @ self.Y

    def value(self, W: Float64Array, H: Float64Array) -> float:
        remaining = self.mask * (self.X @ W @ H.T - self.Y)
        return 0.5 * float(np.vdot(remaining, remaining) + self.lam * (np.vdot(W, W) + np.vdot(H, H)))

    def gradient_W(self, W: Float64Array, H: Float64Array) -> Float64Array:
        if self.complete:
            data: Float64Array = self.gram @ W @ (H.T @ H) - self.correlation @ H
        else:
            data = self.X.T @ ((self.mask * (self.X @ W @ H.T - self.Y)) @ H)
        return data + self.lam * W

    def best_H(self, W: Float64Array) -> Float64Array:
        reduced = self.X @ W
        ridge = self.lam * np.eye(W.shape[1])
        if self.complete:
            return np.linalg.solve(reduced.T @ reduced + ridge, reduced.T @ self.Y).T
        H = np.empty((self.Y.shape[1], W.shape[1]))
        for label, known in enumerate(self.known.T):
            part = reduced[known]
            H[label] = np.linalg.solve(part.T @ part + ridge, part.T @ self.Y[known, label])
        return H

    def better_W(self, W: Float64Array, H: Float64Array, max_iter: int) -> Float64Array:
        """Conjugate gradients on the quadratic in W, from W."""
        residual = -self.gradient_W(W, H)
        direction, size = residual, float(np.vdot(residual, residual))
        goal = INNER_TOLERANCE**2 * size
        W = W.copy()
        for _ in range(max_iter):
            image = self._hessian(direction, H)
            length = size / float(np.vdot(direction, image))
            W += length * direction
            residual = residual - length * image
            previous, size = size, float(np.vdot(residual, residual))
            if size <= goal:
                break
            direction = residual + (size / previous) * direction
        return W

    def _hessian(self, S: Float64Array, H: Float64Array) -> Float64Array:
        """Return the Hessian in W, applied to S."""
        if self.complete:
            return self.gram @ S @ (H.T @ H) + self.lam * S
        return self.X.T @ ((self.mask * (self.X @ S @ H.T)) @ H) + self.lam * S
