from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from tagweave.graphs import nearest_neighbours, pairs, proposals, space
from tagweave.graphs.neighbours import MEMORY_BUDGET

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
@pytest.mark.parametrize("memory_budget", [MEMORY_BUDGET, 500, 10_000])
def test_neighbours_equal_a_naive_double_loop(metric, kind, memory_budget):
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
    st.sampled_from([MEMORY_BUDGET, 300]),
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
    monkeypatch.setattr(space, "LARGEST_SLACK", 1e-9)
    X = histograms().astype(np.float32)
    np.testing.assert_array_equal(nearest_neighbours(X, 3, scale=None)[1], naive_neighbours(X, 3, "euclidean")[1])


@pytest.mark.parametrize("as_sparse", [False, True])
def test_heaps_of_duplicates_keep_the_lowest_indices(as_sparse):
    X = np.ones((700, 3))
    distances, indices = nearest_neighbours(sparse.csr_array(X) if as_sparse else X, 4, scale=None)
    assert not distances.any()
    np.testing.assert_array_equal(indices[10], [0, 1, 2, 3])
    np.testing.assert_array_equal(indices[2], [0, 1, 3, 4])


def test_heaps_of_duplicates_end_early(monkeypatch):
    from tagweave.graphs.transform import RowTransform

    X = np.ones((300, 3))
    calls = []

    def counted(rows, i, j):
        calls.append((i, j))
        return 0.0

    monkeypatch.setattr(pairs, "squared_distance", counted)
    exact = pairs.Rows.of(X, RowTransform(X, "euclidean", None), "euclidean")
    rows, products, shrunk = np.arange(300), np.full((300, 300), 3.0), np.full(300, 3.0)
    squared, neighbours = np.full((300, 4), np.inf), np.full((300, 4), -1)
    pairs.settle.py_func(exact, rows, products, 0, shrunk, np.zeros(300), squared, neighbours)
    assert len(calls) <= 300 * proposals.STRIPE, "an exact distance for every pair of duplicates is quadratic work"
    np.testing.assert_array_equal(neighbours[2], [0, 1, 3, 4])


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


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("as_sparse", [False, True])
def test_the_kernel_of_pairs_computes_what_its_python_says(metric, as_sparse, monkeypatch):
    from tagweave.graphs.transform import RowTransform

    X = histograms(6)
    X[4] = 0
    features = sparse.csr_array(X) if as_sparse else X
    rows = pairs.Rows.of(features, RowTransform(features, metric, None), metric)
    compiled = [[pairs.squared_distance(rows, i, j) for j in range(6)] for i in range(6)]
    for name in ("_term", "_dense", "_sparse"):
        monkeypatch.setattr(pairs, name, getattr(pairs, name).py_func)
    interpreted = [[pairs.squared_distance.py_func(rows, i, j) for j in range(6)] for i in range(6)]
    np.testing.assert_allclose(compiled, interpreted, rtol=1e-14)
    naive = [[naive_distance(x, y, metric) ** 2 for y in X] for x in X]
    np.testing.assert_allclose(interpreted, naive, rtol=1e-13, atol=1e-30)


def test_chi2_lies_between_once_and_twice_hellinger_squared():
    X = histograms(60, 20)
    hellinger = naive_neighbours(X, 59, "hellinger")
    chi2 = np.array([[naive_distance(X[i], X[j], "chi2") for j in row] for i, row in enumerate(hellinger[1])])
    assert np.all(hellinger[0] ** 2 <= chi2**2 * (1 + 1e-12))
    assert np.all(chi2**2 <= 2 * hellinger[0] ** 2 * (1 + 1e-12))


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("as_sparse", [False, True])
def test_many_blocks_and_threads_give_what_one_block_gives(metric, as_sparse):
    X = histograms(700, 12).astype(np.float32)
    features = sparse.csr_array(X) if as_sparse else X
    whole = nearest_neighbours(features, 9, metric=metric)
    pieces = nearest_neighbours(features, 9, metric=metric, memory_budget=100_000)
    np.testing.assert_array_equal(pieces[1], whole[1])
    np.testing.assert_array_equal(pieces[0], whole[0])


