from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy import sparse

from tagweave.exceptions import GraphWarning
from tagweave.graphs import InstanceGraph, approximate, nearest_neighbours
from tagweave.graphs import neighbours as module

METRICS = ["euclidean", "cosine", "hellinger", "chi2"]


@pytest.fixture
def clustered():
    rng = np.random.default_rng(0)
    return np.abs(rng.normal(size=(20, 30))[rng.integers(20, size=1500)] + 0.4 * rng.normal(size=(1500, 30)))


@pytest.fixture
def without_faiss(monkeypatch):
    monkeypatch.setitem(sys.modules, "faiss", None)
    approximate.load_faiss.cache_clear()
    yield
    approximate.load_faiss.cache_clear()


def needs_faiss():
    if approximate.load_faiss() is None:
        pytest.skip("FAISS ABSENT: the approximate search was not tried")


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("kind", ["float64", "float32", "csr"])
def test_nearly_all_neighbours_are_found_with_their_exact_distances(clustered, metric, kind):
    needs_faiss()
    X = sparse.csr_array(clustered) if kind == "csr" else clustered.astype(kind)
    truth, who = nearest_neighbours(X, 10, metric=metric)
    distances, indices = nearest_neighbours(X, 10, metric=metric, method="approximate")
    assert np.mean(distances <= truth[:, -1:] * (1 + 1e-9)) >= 0.99
    assert np.all(distances >= truth)
    assert np.all(np.diff(distances) >= 0)
    same = indices == who
    np.testing.assert_array_equal(distances[same], truth[same])
    assert not np.any(indices == np.arange(len(clustered))[:, None])


@pytest.mark.filterwarnings("ignore:the approximate search found:tagweave.exceptions.GraphWarning")
def test_the_recall_reported_is_that_of_the_whole(clustered, monkeypatch):
    needs_faiss()
    for name in ("EF_CONSTRUCTION", "EF_SEARCH", "LINKS"):
        monkeypatch.setattr(approximate, name, 2)
    monkeypatch.setattr(approximate, "SPARE", 0)
    truth = nearest_neighbours(clustered, 10)[0]
    graph = InstanceGraph(n_neighbors=10, method="approximate")
    _, report = graph.build_with_report(clustered)
    distances = nearest_neighbours(clustered, 10, method="approximate")[0]
    recall = np.mean(distances <= truth[:, -1:] * (1 + 1e-9))
    share = approximate.N_SAMPLED / len(clustered)  # these have their true neighbours afterwards
    assert report.method == "approximate"
    assert report.n_sampled == approximate.N_SAMPLED
    assert report.recall < 1
    assert report.recall == pytest.approx((recall - share) / (1 - share), abs=0.1)
    assert report.seconds > 0


def test_a_low_recall_is_told(clustered, monkeypatch):
    needs_faiss()
    monkeypatch.setattr(module, "LOW_RECALL", 1.1)
    with pytest.warns(GraphWarning, match=r"found \d+\.\d% of the true neighbours .* 300 instances.*method='exact'"):
        InstanceGraph(method="approximate").build(clustered)


@pytest.mark.parametrize("size", [1e17, 1e-17, 1e100])
def test_the_range_of_single_precision_does_not_matter(clustered, size):
    needs_faiss()
    truth = nearest_neighbours(clustered * size, 5, scale=None)[0]
    found = nearest_neighbours(clustered * size, 5, scale=None, method="approximate")[0]
    assert np.mean(found <= truth[:, -1:] * (1 + 1e-9)) >= 0.99


def test_heaps_of_duplicates_have_all_their_neighbours():
    needs_faiss()
    X = np.repeat(np.eye(3), 200, axis=0)
    distances, indices = nearest_neighbours(X, 30, method="approximate")
    assert not distances.any()
    assert np.all(indices // 200 == (np.arange(600) // 200)[:, None])
    zeros = nearest_neighbours(np.zeros((50, 2)), 30, method="approximate")[0]
    assert not zeros.any()


def test_a_small_collection_has_all_its_neighbours(clustered):
    needs_faiss()
    for found, true in zip(
        nearest_neighbours(clustered[:8], 7, method="approximate"), nearest_neighbours(clustered[:8], 7), strict=True
    ):
        np.testing.assert_array_equal(found, true)


def test_large_collections_are_searched_approximately_unless_told_otherwise(clustered, monkeypatch):
    needs_faiss()
    monkeypatch.setattr(module, "APPROXIMATE_FROM", 1000)
    for features, method, expected in (
        (clustered, "auto", "approximate"),
        (clustered, "exact", "exact"),
        (clustered[:999], "auto", "exact"),
        (sparse.csr_array(clustered), "auto", "exact"),
        (sparse.csr_array(clustered), "approximate", "approximate"),
    ):
        assert InstanceGraph(method=method).build_with_report(features)[1].method == expected


@pytest.mark.usefixtures("without_faiss")
def test_without_faiss_all_is_exact_and_a_wish_for_the_approximate_warns(clustered, monkeypatch):
    monkeypatch.setattr(module, "APPROXIMATE_FROM", 1000)
    expected = InstanceGraph(method="exact").build(clustered)
    weights, report = InstanceGraph().build_with_report(clustered)
    assert (report.method, report.recall, report.n_sampled) == ("exact", 1.0, 0)
    with pytest.warns(GraphWarning, match=r"needs faiss.*pip install tagweave\[fast\]"):
        wished, report = InstanceGraph(method="approximate").build_with_report(clustered)
    assert report.method == "exact"
    for W in (weights, wished):
        np.testing.assert_array_equal(W.toarray(), expected.toarray())


def test_distances_that_are_all_known_are_not_searched_approximately():
    D = np.ones((4, 4))
    with pytest.raises(ValueError, match="method='approximate' with metric='precomputed'; expected 'auto' or 'exact'"):
        nearest_neighbours(D, 1, metric="precomputed", method="approximate")
    assert InstanceGraph(metric="precomputed", n_neighbors=2, kernel_neighbor=1).build_with_report(D)[1].recall == 1
