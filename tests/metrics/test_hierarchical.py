from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import hierarchies, label_matrices, score_matrices

from tagweave.hierarchy import Hierarchy
from tagweave.metrics import average_hierarchical_loss, hierarchical_loss, rank_labels


def naive_loss(Y, scores, hierarchy, k):
    count = 0
    for row, ranked in enumerate(rank_labels(scores, hierarchy).tolist()):
        best = set(ranked[:k])
        for child, parent in hierarchy.edges:
            c, p = hierarchy.index(child), hierarchy.index(parent)
            count += bool(Y[row, p] == 0 and p not in best and c in best)
    return count / (Y.shape[0] * Y.shape[1])


@st.composite
def problems(draw):
    hierarchy = draw(hierarchies())
    scores = draw(score_matrices(len(hierarchy)))
    rows = len(scores)
    Y = draw(label_matrices(len(hierarchy), min_rows=rows, max_rows=rows, missing=False))
    return hierarchy, Y, scores


@given(problems(), st.integers(1, 12))
def test_the_loss_equals_the_naive_loop(problem, k):
    hierarchy, Y, scores = problem
    assert hierarchical_loss(Y, scores, hierarchy, k) == naive_loss(Y, scores, hierarchy, k)


@given(problems(), st.lists(st.integers(1, 12), min_size=1))
def test_the_average_is_that_of_the_losses(problem, ks):
    hierarchy, Y, scores = problem
    each = [naive_loss(Y, scores, hierarchy, k) for k in ks]
    assert average_hierarchical_loss(Y, scores, hierarchy, iter(ks)) == pytest.approx(np.mean(each), abs=1e-15)


@given(problems())
def test_scores_without_violation_lose_exactly_nothing(problem):
    hierarchy, Y, scores = problem
    feasible = hierarchy.enforce(scores)
    assert average_hierarchical_loss(Y, feasible, hierarchy, ks=range(1, 11)) == 0.0


@given(problems())
def test_a_true_parent_is_no_violation(problem):
    hierarchy, Y, scores = problem
    assert average_hierarchical_loss(np.ones_like(Y), scores, hierarchy) == 0.0


def test_a_k_of_all_labels_or_more_loses_nothing_and_still_counts():
    pair = Hierarchy(["dog", "animal"], [("dog", "animal")])
    Y, scores = [[0, 0]], [[0.9, 0.1]]
    assert hierarchical_loss(Y, scores, pair, k=1) == 0.5
    assert hierarchical_loss(Y, scores, pair, k=2) == hierarchical_loss(Y, scores, pair, k=150) == 0.0
    assert average_hierarchical_loss(Y, scores, pair, ks=(1, 150)) == 0.25


def test_ks_are_checked():
    pair = Hierarchy(["dog", "animal"], [("dog", "animal")])
    with pytest.raises(ValueError, match="ks must be a positive whole number, got 0"):
        average_hierarchical_loss([[0, 0]], [[0, 1]], pair, ks=(5, 0))
    with pytest.raises(ValueError, match="ks must name at least one k"):
        average_hierarchical_loss([[0, 0]], [[0, 1]], pair, ks=())
    with pytest.raises(ValueError, match=r"^k must be a positive whole number, got None"):
        hierarchical_loss([[0, 0]], [[0, 1]], pair, None)


def test_blocks_change_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    hierarchy = Hierarchy(list("abcde"), [("a", "b"), ("b", "c"), ("a", "d")])
    Y, scores = rng.random((50, 5)) < 0.3, rng.random((50, 5))
    whole = average_hierarchical_loss(Y, scores, hierarchy, ks=(1, 2, 3))
    assert whole > 0
    monkeypatch.setattr("tagweave.hierarchy.sweeps.row_blocks.__defaults__", (20,))
    assert average_hierarchical_loss(Y, scores, hierarchy, ks=(1, 2, 3)) == whole