def test_thin_sparse_features_are_multiplied_as_they_are(monkeypatch):
    X = sparse.random_array((80, 40), density=0.2, rng=np.random.default_rng(0), format="csr")
    expected = nearest_neighbours(X, 5)
    monkeypatch.setattr(space, "SPARSE_PRODUCT", 1.0)
    thin = nearest_neighbours(X, 5)
    np.testing.assert_array_equal(thin[1], expected[1])
    np.testing.assert_array_equal(thin[0], expected[0])


@pytest.mark.parametrize("metric", ["cosine", "hellinger", "chi2"])
def test_rows_too_small_for_a_reciprocal_are_empty(metric):
    X = np.array([[1e-310, 0.0], [1.0, 2.0], [0.0, 0.0], [3.0, 1.0]])
    distances, indices = nearest_neighbours(X, 1, metric=metric)
    assert (indices[0, 0], distances[0, 0]) == (2, 0)


def test_an_error_in_a_worker_reaches_the_caller():
    from tagweave.graphs import workers

    def fail(part):
        raise RuntimeError(f"part {part}")

    with pytest.raises(RuntimeError, match="part 0"):
        workers.for_each(range(100), fail)


def test_double_precision_takes_over_where_single_tells_too_few_apart(monkeypatch):
    from tagweave.graphs import exact

    X = 1e4 + np.random.default_rng(0).normal(size=(400, 5))
    made = []

    class Spy(space.ProductSpace):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            made.append(self.single)

    monkeypatch.setattr(exact, "ProductSpace", Spy)
    found = nearest_neighbours(X, 5, scale=None)
    expected = naive_neighbours(X, 5, "euclidean")
    assert made == [True, False]
    np.testing.assert_array_equal(found[1], expected[1])
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12)


@pytest.mark.parametrize("precise", [False, True])
def test_products_bound_the_distances_from_below(precise):
    from tagweave.graphs.transform import RowTransform

    X = 100 + np.random.default_rng(0).normal(size=(50, 20))
    made = space.ProductSpace(X, RowTransform(X, "euclidean", None), 10_000, precise=precise)
    assert made.single is not precise
    everyone = slice(0, 50)
    bounds = made.shrunk[:, None] + made.shrunk - 2 * made.products(everyone, everyone)
    true = ((X[:, None] - X) ** 2).sum(axis=2)
    assert np.all(bounds <= true)
    assert np.all(bounds >= true - (1e-8 if precise else 4) * np.square(X).sum(axis=1).max() * 1e-4)


def test_scaling_does_not_blur_columns_far_from_the_origin():
    offsets = np.random.default_rng(0).integers(0, 2000, size=(50, 2)) / 1024
    scaled = 2 * offsets / np.ptp(offsets, axis=0)
    found = nearest_neighbours(2.0**40 + offsets, 3)
    np.testing.assert_allclose(found[0], naive_neighbours(scaled, 3, "euclidean")[0], rtol=1e-12)


@pytest.mark.parametrize("as_sparse", [False, True])
def test_the_kernels_of_the_search_compute_what_their_python_says(as_sparse, monkeypatch):
    X = histograms(30, 5).astype(np.float32)
    features = sparse.csr_array(X) if as_sparse else X
    compiled = nearest_neighbours(features, 4, metric="chi2", memory_budget=20_000)
    for module, names in ((proposals, ("insert", "offer_to_rows", "offer_to_columns")), (pairs, ("judge", "settle"))):
        for name in names:
            monkeypatch.setattr(module, name, getattr(module, name).py_func)
    interpreted = nearest_neighbours(features, 4, metric="chi2", memory_budget=20_000)
    np.testing.assert_array_equal(interpreted[1], compiled[1])
    np.testing.assert_array_equal(interpreted[0], compiled[0])
