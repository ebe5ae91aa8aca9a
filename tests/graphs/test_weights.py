from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from tagweave.exceptions import GraphWarning
from tagweave.graphs import check_weights

GOOD = np.array([[0.0, 0.5, 0.0], [0.5, 0.0, 2.0], [0.0, 2.0, 0.0]])


@pytest.mark.parametrize(
    "container",
    [np.asarray, np.ndarray.tolist, pd.DataFrame, sparse.csr_matrix, sparse.coo_array, sparse.csc_array],
)
def test_any_container_becomes_a_canonical_csr_array(container):
    W = check_weights(container(GOOD), n=3)
    assert isinstance(W, sparse.csr_array)
    assert W.dtype == np.float64
    assert W.has_canonical_format
    np.testing.assert_array_equal(W.toarray(), GOOD)


def test_repeated_entries_are_summed_and_stored_zeros_left_out():
    given = sparse.coo_array(([1.0, 1.0, 2.0, 0.0], ([0, 0, 1, 2], [1, 1, 0, 1])), shape=(3, 3))
    W = check_weights(given)
    assert W.nnz == 2
    assert W[0, 1] == 2


def test_the_users_matrix_is_never_changed():
    given = sparse.csr_array(GOOD + np.eye(3))
    with pytest.warns(GraphWarning):
        W = check_weights(given)
    W.data[:] = 7
    np.testing.assert_array_equal(given.toarray(), GOOD + np.eye(3))


def test_self_loops_are_dropped_with_a_warning():
    with pytest.warns(GraphWarning, match=r"class_graph has 1 self-loop\(s\) on its diagonal"):
        W = check_weights(GOOD + np.diag([0, 3.0, 0]), "class_graph")
    np.testing.assert_array_equal(W.toarray(), GOOD)


def test_the_first_asymmetric_pair_is_named_with_both_values():
    W = np.zeros((4, 4))
    W[3, 1], W[1, 3], W[3, 2] = 1.0, 2.0, 5.0
    with pytest.raises(ValueError, match=r"graph\[1, 3\] = 2.0 but graph\[3, 1\] = 1.0"):
        check_weights(W)


def test_rounding_is_no_asymmetry_and_is_averaged_away():
    W = GOOD.copy()
    W[0, 1] *= 1 + 1e-12
    got = check_weights(W).toarray()
    np.testing.assert_array_equal(got, got.T)
    W[0, 1] = 0.5 * (1 + 1e-8)
    with pytest.raises(ValueError, match="not symmetric"):
        check_weights(W)


@pytest.mark.parametrize(
    ("W", "message"),
    [
        (np.zeros((2, 3)), r"shape \(2, 3\); expected a square"),
        (np.zeros(3), "1 dimension"),
        (np.zeros((2, 2)), r"shape \(2, 2\); expected \(3, 3\)"),
        (np.where(GOOD > 1, np.nan, GOOD), r"graph\[1, 2\] = nan; expected finite"),
        (-GOOD, r"graph\[0, 1\] = -0.5; expected nonnegative"),
        (GOOD * 1j, "complex"),
        (GOOD.astype(str).astype(object) + "x", "not numbers"),
    ],
)
def test_what_is_no_weight_matrix_is_refused(W, message):
    with pytest.raises(ValueError, match=message):
        check_weights(W, "graph", 3)
