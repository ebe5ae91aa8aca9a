"""What all metrics accept and refuse."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tagweave.hierarchy import Hierarchy
from tagweave.metrics import (
    average_hierarchical_loss,
    average_precision,
    hierarchical_loss,
    mean_average_precision,
    top_k_f1,
)

PAIR = Hierarchy(["dog", "animal"], [("dog", "animal")])
METRICS = {
    "AP": lambda Y, scores: average_precision(Y, scores, PAIR),
    "mAP": lambda Y, scores: mean_average_precision(Y, scores, PAIR),
    "loss": lambda Y, scores: hierarchical_loss(Y, scores, PAIR, k=1),
    "AHL": lambda Y, scores: average_hierarchical_loss(Y, scores, PAIR),
    "F1": lambda Y, scores: top_k_f1(Y, scores, k=1, hierarchy=PAIR),
}
Y = np.array([[0, 1], [1, 1], [0, 0]])
SCORES = np.array([[0.75, 0.5], [0.5, 0.25], [0.25, 0.125]])
every_metric = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)


@every_metric
def test_the_kind_of_the_input_does_not_matter(metric):
    expected = metric(Y, SCORES)
    columns = list(PAIR.labels)
    for kind in (np.bool_, np.uint8, np.float32):
        assert metric(Y.astype(kind), SCORES.astype(np.float32)) == expected
    assert metric(Y.tolist(), SCORES.tolist()) == expected
    assert metric(pd.DataFrame(Y, columns=columns), pd.DataFrame(SCORES, columns=columns)) == expected
    assert metric(Y, (SCORES * 8).astype(int)) == expected


@every_metric
@pytest.mark.parametrize(
    ("truth", "scores", "message"),
    [
        ([[0, np.nan]], [[0, 1]], "Y_true must be complete, 0 or 1 everywhere, got nan in row 0, column 1"),
        ([[0, -1]], [[0, 1]], "got -1 in row 0, column 1"),
        ([[0, 1]], [[np.nan, 1]], "scores must be numbers to be ranked, got NaN in row 0, column 0"),
        ([[0, 1]], [[0, 1], [1, 0]], r"must have the same shape, got \(1, 2\) and \(2, 2\)"),
        ([[0, 1, 1]], [[0, 1]], r"Y_true must have one column for each of the 2 labels, got shape \(1, 3\)"),
        (np.zeros((0, 2)), np.zeros((0, 2)), r"at least one instance and one label, got shape \(0, 2\)"),
    ],
)
def test_damaged_input_is_refused(metric, truth, scores, message):
    with pytest.raises(ValueError, match=message):
        metric(truth, scores)


def test_dataframes_whose_columns_disagree_are_refused():
    truth, scores = pd.DataFrame(Y, columns=["b", "a"]), pd.DataFrame(SCORES, columns=["a", "b"])
    with pytest.raises(ValueError, match=r"columns of scores must be Y_true's columns .* column 0 is 'a', not 'b'"):
        average_precision(truth, scores)
    assert average_precision(truth, scores[["b", "a"]]) > 0
