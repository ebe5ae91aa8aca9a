"""What is fitted: the eight variants of Table 3, ready graphs, and what the optimum must not depend on."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from tests.estimators.samples import COLUMNS, EDGES, ESTIMATORS, GRAPH, HIERARCHY, LABELS, collection, estimator, frame

from tagweave import MLMG, MLMGCO, MLMGSL, Hierarchy
from tagweave.graphs import ClassGraph, InstanceGraph

X, Y = collection()
VARIANTS = list(product((False, True), repeat=2))


@pytest.mark.parametrize("kind", [MLMGCO, MLMGSL])
def test_filling_and_constraint_each_make_a_difference(kind):
    fits = {
        (fill, constrain): estimator(kind, beta=5, r_plus=2, fill=fill, constrain=constrain).fit(X, Y)
        for fill, constrain in VARIANTS
    }
    for one, other in combinations(fits.values(), 2):
        assert abs(one.scores_ - other.scores_).max() > 1e-3
    for fill in (False, True):
        assert HIERARCHY.violation(fits[fill, False].scores_) > 1e-3
        assert fits[fill, True].objective_ > fits[fill, False].objective_
    implied = (HIERARCHY.fill(Y) == 1) & np.isnan(Y)
    for constrain in (False, True):
        assert fits[True, constrain].scores_[implied].mean() > fits[False, constrain].scores_[implied].mean()


@pytest.mark.parametrize("dtype", ["float32", np.float64])
@pytest.mark.parametrize("fill", [False, True])
@pytest.mark.parametrize("kind", ESTIMATORS)
def test_a_constrained_solution_is_feasible_to_the_last_bit_and_certified(kind, fill, dtype):
    model = estimator(kind, fill=fill, dtype=dtype).fit(X, Y)
    assert model.scores_.dtype == np.dtype(dtype)
    assert model.hierarchy_.violation(model.scores_) == 0.0
    assert model.scores_.min() >= 0
    assert model.scores_.max() <= 1
    assert model.gap_ <= model.tol
    assert model.status_ == "optimal"
    assert model.history_.gap[-1] == model.gap_
    assert model.scores_.flags.c_contiguous


@pytest.mark.parametrize("constrain", [False, True])
def test_the_general_model_reduces_to_both_of_the_papers(constrain):
    shared = {"constrain": constrain, "dtype": "float64", "tol": 1e-9, "max_iter": 5000}
    for kind, zero in ((MLMGCO, {"gamma0": 0.0}), (MLMGSL, {"gamma": 0.0})):
        special, general = estimator(kind, **shared).fit(X, Y), estimator(MLMG, **shared, **zero).fit(X, Y)
        np.testing.assert_allclose(general.scores_, special.scores_, atol=1e-4)
        assert general.objective_ == pytest.approx(special.objective_, rel=1e-8)
        assert (general.class_graph_ is None) is (kind is MLMGSL)


def smoothness(Z, W):
    """Eq. 2 (and, transposed, Eq. 3) as written: differences of scores over the root of the degree."""
    Z = Z / np.sqrt(W.sum(axis=1))[:, None]
    return 0.5 * sum(W[i, j] * ((Z[i] - Z[j]) ** 2).sum() for i, j in np.ndindex(*W.shape))


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_the_objective_is_that_of_the_paper(kind):
    # With gamma1 above gamma0 the sparse part is zero, and the best split is known.
    model = estimator(kind, fill=False, dtype="float64", **({} if kind is MLMGCO else {"gamma1": 2.0})).fit(X, Y)
    Z, cost = model.scores_, np.where(Y == 1, 100.0, -1.0)
    expected = np.nansum(cost * (Y - Z)) + model.beta * smoothness(Z, model.graph_.toarray())
    if kind is not MLMGSL:
        expected += model.gamma * smoothness(Z.T, model.class_graph_.toarray())
    if kind is not MLMGCO:
        expected += model.gamma0 * np.linalg.norm(Z, "nuc")
    assert model.objective_ == pytest.approx(expected)


def test_without_any_weight_only_the_labels_speak():
    model = estimator(MLMGCO, beta=0, gamma=0, hierarchy=None).fit(X, Y)
    known = ~np.isnan(Y)
    np.testing.assert_array_equal(model.scores_[known], Y[known])
    assert model.objective_ == 0


def ready_forms(W):
    return [W, sparse.coo_matrix(W), pd.DataFrame(W), W.tolist()]


@pytest.mark.parametrize("form", range(4))
def test_ready_graphs_of_any_form_give_what_their_recipes_give(form):
    expected = estimator(MLMGCO).fit(X, Y)
    graph = ready_forms(GRAPH.build(X).toarray())[form]
    class_graph = ready_forms(expected.class_graph_.toarray())[form]
    for features in (X, None):
        model = estimator(MLMGCO, graph=graph, class_graph=class_graph).fit(features, Y)
        np.testing.assert_array_equal(model.scores_, expected.scores_)
        assert hasattr(model, "n_features_in_") is (features is not None)


def test_sparse_and_dataframe_features_are_features():
    expected = estimator(MLMGCO).fit(X, Y).scores_
    named = estimator(MLMGCO).fit(pd.DataFrame(X, columns=["a", "b", "c"]), Y)
    np.testing.assert_array_equal(named.scores_, expected)
    assert named.feature_names_in_.tolist() == ["a", "b", "c"]
    np.testing.assert_allclose(estimator(MLMGCO).fit(sparse.csc_array(X), Y).scores_, expected, atol=1e-5)


@pytest.mark.parametrize("formula", ["paper", "published"])
def test_a_string_is_the_recipe_with_that_formula(formula):
    parameters = {"graph": formula, "class_graph": formula}
    recipes = {"graph": InstanceGraph(formula), "class_graph": ClassGraph(formula)}
    by_name, by_recipe = (estimator(MLMGCO, **given).fit(X, Y) for given in (parameters, recipes))
    np.testing.assert_array_equal(by_name.scores_, by_recipe.scores_)
    assert (by_name.graph_ != estimator(MLMGCO, **recipes, gamma=0).fit(X, Y).graph_).nnz == 0


def test_hierarchies_of_any_form_mean_the_same():
    expected = estimator(MLMGCO).fit(X, Y).scores_
    shuffled = Hierarchy(sorted(LABELS), EDGES)
    for hierarchy, labels in (
        (HIERARCHY, Y),
        (np.array(COLUMNS), Y),
        (HIERARCHY, frame(Y)),
        (shuffled, frame(Y)),
        (list(EDGES), frame(Y)),
        (EDGES, frame(Y).astype("Float64")),
    ):
        model = estimator(MLMGCO, hierarchy=hierarchy).fit(X, labels)
        np.testing.assert_array_equal(model.scores_, expected)
    assert model.hierarchy_.labels == LABELS
    assert estimator(MLMGCO, hierarchy=None).fit(X, Y).hierarchy_ == Hierarchy(range(7))


def test_sparse_labels_are_the_same_labels():
    stored = sparse.coo_array((np.nan_to_num(Y)[~np.isnan(Y)], np.nonzero(~np.isnan(Y))), shape=Y.shape)
    expected = estimator(MLMGCO).fit(X, Y).scores_
    np.testing.assert_array_equal(estimator(MLMGCO, unstored="missing").fit(X, stored).scores_, expected)


@pytest.mark.parametrize("kind", ESTIMATORS)
@settings(max_examples=4)
@given(data=st.data())
def test_the_order_of_instances_and_labels_changes_nothing_else(kind, data):
    rows = data.draw(st.permutations(range(len(Y))))
    columns = data.draw(st.permutations(range(len(LABELS))))
    given = {"dtype": "float64", "tol": 1e-8, "max_iter": 5000, "hierarchy": EDGES}
    straight = estimator(kind, **given).fit(X, frame(Y))
    permuted = estimator(kind, **given).fit(X[rows], frame(Y).iloc[rows, columns])
    assert permuted.objective_ == pytest.approx(straight.objective_, rel=1e-7)
    np.testing.assert_allclose(permuted.scores_, straight.scores_[rows][:, columns], atol=2e-3)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_the_optimum_does_not_depend_on_the_start(kind):
    given = {"dtype": "float64", "tol": 1e-8, "max_iter": 5000}
    zeros = estimator(kind, **given).fit(X, Y)
    for init in ("random", np.full(Y.shape, 7), np.ones_like(Y).tolist()):
        other = estimator(kind, **given, init=init, random_state=3).fit(X, Y)
        assert other.objective_ == pytest.approx(zeros.objective_, rel=1e-7)
        np.testing.assert_allclose(other.scores_, zeros.scores_, atol=2e-3)


def test_weights_of_instances_and_labels_reach_the_objective():
    known = ~np.isnan(Y)
    plain = estimator(MLMGCO, beta=5, r_plus=2).fit(X, Y)
    twice = estimator(MLMGCO, beta=5, r_plus=2).fit(X, Y, sample_weight=np.full(40, 2.0), label_weight=np.ones(7))
    double = estimator(MLMGCO, beta=5, r_plus=4, r_minus=2).fit(X, Y)
    np.testing.assert_array_equal(twice.scores_, double.scores_)
    assert abs(plain.scores_ - twice.scores_).max() > 1e-3
    only_sky = estimator(MLMGCO, hierarchy=None).fit(X, Y, label_weight=[0, 0, 0, 0, 0, 0, 100])
    np.testing.assert_allclose(only_sky.scores_[known[:, 6], 6], Y[known[:, 6], 6], atol=1e-3)


def test_missing_labels_are_found_again():
    rng = np.random.default_rng(1)
    kinds = rng.integers(0, 2, 60)
    X = kinds[:, None] * 4 + rng.normal(size=(60, 2))
    truth = np.eye(2)[kinds]
    Y = np.where(rng.uniform(size=truth.shape) < 0.7, np.nan, truth)
    for kind in ESTIMATORS:
        scores = estimator(kind, hierarchy=None).fit(X, Y).scores_
        assert (scores.argmax(axis=1) == kinds).mean() > 0.95
