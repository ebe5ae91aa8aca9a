from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from tagweave.graphs.distances import check_features, resolve_scale


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_matrix, pd.DataFrame])
@pytest.mark.parametrize("metric", ["euclidean", "chi2"])
def test_the_first_value_that_is_not_finite_is_named(bad, container, metric):
    X = np.ones((4, 3))
    X[2, 1] = X[3, 0] = bad
    X[0, 0] = 0
    with pytest.raises(ValueError, match=rf"X holds {bad:g} at row 2, column 1; expected finite"):
        check_features(container(X), metric)


@pytest.mark.parametrize("metric", ["hellinger", "chi2"])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_negative_histograms_are_refused(metric, container):
    with pytest.raises(ValueError, match=rf"X holds -1 at row 1, column 0; .*metric='{metric}'"):
        check_features(container([[1, 2], [-1, 0]]), metric)


@pytest.mark.parametrize("value", [1e151, -1e151])
def test_values_whose_squares_overflow_are_refused(value):
    with pytest.raises(ValueError, match=r"row 0, column 1; expected magnitudes of at most 1e\+150"):
        check_features([[0.0, value]])


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([1.0, 2.0], "1 dimension"),
        (3.0, "0 dimension"),
        (np.empty((0, 3)), r"shape \(0, 3\)"),
        (np.empty((3, 0)), r"shape \(3, 0\)"),
        ([["a", "b"]], "not numbers"),
        ([[1j]], "complex"),
    ],
)
def test_what_is_no_matrix_of_numbers_is_refused(X, message):
    with pytest.raises(ValueError, match=message):
        check_features(X)


@pytest.mark.parametrize(
    ("given", "kept"),
    [(np.float32, np.float32), (np.uint16, np.float64), (bool, np.float64), (np.float64, np.float64)],
)
@pytest.mark.parametrize("container", [np.asarray, sparse.csc_array])
def test_single_precision_stays_and_the_rest_becomes_double(given, kept, container):
    X = np.array([[1, 0], [0, 1]], dtype=given)
    assert check_features(container(X)).dtype == kept


def test_half_precision_becomes_single():
    assert check_features(np.eye(2, dtype=np.float16)).dtype == np.float32


def test_an_empty_sparse_matrix_is_a_matrix_of_zeros():
    assert check_features(sparse.csr_array((3, 2)), "chi2").nnz == 0


@pytest.mark.parametrize(
    ("D", "message"),
    [
        (np.zeros((2, 3)), "square"),
        (np.zeros(4), "square"),
        (np.empty((0, 0)), "square"),
        ([[0, 1], [2, 0]], r"not symmetric: X\[0, 1\] = 1 but X\[1, 0\] = 2"),
        ([[0, -1], [-1, 0]], "X holds -1 at row 0, column 1; expected nonnegative distances"),
        ([[0, np.nan], [1, 0]], "X holds nan at row 0, column 1"),
    ],
)
def test_what_is_no_distance_matrix_is_refused(D, message):
    with pytest.raises(ValueError, match=message):
        check_features(D, "precomputed")


def test_single_precision_distances_may_differ_by_their_rounding():
    D = np.array([[0, 1], [1 + 1e-6, 0]])
    check_features(D.astype(np.float32), "precomputed")
    with pytest.raises(ValueError, match="not symmetric"):
        check_features(D, "precomputed")


def test_sparse_distances_are_refused():
    with pytest.raises(TypeError, match="dense n x n"):
        check_features(sparse.eye_array(3), "precomputed")


@pytest.mark.parametrize("args", [("manhattan", "auto"), ("euclidean", "standard"), ("cosine", "minmax")])
def test_unknown_names_are_refused_with_the_choices(args):
    with pytest.raises(ValueError, match=r"expected .*'?(chi2|minmax|auto)"):
        resolve_scale(*args)


def test_none_and_minmax_are_taken_at_their_word():
    assert resolve_scale("euclidean", None) is None
    assert resolve_scale("euclidean", "minmax") == "minmax"
