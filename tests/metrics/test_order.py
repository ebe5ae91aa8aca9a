from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import hierarchies, score_matrices

from tagweave.hierarchy import Hierarchy
from tagweave.metrics import rank_instances, rank_labels, top_k_mask


def naive_ranking(row, hierarchy):
    position = range(len(row)) if hierarchy is None else [int(rank) for rank in hierarchy.rank]
    return sorted(range(len(row)), key=lambda column: (-row[column], position[column]))


@given(st.data(), hierarchies(), st.booleans(), st.sampled_from([np.float64, np.float32, np.float16]))
def test_ties_go_to_the_parent_or_else_to_the_first_column(data, hierarchy, with_hierarchy, dtype):
    scores = data.draw(score_matrices(len(hierarchy), dtype=dtype, min_rows=0))
    given_hierarchy = hierarchy if with_hierarchy else None
    ranked = rank_labels(scores, given_hierarchy)
    assert ranked.tolist() == [naive_ranking(row, given_hierarchy) for row in scores]
    assert ranked.dtype == np.intp


@given(st.data(), hierarchies(), st.booleans(), st.integers(1, 12))
def test_the_top_k_are_the_first_k_of_the_whole_ranking(data, hierarchy, with_hierarchy, k):
    scores = data.draw(score_matrices(len(hierarchy)))
    given_hierarchy = hierarchy if with_hierarchy else None
    whole = rank_labels(scores, given_hierarchy)
    assert (rank_labels(scores, given_hierarchy, top_k=k) == whole[:, :k]).all()
    mask = np.zeros(scores.shape, dtype=bool)
    for row, columns in enumerate(whole[:, :k]):
        mask[row, columns] = True
    assert (top_k_mask(scores, k, given_hierarchy) == mask).all()


@given(st.data(), hierarchies())
def test_a_child_never_overtakes_a_parent_that_scores_as_much(data, hierarchy):
    scores = hierarchy.enforce(data.draw(score_matrices(len(hierarchy))))
    for ranked in rank_labels(scores, hierarchy).tolist():
        for child, parent in hierarchy.edge_index:
            assert ranked.index(parent) < ranked.index(child)


@given(score_matrices(st.integers(1, 12), max_rows=1), st.integers(1, 14))
def test_instances_of_the_same_score_keep_their_order(scores, k):
    column = scores[0]
    expected = sorted(range(len(column)), key=lambda row: -column[row])
    assert rank_instances(column).tolist() == expected
    assert rank_instances(column, top_k=k).tolist() == expected[:k]


def test_infinite_scores_are_first_and_last_and_zeros_are_equal():
    assert rank_labels([[0.0, -np.inf, -0.0, np.inf, 0.0]]).tolist() == [[3, 0, 2, 4, 1]]
    assert rank_labels([[0.0, -np.inf, -0.0, np.inf, 0.0]], top_k=3).tolist() == [[3, 0, 2]]
    assert rank_labels(np.array([[True, False]])).tolist() == [[0, 1]]


def test_many_rows_are_ranked_in_blocks(monkeypatch):
    hierarchy = Hierarchy(list("abcde"), [("a", "b"), ("b", "c"), ("a", "d")])
    scores = np.random.default_rng(0).integers(0, 3, (101, 5)) / 2
    whole = [rank_labels(scores, hierarchy), rank_labels(scores, top_k=2), top_k_mask(scores, 2, hierarchy)]
    monkeypatch.setattr("tagweave.hierarchy.sweeps.row_blocks.__defaults__", (20,))
    blocks = [rank_labels(scores, hierarchy), rank_labels(scores, top_k=2), top_k_mask(scores, 2, hierarchy)]
    assert all((a == b).all() for a, b in zip(whole, blocks, strict=True))


@pytest.mark.parametrize("k", [0, -1, 2.0, True, "3"])
def test_k_must_be_a_positive_whole_number(k):
    with pytest.raises(ValueError, match=f"top_k must be a positive whole number, got {k!r}"):
        rank_labels([[0.1]], top_k=k)
    with pytest.raises(ValueError, match=f"^k must be a positive whole number, got {k!r}"):
        top_k_mask([[0.1]], k)


def test_instances_are_ranked_one_label_at_a_time():
    with pytest.raises(ValueError, match=r"column must be 1-D, the scores of one label, got shape \(1, 2\)"):
        rank_instances([[0.1, 0.2]])
