"""The face that the rivals share with the estimators."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from tests.estimators.samples import EDGES, GRAPH, HIERARCHY, LABELS, collection, frame

from tagweave.baselines import LEML, FastTag, KernelRidge, MCPos, MLkNN, OneVsRestSVM, PerLabelSpreading

X, Y = collection()
X = np.abs(X)
RIVALS = [
    FastTag(),
    KernelRidge(),
    LEML(rank=3),
    MCPos(max_iter=20),
    MLkNN(3),
    OneVsRestSVM(),
    PerLabelSpreading(graph=GRAPH),
]
each = pytest.mark.parametrize("rival", RIVALS, ids=lambda rival: type(rival).__name__)


@each
def test_a_copy_is_alike_and_fits_alike(rival):
    model = clone(rival).set_params(hierarchy=HIERARCHY).fit(X, Y)
    assert np.isfinite(model.scores_).all()
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.scores_, model.scores_)
    again = clone(model)
    assert not hasattr(again, "scores_")
    np.testing.assert_allclose(again.fit(X, Y).scores_, model.scores_, rtol=1e-5, atol=1e-6)


@each
def test_names_and_hierarchy_come_with_the_frame(rival):
    model = clone(rival).set_params(hierarchy=EDGES).fit(X, frame(Y))
    assert set(model.annotate(3).labels.ravel()) <= set(LABELS)
    assert len(model.retrieve("dog", 4).scores) == 4


@each
def test_filling_is_what_the_hierarchy_adds(rival):
    by_hand = clone(rival).set_params(fill=False).fit(X, HIERARCHY.fill(Y)).scores_
    filled = clone(rival).set_params(hierarchy=HIERARCHY, fill=True).fit(X, Y).scores_
    unfilled = clone(rival).set_params(hierarchy=HIERARCHY, fill=False).fit(X, Y).scores_
    np.testing.assert_allclose(filled, by_hand, rtol=1e-5, atol=1e-6)
    assert np.abs(filled - unfilled).max() > 1e-4


@each
def test_features_are_needed_one_row_for_each_instance(rival):
    with pytest.raises(ValueError, match=f"{type(rival).__name__} needs X"):
        clone(rival).fit(None, Y)
    with pytest.raises(ValueError, match="X has 39 instances but Y has 40"):
        clone(rival).fit(X[1:], Y)


@pytest.mark.parametrize(
    ("rival", "name", "value", "expected"),
    [
        (KernelRidge(), "ridge", 0, "a number above 0"),
        (LEML(), "lam", -1, "a number above 0"),
        (LEML(), "rank", 0, "a whole number of at least 1"),
        (MCPos(), "nuclear", np.inf, "a number above 0"),
        (MCPos(), "max_iter", 2.5, "a whole number of at least 1"),
        (MLkNN(), "smoothing", 0, "a number above 0"),
        (MLkNN(), "n_neighbors", 0, "a whole number of at least 1"),
        (OneVsRestSVM(), "C", "1", "a number above 0"),
        (PerLabelSpreading(), "alpha", 1.0, "at least 0 and below 1"),
        (PerLabelSpreading(), "alpha", 0, "a number above 0"),
    ],
)
def test_bad_parameters_are_named_with_what_came(rival, name, value, expected):
    with pytest.raises(ValueError, match=f"{name} must be {expected}; got {value!r}"):
        clone(rival).set_params(**{name: value}).fit(X, Y)
