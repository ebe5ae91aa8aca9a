"""fill, violation, enforce and project."""

from __future__ import annotations

import sys
import types

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from tests.strategies import hierarchies, label_matrices, score_matrices

from tagweave.hierarchy import Hierarchy

PAIR = Hierarchy(["dog", "animal"], [("dog", "animal")])
DTYPES = [np.float64, np.float32, np.int8, np.int64]


def naive_fill(Y, hierarchy):
    filled = Y.copy()
    for row in range(len(Y)):
        for column, label in enumerate(hierarchy.labels):
            if Y[row, column] == 1:
                for ancestor in hierarchy.ancestors(label):
                    filled[row, hierarchy.index(ancestor)] = 1
    return filled


def naive_violation(scores, hierarchy):
    worst = 0.0
    for row in scores:
        for child, parent in hierarchy.edges:
            worst = max(worst, row[hierarchy.index(child)] - row[hierarchy.index(parent)])
    return worst


@given(st.data(), hierarchies(), st.sampled_from(DTYPES))
def test_fill_sets_exactly_the_ancestors_of_the_positives(data, hierarchy, dtype):
    Y = data.draw(label_matrices(len(hierarchy), dtype=dtype, min_rows=0))
    before = Y.copy()
    filled = hierarchy.fill(Y)
    np.testing.assert_array_equal(filled, naive_fill(Y, hierarchy))
    assert filled.dtype == Y.dtype
    np.testing.assert_array_equal(Y, before)
    np.testing.assert_array_equal(hierarchy.fill(filled), filled)


def test_fill_takes_booleans_and_unsigned_numbers():
    for dtype in (np.bool_, np.uint8):
        filled = PAIR.fill(np.array([[1, 0]], dtype=dtype))
        assert filled.tolist() == [[1, 1]]
        assert filled.dtype == dtype


@given(st.data(), hierarchies())
def test_fill_keeps_dataframes(data, hierarchy):
    Y = data.draw(label_matrices(len(hierarchy)))
    frame = pd.DataFrame(Y, columns=list(hierarchy.labels), index=[f"row {i}" for i in range(len(Y))])
    filled = hierarchy.fill(frame)
    pd.testing.assert_frame_equal(
        filled, pd.DataFrame(naive_fill(Y, hierarchy), columns=frame.columns, index=frame.index)
    )
    np.testing.assert_array_equal(frame.to_numpy(), Y)


@pytest.mark.parametrize("dtype", ["Int8", "boolean", "bool", "object", "Float32", "float32", "int8"])
def test_fill_keeps_each_column_of_a_dataframe_as_it_is(dtype):
    frame = pd.DataFrame({"dog": [1.0, 0.0], "animal": pd.array([0, 0], dtype="Int8").astype(dtype)})
    filled = PAIR.fill(frame)
    assert filled["animal"].tolist() == [1, 0]
    assert filled.dtypes.tolist() == frame.dtypes.tolist()
    assert frame["animal"].tolist() == [0, 0]


def test_fill_overwrites_missing_entries_of_nullable_columns():
    frame = pd.DataFrame({"dog": [1, 0], "animal": pd.array([pd.NA, pd.NA], dtype="Int8")})
    filled = PAIR.fill(frame)["animal"]
    assert filled[0] == 1
    assert filled[1] is pd.NA


@pytest.mark.parametrize("value", [0.5, 2, np.inf])
def test_fill_refuses_what_is_no_label(value):
    with pytest.raises(ValueError, match=rf"Y must hold 1, 0 and missing .* got also {float(value)}"):
        PAIR.fill(np.array([[1, value]]))


@given(st.data(), hierarchies(), st.sampled_from([np.float64, np.float32]))
def test_violation_is_the_largest_excess_of_a_child(data, hierarchy, dtype):
    scores = data.draw(score_matrices(len(hierarchy), ties=False, dtype=dtype, min_rows=0))
    assert hierarchy.violation(scores) == naive_violation(scores, hierarchy)


@given(st.data(), hierarchies(), st.sampled_from([np.float64, np.float32]), st.booleans())
def test_enforced_scores_are_the_least_of_all_above(data, hierarchy, dtype, ties):
    scores = data.draw(score_matrices(len(hierarchy), ties=ties, dtype=dtype, min_rows=0))
    before = scores.copy()
    enforced = hierarchy.enforce(scores)
    for column, label in enumerate(hierarchy.labels):
        above = [column, *map(hierarchy.index, hierarchy.ancestors(label))]
        assert (enforced[:, column] == scores[:, above].min(axis=1)).all()
    assert hierarchy.violation(enforced) == 0.0
    assert enforced.dtype == dtype
    assert enforced.flags.c_contiguous
    assert (scores == before).all()


@given(st.data(), hierarchies())
def test_one_row_and_a_dataframe_come_back_as_they_came(data, hierarchy):
    scores = data.draw(score_matrices(len(hierarchy)))
    enforced = hierarchy.enforce(scores)
    assert (hierarchy.enforce(scores[0]) == enforced[0]).all()
    assert hierarchy.violation(scores[0]) == hierarchy.violation(scores[:1])
    frame = pd.DataFrame(scores, columns=list(hierarchy.labels))
    pd.testing.assert_frame_equal(hierarchy.enforce(frame), pd.DataFrame(enforced, columns=frame.columns))
    assert hierarchy.violation(frame) == hierarchy.violation(scores)


