"""A citizen of scikit-learn: its own checks, clone, parameters, pickles, pipelines."""

from __future__ import annotations

import pickle
from copy import deepcopy

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks
from tests.estimators.samples import ESTIMATORS, HIERARCHY, collection, estimator

from tagweave import MLMG, MLMGCO, MLMGSL
from tagweave.graphs import InstanceGraph

X, Y = collection()

NOT_LABELS = "hands over the labels 1 and 2, and 2 is neither 1, 0 nor missing"
ANOTHER_NODE = "calls fit(X, y=), ours is Y; and a repeated instance is another node of the graph, no heavier one"
EXPECTED = {
    "check_estimators_dtypes": NOT_LABELS,
    "check_fit2d_1feature": NOT_LABELS,
    "check_sample_weights_not_an_array": NOT_LABELS,
    "check_sample_weights_not_overwritten": NOT_LABELS,
    "check_sample_weights_pandas_series": NOT_LABELS,
    "check_sample_weights_shape": NOT_LABELS,
    "check_sample_weight_equivalence_on_dense_data": ANOTHER_NODE,
    "check_sample_weight_equivalence_on_sparse_data": ANOTHER_NODE,
}


def never(progress):
    return False


# The checks are about small data sets, some of one instance.
@pytest.mark.filterwarnings("ignore::tagweave.exceptions.GraphWarning")
@parametrize_with_checks(
    [MLMGCO(), MLMGSL(), MLMG()],
    expected_failed_checks=lambda estimator: EXPECTED,
)
def test_scikit_learns_own_checks_pass(estimator, check):
    check(estimator)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_a_clone_is_unfitted_and_alike(kind):
    model = estimator(kind, hierarchy=HIERARCHY, callback=never, warm_start=True)
    copy = clone(model.fit(X, Y))
    ours, theirs = model.get_params(), copy.get_params()
    assert ours.keys() == theirs.keys()
    assert {name for name in ours if ours[name] != theirs[name]} == {"graph"}  # a clone itself
    assert not hasattr(copy, "scores_")


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_parameters_reach_into_the_recipes(kind):
    model = estimator(kind, graph=InstanceGraph(n_neighbors=6, kernel_neighbor=3))
    assert model.get_params()["graph__metric"] == "euclidean"
    changed = clone(model).set_params(graph__metric="cosine", beta=2.0)
    assert model.graph.metric == "euclidean"
    assert changed.graph.metric == "cosine"
    assert abs(model.fit(X, Y).graph_ - changed.fit(X, Y).graph_).max() > 0.1
    with pytest.raises(ValueError, match="Invalid parameter 'alpha'"):
        model.set_params(alpha=1)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_a_copy_of_a_fitted_estimator_is_fitted_alike(kind, tmp_path):
    model = estimator(kind, hierarchy=HIERARCHY).fit(X, Y)
    joblib.dump(model, tmp_path / "model.joblib")
    for copy in (pickle.loads(pickle.dumps(model)), deepcopy(model), joblib.load(tmp_path / "model.joblib")):
        assert vars(copy).keys() == vars(model).keys()
        np.testing.assert_array_equal(copy.scores_, model.scores_)
        assert copy.hierarchy_ == model.hierarchy_
        np.testing.assert_array_equal(copy.annotate(3).labels, model.annotate(3).labels)
        np.testing.assert_array_equal(copy.fit(X, Y).scores_, model.scores_)


def test_it_is_the_last_step_of_a_pipeline():
    pipeline = make_pipeline(StandardScaler(), estimator(MLMGCO))
    pipeline.fit(X, Y, mlmgco__sample_weight=np.ones(len(Y)))
    expected = estimator(MLMGCO).fit(StandardScaler().fit_transform(X), Y)
    np.testing.assert_array_equal(pipeline[-1].scores_, expected.scores_)
    assert clone(pipeline).set_params(mlmgco__graph__n_neighbors=4)[-1].graph.n_neighbors == 4
