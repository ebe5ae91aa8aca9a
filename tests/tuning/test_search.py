from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone

from tagweave import MLMGCO
from tagweave.datasets import make_tagged_collection
from tagweave.graphs import InstanceGraph
from tagweave.metrics import mean_average_precision
from tagweave.tuning import GridSearch, HalvingSearch, make_splits
from tagweave.tuning.search import results_table

PHOTOS = make_tagged_collection(120, random_state=0)
Y = PHOTOS.Y.astype(float)
Y[PHOTOS.n_train :] = np.nan
GRID = {"beta": [0.01, 0.1, 1.0], "gamma": [0.0, 0.1]}


class Counting(BaseEstimator):
    """Scores that are the better the nearer `shift` is to 3; it writes down what it was fitted with."""

    fits: list[tuple[float, int]] = []  # noqa: RUF012 - clones share it on purpose

    def __init__(self, shift=0.0, warm_start=False):
        self.shift = shift
        self.warm_start = warm_start

    def fit(self, X, Y):
        assert self.warm_start
        type(self).fits.append((self.shift, int(np.isnan(Y).sum())))
        noise = np.random.default_rng(0).standard_normal(Y.shape)
        self.scores_ = PHOTOS.Y + abs(self.shift - 3) * noise
        return self


@pytest.fixture(autouse=True)
def _count():
    Counting.fits = []


def test_the_best_candidate_is_found_and_refitted():
    search = GridSearch(MLMGCO(hierarchy=PHOTOS.hierarchy), GRID, n_splits=2, random_state=0).fit(PHOTOS.X, Y)
    means = search.cv_results_["mean_test_score"]
    assert search.best_index_ == np.argmax(means)
    assert search.best_params_ == search.cv_results_["params"][search.best_index_]
    assert search.best_score_ == means.max()
    assert search.best_estimator_.get_params()["beta"] == search.best_params_["beta"]
    assert not search.best_estimator_.warm_start


def test_scores_are_those_of_a_plain_loop():
    search = GridSearch(Counting(), {"shift": [0.0, 2.0]}, n_splits=2, hide="both", scoring="mAP", random_state=3)
    search.set_params(refit=False).fit(None, Y)
    assert not hasattr(search, "best_estimator_")
    for s, split in enumerate(make_splits(Y, 2, hide="both", random_state=3)):
        for c, params in enumerate(search.cv_results_["params"]):
            scores = Counting(**params, warm_start=True).fit(None, split.Y).scores_
            found = [
                mean_average_precision(np.where(part, PHOTOS.Y, 0), np.where(part, scores, -np.inf))
                for part in split.hidden
            ]
            assert search.cv_results_[f"split{s}_test_score"][c] == pytest.approx(np.mean(found))


def test_hidden_and_test_labels_never_reach_the_estimator():
    def spoil(photos):
        spoiled = photos.astype(float)
        spoiled[PHOTOS.n_train :] = np.nan
        return spoiled

    truth = PHOTOS.Y.copy()
    truth[PHOTOS.n_train :] = 1 - truth[PHOTOS.n_train :]
    one, other = (
        GridSearch(MLMGCO(), {"beta": [0.1, 1.0]}, n_splits=2, random_state=0).fit(PHOTOS.X, spoil(of))
        for of in (PHOTOS.Y, truth)
    )
    np.testing.assert_array_equal(one.cv_results_["mean_test_score"], other.cv_results_["mean_test_score"])


def test_halving_drops_the_worse_and_judges_the_better_on_more_splits():
    grid = {"shift": [float(shift) for shift in range(9)]}
    search = HalvingSearch(Counting(), grid, factor=3, random_state=0, refit=False).fit(None, Y)
    assert search.best_params_ == {"shift": 3.0}
    assert sorted(search.cv_results_["n_splits"].tolist()) == [1] * 6 + [3] * 3
    assert search.cv_results_["n_splits"][2:5].tolist() == [3, 3, 3]
    assert len(Counting.fits) == 9 + 3 * 2
    assert search.cv_results_["rank_test_score"][3] == 1


