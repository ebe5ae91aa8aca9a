"""The SVM against its optimality conditions, SMiLE against its package; both without what is missing."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from tests.estimators.samples import HIERARCHY, collection

from tagweave.baselines import OneVsRestSVM, SMiLE

X, Y = collection()


def test_each_machine_has_no_gradient_left_on_what_is_known_of_its_label():
    C = 0.5
    model = OneVsRestSVM(C, feature_map=None, tol=1e-9, max_iter=100_000, fill=False).fit(X, Y)
    assert model.n_not_converged_ == 0
    features = np.hstack([X, np.full((len(X), 1), 10.0)])
    for label in range(Y.shape[1]):
        known = ~np.isnan(Y[:, label])
        y = 2 * Y[known, label] - 1
        if abs(y.mean()) == 1:
            continue  # nothing to separate
        # The scores are linear in the features, so they tell the weights.
        w = np.linalg.lstsq(features, model.scores_[:, label], rcond=None)[0]
        slack = np.maximum(0, 1 - y * (features[known] @ w))
        gradient = w - 2 * C * features[known].T @ (y * slack)
        assert np.abs(gradient).max() < 1e-3 * np.abs(2 * C * features[known].T @ y).max()


def test_a_label_with_one_known_value_scores_that_value():
    labels = np.array([[1, 0, np.nan, 1], [1, 0, np.nan, 0], [np.nan, np.nan, np.nan, np.nan]])
    with pytest.warns(UserWarning, match="no observed value"):
        scores = OneVsRestSVM(feature_map=None).fit([[0.0], [1.0], [2.0]], labels).scores_
    np.testing.assert_array_equal(scores[:, :3], [[1, -1, 0]] * 3)
    assert scores[0, 3] > scores[1, 3] > scores[2, 3]


def test_running_out_of_iterations_is_counted_not_hidden():
    model = OneVsRestSVM(1e4, tol=1e-12, max_iter=1, hierarchy=HIERARCHY).fit(X, Y)
    assert model.n_not_converged_ == 7


def test_threads_do_not_change_the_scores():
    one = OneVsRestSVM(hierarchy=HIERARCHY).fit(X, Y).scores_
    np.testing.assert_array_equal(OneVsRestSVM(hierarchy=HIERARCHY, n_jobs=2).fit(X, Y).scores_, one)


def test_smile_scores_by_the_map_of_its_package():
    packaged = pytest.importorskip("skmultilearn.missing").SMiLE
    labels = (HIERARCHY.fill(Y) == 1).astype(int)
    np.random.seed(0)  # noqa: NPY002 - the package draws its clusters from the global state
    model = packaged(k=4).fit(X, labels)
    np.random.seed(0)  # noqa: NPY002
    ours = SMiLE(k=4, feature_map=None, hierarchy=HIERARCHY).fit(X, Y).scores_
    # Its own predict() fails from NumPy 2.4 on: it puts arrays of one element into cells.
    np.testing.assert_allclose(ours, X @ model.P + np.ravel(model.b))


def test_smile_bears_columns_that_repeat_others():
    pytest.importorskip("skmultilearn.missing")
    repeated = np.hstack([X, X, np.ones((len(X), 1))])
    assert np.isfinite(SMiLE(k=3, feature_map=None, hierarchy=HIERARCHY).fit(repeated, Y).scores_).all()
    with pytest.raises(ValueError, match="k=41 clusters need at least as many instances"):
        SMiLE(k=41).fit(X, Y)


def test_without_the_package_smile_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "skmultilearn.missing", None)
    with pytest.raises(ImportError, match=r"scikit-multilearn-ng, .* pip install tagweave\[rivals\]"):
        SMiLE().fit(X, Y)
