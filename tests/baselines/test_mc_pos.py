"""MC-Pos against a conic solver, and its pieces against brute force."""

from __future__ import annotations

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from tests.estimators.samples import HIERARCHY, collection

from tagweave.baselines import MCPos
from tagweave.baselines import mc_pos_losses as losses
from tagweave.baselines.mc_pos_solver import Completion
from tagweave.baselines.shrinkage import Shrinkage
from tagweave.model.sparse_low_rank import shrink_singular_values

GRID = np.linspace(0, 12, 240_001)
X, Y = collection()
X = np.abs(X)


def problem(seed, mu):
    rng = np.random.default_rng(seed)
    signs = rng.integers(-1, 2, (12, 3)).astype(np.int8)
    features = rng.gamma(0.5, size=(12, 5))
    features[features < 0.1] = 0
    return Completion(signs, features, mu, label_weight=2.0, sharpness=3.0)


def conic_optimum(task):
    n, m = task.signs.shape
    x = task.features
    Z = cp.Variable((n, m + x.shape[1] + 1))
    F = Z[:, m:-1]
    # (z - x)^2 / (z + x) = z - 3 x + 4 x^2 / (z + x)
    chi2 = cp.sum(F - 3 * x) + cp.sum(cp.multiply(4 * x**2, cp.inv_pos(F + x + (x == 0))))
    logistic = cp.sum(cp.multiply(task.signs != 0, cp.logistic(-3 * cp.multiply(task.signs, Z[:, :m])))) / 3
    objective = cp.Minimize(task.mu * cp.normNuc(Z) + task.label_weight * logistic + chi2)
    conic = cp.Problem(objective, [F >= 0, Z[:, -1] == 1])
    conic.solve(solver="CLARABEL")
    return conic.value, Z.value


@pytest.mark.parametrize("mu", [0.5, 2.0])
def test_the_optimum_is_that_of_a_conic_solver(mu):
    task = problem(0, mu)
    value, Z = conic_optimum(task)
    solved = task.solve(tol=1e-7, max_iter=3000)
    assert solved.gap <= 1e-7
    assert solved.objective == pytest.approx(value, rel=1e-6)
    np.testing.assert_allclose(solved.Z, Z, atol=1e-3)
    assert (solved.Z[:, 3:-1] >= 0).all()
    assert (solved.Z[:, -1] == 1).all()


@pytest.mark.parametrize("max_iter", [10, 20, 50])
def test_the_gap_is_never_smaller_than_the_distance_from_the_optimum(max_iter):
    task = problem(1, 1.0)
    best = task.solve(tol=1e-8, max_iter=5000).objective
    early = task.solve(tol=1e-12, max_iter=max_iter)
    assert early.objective >= best * (1 - 1e-7)
    assert early.objective - best <= early.gap * early.objective * (1 + 1e-7)


@given(st.floats(-5, 5), st.floats(0, 4), st.floats(0.05, 20))
def test_the_chi2_step_is_the_minimum(a, x, strength):
    stepped = np.array([[a]])
    losses.chi2_step(stepped, np.array([[x]]), strength)
    z = GRID
    whole = z + x
    values = np.divide((z - x) ** 2, whole, out=np.zeros_like(z), where=whole > 0) + strength / 2 * (z - a) ** 2
    found = losses.chi2_values(stepped, np.array([[x]])) + strength / 2 * (stepped[0, 0] - a) ** 2
    assert stepped[0, 0] >= 0
    assert found <= values.min() + 1e-7 * (1 + abs(values.min()))


@given(st.floats(-5, 5), st.sampled_from([-1, 1]), st.floats(0.05, 20), st.floats(0.5, 30))
def test_the_logistic_step_has_no_slope_left(a, y, strength, sharpness):
    stepped = np.array([[a]])
    losses.logistic_step(stepped, np.array([[y]], dtype=np.int8), strength, sharpness)
    z = stepped[0, 0]
    slope = -y / (1 + np.exp(min(sharpness * y * z, 700))) + strength * (z - a)
    assert abs(slope) < 1e-5 * (1 + strength)


def test_a_missing_label_stays_where_it_is():
    stepped = np.array([[0.3]])
    losses.logistic_step(stepped, np.zeros((1, 1), dtype=np.int8), 1.0, 3.0)
    assert stepped[0, 0] == 0.3


