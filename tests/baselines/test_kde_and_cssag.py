"""KDE against scikit-learn's kernel ridge and PCA; CSSAG as the decoding of whatever it is given."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import additive_chi2_kernel, cosine_similarity
from tests.estimators.samples import COLUMNS, HIERARCHY, collection, estimator

from tagweave import MLMGCO
from tagweave.baselines import CSSAG, KDE, FeatureKernel, condense
from tagweave.baselines.feature_kernel import kernel_of
from tagweave.metrics import average_hierarchical_loss, rank_labels

X, Y = collection()
TRAIN = ~np.isnan(Y).all(axis=1)


@pytest.fixture(scope="module")
def reference():
    """Kernel ridge of the centred labels, missing ones as negative."""
    K, labels = FeatureKernel().build(X), np.nan_to_num(HIERARCHY.fill(Y))[TRAIN]
    mean = labels.mean(axis=0)
    ridge = KernelRidge(alpha=0.3, kernel="precomputed").fit(K[np.ix_(TRAIN, TRAIN)], labels - mean)
    return labels, mean + ridge.predict(K[:, TRAIN])


def test_with_all_components_it_is_kernel_ridge(reference):
    model = KDE(0.3, hierarchy=COLUMNS).fit(X, Y)
    np.testing.assert_allclose(model.scores_, reference[1], atol=1e-10)
    assert model.n_components_ == np.linalg.matrix_rank(reference[0] - reference[0].mean(axis=0))


@pytest.mark.parametrize("n_components", [1, 3])
def test_few_components_are_those_of_the_principal_component_analysis(reference, n_components):
    labels, scores = reference
    model = KDE(0.3, n_components, hierarchy=COLUMNS).fit(X, Y)
    assert model.components_.shape == (n_components, Y.shape[1])
    analysis = PCA(n_components).fit(labels)
    np.testing.assert_allclose(model.scores_, analysis.inverse_transform(analysis.transform(scores)), atol=1e-10)


def test_labels_that_are_all_the_same_are_predicted_as_they_are():
    labels = np.array([[1.0, 0.0]] * 3 + [[np.nan, np.nan]])
    model = KDE().fit(np.arange(4.0)[:, None], labels)
    assert model.n_components_ == 0
    np.testing.assert_allclose(model.scores_, np.tile([1.0, 0.0], (4, 1)))


@pytest.mark.parametrize("scorer", [None, KDE(0.3), estimator(MLMGCO, hierarchy=None, constrain=False)])
def test_the_scores_decoded_are_those_of_the_scorer_on_the_same_labels(scorer):
    model = CSSAG(scorer, output="values", hierarchy=HIERARCHY).fit(X, Y)
    alone = KDE() if scorer is None else scorer
    filled = alone.fit(X, HIERARCHY.fill(Y))
    np.testing.assert_array_equal(model.scorer_.scores_, filled.scores_)
    np.testing.assert_array_equal(model.scores_, condense(filled.scores_, HIERARCHY).values)
    assert scorer is None or model.scorer_ is not scorer


@pytest.mark.parametrize("output", ["proportions", "values"])
@pytest.mark.parametrize("condensing", ["greedy", "exact"])
def test_no_child_is_ranked_above_its_parents(output, condensing):
    scorer = KDE(0.01)
    labels = np.nan_to_num(HIERARCHY.fill(Y))
    model = CSSAG(scorer, condensing=condensing, output=output, hierarchy=HIERARCHY, fill=False).fit(X, Y)
    assert average_hierarchical_loss(labels, scorer.fit(X, Y).scores_, HIERARCHY, range(1, 7)) > 0
    assert average_hierarchical_loss(labels, model.scores_, HIERARCHY, range(1, 7)) == 0


def test_the_ranking_by_proportions_is_the_order_of_selection():
    model = CSSAG(KDE(0.3), hierarchy=HIERARCHY).fit(X, Y)
    positions = condense(model.scorer_.scores_, HIERARCHY).positions
    np.testing.assert_array_equal(rank_labels(model.scores_, HIERARCHY), np.argsort(positions, axis=1))
    sizes = np.arange(1, Y.shape[1] + 1)
    np.testing.assert_allclose(model.scores_, (positions[..., None] < sizes).mean(axis=-1))


def squared(metric):
    """The squared distances of each metric, by scikit-learn."""
    histograms = np.abs(X) / np.abs(X).sum(axis=1, keepdims=True)
    if metric == "euclidean":
        return pairwise_distances(X / np.ptp(X, axis=0) * 2) ** 2
    if metric == "cosine":
        return 2 - 2 * cosine_similarity(np.abs(X))
    if metric == "hellinger":
        return pairwise_distances(np.sqrt(histograms)) ** 2
    return -additive_chi2_kernel(histograms)


@pytest.mark.parametrize("metric", ["euclidean", "cosine", "hellinger", "chi2"])
@pytest.mark.parametrize("as_sparse", [False, True])
def test_the_kernel_is_that_of_the_metric(metric, as_sparse):
    from scipy import sparse

    D = squared(metric)
    expected = np.exp(-D / (0.5 * D[~np.eye(len(D), dtype=bool)].mean()))
    given = X if metric == "euclidean" else np.abs(X)
    K = FeatureKernel(metric, bandwidth=0.5).build(sparse.csr_array(given) if as_sparse else given)
    np.testing.assert_allclose(K, expected, atol=1e-9)
    np.testing.assert_array_equal(np.diag(K), 1.0)
    np.testing.assert_allclose(FeatureKernel("precomputed", 0.5).build(np.sqrt(np.maximum(D, 0))), expected, atol=1e-6)


def test_a_ready_kernel_is_taken_as_it_is():
    K = FeatureKernel().build(X)
    np.testing.assert_array_equal(kernel_of(K, None, len(X)), K)
    np.testing.assert_array_equal(KDE(kernel=K).fit(X, Y).scores_, KDE().fit(X, Y).scores_)


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (np.array([[1.0, np.nan], [np.nan, 1.0]]), "kernel has NaN or infinite values"),
        (np.array([[1.0, 0.5], [0.4, 1.0]]), "kernel is not symmetric"),
        (FeatureKernel(bandwidth=0), "bandwidth must be a positive number; got 0"),
        ("manhattan", "metric='manhattan' is not known"),
    ],
)
def test_a_kernel_that_is_none_is_refused(kernel, message):
    with pytest.raises(ValueError, match=message):
        kernel_of(kernel, [[0.0], [1.0]], 2)
