"""ML-kNN by hand, label spreading by its closed form."""

from __future__ import annotations

import numpy as np
import pytest
from tests.estimators.samples import GRAPH, HIERARCHY, collection

from tagweave.baselines import MLkNN, PerLabelSpreading
from tagweave.baselines.mlknn_counts import count_neighbours
from tagweave.graphs import InstanceGraph

X, Y = collection()


def naive_counts(distance, Y, k):
    counts = np.zeros(Y.shape, dtype=int)
    known_rows = np.flatnonzero(~np.isnan(Y).all(axis=1))
    for i in range(len(Y)):
        order = sorted((distance[i, j], j) for j in known_rows if j != i)
        for label in range(Y.shape[1]):
            nearest = [Y[j, label] for _, j in order if not np.isnan(Y[j, label])][:k]
            counts[i, label] = sum(nearest)
    return counts


@pytest.mark.parametrize("metric", ["euclidean", "chi2"])
def test_mlknn_is_the_papers_formula_on_what_is_known(metric):
    features = np.abs(X)
    if metric == "chi2":
        shares = features / features.sum(axis=1, keepdims=True)
        distance = np.array([[((a - b) ** 2 / (a + b)).sum() for b in shares] for a in shares])
    else:
        distance = ((features[:, None] - features[None]) ** 2).sum(axis=2)
    k, s = 4, 0.7
    counts = naive_counts(distance, Y, k)
    expected = np.empty(Y.shape)
    for label in range(Y.shape[1]):
        truth, count = Y[:, label], counts[:, label]
        prior = (s + (truth == 1).sum()) / (2 * s + (~np.isnan(truth)).sum())
        for i in range(len(Y)):
            of_one, of_zero = ((truth == state) for state in (1, 0))
            p1 = (s + (count[of_one] == count[i]).sum()) / (s * (k + 1) + of_one.sum())
            p0 = (s + (count[of_zero] == count[i]).sum()) / (s * (k + 1) + of_zero.sum())
            expected[i, label] = prior * p1 / (prior * p1 + (1 - prior) * p0)
    model = MLkNN(n_neighbors=k, smoothing=s, metric=metric, fill=False).fit(features, Y)
    np.testing.assert_allclose(model.scores_, expected, rtol=1e-10)


def test_mlknn_in_blocks_is_the_same(monkeypatch):
    whole = MLkNN(3, hierarchy=HIERARCHY).fit(X, Y).scores_
    monkeypatch.setattr("tagweave.baselines.mlknn.BLOCK_BYTES", 16 * 32 * 7)
    np.testing.assert_array_equal(MLkNN(3, hierarchy=HIERARCHY).fit(X, Y).scores_, whole)


def test_the_counting_kernel_computes_what_its_python_says():
    order = np.array([[0, 1, 2], [2, 0, 1]])
    known = np.array([[1, -1], [0, 1], [1, 1]], dtype=np.int8)
    for count in (count_neighbours, count_neighbours.py_func):
        counts = np.full((2, 2), 9)
        count(order, np.array([0, -1]), known, 2, counts)
        np.testing.assert_array_equal(counts, [[1, 2], [2, 2]])


def test_mlknn_refuses_a_metric_without_features():
    with pytest.raises(ValueError, match=r"metric must be 'euclidean', .*; got 'precomputed'"):
        MLkNN(metric="precomputed").fit(X, Y)


def test_spreading_is_its_closed_form():
    alpha = 0.7
    model = PerLabelSpreading(alpha, GRAPH, tol=1e-12, max_iter=2000, fill=False).fit(X, Y)
    W = GRAPH.build(X).toarray()
    root = 1 / np.sqrt(W.sum(axis=1))
    S = W * root[:, None] * root
    for label in range(Y.shape[1]):
        start = np.column_stack([Y[:, label] == 0, Y[:, label] == 1]).astype(float)
        spread = np.linalg.solve(np.eye(len(W)) - alpha * S, start)
        np.testing.assert_allclose(model.scores_[:, label], spread[:, 1] / spread.sum(axis=1), atol=1e-8)
    assert model.n_not_converged_ == 0


def test_spreading_tells_what_did_not_converge():
    model = PerLabelSpreading(0.99, GRAPH, tol=1e-12, max_iter=2, hierarchy=HIERARCHY).fit(X, Y)
    assert model.n_not_converged_ == 7


def test_where_nothing_arrives_the_share_of_positives_stands():
    graph = InstanceGraph(n_neighbors=1, kernel_neighbor=1)
    features = [[0.0], [0.1], [0.2], [50.0], [50.1]]
    labels = [[1, 1, 0], [0, 1, 0], [1, 1, np.nan], [np.nan] * 3, [np.nan] * 3]
    scores = PerLabelSpreading(graph=graph).fit(features, labels).scores_
    np.testing.assert_allclose(scores[3:], [[2 / 3, 1, 0]] * 2)
    np.testing.assert_array_equal(scores[:, 1:], [[1, 0]] * 5)
