from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tagweave import Hierarchy
from tagweave.tuning import make_splits


def labels(seed, n=30, m=6):
    rng = np.random.default_rng(seed)
    Y = (rng.random((n, m)) < 0.5).astype(float)
    Y[rng.random((n, m)) < 0.2] = np.nan
    Y[-5:] = np.nan
    return Y


HIERARCHY = Hierarchy(range(6), [(0, 1), (1, 2)])


@given(st.integers(0, 1000), st.sampled_from(["instances", "labels", "both"]))
def test_only_known_labels_are_hidden_and_all_that_is_judged_is_hidden(seed, hide):
    Y = labels(seed)
    for split in make_splits(Y, 3, hide=hide, proportion=0.3, hierarchy=HIERARCHY, random_state=seed):
        judged = np.logical_or.reduce(split.hidden)
        assert not np.isnan(Y[judged]).any()
        assert np.isnan(split.Y[judged]).all()
        np.testing.assert_array_equal(split.Y[~judged], Y[~judged])
        assert sum(part.sum() for part in split.hidden) == judged.sum()


def test_instances_are_hidden_whole():
    Y = labels(0)
    (split,) = make_splits(Y, 1, hide="instances", proportion=0.2, random_state=0)
    rows = split.hidden[0].any(axis=1)
    assert rows.sum() == 5
    assert np.isnan(split.Y[rows]).all()


def test_single_labels_are_hidden_of_leaves_and_singletons_only():
    (split,) = make_splits(labels(0), 1, hide="labels", proportion=0.5, hierarchy=HIERARCHY, random_state=0)
    assert split.hidden[0].any(axis=0).tolist() == [True, False, False, True, True, True]


def test_the_first_splits_do_not_depend_on_how_many_there_are():
    few, many = (make_splits(labels(0), n, random_state=7) for n in (2, 5))
    for one, other in zip(few, many, strict=False):
        np.testing.assert_array_equal(one.Y, other.Y)


def test_the_truth_is_filled_by_the_hierarchy():
    Y = np.zeros((4, 2))
    Y[:, 0] = 1
    (split,) = make_splits(Y, 1, hierarchy=Hierarchy(list("ab"), [("a", "b")]), random_state=0, proportion=0.5)
    assert split.truth.all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hide": "rows"}, r"hide must be one of 'instances', 'labels', 'both'; got 'rows'"),
        ({"proportion": 1.0}, r"proportion must be greater than 0 and below 1; got 1\.0"),
        ({"proportion": float("nan")}, r"proportion must be greater than 0 and below 1; got nan"),
    ],
)
def test_bad_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        make_splits(labels(0), 1, **arguments)


def test_nothing_to_find_is_refused():
    with pytest.raises(ValueError, match="no positive label is hidden"):
        make_splits(np.zeros((5, 2)), 1, random_state=0)
