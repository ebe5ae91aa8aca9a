"""What the rivals of this half have in common: the face of the estimators, three states of labels, no peeking."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from tests.estimators.samples import COLUMNS, GRAPH, HIERARCHY, LABELS, collection, estimator

from tagweave import MLMGCO
from tagweave.baselines import CSSAG, KDE, MLRGL, FeatureKernel, MLMLAppro, MLMLExact, NeighborVoting, Popularity

X, Y = collection()

RIVALS = {
    "popularity": lambda **given: Popularity(**given),
    "voting": lambda **given: NeighborVoting(GRAPH, **given),
    "exact": lambda **given: MLMLExact(1.0, 0.3, GRAPH, **given),
    "appro": lambda **given: MLMLAppro(1.0, 0.3, GRAPH, **given),
    "kde": lambda **given: KDE(0.3, **given),
    "cssag": lambda **given: CSSAG(KDE(0.3), **given),
    "cssag on co": lambda **given: CSSAG(estimator(MLMGCO, hierarchy=None), **given),
    "mlr-gl": lambda **given: MLRGL(0.3, FeatureKernel(bandwidth=0.5), **given),
}
every_rival = pytest.mark.parametrize("make", RIVALS.values(), ids=RIVALS)


@every_rival
def test_parameters_are_stored_as_given_and_cloned(make):
    model = make(hierarchy=COLUMNS, fill=False, unstored="missing")
    copy = clone(model)
    assert not hasattr(copy, "scores_")
    assert copy.get_params(deep=False).keys() == model.get_params(deep=False).keys()
    assert copy.hierarchy == COLUMNS
    assert copy.set_params(fill=True).fill
    names = set(type(model).__init__.__code__.co_varnames) - {"self"}
    assert names == set(vars(model)) == set(model.get_params(deep=False))


@every_rival
def test_a_pickle_of_a_fitted_rival_is_fitted_alike(make):
    model = make(hierarchy=COLUMNS).fit(X, Y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.scores_, model.scores_)
    np.testing.assert_array_equal(copy.annotate(3).labels, model.annotate(3).labels)
    np.testing.assert_array_equal(copy.fit(X, Y).scores_, model.scores_)


@every_rival
def test_scores_have_the_shape_of_the_labels_and_are_numbers(make):
    model = make(hierarchy=COLUMNS).fit(X, Y)
    assert model.scores_.shape == Y.shape
    assert np.isfinite(model.scores_).all()
    assert model.hierarchy_.n_edges == len(COLUMNS)


@every_rival
def test_neither_input_is_changed(make):
    features, labels = X.copy(), Y.copy()
    make(hierarchy=COLUMNS).fit(features, labels)
    np.testing.assert_array_equal(features, X)
    np.testing.assert_array_equal(labels, Y)


@every_rival
def test_filling_is_the_same_as_filling_beforehand(make):
    filled = HIERARCHY.fill(Y)
    assert not np.array_equal(filled, Y, equal_nan=True)
    ours = make(hierarchy=COLUMNS).fit(X, Y).scores_
    np.testing.assert_array_equal(ours, make(hierarchy=COLUMNS, fill=False).fit(X, filled).scores_)
    assert not np.array_equal(ours, make(hierarchy=COLUMNS, fill=False).fit(X, Y).scores_)


@every_rival
def test_a_data_frame_and_a_hierarchy_by_names_give_the_same(make):
    frame = pd.DataFrame(Y, columns=LABELS)
    shuffled = HIERARCHY.reorder(LABELS[::-1])
    by_name = make(hierarchy=shuffled).fit(X, frame)
    np.testing.assert_allclose(by_name.scores_, make(hierarchy=COLUMNS).fit(X, Y).scores_, atol=1e-12)
    assert by_name.annotate(1).labels[0, 0] in LABELS


@every_rival
def test_the_order_of_the_instances_does_not_matter(make):
    order = np.random.default_rng(3).permutation(len(X))
    model = make(hierarchy=COLUMNS)
    if isinstance(model, MLRGL):  # which visits the instances in another order
        model.set_params(tol=1e-10, max_iter=5000)
    # A value of a supernode may round to either side of another; so its sets are not compared.
    if isinstance(model, CSSAG):
        model.set_params(output="values")
    tolerance = 1e-4 if isinstance(model, MLRGL) or isinstance(getattr(model, "scorer", None), MLMGCO) else 1e-7
    straight = model.fit(X, Y).scores_
    np.testing.assert_allclose(model.fit(X[order], Y[order]).scores_, straight[order], atol=tolerance)


@pytest.mark.parametrize("name", ["exact", "appro", "voting"])
def test_a_missing_label_is_not_a_negative(name):
    missing = RIVALS[name]().fit(X, Y).scores_
    negative = RIVALS[name]().fit(X, np.nan_to_num(Y)).scores_
    assert np.abs(missing - negative).max() > 0.05


@pytest.mark.parametrize("name", ["kde", "mlr-gl"])
def test_a_missing_label_counts_as_negative_where_the_original_says_so(name):
    instances = ~np.isnan(Y).all(axis=1)
    negative = np.where(instances[:, None], np.nan_to_num(Y), Y)
    ours = RIVALS[name]().fit(X, Y).scores_
    np.testing.assert_array_equal(RIVALS[name]().fit(X, negative).scores_, ours)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (MLMLExact(beta=-1.0), "beta must be a number of at least 0; got -1.0"),
        (MLMLAppro(gamma=np.nan), "gamma must be"),
        (MLMLExact(graph="unknown"), "graph must be 'paper', 'published'"),
        (MLMLExact(graph=GRAPH, class_graph=np.eye(2)[:1]), "class_graph has shape"),
        (NeighborVoting(graph=np.zeros((2, 2))), r"graph has shape \(2, 2\); expected \(40, 40\)"),
        (KDE(alpha=0.0), "alpha must be a positive number; got 0.0"),
        (KDE(n_components=0), "n_components must be None or a whole number of at least 1; got 0"),
        (KDE(n_components=True), "n_components must be None"),
        (KDE(kernel=np.eye(2)), r"kernel has shape \(2, 2\); expected \(40, 40\)"),
        (CSSAG(output="sets"), "output must be 'proportions' or 'values'; got 'sets'"),
        (CSSAG(parents="some"), "parents must be 'all' or 'any'; got 'some'"),
        (CSSAG(condensing="best"), "condensing must be 'greedy' or 'exact'; got 'best'"),
        (CSSAG(parents="any", condensing="exact"), "condensing='exact' goes with parents='all' only"),
        (MLRGL(C=-1), "C must be a number of at least 0"),
        (MLRGL(max_iter=0), "max_iter must be a whole number of at least 1"),
    ],
)
def test_a_wrong_parameter_is_named(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(X, Y)
