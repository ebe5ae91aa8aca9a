"""Kernel ridge: the normal equations of each label, with and without missing ones."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge as OfScikitLearn
from tests.estimators.samples import HIERARCHY, collection

from tagweave.baselines import KernelRidge
from tagweave.baselines.kernels import kernel_matrix

X, Y = collection()


@pytest.mark.parametrize("missing", [True, False])
def test_each_label_is_scikit_learns_kernel_ridge_on_what_is_known_of_it(missing):
    labels = Y if missing else np.where(np.isnan(Y) & (np.arange(len(Y)) < 32)[:, None], 0, Y)
    model = KernelRidge(ridge=0.2, tol=1e-6, fill=False).fit(X, labels)
    K = kernel_matrix(X, "rbf", "standard", 1.0)
    for label in range(Y.shape[1]):
        known = np.flatnonzero(~np.isnan(labels[:, label]))
        mean = labels[known, label].mean()
        reference = OfScikitLearn(alpha=0.2, kernel="precomputed")
        reference.fit(K[np.ix_(known, known)], labels[known, label] - mean)
        np.testing.assert_allclose(model.scores_[:, label], mean + reference.predict(K[:, known]), atol=1e-4)
    assert model.residual_ < 1e-4
    assert (model.n_iter_ > 0) is missing


def test_a_label_of_which_nothing_is_known_scores_zero():
    labels = Y.copy()
    labels[:, 3] = np.nan
    with pytest.warns(UserWarning, match="1 of 7 labels have no observed value"):
        model = KernelRidge().fit(X, labels)
    assert not model.scores_[:, 3].any()


def test_few_iterations_leave_a_residual_that_is_reported():
    few = KernelRidge(ridge=1e-3, max_iter=1, hierarchy=HIERARCHY).fit(X, Y)
    many = KernelRidge(ridge=1e-3, hierarchy=HIERARCHY).fit(X, Y)
    assert few.n_iter_ == 1
    assert few.residual_ > 100 * many.residual_


def test_the_kernels_are_what_they_say():
    H = np.abs(X)
    shares = H / H.sum(axis=1, keepdims=True)
    chi2 = np.array([[((a - b) ** 2 / (a + b)).sum() for b in shares] for a in shares])
    np.testing.assert_allclose(kernel_matrix(H, "chi2", None, 2.0), np.exp(-chi2 / (2 * chi2.mean())), rtol=1e-10)
    squared = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    np.testing.assert_allclose(kernel_matrix(X, "rbf", None, 1.0), np.exp(-squared / squared.mean()), rtol=1e-8)
    np.testing.assert_allclose(kernel_matrix(X, "linear", None, 1.0), X @ X.T / (X**2).sum(axis=1).mean(), rtol=1e-10)
    with pytest.raises(ValueError, match="kernel='poly' is not known"):
        kernel_matrix(X, "poly", None, 1.0)
