from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import hierarchies, label_matrices

from tagweave.hierarchy import Hierarchy
from tagweave.missing import hide_instances, hide_labels

PAIR = Hierarchy(["dog", "animal"], [("dog", "animal")])
SEEDS = [0, np.random.RandomState, np.random.default_rng]


def seeded(kind):
    return kind if isinstance(kind, int) else kind(0)


@given(st.data(), hierarchies(), st.floats(0, 0.99), st.integers(0, 1000))
def test_only_leaves_and_singletons_are_hidden_and_nothing_else_changes(data, hierarchy, proportion, seed):
    Y = data.draw(label_matrices(len(hierarchy), max_rows=20))
    before = Y.copy()
    hidden = hide_labels(Y, proportion, hierarchy, random_state=seed)
    new = np.isnan(hidden) & ~np.isnan(Y)
    assert not new[:, ~hierarchy.is_leaf_or_singleton].any()
    assert new.sum() <= round(Y.size * proportion)
    np.testing.assert_array_equal(hidden[~new], Y[~new])
    np.testing.assert_array_equal(Y, before)


@given(st.data(), hierarchies(), st.floats(0, 0.99), st.integers(0, 1000), st.booleans())
def test_without_a_hierarchy_or_everywhere_exactly_the_drawn_are_hidden(data, hierarchy, share, seed, everywhere):
    Y = data.draw(label_matrices(len(hierarchy), max_rows=20, missing=False, dtype=np.int8))
    chosen = (hierarchy, "all") if everywhere else (None, "leaves")
    hidden = hide_labels(Y, share, *chosen, random_state=seed)
    assert np.isnan(hidden).sum() == round(Y.size * share)
    assert hidden.dtype == np.float64
    # The same draw, of which the leaves are a part: that is the paper's protocol.
    leaves = hide_labels(Y, share, hierarchy, random_state=seed)
    expected = np.isnan(hidden) & hierarchy.is_leaf_or_singleton
    np.testing.assert_array_equal(np.isnan(leaves), expected)


@pytest.mark.parametrize("kind", SEEDS)
def test_the_same_seed_hides_the_same(kind):
    Y = np.ones((30, 8))
    first, again = (hide_labels(Y, 0.5, random_state=seeded(kind)) for _ in range(2))
    np.testing.assert_array_equal(first, again)
    state = np.random.default_rng(0) if kind == 0 else seeded(kind)
    one, two = (np.isnan(hide_labels(Y, 0.5, random_state=state)) for _ in range(2))
    assert (one != two).any()
    assert hide_labels(Y, 0.5).shape == Y.shape


def test_every_entry_is_drawn_equally_often():
    Y = np.zeros((4, 3))
    counts = sum(np.isnan(hide_labels(Y, 0.25, random_state=seed)) for seed in range(2000))
    assert abs(counts / 2000 - 0.25).max() < 0.05


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_precision_and_dataframes_are_kept(dtype):
    Y = np.ones((5, 2), dtype=dtype)
    hidden = hide_labels(Y, 0.5, PAIR, random_state=0)
    assert hidden.dtype == dtype
    frame = pd.DataFrame(Y, columns=["dog", "animal"], index=list("vwxyz"))
    hidden_frame = hide_labels(frame, 0.5, PAIR, random_state=0)
    pd.testing.assert_frame_equal(hidden_frame, pd.DataFrame(hidden, columns=frame.columns, index=frame.index))
    assert frame.notna().all(axis=None)
    rows_frame, rows = hide_instances(frame, 2, random_state=0)
    assert rows_frame.iloc[rows].isna().all(axis=None)
    assert list(rows_frame.index) == list(frame.index)


def test_nullable_dataframes_keep_what_is_missing():
    frame = pd.DataFrame({"dog": pd.array([1, pd.NA], dtype="Int8"), "animal": pd.array([1, 0], dtype="Int8")})
    hidden = hide_labels(frame, 0.0, PAIR)
    np.testing.assert_array_equal(hidden.to_numpy(), [[1, 1], [np.nan, 0]])


def test_an_empty_matrix_stays_empty():
    assert hide_labels(np.zeros((0, 2)), 0.5).shape == (0, 2)
    assert hide_labels(np.zeros((2, 0)), 0.5).shape == (2, 0)


@pytest.mark.parametrize("proportion", [-0.1, 1, 1.0, np.nan, "0.5", None])
def test_a_proportion_outside_its_range_is_refused(proportion):
    with pytest.raises(ValueError, match="proportion must be at least 0 and below 1, got"):
        hide_labels(np.ones((2, 2)), proportion)


@pytest.mark.parametrize("Y", [[[1, 2]], [[0.5, 1]], [[-1, 1]], [[np.inf, 1]]])
def test_other_labels_are_refused(Y):
    for hide in (lambda: hide_labels(Y, 0.5), lambda: hide_instances(Y, 1)):
        with pytest.raises(ValueError, match=r"Y must hold 1, 0 and NaN for missing, got .* in row 0, column"):
            hide()


def test_another_number_of_labels_than_the_hierarchy_is_refused():
    with pytest.raises(ValueError, match=r"one column for each of the 2 labels, got shape \(2, 3\)"):
        hide_labels(np.ones((2, 3)), 0.5, PAIR)


def test_where_is_checked():
    with pytest.raises(ValueError, match="where must be 'leaves' or 'all', got 'roots'"):
        hide_labels(np.ones((2, 2)), 0.5, where="roots")


@given(label_matrices(st.integers(1, 5), max_rows=12), st.data(), st.integers(0, 1000))
def test_hidden_instances_are_whole_rows_and_as_many_as_asked(Y, data, seed):
    size = data.draw(st.integers(0, len(Y)) | st.floats(0, 0.99))
    hidden, rows = hide_instances(Y, size, random_state=seed)
    assert len(rows) == (size if isinstance(size, int) else round(len(Y) * size))
    assert rows.tolist() == sorted(set(rows.tolist()))
    assert np.isnan(hidden[rows]).all()
    kept = np.setdiff1d(np.arange(len(Y)), rows)
    np.testing.assert_array_equal(hidden[kept], Y[kept])


@pytest.mark.parametrize("size", [-1, 4, 1.0, -0.5, True, "2", None, np.nan])
def test_a_size_that_is_neither_count_nor_proportion_is_refused(size):
    with pytest.raises(ValueError, match="size must be a whole number from 0 to 3"):
        hide_instances(np.ones((3, 2)), size)


def test_the_protocol_on_corel5k_hides_fewer_than_drawn(corel5k):
    hierarchy = Hierarchy(corel5k.labels, corel5k.edges)
    train = corel5k.original[: corel5k.n_train]
    hidden = np.isnan(hide_labels(train, 0.5, hierarchy, random_state=0))
    share = hierarchy.is_leaf_or_singleton.mean()  # 197 of 260 columns
    assert hidden.sum() / train.size == pytest.approx(0.5 * share, abs=2e-3)
