from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score
from tests.strategies import hierarchies, label_matrices, score_matrices

from tagweave.exceptions import LabelWarning
from tagweave.hierarchy import Hierarchy
from tagweave.metrics import entry_masks, rank_labels, top_k_f1


@given(st.data(), hierarchies(), st.booleans(), st.integers(1, 12))
def test_f1_of_some_entries_equals_the_naive_count(data, hierarchy, with_hierarchy, k):
    scores = data.draw(score_matrices(len(hierarchy)))
    rows = len(scores)
    Y = data.draw(label_matrices(len(hierarchy), min_rows=rows, max_rows=rows, missing=False))
    entries = data.draw(label_matrices(len(hierarchy), min_rows=rows, max_rows=rows, missing=False)) == 1
    given_hierarchy = hierarchy if with_hierarchy else None
    ranked = rank_labels(scores, given_hierarchy)
    truth, predicted = [], []
    for row, column in zip(*np.nonzero(entries), strict=True):
        truth.append(Y[row, column] == 1)
        predicted.append(column in ranked[row, :k])
    if any(truth) or any(predicted):
        result = top_k_f1(Y, scores, k, entries=entries, hierarchy=given_hierarchy)
        assert result == pytest.approx(f1_score(truth, predicted, zero_division=0), abs=1e-12)
        assert type(result) is float
    else:
        with pytest.warns(LabelWarning, match="hold no 1"):
            assert np.isnan(top_k_f1(Y, scores, k, entries=entries, hierarchy=given_hierarchy))


def test_missing_entries_compete_with_provided_ones():
    Y = [[1, 1]]
    missing = np.array([[False, True]])
    assert top_k_f1(Y, [[0.9, 0.8]], k=1, entries=missing) == 0.0
    assert top_k_f1(Y, [[0.8, 0.9]], k=1, entries=missing) == 1.0
    assert top_k_f1(Y, [[0.8, 0.9]]) == 1.0


def test_ties_go_to_the_parent():
    pair = Hierarchy(["dog", "animal"], [("dog", "animal")])
    assert top_k_f1([[0, 1]], [[0.5, 0.5]], k=1, hierarchy=pair) == 1.0


@given(label_matrices(st.integers(1, 6)), st.data(), st.booleans())
def test_every_entry_is_of_one_kind(Y, data, as_mask):
    rows = sorted(data.draw(st.sets(st.integers(0, len(Y) - 1))))
    test_rows = np.isin(np.arange(len(Y)), rows) if as_mask else rows
    masks = entry_masks(Y, test_rows)
    assert (masks.provided.astype(int) + masks.missing + masks.test == 1).all()
    for row in range(len(Y)):
        for column in range(Y.shape[1]):
            if row in rows:
                assert masks.test[row, column]
            else:
                assert masks.missing[row, column] == np.isnan(Y[row, column])


def test_without_test_rows_they_are_those_of_which_nothing_is_known():
    Y = [[1, np.nan], [np.nan, np.nan], [0, 1]]
    for given_labels in (Y, pd.DataFrame(Y), np.nan_to_num(Y, nan=-1).astype(np.int8)):
        masks = entry_masks(given_labels)
        assert masks.test.tolist() == [[False, False], [True, True], [False, False]]
        assert masks.missing.tolist() == [[False, True], [False, False], [False, False]]


@pytest.mark.parametrize(
    ("test_rows", "message"),
    [
        ([True], "a mask of 2 booleans, got bool of shape"),
        ([0.5], "got float64"),
        ([[0]], r"of shape \(1, 1\)"),
        ([2], "between 0 and 1, got 2 to 2"),
        ([-1], "between 0 and 1, got -1 to -1"),
    ],
)
def test_damaged_test_rows_are_refused(test_rows, message):
    with pytest.raises(ValueError, match=f"test_rows must .*{message}"):
        entry_masks([[1, 0], [0, 1]], test_rows)


@pytest.mark.parametrize("entries", [[[1, 0]], [[True]], [True, False]])
def test_damaged_entries_are_refused(entries):
    with pytest.raises(ValueError, match=r"entries must be booleans of shape \(1, 2\), got"):
        top_k_f1([[1, 0]], [[0.5, 0.1]], entries=entries)
