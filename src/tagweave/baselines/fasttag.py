"""FastTag (Chen, Zheng and Weinberger, 2013): two linear maps that check each other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tagweave._typing import Float64Array, FloatArray
from tagweave.baselines.base import Rival, labelled_rows
from tagweave.baselines.checks import check_fraction, check_positive
from tagweave.baselines.features import map_features
from tagweave.estimators.inputs import check_count
from tagweave.hierarchy import Hierarchy
from tagweave.labels import POSITIVE, Labels, Unstored

# Keeps the scatter of tags that nobody uses invertible.
TINY_RIDGE = 1e-6


class FastTag(Rival):
    r"""Fast image tagging: W guesses tags from features, B completes a partial list of tags, and both have to agree.

    Minimises over W and B the co-regularised loss

    .. math:: \sum_i c_i |B y_i - W x_i|^2 + \lambda |W|^2 + \gamma \sum_i c_i E|y_i - B \tilde y_i|^2,

    where :math:`\tilde y` is y with each tag blanked out with probability `noise`, and the expectation is taken in
    closed form. Scores are :math:`Wx`. Tags are 1 where known to be positive and 0 elsewhere: FastTag knows no third
    state, it takes a tag list as incomplete instead.

    Parameters
    ----------
    noise : float
        The blank-out probability, below 1.
    gamma : float
        The weight of the reconstruction.
    lam : float
        The ridge on W; the constant column is free of it.
    n_layers : int
        Each further layer learns to complete tanh(B y) of the one before, and so reaches tags that never co-occur but
        have their context in common.
    n_stages : int
        With more than one, tags that are never among the `top_k` of an instance that has them, in a part of the known
        instances held out for this, are learned again on instances with such tags only, as the paper does for rare
        tags; a stage is kept if it raises the mean F1 of the tags there.
    validation_fraction : float
        The part held out to choose the rare tags; all instances take part in the final fit.
    top_k : int
        Of the tags that count as found in the held-out part.
    weighting : {"rarity", None}
        The weight c of an instance: one over the frequency of its rarest tag, or 1.
    scatter : {"full", "diagonal"}
        "full" is the paper's Q, the expected scatter of blanked-out tags. "diagonal" is what a published version of
        the code has in its place when it updates B: the diagonal matrix of the (root) weighted tag counts.
    feature_map : {"standard", "cosine", "l1", "hellinger", "chi2", None}
        What happens to the features first, see :func:`~tagweave.baselines.features.map_features`; the paper uses the
        additive chi-square map. A constant column is added to them.
    hierarchy, fill, unstored
        As of the estimators, see :class:`tagweave.MLMGCO`.

    Attributes
    ----------
    W_ : ndarray of shape (n_labels, n_columns + 1)
        Its last column belongs to the constant one.
    B_ : ndarray of shape (n_labels, n_labels + 1)
        The first layer of the first stage.
    rare_ : tuple of ndarray of int
        The labels learned in each stage; all of them in the first.

    Notes
    -----
    The paper alternates: W for given B, B for given W, each in closed form. The best W is linear in B, so the loss is
    quadratic in B alone and one linear system has the pair on which the alternation converges; that is what is solved.

    Instances without any positive tag are left out: a list without tags is not a list. The published code chooses its
    hyper-parameters on the labels of the test set; here nothing but the known labels is ever looked at.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.baselines import FastTag
    >>> Y = [[1, 0], [0, 1], [np.nan, 1], [np.nan, np.nan]]
    >>> model = FastTag().fit([[0.0], [1.0], [1.1], [0.1]], Y)
    >>> bool(model.scores_[3, 0] > model.scores_[3, 1])
    True
    """

    def __init__(
        self,
        noise: float = 0.5,
        gamma: float = 10.0,
        lam: float = 1.0,
        n_layers: int = 1,
        n_stages: int = 1,
        validation_fraction: float = 0.1,
        top_k: int = 5,
        weighting: str | None = "rarity",
        scatter: str = "full",
        feature_map: str | None = "standard",
        hierarchy: Any = None,
        fill: bool = True,
        unstored: Unstored | None = None,
    ) -> None:
        self.noise = noise
        self.gamma = gamma
        self.lam = lam
        self.n_layers = n_layers
        self.n_stages = n_stages
        self.validation_fraction = validation_fraction
        self.top_k = top_k
        self.weighting = weighting
        self.scatter = scatter
        self.feature_map = feature_map
        self.hierarchy = hierarchy
        self.fill = fill
        self.unstored = unstored

    def _complete(self, X: Any, labels: Labels, hierarchy: Hierarchy) -> FloatArray:
        self._check()
        features = map_features(X, self.feature_map)
        features = np.hstack([features, np.ones((len(features), 1))])
        rows = labelled_rows(labels)
        rows = rows[(labels.values[rows] == POSITIVE).any(axis=1)]
        tags: Float64Array = (labels.values[rows] == POSITIVE).astype(np.float64)
        m = tags.shape[1]
        # Without a single positive there is nothing to learn, and the scores stay 0.
        self.W_, self.B_ = np.zeros((m, features.shape[1])), np.zeros((m, m + 1))
        self.rare_ = self._choose_rare(features[rows], tags) if len(rows) else ()
        for stage, chosen in enumerate(self.rare_):
            W, B = self._learn(features[rows], tags, chosen)
            self.W_[chosen] = W
            if stage == 0:
                self.B_ = B
        return features @ self.W_.T

    def _check(self) -> None:
        check_fraction(noise=self.noise, validation_fraction=self.validation_fraction)
        check_positive(gamma=self.gamma, lam=self.lam)
        for name in ("n_layers", "n_stages", "top_k"):
            check_count(name, getattr(self, name))
        if self.weighting not in ("rarity", None):
            raise ValueError(f"weighting must be 'rarity' or None; got {self.weighting!r}")
        if self.scatter not in ("full", "diagonal"):
            raise ValueError(f"scatter must be 'full' or 'diagonal'; got {self.scatter!r}")

    def _choose_rare(self, X: Float64Array, tags: Float64Array) -> tuple[NDArray[np.intp], ...]:
        """Return the labels of each stage, judged on instances that the learning for this does not see."""
        chosen = np.arange(tags.shape[1])
        stages = [chosen]
        if self.n_stages == 1 or self.validation_fraction == 0:
            return tuple(stages)
        held = np.zeros(len(tags), dtype=bool)
        held[:: max(2, round(1 / self.validation_fraction))] = True
        W, best = np.zeros((tags.shape[1], X.shape[1])), -1.0
        for stage in range(self.n_stages):
            if not tags[np.ix_(~held, chosen)].any():
                break
            trial = W.copy()
            trial[chosen] = self._learn(X[~held], tags[~held], chosen)[0]
            f1 = f1_of_labels(tags[held], X[held] @ trial.T, self.top_k)
            if f1.mean() <= best:
                break
            if stage:
                stages.append(chosen)
            W, best, chosen = trial, float(f1.mean()), np.flatnonzero(f1 == 0)
        return tuple(stages)

    def _learn(
        self, X: Float64Array, tags: Float64Array, chosen: NDArray[np.intp]
    ) -> tuple[Float64Array, Float64Array]:
        """Learn the chosen labels from the instances that have one of them: W, and B of the first layer."""
        rows = tags[:, chosen].any(axis=1)
        X, inputs, targets = X[rows], tags[rows], tags[np.ix_(rows, chosen)]
        weights = np.ones(len(X))
        if self.weighting == "rarity":
            weights = (targets / np.maximum(targets.sum(axis=0), 1)).max(axis=1)
            weights /= weights.mean()
        ridge = np.full(X.shape[1], self.lam)
        ridge[-1] = TINY_RIDGE
        weighted = X * weights[:, None]
        # The W that is best for given outputs is their product with this, in every layer.
        regress = np.linalg.solve(weighted.T @ X + np.diag(ridge), weighted.T)
        first: Float64Array | None = None
        for _ in range(self.n_layers):
            inputs = np.hstack([inputs, np.ones((len(inputs), 1))])
            agreement = inputs.T @ (weights[:, None] * (inputs - X @ (regress @ inputs)))
            products, scatter = blanked_out(inputs, targets, weights, self.noise)
            if self.scatter == "diagonal":
                scatter = np.diag(np.sqrt(weights) @ inputs)
            system = self.gamma * scatter + agreement
            system[np.diag_indices_from(system)] += self.gamma * TINY_RIDGE
            B = np.linalg.solve(system.T, self.gamma * products.T).T
            W = B @ (regress @ inputs).T
            first = B if first is None else first
            # The next layer completes what this one has completed.
            inputs = targets = np.tanh(inputs @ B.T)
        assert first is not None
        return W, first


def blanked_out(
    inputs: Float64Array, targets: Float64Array, weights: Float64Array, noise: float
) -> tuple[Float64Array, Float64Array]:
    r"""Return the paper's P and Q: the expected products of blanked-out inputs with targets, and with themselves.

    Parameters
    ----------
    inputs : ndarray of shape (n_instances, n_inputs)
        The last column is constant and never blanked out.
    targets : ndarray of shape (n_instances, n_targets)
    weights : ndarray of shape (n_instances,)
    noise : float
        The probability with which an entry is set to 0, independently of the others.

    Returns
    -------
    P : ndarray of shape (n_targets, n_inputs)
    Q : ndarray of shape (n_inputs, n_inputs)

    Examples
    --------
    >>> P, Q = blanked_out(np.array([[1.0, 1.0, 1.0]]), np.array([[1.0]]), np.ones(1), 0.5)
    >>> P
    array([[0.5, 0.5, 1. ]])
    >>> Q
    array([[0.5 , 0.25, 0.5 ],
           [0.25, 0.5 , 0.5 ],
           [0.5 , 0.5 , 1. ]])
    """
    kept = np.full(inputs.shape[1], 1 - noise)
    kept[-1] = 1.0
    weighted = weights[:, None] * inputs
    full: Float64Array = inputs.T @ weighted
    Q = full * np.outer(kept, kept)
    np.fill_diagonal(Q, kept * full.diagonal())
    return (targets.T @ weighted) * kept, Q


def f1_of_labels(truth: Float64Array, scores: Float64Array, top_k: int) -> Float64Array:
    """Return the F1 of each label when every instance gets the labels of its best scores.

    Examples
    --------
    >>> f1_of_labels(np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([[0.9, 0.1], [0.2, 0.3]]), 1).round(3)
    array([0.667, 1.   ])
    """
    given = np.zeros(truth.shape, dtype=bool)
    best = np.argsort(-scores, axis=1, kind="stable")[:, :top_k]
    np.put_along_axis(given, best, True, axis=1)
    total = given.sum(axis=0) + truth.sum(axis=0)
    f1: Float64Array = 2 * (given * truth).sum(axis=0) / np.maximum(total, 1)
    return f1
