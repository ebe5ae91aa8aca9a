"""Reading the scores both ways."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from tests.estimators.samples import EDGES, ESTIMATORS, HIERARCHY, LABELS, collection, estimator, frame

from tagweave import MLMGCO
from tagweave.exceptions import HierarchyError

X, Y = collection()
NAMES = [f"photo{row}.jpg" for row in range(len(Y))]


@pytest.fixture(scope="module")
def model():
    return estimator(MLMGCO, hierarchy=EDGES).fit(X, frame(Y, NAMES))


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_annotations_are_the_best_labels_parents_first(kind):
    model = estimator(kind, hierarchy=EDGES).fit(X, frame(Y))
    annotation = model.annotate(top_k=len(LABELS))
    assert (np.diff(annotation.scores, axis=1) <= 0).all()
    for row, labels in enumerate(annotation.labels.tolist()):
        assert sorted(labels) == sorted(LABELS)
        np.testing.assert_array_equal(annotation.scores[row], model.scores_[row, [LABELS.index(x) for x in labels]])
        for child, parent in EDGES:
            assert labels.index(parent) < labels.index(child)


def test_fewer_labels_are_the_first_of_all(model):
    everything, three = model.annotate(top_k=99), model.annotate(top_k=3)
    np.testing.assert_array_equal(three.labels, everything.labels[:, :3])
    np.testing.assert_array_equal(three.scores, everything.scores[:, :3])
    assert everything.labels.shape == Y.shape
    assert model.annotate().labels.shape == Y.shape
    for rows in ([2, 5], slice(3), np.arange(len(Y)) % 2 == 0):
        np.testing.assert_array_equal(model.annotate(3, instances=rows).labels, three.labels[rows])


def test_retrieval_is_the_column_sorted_with_its_names(model):
    column = model.scores_[:, LABELS.index("dog")]
    order = np.argsort(-column, kind="stable")
    assert model.retrieve("dog", top_k=99).instances.tolist() == [NAMES[row] for row in order]
    best = model.retrieve("dog", top_k=5)
    assert best.instances.tolist() == [NAMES[row] for row in order[:5]]
    np.testing.assert_array_equal(best.scores, column[order[:5]])


def test_without_names_labels_and_instances_are_numbers():
    model = estimator(MLMGCO).fit(X, Y)
    assert set(model.annotate(1).labels.ravel()) <= set(range(7))
    assert model.retrieve(2, top_k=3).instances.dtype.kind == "i"
    np.testing.assert_array_equal(model.retrieve(np.int64(2)).scores, model.retrieve(2).scores)
    named = estimator(MLMGCO, hierarchy=HIERARCHY).fit(X, Y)
    assert named.retrieve("dog").scores.tolist() == model.retrieve(2).scores.tolist()


def test_names_that_are_tuples_stay_whole():
    labels = frame(Y, [("holiday", row) for row in range(len(Y))])
    labels.columns = [("tag", name) for name in LABELS]
    model = estimator(MLMGCO, hierarchy=None).fit(X, labels)
    assert model.annotate(2).labels[0, 0] in set(labels.columns)
    assert model.retrieve(("tag", "dog"), 1).instances[0] in set(labels.index)


@pytest.mark.parametrize("top_k", [0, -1, 2.5, "3"])
def test_top_k_must_be_a_positive_whole_number(model, top_k):
    for ask in (model.annotate, lambda top_k: model.retrieve("dog", top_k)):
        with pytest.raises(ValueError, match="top_k must be a positive whole number"):
            ask(top_k=top_k)


def test_an_unknown_label_is_named_with_the_one_probably_meant(model):
    with pytest.raises(HierarchyError, match=r"label: not among the 7 labels: 'dgo' .*'dog'"):
        model.retrieve("dgo")


def test_nothing_can_be_asked_before_the_fit():
    for ask in (lambda model: model.annotate(), lambda model: model.retrieve(0)):
        with pytest.raises(NotFittedError, match="MLMGCO"):
            ask(MLMGCO())