@given(st.floats(-6, 0.99), st.floats(0, 4))
def test_the_chi2_conjugate_is_the_supremum(t, x):
    whole = GRID + x
    values = t * GRID - np.divide((GRID - x) ** 2, whole, out=np.zeros_like(GRID), where=whole > 0)
    found = losses.chi2_conjugates(np.array([[t]]), np.array([[x]]))
    assert found >= values.max() - 1e-9
    if values.argmax() < len(GRID) - 1:  # the supremum may lie beyond the grid
        # Between two points of the grid the loss can fall by as much as the grid is coarse.
        assert found == pytest.approx(values.max(), abs=1e-5 + 2 * (GRID[1] - GRID[0]))


@given(st.floats(0.001, 0.999), st.sampled_from([-1, 1]), st.floats(0.5, 30))
def test_the_logistic_conjugate_is_the_supremum(p, y, sharpness):
    z = np.linspace(-20, 20, 400_001)
    values = -p * y * z - np.logaddexp(0, -sharpness * y * z) / sharpness
    found = losses.logistic_conjugates(np.array([[-p * y]]), np.array([[y]], dtype=np.int8), sharpness)
    assert found >= values.max() - 1e-9
    assert found == pytest.approx(values.max(), abs=1e-4)


def test_the_kernels_compute_what_their_python_says():
    rng = np.random.default_rng(0)
    a, x, y = rng.normal(size=(4, 3)), rng.gamma(0.5, size=(4, 3)), rng.integers(-1, 2, (4, 3)).astype(np.int8)
    x[0] = 0
    for kernel, rest in ((losses.chi2_step, (x, 0.7)), (losses.logistic_step, (y, 0.7, 3.0))):
        compiled, interpreted = a.copy(), a.copy()
        kernel(compiled, *rest)
        kernel.py_func(interpreted, *rest)
        np.testing.assert_allclose(compiled, interpreted, rtol=1e-12)
    z = np.abs(a)
    z[0, 0] = 0
    t = np.where(y == 0, 0, -y * rng.uniform(size=y.shape))
    for kernel, arguments in (
        (losses.chi2_values, (z, x)),
        (losses.logistic_values, (a, y, 3.0)),
        (losses.chi2_conjugates, (-z, x)),
        (losses.logistic_conjugates, (t, y, 3.0)),
    ):
        assert kernel(*arguments) == pytest.approx(kernel.py_func(*arguments), rel=1e-12)


def low_rank(rank, noise, seed=0, n=500, d=240):
    rng = np.random.default_rng(seed)
    factors = rng.normal(size=(n, rank)) @ (rng.uniform(1, 2, size=(rank, 1)) * rng.normal(size=(rank, d)))
    return factors + noise * rng.normal(size=(n, d))


@pytest.mark.parametrize("rank", [3, 60, 150])
def test_shrinkage_follows_the_exact_one(rank):
    shrink = Shrinkage()
    A = low_rank(rank, 0.05)
    threshold = 20.0
    for _ in range(3):
        got = shrink(A, threshold)
    expected = shrink_singular_values(A, threshold)
    assert np.linalg.norm(got - expected) < 1e-5 * np.linalg.norm(expected)
    if rank < 100:
        assert shrink.rank == rank


def test_shrinkage_keeps_nothing_below_the_threshold():
    shrink = Shrinkage()
    assert not shrink(low_rank(3, 0.05), 1e6).any()
    assert shrink.rank == 0


def test_labels_follow_the_features():
    model = MCPos(hierarchy=HIERARCHY, nuclear=0.02, lam=10, feature_map=None).fit(X, Y)
    assert model.gap_ <= 0.01
    assert model.scores_.shape == Y.shape
    known = ~np.isnan(Y)
    filled = HIERARCHY.fill(Y)
    assert model.scores_[known & (filled == 1)].mean() > model.scores_[known & (filled == 0)].mean() + 0.5


def test_stopping_early_is_told_by_the_gap():
    late = MCPos(hierarchy=HIERARCHY, tol=1e-4, max_iter=2000).fit(X, Y)
    early = MCPos(hierarchy=HIERARCHY, tol=1e-4, max_iter=3).fit(X, Y)
    assert late.gap_ <= 1e-4 < early.gap_
    assert early.n_iter_ == 3
    assert early.objective_ >= late.objective_ * (1 - 1e-4)


def test_negative_features_are_refused():
    assert clone(MCPos()).__sklearn_tags__().input_tags.positive_only
    with pytest.raises(ValueError, match=r"X has negative values .* MCPos expects none"):
        MCPos(feature_map=None).fit(-X, Y)
    with pytest.raises(ValueError, match="feature_map must be 'l1', 'hellinger' or None; got 'cosine'"):
        MCPos(feature_map="cosine").fit(X, Y)
