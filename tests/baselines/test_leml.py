"""LEML: descent, gradients, and the nuclear-norm problem that its factors stand for."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from tests.estimators.samples import HIERARCHY, collection

from tagweave.baselines import LEML

X, Y = collection()
COMPLETE = np.where(np.isnan(Y), 0, Y)
COMPLETE[-8:] = np.nan


def objective(W, H, Y, lam):
    features = np.hstack([X, np.ones((len(X), 1))])
    known = ~np.isnan(Y)
    remaining = (features @ W @ H.T - np.where(known, Y, 0)) * known
    return 0.5 * (remaining**2).sum() + lam / 2 * ((W**2).sum() + (H**2).sum())


@pytest.mark.parametrize("labels", [Y, COMPLETE], ids=["missing", "complete"])
def test_no_round_increases_the_objective_and_the_gradient_vanishes(labels):
    model = LEML(rank=3, lam=0.5, feature_map=None, tol=1e-6, max_iter=500, fill=False).fit(X, labels)
    assert (np.diff(model.objective_) <= 1e-9 * model.objective_[0]).all()
    assert model.gradient_ <= 1e-6
    assert model.n_iter_ == len(model.objective_)
    assert model.objective_[-1] == pytest.approx(objective(model.W_, model.H_, labels, 0.5), rel=1e-12)
    # Stationary for another's finite differences too.
    start = np.concatenate([model.W_.ravel(), model.H_.ravel()])
    split = model.W_.size

    def flat(values):
        return objective(values[:split].reshape(model.W_.shape), values[split:].reshape(model.H_.shape), labels, 0.5)

    further = minimize(flat, start, method="BFGS", options={"maxiter": 20})
    assert further.fun >= model.objective_[-1] * (1 - 1e-6)


@pytest.mark.parametrize("labels", [Y, COMPLETE], ids=["missing", "complete"])
def test_with_rank_enough_the_result_is_the_optimum_of_the_nuclear_norm(labels):
    lam = 0.8
    model = LEML(rank=7, lam=lam, feature_map=None, tol=1e-8, max_iter=3000, inner_iter=50, fill=False).fit(X, labels)
    features = np.hstack([X, np.ones((len(X), 1))])
    Z = model.W_ @ model.H_.T
    known = ~np.isnan(labels)
    gradient = features.T @ ((features @ Z - np.where(known, labels, 0)) * known)
    # -gradient / lam is a subgradient of the nuclear norm: norm 1 at most, and aligned with Z.
    assert np.linalg.norm(gradient, 2) <= lam * (1 + 1e-4)
    assert -(gradient * Z).sum() == pytest.approx(lam * np.linalg.norm(Z, "nuc"), rel=1e-4)


def test_missing_labels_are_not_negatives():
    model = LEML(rank=3, lam=0.5, feature_map=None)
    unknown = clone_scores(model, Y)
    negative = clone_scores(model, np.where(np.isnan(Y) & (np.arange(len(Y)) < 32)[:, None], 0, Y))
    assert np.abs(unknown - negative).max() > 0.1


def clone_scores(model, labels):
    return model.set_params(hierarchy=HIERARCHY, fill=False).fit(X, labels).scores_.copy()


def test_running_out_of_rounds_is_told_by_the_gradient():
    model = LEML(rank=3, lam=0.1, max_iter=1, tol=1e-9).fit(X, Y)
    assert model.gradient_ > 1e-9
    assert model.n_iter_ == 2
    assert model.W_.shape == (4, 3)