def test_a_search_that_was_stopped_goes_on_where_it_was(tmp_path):
    def stop(progress):
        if progress.done == 4:
            raise KeyboardInterrupt

    search = GridSearch(Counting(), {"shift": [0.0, 1.0, 3.0]}, n_splits=2, random_state=0, refit=False, store=tmp_path)
    with pytest.raises(KeyboardInterrupt):
        clone(search).set_params(callback=stop).fit(None, Y)
    assert len(Counting.fits) == 4
    search.fit(None, Y)
    assert len(Counting.fits) == 6
    whole = clone(search).set_params(store=None).fit(None, Y)
    np.testing.assert_array_equal(search.cv_results_["mean_test_score"], whole.cv_results_["mean_test_score"])


@pytest.mark.parametrize("change", [{"random_state": 1}, {"hide": "labels"}, {"scoring": "mAP"}, {"proportion": 0.3}])
def test_another_search_does_not_take_its_outcomes(tmp_path, change):
    search = GridSearch(Counting(), {"shift": [1.0]}, n_splits=1, random_state=0, refit=False, store=tmp_path)
    clone(search).fit(None, Y)
    clone(search).set_params(**change).fit(None, Y)
    assert len(Counting.fits) == 2


def test_processes_find_what_one_finds(tmp_path):
    graph = InstanceGraph().build(PHOTOS.X)
    search = GridSearch(MLMGCO(graph=graph), GRID, n_splits=2, random_state=0, refit=False, store=tmp_path / "n")
    many = clone(search).set_params(n_jobs=2).fit(None, Y)
    one = clone(search).set_params(store=None).fit(None, Y)
    np.testing.assert_array_equal(many.cv_results_["mean_test_score"], one.cv_results_["mean_test_score"])
    assert len(list((tmp_path / "n").iterdir())) == 12


def test_the_graph_is_built_once(monkeypatch):
    built = []
    build = InstanceGraph.build
    monkeypatch.setattr(InstanceGraph, "build", lambda self, X: built.append(X) or build(self, X))
    GridSearch(MLMGCO(), GRID, n_splits=1, random_state=0, refit=False).fit(PHOTOS.X, Y)
    assert len(built) == 1


def test_a_grid_over_graphs_builds_each(monkeypatch):
    built = []
    build = InstanceGraph.build_with_report
    monkeypatch.setattr(
        InstanceGraph, "build_with_report", lambda self, X: built.append(self.formula) or build(self, X)
    )
    grid = {"graph": [InstanceGraph("paper"), InstanceGraph("published")]}
    GridSearch(MLMGCO(), grid, n_splits=1, random_state=0, refit=False).fit(PHOTOS.X, Y)
    assert sorted(built) == ["paper", "published"]


def test_progress_counts_to_the_end():
    seen = []
    search = HalvingSearch(Counting(), {"shift": [0.0, 1.0, 2.0, 3.0]}, factor=2, random_state=0, refit=False)
    search.set_params(callback=seen.append).fit(None, Y)
    assert [progress.done for progress in seen] == list(range(1, seen[0].total + 1))
    assert seen[-1].best_score == search.best_score_


def test_grids_of_several_parts_are_masked_where_they_say_nothing():
    table = results_table([{"a": 1}, {"b": 2}], np.array([[0.1], [0.2]]), np.ones((2, 1)))
    assert table["param_a"].mask.tolist() == [False, True]


@pytest.mark.parametrize(
    ("search", "message"),
    [
        (GridSearch(Counting(), {"lambda": [1]}), "param_grid names 'lambda', but Counting has shift, warm_start"),
        (GridSearch(Counting(), {"shift": [1]}, scoring="F1"), "scoring must be 'AP' or 'mAP' or a function; got 'F1'"),
        (GridSearch(Counting(), {"shift": [1]}, n_splits=0), "n_splits must be a whole number of at least 1; got 0"),
        (GridSearch(Counting(), {"shift": [1]}, n_jobs=0), "n_jobs must be a whole number other than 0; got 0"),
        (HalvingSearch(Counting(), {"shift": [1]}, factor=1), "factor must be a whole number of at least 2; got 1"),
        (HalvingSearch(Counting(), {"shift": [1]}, min_splits=0), "min_splits must be a whole number of at least 1"),
    ],
)
def test_bad_arguments_are_named(search, message):
    with pytest.raises(ValueError, match=message):
        search.fit(None, Y)
