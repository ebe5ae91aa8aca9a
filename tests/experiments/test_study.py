from __future__ import annotations

import numpy as np
import pytest
from tests.experiments.samples import collection, study

from tagweave.datasets import Collection
from tagweave.experiments.study import Draw, Study


@pytest.mark.parametrize("where", ["leaves", "all", "instances"])
def test_nothing_of_the_test_instances_is_given(where):
    of = study()
    assert np.isnan(of.labels(Draw(0.5, 0, where))[of.test]).all()


def test_changing_test_labels_changes_nothing_that_is_given():
    one = collection()
    spoiled = one.original.copy()
    spoiled[one.n_train :] = 1 - spoiled[one.n_train :]
    other = Collection.from_arrays(one.X, spoiled, hierarchy=one.hierarchy, n_train=one.n_train)
    draw = Draw(0.5, 3)
    np.testing.assert_array_equal(Study.of(one).labels(draw), Study.of(other).labels(draw))


def test_a_draw_is_repeatable_and_another_seed_hides_others():
    of = study()
    one, again, other = (of.labels(Draw(0.5, seed)) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one, other, equal_nan=True)


def test_leaves_only_or_all_labels_are_hidden():
    of = study()
    inner = ~of.hierarchy.is_leaf_or_singleton
    train = ~of.test
    assert not np.isnan(of.labels(Draw(0.5, 0))[train][:, inner]).any()
    assert np.isnan(of.labels(Draw(0.5, 0, "all"))[train][:, inner]).any()


def test_as_many_instances_are_hidden_as_there_are_for_testing():
    of = study()
    hidden = np.isnan(of.labels(Draw(0.0, 0, "instances"))).all(axis=1)
    assert hidden.sum() == 2 * of.test.sum()


def test_without_test_instances_labelled_ones_are_judged():
    Y = np.full((50, 4), np.nan)
    Y[:40] = np.random.default_rng(0).integers(0, 2, (40, 4))
    of = Study.of(Collection.from_arrays(np.ones((50, 2)), Y))
    assert of.test.sum() == 8
    assert not of.test[40:].any()
    assert "judged by their known labels" in of.note


def test_test_instances_that_nobody_knows_are_no_test():
    Y = np.full((50, 4), np.nan)
    Y[:40] = np.random.default_rng(0).integers(0, 2, (40, 4))
    of = Study.of(Collection.from_arrays(np.ones((50, 2)), Y, n_train=40))
    assert of.test.sum() == 8
    assert not of.test[40:].any()


def test_too_few_labelled_instances_are_refused():
    Y = np.full((5, 2), np.nan)
    Y[0] = 1
    with pytest.raises(ValueError, match="'collection' has 1 labelled instances; expected at least 3"):
        Study.of(Collection.from_arrays(np.ones((5, 2)), Y))


def test_the_papers_features_are_taken_unless_others_are_named():
    X = {"deep": np.ones((10, 2)), "dense_sift": np.ones((10, 3))}
    of = Collection.from_arrays(X, np.eye(10))
    assert Study.of(of).view == "dense_sift"
    assert Study.of(of, "deep").X.shape == (10, 2)
    with pytest.raises(ValueError, match="features 'shallow': collection 'collection' has deep, dense_sift"):
        Study.of(of, "shallow")
    two = Collection.from_arrays({"a": X["deep"], "b": X["deep"]}, np.eye(10))
    with pytest.raises(ValueError, match="has several features, a, b: choose one of them"):
        Study.of(two)


def test_other_data_have_another_name():
    one = collection()
    changed = Collection.from_arrays(one.X + 1, one.original, hierarchy=one.hierarchy, n_train=one.n_train)
    assert Study.of(one).content == Study.of(collection()).content != Study.of(changed).content


def test_a_sample_has_some_of_each_kind_and_fits_together(tmp_path):
    of = study()
    few = of.sample(20, 1000)
    assert (int((~few.test).sum()), int(few.test.sum())) == (20, int(of.test.sum()))
    assert few.X.shape[0] == len(few.given) == len(few.truth) == few.graph.shape[0] == 20 + of.test.sum()
    np.testing.assert_array_equal(few.X[few.test], of.X[of.test])
