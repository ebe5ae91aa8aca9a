"""The two simplest rivals, against cases worked by hand and sums written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.solvers.conic import graphs
from tests.strategies import label_matrices

from tagweave.baselines import NeighborVoting, Popularity

pytestmark = pytest.mark.filterwarnings("ignore::tagweave.exceptions.LabelWarning")


def test_popularity_is_the_frequency_among_what_is_known():
    Y = np.array([[1, 0, np.nan], [np.nan, 0, 1], [0, 1, 1], [np.nan, np.nan, np.nan]])
    scores = Popularity().fit(np.zeros((4, 1)), Y).scores_
    np.testing.assert_allclose(scores, np.tile([1 / 2, 1 / 3, 1.0], (4, 1)))


def test_popularity_counts_the_ancestors_of_positives():
    Y = np.array([[1, 0], [0, 0.0]])
    assert Popularity(hierarchy=[(0, 1)]).fit(np.zeros((2, 1)), Y).scores_[0].tolist() == [0.5, 0.5]


def naive_vote(W, Y, i, k):
    """Sum over the neighbours that know."""
    votes, heard = 0.0, 0.0
    for j in range(len(Y)):
        if W[i, j] > 0 and not np.isnan(Y[j, k]):
            heard += W[i, j]
            votes += W[i, j] * Y[j, k]
    if heard > 0:
        return votes / heard
    known = Y[~np.isnan(Y[:, k]), k]
    return known.mean() if len(known) else 0.0


@given(st.data())
def test_the_vote_is_the_sum_over_the_neighbours_that_know(data):
    Y = data.draw(label_matrices(3, max_rows=6).filter(lambda Y: not np.isnan(Y).all()))
    W = data.draw(graphs(len(Y)))
    scores = NeighborVoting(W).fit(np.zeros((len(Y), 1)), Y).scores_
    expected = [[naive_vote(W, Y, i, k) for k in range(3)] for i in range(len(Y))]
    np.testing.assert_allclose(scores, expected, atol=1e-12)
