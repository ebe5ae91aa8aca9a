from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from tagweave.baselines.features import map_features

X = np.random.default_rng(0).gamma(1, size=(30, 5))
X[:, 4] = 1e6 / 3


@pytest.mark.parametrize("feature_map", ["standard", "cosine", "l1", "hellinger", "chi2", None])
def test_sparse_and_dense_features_are_mapped_alike_and_left_as_they_were(feature_map):
    given = X.copy()
    mapped = map_features(given, feature_map)
    np.testing.assert_allclose(map_features(sparse.csr_array(X), feature_map), mapped)
    mapped += 1
    np.testing.assert_array_equal(given, X)


def test_each_map_is_what_it_says():
    shares = X / X.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(map_features(X, "l1"), shares)
    np.testing.assert_allclose(map_features(X, "hellinger"), np.sqrt(shares))
    np.testing.assert_allclose(map_features(X, "cosine"), X / np.linalg.norm(X, axis=1, keepdims=True))
    np.testing.assert_array_equal(map_features(X, None), X)
    standard = map_features(X, "standard")
    np.testing.assert_allclose(standard.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(standard.std(axis=0), [1, 1, 1, 1, 0], atol=1e-9)


def test_products_after_chi2_approximate_the_additive_kernel():
    mixed = X[:, :4]
    shares = mixed / mixed.sum(axis=1, keepdims=True)
    kernel = np.array([[(2 * a * b / (a + b)).sum() for b in shares] for a in shares])
    mapped = map_features(mixed, "chi2")
    assert mapped.shape == (30, 12)
    np.testing.assert_allclose(mapped @ mapped.T, kernel, atol=0.12)


def test_an_unknown_map_is_named():
    with pytest.raises(ValueError, match="feature_map='pca' is not known; expected one of 'standard', 'cosine'"):
        map_features(X, "pca")
