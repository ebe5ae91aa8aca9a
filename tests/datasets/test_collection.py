from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from tests.strategies import hierarchies, label_matrices

from tagweave.datasets import Collection, FeatureViews, statistics
from tagweave.exceptions import DataError
from tagweave.hierarchy import Hierarchy
from tagweave.labels import Labels

PETS = Hierarchy(["dog", "pet"], [("dog", "pet")])


@given(st.data())
def test_what_is_complete_is_the_original_filled_and_missing_may_be_either_sign(data):
    hierarchy = data.draw(hierarchies())
    Y = data.draw(label_matrices(hierarchy.n_labels))
    collection = Collection.from_arrays(None, Y, hierarchy=hierarchy)
    np.testing.assert_array_equal(collection.Y, Y)
    np.testing.assert_array_equal(np.where(collection.complete == -1, np.nan, collection.complete), hierarchy.fill(Y))
    minus = Collection.from_arrays(None, np.where(np.isnan(Y), -1, Y).astype(int), hierarchy=hierarchy)
    np.testing.assert_array_equal(minus.original, collection.original)
    figures = statistics(collection)
    assert figures.original.positive == pytest.approx(np.mean(Y == 1))
    assert figures.original.missing == pytest.approx(np.mean(np.isnan(Y)))
    assert figures.complete.per_instance >= figures.original.per_instance


def test_features_are_no_must():
    states = np.ones((1, 1), dtype=np.int8)
    assert not Collection("a", states, states, Hierarchy(["b"]), 1).features


def test_an_empty_collection_has_statistics():
    figures = statistics(Collection.from_arrays(None, np.empty((0, 0))))
    assert (figures.original.per_instance, figures.original.per_label, figures.original.positive) == (0, 0, 0)
    assert figures.original.missing == 0


def test_a_dataframe_names_labels_and_instances():
    frame = pd.DataFrame({"dog": [1, -1], "pet": [np.nan, 1]}, index=["a.jpg", "b.jpg"])
    collection = Collection.from_arrays(None, frame, hierarchy=[("dog", "pet")])
    assert collection.labels == ("dog", "pet")
    assert collection.instances == ("a.jpg", "b.jpg")
    assert collection.original.tolist() == [[1, -1], [-1, 1]]
    assert collection.complete.tolist() == [[1, 1], [-1, 1]]


def test_labels_of_other_kinds_are_taken():
    masked = np.ma.masked_equal([[1, 2], [0, 1]], 2)
    assert Collection.from_arrays(None, masked).original.tolist() == [[1, -1], [0, 1]]
    assert Collection.from_arrays(None, Labels.from_any([[True]])).labels == ("label 0",)


def test_the_labels_of_the_test_instances_are_not_observed():
    collection = Collection.from_arrays(None, [[1, 0], [0, 1], [1, 1]], n_train=2)
    assert np.isnan(collection.observed()[2]).all()
    np.testing.assert_array_equal(collection.observed()[:2], collection.Y[:2])
    assert (collection.n_instances, collection.n_labels) == (3, 2)


def test_the_labels_cannot_be_written_to_and_are_a_copy():
    Y = np.zeros((2, 2), dtype=np.int8)
    collection = Collection.from_arrays(None, Y)
    Y[0, 0] = 1
    assert collection.original[0, 0] == 0
    for states in (collection.original, collection.complete):
        with pytest.raises(ValueError, match="read-only"):
            states[0, 0] = 1


def test_features_of_one_kind_are_x_and_of_several_are_chosen():
    one = Collection.from_arrays([[0.5], [1.5]], [[1], [0]])
    assert one.X.shape == (2, 1)
    two = Collection.from_arrays({"a": np.ones((2, 1)), "b": sparse.csr_array((2, 3))}, [[1], [0]])
    with pytest.raises(
        AttributeError, match=r"several features: a, b; choose by features=, or take \.features\[name\]"
    ):
        two.X  # noqa: B018
    assert two.features["b"].shape == (2, 3)
    assert statistics(two).n_features == {"a": 1, "b": 3}
    with pytest.raises(AttributeError, match="collection 'collection' has none"):
        Collection.from_arrays(None, [[1]]).X  # noqa: B018


def test_a_collection_says_what_it_is_and_can_be_pickled():
    collection = Collection.from_arrays(np.ones((1, 2)), [[1, 1]], hierarchy=PETS, name="pets")
    text = "<Collection 'pets': 1 instances (1 for training), 2 labels, 1 edges, features: features>"
    assert repr(collection) == text
    assert repr(pickle.loads(pickle.dumps(collection))) == text
    assert repr(FeatureViews({}, 0)) == "<FeatureViews: none>"


def test_unknown_features_are_a_key_error_that_names_the_known():
    views = FeatureViews({"a": np.ones((1, 1))}, 1)
    assert "a" in views
    assert "b" not in views
    with pytest.raises(KeyError, match="no features 'b'; there are a"):
        views["b"]


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"Y": [[2]]}, ValueError, "Y: Y must hold 1, 0 and NaN"),
        ({"labels": ["a", "b"]}, ValueError, "labels: 2 names; Y has 1 columns"),
        ({"labels": ["a"], "hierarchy": Hierarchy(["b"])}, ValueError, "labels: not those of the hierarchy"),
        ({"complete": [[1, 1]]}, ValueError, r"complete has shape \(1, 2\); expected that of Y, \(1, 1\)"),
        ({"complete": [[3]]}, ValueError, "complete: Y must hold"),
        ({"n_train": 2}, ValueError, "n_train=2; expected 0 to 1"),
        ({"instances": []}, ValueError, "instances: 0; expected 1"),
        ({"photos": [None, None]}, ValueError, "photos: 2; expected 1"),
        ({"X": np.ones((2, 1))}, DataError, "features 'features': 2 rows; the labels have 1"),
        ({"X": np.ones(2)}, ValueError, r"features 'features' have shape \(2,\)"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(wrong, error, message):
    with pytest.raises(error, match=message):
        Collection.from_arrays(**{"X": None, "Y": [[1]], **wrong})
