"""FastTag: the blank-out in closed form, both gradients, and the alternation of the paper."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from tests.estimators.samples import HIERARCHY, collection

from tagweave.baselines import FastTag
from tagweave.baselines.fasttag import TINY_RIDGE, blanked_out, f1_of_labels

X, Y = collection()


def parts(model):
    """The instances and weights that the first stage learns from."""
    filled = HIERARCHY.fill(Y)
    rows = np.flatnonzero((filled == 1).any(axis=1))
    tags = (filled[rows] == 1).astype(float)
    features = np.hstack([X[rows], np.ones((len(rows), 1))])
    weights = np.ones(len(rows))
    if model.weighting == "rarity":
        weights = (tags / np.maximum(tags.sum(axis=0), 1)).max(axis=1)
        weights /= weights.mean()
    return features, tags, weights


def test_the_expectation_is_the_sum_over_all_blank_outs():
    rng = np.random.default_rng(0)
    inputs = np.hstack([rng.normal(size=(4, 3)), np.ones((4, 1))])
    targets, weights, noise = rng.normal(size=(4, 2)), rng.uniform(size=4), 0.3
    P, Q = np.zeros((2, 4)), np.zeros((4, 4))
    for kept in product((0, 1), repeat=3):
        chance = np.prod([1 - noise if one else noise for one in kept])
        blanked = inputs * [*kept, 1]
        P += chance * (targets.T * weights) @ blanked
        Q += chance * (blanked.T * weights) @ blanked
    got = blanked_out(inputs, targets, weights, noise)
    np.testing.assert_allclose(got[0], P)
    np.testing.assert_allclose(got[1], Q)


@pytest.mark.parametrize("weighting", ["rarity", None])
@pytest.mark.parametrize("scatter", ["full", "diagonal"])
def test_neither_map_has_a_gradient_left(weighting, scatter):
    model = FastTag(0.4, 2.0, 0.3, weighting=weighting, scatter=scatter, feature_map=None, hierarchy=HIERARCHY).fit(
        X, Y
    )
    features, tags, weights = parts(model)
    inputs = np.hstack([tags, np.ones((len(tags), 1))])
    P, Q = blanked_out(inputs, tags, weights, 0.4)
    if scatter == "diagonal":
        Q = np.diag(np.sqrt(weights) @ inputs)
    remaining = (inputs @ model.B_.T - features @ model.W_.T) * weights[:, None]
    ridge = np.array([0.3, 0.3, 0.3, TINY_RIDGE])
    of_W = -remaining.T @ features + model.W_ * ridge
    of_B = remaining.T @ inputs + 2.0 * (model.B_ @ Q - P + TINY_RIDGE * model.B_)
    assert np.abs(of_W).max() < 1e-9
    assert np.abs(of_B).max() < 1e-9


def test_the_papers_alternation_converges_on_the_same_maps():
    model = FastTag(0.4, 2.0, 0.3, weighting=None, feature_map=None, hierarchy=HIERARCHY).fit(X, Y)
    features, tags, weights = parts(model)
    inputs = np.hstack([tags, np.ones((len(tags), 1))])
    P, Q = blanked_out(inputs, tags, weights, 0.4)
    tiny = TINY_RIDGE * np.eye(len(Q))
    B = P @ np.linalg.inv(Q + tiny)
    gram = features.T @ features + np.diag([0.3, 0.3, 0.3, TINY_RIDGE])
    for _ in range(3000):
        W = B @ inputs.T @ features @ np.linalg.inv(gram)
        B = (2.0 * P + W @ features.T @ inputs) @ np.linalg.inv(2.0 * (Q + tiny) + inputs.T @ inputs)
    np.testing.assert_allclose(model.B_, B, atol=1e-6)
    np.testing.assert_allclose(model.W_, W, atol=1e-6)
    np.testing.assert_allclose(model.scores_, np.hstack([X, np.ones((len(X), 1))]) @ W.T, atol=1e-6)


def test_b_turns_on_a_tag_that_goes_with_another():
    model = FastTag(0.5, 10.0, 0.1, weighting=None, feature_map=None, hierarchy=HIERARCHY).fit(X, Y)
    puppy, dog, car = (HIERARCHY.index(label) for label in ("puppy", "dog", "car"))
    assert model.B_[dog, puppy] > 0.1 > abs(model.B_[dog, car])


def test_a_second_layer_changes_the_scores_but_not_the_first_layer():
    one = FastTag(feature_map=None, hierarchy=HIERARCHY).fit(X, Y)
    two = FastTag(feature_map=None, hierarchy=HIERARCHY, n_layers=2).fit(X, Y)
    np.testing.assert_array_equal(one.B_, two.B_)
    assert np.abs(one.scores_ - two.scores_).max() > 1e-3


def rare_collection():
    """Two tags of few instances and faint features, which a strong ridge leaves below the common two."""
    rng = np.random.default_rng(0)
    Y = np.eye(4)[rng.choice(4, size=240, p=[0.4, 0.4, 0.1, 0.1])]
    return Y * [1, 1, 0.3, 0.3] + 0.01 * rng.normal(size=Y.shape), Y


def test_tags_that_are_never_found_are_learned_again():
    X, Y = rare_collection()
    model = FastTag(n_stages=3, top_k=1, lam=100.0, feature_map=None).fit(X, Y)
    assert [stage.tolist() for stage in model.rare_] == [[0, 1, 2, 3], [2, 3]]
    plain = FastTag(top_k=1, lam=100.0, feature_map=None).fit(X, Y)
    np.testing.assert_array_equal(plain.W_[:2], model.W_[:2])
    found = [f1_of_labels(Y, fitted.scores_, 1) for fitted in (plain, model)]
    assert not found[0][2:].any()
    assert found[1][2:].any()
    assert found[1].mean() > found[0].mean()


def test_the_hidden_part_of_the_instances_is_optional():
    X, Y = rare_collection()
    assert len(FastTag(n_stages=3, validation_fraction=0, feature_map=None).fit(X, Y).rare_) == 1


def test_without_a_positive_the_scores_are_zero():
    model = FastTag(feature_map=None).fit([[0.0], [1.0]], [[0, 0], [0, np.nan]])
    assert not model.scores_.any()
    assert model.rare_ == ()


def test_f1_of_a_label_counts_hits_misses_and_wrong_ones():
    truth = np.array([[1, 0, 0], [1, 0, 1], [0, 0, 1]], dtype=float)
    scores = np.array([[3, 2, 1], [1, 2, 3], [3, 2, 1]], dtype=float)
    np.testing.assert_allclose(f1_of_labels(truth, scores, 1), [2 / 4, 0, 2 / 3])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"weighting": "x"}, "weighting must be 'rarity' or None; got 'x'"),
        ({"scatter": "x"}, "scatter must be 'full' or 'diagonal'; got 'x'"),
        ({"noise": 1.0}, "noise must be at least 0 and below 1; got 1.0"),
        ({"n_layers": 0}, "n_layers must be a whole number of at least 1; got 0"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        FastTag(**parameters).fit(X, Y)
