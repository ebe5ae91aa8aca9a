"""MLR-GL against a conic solver, and its certificate against the truth."""

from __future__ import annotations

import warnings

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from tests.strategies import label_matrices

from tagweave.baselines import MLRGL, FeatureKernel


@pytest.fixture(scope="module")
def separable():
    rng = np.random.default_rng(0)
    kinds = rng.integers(0, 3, 30)
    X = rng.normal(size=(3, 2))[kinds] * 2 + rng.normal(size=(30, 2)) * 0.3
    Y = np.hstack([np.eye(3)[kinds], np.eye(3)[kinds]])
    return X, Y


def objective(F, coef, Y, C):
    """As the paper states it, from the raw labels."""
    value = 0.5 * np.vdot(coef, F)
    for scores, labels in zip(F, Y, strict=True):
        assigned, other = scores[labels == 1], scores[labels != 1]
        errors = np.maximum(0, 1 - assigned[:, None] + other[None])
        value += C * np.linalg.norm(errors, axis=0).sum()
    return value


def conic_optimum(K, Y, C):
    """The optimum over functions in the span of the kernel, by Clarabel."""
    root = np.linalg.cholesky(K + 1e-12 * np.eye(len(K)))
    V = cp.Variable((len(K), Y.shape[1]))
    F, value = root @ V, 0.5 * cp.sum_squares(V)
    for i, labels in enumerate(Y):
        assigned = np.flatnonzero(labels == 1)
        for label in np.flatnonzero(labels != 1):
            if len(assigned):
                value += C * cp.norm(cp.pos(1 - F[i, assigned] + F[i, label]), 2)
    problem = cp.Problem(cp.Minimize(value))
    problem.solve(solver=cp.CLARABEL, max_threads=1)
    return float(problem.value)


@settings(max_examples=15)
@given(st.data(), st.sampled_from([0.01, 0.3, 5.0]), st.integers(0, 2**32 - 1))
def test_the_optimum_is_that_of_a_conic_solver(data, C, seed):
    Y = data.draw(label_matrices(4, max_rows=6, missing=False).filter(lambda Y: Y.any()))
    X = np.random.default_rng(seed).normal(size=(len(Y), 2))
    model = MLRGL(C, tol=1e-6, max_iter=20000).fit(X, Y)
    K = FeatureKernel().build(X)
    assert model.objective_ == pytest.approx(objective(K @ model.dual_coef_, model.dual_coef_, Y, C), abs=1e-9)
    expected = conic_optimum(K, Y, C)
    assert model.objective_ == pytest.approx(expected, rel=1e-5, abs=1e-7)


def test_the_certificate_holds_after_any_number_of_sweeps(separable):
    X, Y = separable
    best = MLRGL(1.0, tol=1e-9, max_iter=20000).fit(X, Y).objective_
    lower_bounds = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for sweeps in (1, 2, 3, 5, 8, 20):
            model = MLRGL(1.0, tol=0.0, max_iter=sweeps).fit(X, Y)
            assert model.n_iter_ == sweeps
            assert model.objective_ >= best * (1 - 1e-8)
            lower_bounds.append(model.objective_ * (1 - model.gap_))
    assert max(lower_bounds) <= best * (1 + 1e-8)
    # The dual is an ascent: the bound never falls.
    assert (np.diff(lower_bounds) >= -1e-9).all()
    assert lower_bounds[-1] >= 0.98 * best


def test_assigned_labels_rank_above_the_others_on_data_that_can_be_told_apart(separable):
    X, Y = separable
    scores = MLRGL(100.0, tol=1e-4, max_iter=2000).fit(X, Y).scores_
    lowest = np.where(Y == 1, scores, np.inf).min(axis=1)
    highest = np.where(Y == 1, -np.inf, scores).max(axis=1)
    assert (lowest - highest > 0.95).all()


def test_errors_of_one_unassigned_label_are_a_group():
    # On one instance with K = 1 and labels a, b assigned, c not: by symmetry f_a = f_b = u and f_c = -2u, and the
    # objective is 3u^2 + C sqrt(2) (1 - 3u), least at u = C / sqrt(2) while that is below 1/3.
    model = MLRGL(0.1, np.ones((1, 1)), tol=1e-12, max_iter=5000).fit([[0.0]], [[1.0, 1.0, 0.0]])
    u = 0.1 / np.sqrt(2)
    np.testing.assert_allclose(model.scores_, [[u, u, -2 * u]], atol=1e-6)


def test_instances_without_positives_or_without_others_say_nothing():
    K = np.eye(4)
    Y = np.array([[1, 0], [0, 0], [1, 1], [np.nan, np.nan]])
    model = MLRGL(1.0, K, tol=1e-10).fit(np.zeros((4, 1)), Y)
    np.testing.assert_allclose(model.dual_coef_[1:], 0)
    np.testing.assert_allclose(model.scores_[0], [0.5, -0.5], atol=1e-6)


def test_without_any_positive_all_scores_are_zero():
    model = MLRGL().fit(np.arange(3.0)[:, None], np.array([[0.0], [0.0], [np.nan]]))
    assert not model.scores_.any()
    assert (model.gap_, model.n_iter_, model.objective_) == (0.0, 0, 0.0)


def test_stopping_early_warns_and_says_how_far(separable):
    X, Y = separable
    with pytest.warns(ConvergenceWarning, match="stopped after 1 sweeps at a relative gap of"):
        MLRGL(1.0, tol=1e-12, max_iter=1).fit(X, Y)


def test_another_order_of_visits_ends_at_the_same_optimum(separable):
    X, Y = separable
    one, two = (MLRGL(1.0, tol=1e-8, max_iter=20000, random_state=seed).fit(X, Y).scores_ for seed in (1, 2))
    np.testing.assert_allclose(one, two, atol=1e-3)
