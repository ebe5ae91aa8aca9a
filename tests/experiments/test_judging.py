from __future__ import annotations

import numpy as np
import pytest
from tests.experiments.samples import study

from tagweave.datasets import Collection
from tagweave.experiments.judging import measure
from tagweave.experiments.study import Draw, Study
from tagweave.metrics import average_precision


def test_the_truth_itself_is_ranked_perfectly():
    of = study()
    found = measure(of, of.labels(Draw(0.5, 0)), of.truth.astype(float))
    assert found["AP"] == found["mAP"] == found["train_AP"] == 1
    assert found["hidden_AP"] is None
    assert found["AHL"] == 0


def test_figures_are_of_test_instances_only():
    of = study()
    scores = np.random.default_rng(0).random(of.truth.shape)
    found = measure(of, of.labels(Draw(0.5, 0)), scores)
    assert found["AP"] == pytest.approx(average_precision(of.truth[of.test], scores[of.test], of.hierarchy))
    scores[~of.test] = 0
    assert measure(of, of.labels(Draw(0.5, 0)), scores)["AP"] == found["AP"]


def test_what_nobody_knows_is_not_judged():
    rng = np.random.default_rng(0)
    Y = rng.integers(0, 2, (40, 6)).astype(float)
    Y[rng.random((40, 6)) < 0.3] = np.nan
    of = Study.of(Collection.from_arrays(np.ones((40, 2)), Y))
    scores = rng.random((40, 6))
    other = np.where(of.truth == -1, scores + 5, scores)
    given = of.labels(Draw(0.0, 0))
    one, two = measure(of, given, scores), measure(of, given, other)
    assert (one["AP"], one["mAP"]) == (two["AP"], two["mAP"])
    assert "AHL" not in one


def test_hidden_instances_are_judged_apart():
    of = study()
    Y = of.labels(Draw(0.0, 0, "instances"))
    hidden = np.isnan(Y).all(axis=1) & ~of.test
    scores = np.where(hidden[:, None], of.truth, 1.0 - of.truth)
    found = measure(of, Y, scores)
    assert found["hidden_AP"] == 1
    assert found["train_AP"] < 0.5
    assert found["F1_provided"] < found["F1_missing"]
