from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from tagweave.graphs import nearest_neighbours
from tagweave.graphs import neighbours as module

METRICS = ["euclidean", "cosine", "hellinger", "chi2"]


def naive_distance(x, y, metric):
    """Straight from the definitions, one pair at a time."""
    x, y = [float(v) for v in x], [float(v) for v in y]

    def normalised(values, total):
        return [v / total if total > 0 else 0.0 for v in values]

    if metric == "cosine":
        x, y = (normalised(v, sum(a * a for a in v) ** 0.5) for v in (x, y))
    elif metric in ("hellinger", "chi2"):
        x, y = (normalised(v, sum(v)) for v in (x, y))
    if metric == "hellinger":
        x, y = [v**0.5 for v in x], [v**0.5 for v in y]
    if metric == "chi2":
        return sum((a - b) ** 2 / (a + b) for a, b in zip(x, y, strict=True) if a + b > 0) ** 0.5
    return sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) ** 0.5


def naive_neighbours(X, k, metric):
    distances, indices = [], []
    for i in range(len(X)):
        pairs = sorted((naive_distance(X[i], X[j], metric), j) for j in range(len(X)) if j != i)[:k]
        distances.append([d for d, _ in pairs])
        indices.append([j for _, j in pairs])
    return np.array(distances), np.array(indices)


def histograms(n=40, d=6, seed=0):
    X = np.random.default_rng(seed).gamma(0.5, size=(n, d))
    X[X < 0.05] = 0
    return X


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("kind", ["float64", "float32", "csr", "csr32"])
@pytest.mark.parametrize("memory_budget", [module.MEMORY_BUDGET, 500, 10_000])
def test_neighbours_equal_a_naive_double_loop(metric, kind, memory_budget):
    if metric == "chi2" and memory_budget == 500:
        memory_budget = 5000  # a block per pair of rows would be 1600 parallel launches
    X = histograms().astype(np.float32 if "32" in kind else np.float64)
    given_X = sparse.csr_matrix(X) if "csr" in kind else X
    distances, indices = nearest_neighbours(given_X, 5, metric=metric, scale=None, memory_budget=memory_budget)
    expected_distances, expected_indices = naive_neighbours(X, 5, metric)
    np.testing.assert_allclose(distances, expected_distances, rtol=1e-12)
    np.testing.assert_array_equal(indices, expected_indices)


@pytest.mark.parametrize("kind", ["dense", "csr"])
def test_minmax_makes_each_column_span_minus_one_to_one(kind):
    X = np.random.default_rng(1).normal(size=(30, 4)) * [1, 10, 1e-3, 0] + [5, 0, 0, 7]
    X[X > 5.5] = 0
    span = X.max(axis=0) - X.min(axis=0)
    scaled = 2 * (X - X.min(axis=0)) / np.where(span > 0, span, 1) - 1
    scaled[:, span == 0] = 0
    got = nearest_neighbours(sparse.coo_array(X) if kind == "csr" else X, 6)
    expected = naive_neighbours(scaled, 6, "euclidean")
    np.testing.assert_allclose(got[0], expected[0], rtol=1e-9)
    np.testing.assert_array_equal(got[1], expected[1])


@given(
    hnp.arrays(
        np.float64,
        st.tuples(st.integers(2, 30), st.integers(1, 3)),
        elements=st.integers(-2, 2).map(float),
    ),
    st.sampled_from([np.float64, np.float32]),
    st.booleans(),
    st.sampled_from([module.MEMORY_BUDGET, 300]),
    st.data(),
)
@settings(deadline=None)
def test_ties_go_to_the_lower_index(X, dtype, as_sparse, memory_budget, data):
    # Integers on a small grid: almost everything is tied, and all distances are exact.
    k = data.draw(st.integers(0, len(X) - 1))
    features = X.astype(dtype)
    distances, indices = nearest_neighbours(
        sparse.csr_array(features) if as_sparse else features, k, scale=None, memory_budget=memory_budget
    )
    squared = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    np.fill_diagonal(squared, np.inf)
    expected = np.argsort(squared, axis=1, kind="stable")[:, :k]
    np.testing.assert_array_equal(indices, expected)
    np.testing.assert_array_equal(distances, np.sqrt(np.take_along_axis(squared, expected, axis=1)))