def test_many_rows_are_swept_in_blocks(monkeypatch):
    rng = np.random.default_rng(0)
    hierarchy = Hierarchy(list("abcde"), [("a", "b"), ("b", "c"), ("a", "d")])
    scores = rng.random((101, 5))
    Y = (scores > 0.5).astype(float)
    whole = hierarchy.enforce(scores), hierarchy.fill(Y), hierarchy.violation(scores)
    monkeypatch.setattr("tagweave.hierarchy.sweeps.row_blocks.__defaults__", (20,))
    blocks = hierarchy.enforce(scores), hierarchy.fill(Y), hierarchy.violation(scores)
    assert (whole[0] == blocks[0]).all()
    assert (whole[1] == blocks[1]).all()
    assert whole[2] == blocks[2]


@pytest.mark.parametrize("method", ["violation", "enforce", "project"])
@pytest.mark.parametrize(
    ("scores", "error", "message"),
    [
        ([[0.1, np.nan]], ValueError, "scores must be finite; got nan: row 0, label 'animal'"),
        ([0.1, np.inf], ValueError, "scores must be finite; got inf: row 0, label 'animal'"),
        ([[0.1, 0.2, 0.3]], ValueError, r"one column for each of the 2 labels, got shape \(1, 3\)"),
        ([0.1], ValueError, r"one column for each of the 2 labels, got shape \(1, 1\)"),
        (np.zeros((2, 2, 2)), ValueError, r"2-D, \(n_instances, n_labels\), got 3-D"),
        (0.5, ValueError, "got 0-D"),
        ([["a", "b"]], TypeError, "must hold numbers, got dtype"),
        (sparse.csr_array((1, 2)), TypeError, "must be dense .* got a sparse csr_array"),
    ],
)
def test_damaged_scores_are_refused(method, scores, error, message):
    if method == "project":
        pytest.importorskip("tagweave.hierarchy.projection")
    with pytest.raises(error, match=message):
        getattr(PAIR, method)(scores)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (["animal", "dog"], "the hierarchy's labels in the same order, but column 0 is 'animal', not 'dog'"),
        (["dog", "animal", "cat"], "there are 3 columns, not 2"),
        ([0, 1], "column 0 is 0, not 'dog'"),
    ],
)
def test_columns_are_never_matched_against_their_names(columns, message):
    frame = pd.DataFrame(np.zeros((2, len(columns))), columns=columns)
    for method in (PAIR.fill, PAIR.enforce, PAIR.violation):
        with pytest.raises(ValueError, match=message):
            method(frame)


def test_a_dataframe_of_text_is_refused():
    with pytest.raises(TypeError, match="Y must hold numbers; its DataFrame does not"):
        PAIR.fill(pd.DataFrame({"dog": ["yes"], "animal": ["no"]}))


@given(st.data(), hierarchies(max_labels=7), st.sampled_from([np.float64, np.float32]))
def test_projected_scores_are_feasible_and_nearest(data, hierarchy, dtype):
    pytest.importorskip("tagweave.hierarchy.projection")
    scores = data.draw(score_matrices(len(hierarchy), dtype=dtype))
    projected = hierarchy.project(scores)
    assert hierarchy.violation(projected) == 0.0
    assert projected.dtype == dtype
    # Variational inequality: from the projection no feasible point lies in the direction of the scores.
    other = hierarchy.enforce(data.draw(score_matrices(len(hierarchy), min_rows=len(scores), max_rows=len(scores))))
    slack = ((scores - projected).astype(float) * (other - projected)).sum(axis=1)
    assert slack.max() <= 1e-4
    np.testing.assert_allclose(hierarchy.project(projected), projected, atol=1e-6)
    frame = pd.DataFrame(scores, columns=list(hierarchy.labels))
    np.testing.assert_array_equal(hierarchy.project(frame).to_numpy(), projected)
    np.testing.assert_array_equal(hierarchy.project(scores[0]), hierarchy.project(scores[:1])[0])


def test_a_child_of_two_unrelated_parents_meets_both():
    pytest.importorskip("tagweave.hierarchy.projection")
    hierarchy = Hierarchy(["a", "b", "c"], [("c", "a"), ("c", "b")])
    np.testing.assert_allclose(hierarchy.project([[0.0, 0.0, 0.375]]), [[0.125, 0.125, 0.125]], atol=1e-9)


def test_rounding_left_by_the_projection_is_removed(monkeypatch):
    inexact = types.ModuleType("tagweave.hierarchy.projection")
    inexact.project_rows = lambda scores, edges: (scores, np.zeros((len(scores), len(edges))))
    monkeypatch.setitem(sys.modules, "tagweave.hierarchy.projection", inexact)
    scores = np.array([[np.nextafter(0.5, 1), 0.5]])
    projected = PAIR.project(scores)
    assert PAIR.violation(projected) == 0.0
    assert scores[0, 0] > 0.5  # the input is not touched, whatever the projection returns
