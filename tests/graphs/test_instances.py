from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from sklearn.base import clone

from tagweave.exceptions import GraphWarning
from tagweave.graphs import InstanceGraph

FORMULAS = ["paper", "published"]


def naive_weights(X, formula, k, h):
    """Eq. 2 with double loops, for data without ties or duplicates."""
    n = len(X)
    d = [[math.dist(X[i], X[j]) for j in range(n)] for i in range(n)]
    nearest = [sorted((j for j in range(n) if j != i), key=lambda j, i=i: d[i][j]) for i in range(n)]
    eps = [d[i][nearest[i][h - 1]] for i in range(n)]
    directed = np.zeros((n, n))
    for i in range(n):
        for j in nearest[i][:k]:
            power = d[i][j] ** 2 / (eps[i] * eps[j]) if formula == "paper" else d[i][j] ** 4 / eps[i] ** 4
            directed[i, j] = math.exp(-power)
    W = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            pair = directed[i, j], directed[j, i]
            W[i, j] = max(pair) if formula == "paper" else sum(pair) / 2
    return W


def points(n=40, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize(("k", "h"), [(6, 3), (3, 7), (1, 1)])
def test_weights_equal_the_formula_written_out(formula, k, h):
    X = points()
    W = InstanceGraph(formula, n_neighbors=k, kernel_neighbor=h, scale=None).build(X)
    np.testing.assert_allclose(W.toarray(), naive_weights(X, formula, k, h), rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("dtype", [np.uint16, np.float32])
def test_the_papers_graph_of_corel5k_is_reproduced(graph_reference, container, dtype):
    X = graph_reference("data/corel5k/dense_sift.npz")["X"]
    reference = graph_reference("reference/corel5k_problems.npz")
    W = InstanceGraph().build(container(X.astype(dtype)))
    np.testing.assert_array_equal(W.indptr, reference["W_X_indptr"])
    np.testing.assert_array_equal(W.indices, reference["W_X_indices"])
    np.testing.assert_allclose(W.data, reference["W_X_data"], rtol=0, atol=1e-12)


@given(
    hnp.arrays(
        np.float64,
        st.tuples(st.integers(2, 25), st.integers(1, 3)),
        elements=st.one_of(st.integers(0, 2).map(float), st.floats(0, 10, width=32)),
    ),
    st.sampled_from(FORMULAS),
    st.sampled_from(["euclidean", "cosine", "hellinger", "chi2"]),
    st.booleans(),
)
@settings(deadline=None)
@pytest.mark.filterwarnings("ignore::tagweave.exceptions.GraphWarning")
def test_weights_are_symmetric_nonnegative_canonical_with_zero_diagonal(X, formula, metric, as_sparse):
    W = InstanceGraph(formula, metric, n_neighbors=4, kernel_neighbor=2).build(sparse.csr_array(X) if as_sparse else X)
    assert (W.dtype, W.shape) == (np.float64, (len(X), len(X)))
    assert W.has_canonical_format
    assert W.has_sorted_indices
    dense = W.toarray()
    np.testing.assert_array_equal(dense, dense.T)
    assert not dense.diagonal().any()
    assert np.all((W.data > 0) & (W.data <= 1))


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("metric", ["euclidean", "cosine", "hellinger", "chi2"])
def test_permuting_instances_permutes_the_weights(formula, metric):
    X = np.abs(points(60, 5))
    permutation = np.random.default_rng(1).permutation(len(X))
    graph = InstanceGraph(formula, metric, n_neighbors=8)
    W = graph.build(X).toarray()
    permuted = graph.build(X[permutation]).toarray()
    np.testing.assert_allclose(permuted, W[np.ix_(permutation, permutation)], rtol=1e-12)


def test_precomputed_distances_give_the_graph_of_the_features():
    X = points()
    D = np.array([[math.dist(a, b) for b in X] for a in X])
    W = InstanceGraph(scale=None).build(X).toarray()
    np.testing.assert_allclose(InstanceGraph(metric="precomputed").build(D).toarray(), W, rtol=1e-12)


@pytest.mark.parametrize("formula", FORMULAS)
def test_duplicates_are_neighbours_of_weight_one(formula):
    X = np.vstack([points(30), points(30)])
    W = InstanceGraph(formula, n_neighbors=5, kernel_neighbor=3).build(X)
    np.testing.assert_array_equal(W.diagonal(30), np.ones(30))


def test_a_kernel_of_size_zero_falls_back_to_the_smallest_positive_distance():
    X = np.array([[0.0], [0.0], [0.0], [1.0], [3.0]])
    W = InstanceGraph(n_neighbors=3, kernel_neighbor=2, scale=None).build(X).toarray()
    # eps = 1 for the three duplicates (their 2nd neighbour is at 0), 1 for the fourth, 3 for the fifth.
    assert W[0, 1] == 1
    assert W[0, 3] == pytest.approx(math.exp(-1))
    assert W[4, 3] == pytest.approx(math.exp(-4 / 3))
    assert W[4, 0] == pytest.approx(math.exp(-9 / 3))


@pytest.mark.parametrize("formula", FORMULAS)
def test_instances_with_duplicates_only_are_tied_to_them_with_weight_one(formula):
    X = np.repeat([[0.0], [5.0]], 4, axis=0)
    W = InstanceGraph(formula, n_neighbors=3, kernel_neighbor=2).build(X).toarray()
    block = np.ones((4, 4)) - np.eye(4)
    np.testing.assert_array_equal(W, np.kron(np.eye(2), block))


def test_a_stranger_is_not_tied_to_a_heap_of_duplicates_without_a_kernel():
    X = np.array([[0.0]] * 4 + [[1.0]])
    with pytest.warns(GraphWarning, match="1 of 5 instances are isolated"):
        W = InstanceGraph(n_neighbors=3, kernel_neighbor=1).build(X).toarray()
    assert not W[4].any()
    assert np.count_nonzero(W) == 12


@pytest.mark.parametrize("n", [2, 5, 20])
def test_too_many_neighbours_take_all_and_warn(n):
    X = points(n)
    with pytest.warns(GraphWarning, match=f"n_neighbors=20 .* only {n} instance"):
        W = InstanceGraph().build(X)
    assert W.nnz == n * (n - 1)


def test_a_single_instance_has_an_empty_graph():
    with pytest.warns(GraphWarning, match="only 1 instance"):
        W = InstanceGraph().build([[1.0, 2.0]])
    assert W.shape == (1, 1)
    assert W.nnz == 0


def test_constant_columns_count_nothing():
    X = points(30)
    padded = np.hstack([X, np.full((30, 2), 7.5)])
    W = InstanceGraph().build(X)
    np.testing.assert_allclose(InstanceGraph().build(padded).toarray(), W.toarray(), rtol=1e-12)
    sparse_padded = InstanceGraph().build(sparse.csr_array(padded))
    np.testing.assert_allclose(sparse_padded.toarray(), W.toarray(), rtol=1e-12)


@pytest.mark.parametrize("name", ["n_neighbors", "kernel_neighbor"])
@pytest.mark.parametrize("value", [0, -1, 2.5, True, None])
def test_numbers_of_neighbours_are_positive_integers(name, value):
    with pytest.raises(ValueError, match=rf"{name}={value!r}; expected an integer of at least 1"):
        InstanceGraph(**{name: value}).build(points())


@pytest.mark.parametrize(
    ("name", "choices"),
    [("formula", "'paper', 'published'"), ("metric", "'chi2'"), ("scale", "'minmax'"), ("method", "'auto', 'exact'")],
)
def test_unknown_names_list_the_choices(name, choices):
    with pytest.raises(ValueError, match=rf"{name}='odd' is not known; expected one of .*{choices}"):
        InstanceGraph(**{name: "odd"}).build(points())


def test_the_recipe_is_cloned_with_its_parameters():
    graph = clone(InstanceGraph("published", "chi2", 3, 2, None, "exact"))
    assert graph.get_params() == {
        "formula": "published",
        "metric": "chi2",
        "n_neighbors": 3,
        "kernel_neighbor": 2,
        "scale": None,
        "method": "exact",
    }
