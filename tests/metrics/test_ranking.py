from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score
from tests.strategies import hierarchies, label_matrices, score_matrices

from tagweave.exceptions import LabelWarning
from tagweave.hierarchy import Hierarchy
from tagweave.metrics import average_precision, mean_average_precision, rank_instances, rank_labels


def naive_list(truth, ranked):
    """Mean of the precision at the hits of one ranked list; None without a hit."""
    hits, precisions = 0, []
    for position, item in enumerate(ranked, start=1):
        if truth[item]:
            hits += 1
            precisions.append(hits / position)
    return sum(precisions) / len(precisions) if precisions else None


def naive_mean(values):
    values = [value for value in values if value is not None]
    return sum(values) / len(values)


def draw_pair(data, n_labels, **options):
    scores = data.draw(score_matrices(n_labels, **options))
    rows = len(scores)
    return data.draw(label_matrices(n_labels, min_rows=rows, max_rows=rows, missing=False)), scores


@given(st.data(), hierarchies(), st.booleans())
def test_average_precision_equals_the_naive_loop(data, hierarchy, with_hierarchy):
    Y, scores = draw_pair(data, len(hierarchy))
    assume(Y.any())
    given_hierarchy = hierarchy if with_hierarchy else None
    ranked = rank_labels(scores, given_hierarchy)
    expected = naive_mean(naive_list(Y[row], ranked[row]) for row in range(len(Y)))
    result = average_precision(Y, scores, given_hierarchy)
    assert result == pytest.approx(expected, abs=1e-12)
    assert type(result) is float


@given(st.data(), hierarchies(), st.booleans())
def test_mean_average_precision_equals_the_naive_loop(data, hierarchy, with_hierarchy):
    Y, scores = draw_pair(data, len(hierarchy))
    assume(Y.any())
    columns = range(len(hierarchy))
    expected = naive_mean(naive_list(Y[:, c], rank_instances(scores[:, c])) for c in columns)
    result = mean_average_precision(Y, scores, hierarchy if with_hierarchy else None)
    assert result == pytest.approx(expected, abs=1e-12)


@given(st.data(), st.integers(2, 8), st.integers(0, 2**32 - 1))
def test_without_ties_both_equal_scikit_learn(data, n_labels, seed):
    Y, scores = draw_pair(data, n_labels, min_rows=2)
    scores = np.random.default_rng(seed).permutation(scores.size).reshape(scores.shape) / scores.size
    Y[np.arange(len(Y)), np.arange(len(Y)) % n_labels] = 1  # scikit-learn has another rule for no positive
    by_row = average_precision_score(Y, scores, average="samples")
    assert average_precision(Y, scores) == pytest.approx(by_row, abs=1e-12)
    kept = Y.any(axis=0)
    by_column = average_precision_score(Y[:, kept], scores[:, kept], average="macro")
    assert mean_average_precision(Y, scores) == pytest.approx(by_column, abs=1e-12)


def test_a_parent_is_ranked_before_a_child_of_the_same_score():
    hierarchy = Hierarchy(["dog", "animal"], [("dog", "animal")])
    assert average_precision([[0, 1]], [[0.5, 0.5]]) == 0.5
    assert average_precision([[0, 1]], [[0.5, 0.5]], hierarchy) == 1.0


@pytest.mark.parametrize("metric", [average_precision, mean_average_precision])
def test_without_any_positive_the_answer_is_nan_with_a_warning(metric):
    with pytest.warns(LabelWarning, match="no positive label") as caught:
        assert np.isnan(metric(np.zeros((2, 3)), np.ones((2, 3))))
    assert caught[0].filename == __file__


@pytest.mark.parametrize("metric", [average_precision, mean_average_precision])
def test_blocks_change_nothing(metric, monkeypatch):
    rng = np.random.default_rng(0)
    Y, scores = rng.random((50, 30)) < 0.1, rng.random((50, 30))
    whole = metric(Y, scores)
    monkeypatch.setattr("tagweave.hierarchy.sweeps.row_blocks.__defaults__", (70,))
    assert metric(Y, scores) == pytest.approx(whole, abs=1e-14)


def test_scores_of_five_thousand_instances_are_judged_at_once(corel5k):
    rng = np.random.default_rng(0)
    scores = rng.random(corel5k.complete.shape, dtype=np.float32)
    hierarchy = Hierarchy(corel5k.labels, corel5k.edges)
    expected = average_precision_score(corel5k.complete, scores, average="macro")
    # float32 has ties: scikit-learn counts them at once.
    assert mean_average_precision(corel5k.complete, scores, hierarchy) == pytest.approx(expected, abs=1e-3)
    assert 0 < average_precision(corel5k.complete, scores, hierarchy) < 0.1