@pytest.mark.parametrize("as_sparse", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_more_ties_than_were_proposed_still_go_to_the_lowest_indices(dtype, as_sparse):
    X = np.random.default_rng(0).integers(0, 2, size=(300, 10)).astype(dtype)
    distances, indices = nearest_neighbours(sparse.csr_array(X) if as_sparse else X, 15, scale=None)
    squared = ((X[:, None] - X[None]) ** 2).sum(axis=2).astype(float)
    np.fill_diagonal(squared, np.inf)
    expected = np.argsort(squared, axis=1, kind="stable")[:, :15]
    np.testing.assert_array_equal(indices, expected)
    np.testing.assert_array_equal(distances, np.sqrt(np.take_along_axis(squared, expected, axis=1)))


@pytest.mark.parametrize("as_sparse", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_near_duplicates_far_from_the_origin_are_told_apart(dtype, as_sparse):
    # |x|^2 + |y|^2 - 2xy is pure rounding here: only the differences know the order.
    step = np.spacing(dtype(1e6))
    X = (dtype(1e6) + step * np.random.default_rng(0).permutation(60)[:, None]).astype(dtype)
    X = np.hstack([X, np.full_like(X, 1e6)])
    distances, _ = nearest_neighbours(sparse.csr_array(X) if as_sparse else X, 2, scale=None)
    np.testing.assert_array_equal(distances[:, 0], step)
    assert set(distances[:, 1]) == {float(step), float(2 * step)}


@pytest.mark.parametrize("scale_of_values", [1e17, 1e-17])
def test_single_precision_is_left_where_its_squares_would_overflow_or_vanish(scale_of_values):
    X = (np.random.default_rng(0).normal(size=(40, 3)) * scale_of_values).astype(np.float32)
    expected = naive_neighbours(X, 3, "euclidean")
    got = nearest_neighbours(X, 3, scale=None)
    np.testing.assert_allclose(got[0], expected[0], rtol=1e-12)
    np.testing.assert_array_equal(got[1], expected[1])


def test_single_precision_is_left_where_its_error_bound_is_useless(monkeypatch):
    monkeypatch.setattr(module, "LARGEST_SLACK", 1e-9)
    X = histograms().astype(np.float32)
    np.testing.assert_array_equal(nearest_neighbours(X, 3, scale=None)[1], naive_neighbours(X, 3, "euclidean")[1])


def test_heaps_of_duplicates_end_early_and_keep_the_lowest_indices(monkeypatch):
    X = np.ones((700, 3))
    calls = []
    original = module.EuclideanSpace.squared_distances

    def counted(self, rows, others):
        calls.append(others.size)
        return original(self, rows, others)

    monkeypatch.setattr(module.EuclideanSpace, "squared_distances", counted)
    distances, indices = nearest_neighbours(X, 4, scale=None)
    assert not distances.any()
    np.testing.assert_array_equal(indices[10], [0, 1, 2, 3])
    np.testing.assert_array_equal(indices[2], [0, 1, 3, 4])
    assert sum(calls) < 700 * (256 + 20), "an exact distance for every pair of duplicates is quadratic work"


def test_precomputed_distances_are_selected_as_they_are():
    X = histograms(25)
    D = np.array([[naive_distance(a, b, "euclidean") for b in X] for a in X])
    np.fill_diagonal(D, -0.0)
    distances, indices = nearest_neighbours(D, 4, metric="precomputed")
    expected = naive_neighbours(X, 4, "euclidean")
    np.testing.assert_array_equal(distances, expected[0])
    np.testing.assert_array_equal(indices, expected[1])


@pytest.mark.parametrize("metric", ["cosine", "hellinger", "chi2"])
@pytest.mark.parametrize("as_sparse", [False, True])
def test_empty_rows_are_at_distance_one_from_others_and_zero_from_each_other(metric, as_sparse):
    X = np.array([[0.0, 0.0], [1.0, 2.0], [0.0, 0.0], [3.0, 1.0]])
    distances, indices = nearest_neighbours(sparse.csr_array(X) if as_sparse else X, 3, metric=metric)
    assert indices[0, 0] == 2
    np.testing.assert_allclose(distances[[0, 2]], [[0, 1, 1]] * 2, rtol=1e-15)


def test_the_users_features_are_left_as_they_were():
    X = sparse.csr_array((np.ones(3), np.array([1, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
    X.indices[:] = [1, 0, 1]
    dense = histograms(5)
    copies = X.indices.copy(), dense.copy()
    nearest_neighbours(X, 1)
    nearest_neighbours(dense, 1, metric="cosine")
    np.testing.assert_array_equal(X.indices, copies[0])
    np.testing.assert_array_equal(dense, copies[1])


def test_repeated_sparse_entries_are_summed():
    X = sparse.csr_array((np.ones(3), np.array([0, 0, 0]), np.array([0, 2, 3])), shape=(2, 1))
    np.testing.assert_array_equal(nearest_neighbours(X, 1, scale=None)[0], [[1.0], [1.0]])


@pytest.mark.parametrize("k", [-1, 3, 4])
def test_an_impossible_number_of_neighbours_is_refused(k):
    with pytest.raises(ValueError, match=rf"n_neighbors={k} with 3 instance.*expected 0 to 2"):
        nearest_neighbours(np.eye(3), k)


def test_the_chi2_kernel_computes_what_its_python_says():
    from tagweave.graphs.chi2 import chi2_kernel

    A, B = histograms(4), histograms(3, seed=1)
    A[0] = B[0] = 0
    compiled, interpreted = np.empty((4, 3)), np.empty((4, 3))
    chi2_kernel(A, B, compiled)
    chi2_kernel.py_func(A, B, interpreted)
    np.testing.assert_allclose(compiled, interpreted, rtol=1e-14)
    naive = [[sum((a - b) ** 2 / (a + b) for a, b in zip(x, y, strict=True) if a + b) for y in B] for x in A]
    np.testing.assert_allclose(interpreted, naive, rtol=1e-14)
