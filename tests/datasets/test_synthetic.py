from __future__ import annotations

import numpy as np
import pytest

from tagweave.datasets import make_tagged_collection
from tagweave.graphs import InstanceGraph


def test_the_same_seed_gives_the_same_collection():
    a, b = (make_tagged_collection(50, random_state=3) for _ in range(2))
    np.testing.assert_array_equal(a.X, b.X)
    np.testing.assert_array_equal(a.Y, b.Y)
    assert not np.array_equal(a.X, make_tagged_collection(50, random_state=4).X)


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
def test_generators_of_both_kinds_are_taken(make):
    a, b = (make_tagged_collection(20, random_state=make(0)) for _ in range(2))
    np.testing.assert_array_equal(a.X, b.X)


def test_a_parent_contains_its_children():
    photos = make_tagged_collection(random_state=0)
    column = {label: j for j, label in enumerate(photos.labels)}
    for child, parent in photos.edges:
        assert np.all(photos.Y[:, column[parent]] >= photos.Y[:, column[child]])


def test_the_hierarchy_is_a_dag_with_a_label_of_two_parents():
    photos = make_tagged_collection(5, random_state=0)
    assert photos.hierarchy.labels == photos.labels
    assert set(photos.hierarchy.edges) == set(photos.edges)
    assert sum(child == "dog" for child, _ in photos.edges) == 2


@pytest.mark.parametrize("seed", range(3))
def test_labels_are_skewed_and_all_in_use(seed):
    frequency = make_tagged_collection(random_state=seed).Y.mean(axis=0)
    assert frequency.min() > 0
    assert frequency.min() < 0.02
    assert 0.35 < frequency.max() < 0.7
    assert np.median(frequency) < 0.15


def test_neighbours_share_labels():
    photos = make_tagged_collection(300, random_state=0)
    W = InstanceGraph().build(photos.X)
    similarity = (photos.Y @ photos.Y.T.astype(float)) / np.sqrt(np.outer(*(2 * [np.maximum(photos.Y.sum(axis=1), 1)])))
    rows, columns = W.nonzero()
    assert similarity[rows, columns].mean() > similarity.mean() + 0.2


def test_features_and_split_are_as_asked_for():
    photos = make_tagged_collection(11, 5, train_size=0.5, noise=0, random_state=0)
    assert photos.X.shape == (11, 5)
    assert photos.X.dtype == np.float64
    assert photos.Y.dtype == np.int8
    assert photos.n_train in (5, 6)
    assert make_tagged_collection(1, train_size=0.1).n_train == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"n_instances": 0},
        {"n_features": 0},
        {"train_size": 0},
        {"train_size": 1.5},
        {"noise": -1},
        {"noise": np.nan},
    ],
)
def test_impossible_sizes_are_refused(wrong):
    ((name, _),) = wrong.items()
    with pytest.raises(ValueError, match=f"{name}=.*expected"):
        make_tagged_collection(**wrong)
