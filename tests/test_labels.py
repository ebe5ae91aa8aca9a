"""Three states, whatever holds them: nothing missing becomes negative, and nothing else becomes a label."""

from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from tagweave import Labels
from tagweave.labels import MISSING, label_costs

EXPECTED = np.array([[1, MISSING, 0], [0, 1, MISSING]], dtype=np.int8)
KNOWN = np.array([[1, 0, 0], [0, 1, 1]])
NAN, NA = np.nan, pd.NA
codes = hnp.arrays(np.int8, st.tuples(st.integers(0, 5), st.integers(0, 5)), elements=st.integers(-1, 1))


def blanks(value, dtype=object):
    return np.array([[1, value, 0], [0, 1, value]], dtype=dtype)


@pytest.mark.parametrize(
    "Y",
    [
        blanks(NAN, np.float64),
        blanks(NAN, np.float32),
        blanks(NAN, np.float16),
        blanks(NAN),
        blanks(None),
        blanks(NA),
        blanks(NAN).tolist(),
        [[True, None, np.int8(0)], [np.False_, 1.0, None]],
        np.ma.masked_array([[1, 0, 0], [0, 1, 1]], mask=[[0, 1, 0], [0, 0, 1]]),
        np.ma.masked_array([[True, False, False], [False, True, True]], mask=[[0, 1, 0], [0, 0, 1]]),
        np.asfortranarray(blanks(NAN, np.float64)),
    ],
)
def test_missing_is_missing_in_every_dense_form(Y):
    labels = Labels.from_any(Y)
    np.testing.assert_array_equal(labels.values, EXPECTED)
    assert labels.values.dtype == np.int8
    assert labels.names is labels.instances is None
    assert labels.shape == (2, 3)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.int64, np.float32, object])
def test_complete_labels_of_any_number_type_are_read(dtype):
    np.testing.assert_array_equal(Labels.from_any(KNOWN.astype(dtype)).values, KNOWN)


@pytest.mark.parametrize("dtype", ["float64", "float32", "Int8", "boolean", "Float64", "object"])
def test_dataframes_keep_what_is_missing_and_their_names(dtype):
    values = blanks(NA if dtype[0] in "IbF" or dtype == "object" else NAN)
    frame = pd.DataFrame(values, columns=["dog", "cat", "sky"], index=["p", "q"]).astype(dtype)
    labels = Labels.from_any(frame)
    np.testing.assert_array_equal(labels.values, EXPECTED)
    assert labels.names == ("dog", "cat", "sky")
    assert labels.instances == ("p", "q")


def test_the_columns_of_a_dataframe_may_be_of_different_types():
    frame = pd.DataFrame({"a": [1, None], "b": pd.array([True, NA], dtype="boolean"), "c": [0, 1], "d": [False, True]})
    np.testing.assert_array_equal(Labels.from_any(frame).values, [[1, 1, 0, 0], [-1, -1, 1, 1]])
    mixed = frame.assign(e=pd.Series([None, 1], dtype=object), f=pd.Categorical([1, 0]))
    np.testing.assert_array_equal(Labels.from_any(mixed).values[:, 4:], [[-1, 1], [1, 0]])


def test_the_same_column_twice_is_refused():
    with pytest.raises(ValueError, match="Y has the same column more than once: cat, dog"):
        Labels.from_any(pd.DataFrame(np.zeros((1, 5)), columns=["dog", "cat", "dog", "sky", "cat"]))


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array, sparse.coo_matrix])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sparse_labels_mean_what_unstored_says(make, dtype):
    # Stored: 1 at (0, 0), 0 at (0, 2) and NaN at (1, 1).
    Y = make(sparse.coo_array((np.array([1, 0, NAN], dtype), ([0, 0, 1], [0, 2, 1])), shape=(2, 3)))
    negative, missing = (Labels.from_any(Y, unstored=unstored).values for unstored in ("negative", "missing"))
    np.testing.assert_array_equal(negative, [[1, 0, 0], [0, MISSING, 0]])
    np.testing.assert_array_equal(missing, [[1, MISSING, 0], [MISSING, MISSING, MISSING]])
    with pytest.raises(ValueError, match=r"say what the cells mean .* unstored='negative' or unstored='missing'"):
        Labels.from_any(Y)


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint16])
def test_sparse_labels_may_be_of_any_number_type(dtype):
    np.testing.assert_array_equal(
        Labels.from_any(sparse.csr_array(KNOWN, dtype=dtype), unstored="negative").values, KNOWN
    )


def test_what_is_stored_twice_is_added_up_and_the_given_matrix_stays():
    Y = sparse.coo_array(([1, 0, 1, 1], ([0, 0, 1, 1], [0, 0, 1, 1])), shape=(2, 2))
    with pytest.raises(ValueError, match="got 2 at row 1, column 1"):
        Labels.from_any(Y, unstored="missing")
    assert Y.nnz == 4
    assert Labels.from_any(Y.tocsr()[:1], unstored="missing").values.tolist() == [[1, MISSING]]


def test_sparse_labels_that_do_not_fit_are_refused_before_the_work(monkeypatch):
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=2**30))
    with pytest.raises(MemoryError, match=r"a label matrix of 100000 x 50000 needs about 4.7 GiB and 1.0 GiB are"):
        Labels.from_any(sparse.csr_array((100_000, 50_000)), unstored="missing")


@given(codes)
def test_there_and_back_again(values):
    labels = Labels(values)
    as_floats = labels.to_float()
    for Y in (as_floats, labels.to_float(dtype=np.float32), as_floats.astype(object), labels):
        np.testing.assert_array_equal(Labels.from_any(Y).values, values)
    stored = np.nonzero(values != MISSING)
    Y = sparse.csr_array((values[stored], stored), shape=values.shape)
    np.testing.assert_array_equal(Labels.from_any(Y, unstored="missing").values, values)
    np.testing.assert_array_equal(labels.to_float(missing=0.5) == 0.5, values == MISSING)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (2, "2.0"),
        (0.5, "0.5"),
        (-1, r"-1.0 .*\(missing is NaN, not -1\)"),
        (np.inf, "inf"),
        (1 + 1e-12, "1.000000000001"),
    ],
)
@pytest.mark.parametrize("make", [np.array, sparse.csr_array, pd.DataFrame])
def test_any_other_number_is_refused_by_its_place(make, value, shown):
    Y = make(np.array([[1.0, 0], [1, value]]))
    with pytest.raises(ValueError, match=rf"got {shown.split(' ')[0]} at row 1, (column|label) 1"):
        Labels.from_any(Y, unstored="negative")
    with pytest.raises(ValueError, match=rf"got {shown}"):
        Labels.from_any([[float(value)]])


@pytest.mark.parametrize("value", ["1", "", "dog", 1j, [1], 2, b"1"])
def test_any_other_object_is_refused_by_its_place(value):
    Y = np.array([[1, 0], [None, None]], dtype=object)
    Y[1, 1] = value
    frame = pd.DataFrame(Y, columns=["dog", "cat"]).astype(object)
    for given_, place in ((Y, "column 1"), (frame, "label 'cat'")):
        with pytest.raises(ValueError, match=re.escape(f"got {value!r} at row 1, {place}")):
            Labels.from_any(given_)


@pytest.mark.parametrize("dtype", [str, complex, "datetime64[s]"])
def test_arrays_of_no_numbers_are_refused(dtype):
    with pytest.raises(ValueError, match="Y must hold 1, 0 and NaN for missing; got values of type"):
        Labels.from_any(np.array([[1, 0]]).astype(dtype))
    with pytest.raises(ValueError, match="Y must hold 1, 0 and NaN for missing"):
        Labels.from_any(pd.DataFrame(np.array([[1, 0]]).astype(dtype)))


@pytest.mark.parametrize("Y", [[1, 0], np.zeros((2, 2, 2)), 1, None, pd.Series([1, 0]), sparse.coo_array([1, 0])])
def test_labels_have_two_dimensions(Y):
    with pytest.raises(ValueError, match="Y must have two dimensions, instances by labels; got shape"):
        Labels.from_any(Y, unstored="missing")


def test_unstored_is_checked():
    with pytest.raises(ValueError, match="unstored must be 'negative' or 'missing'; got 'zero'"):
        Labels.from_any([[1]], unstored="zero")


@given(codes, st.floats(0, 1e6), st.floats(0, 1e6))
def test_costs_are_the_papers_ybar(values, r_plus, r_minus):
    Ybar = label_costs(Labels(values), r_plus, r_minus)
    for code, cost in ((1, r_plus), (0, -r_minus), (MISSING, 0.0)):
        assert (Ybar[values == code] == cost).all()


def test_costs_are_trusted_by_row_and_column():
    labels = Labels(EXPECTED)
    given_ = {"sample_weight": [2, 0.5], "label_weight": pd.Series([1, 1, 0])}
    costs = label_costs(labels, 10, 1, **given_, dtype=np.float32)
    assert costs.tolist() == [[20, 0, 0], [-0.5, 5, 0]]
    assert costs.dtype == np.float32


@pytest.mark.parametrize("name", ["sample_weight", "label_weight"])
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([1, 2, 3, 4], "must have shape"),
        (1.0, "must have shape"),
        ([[1, 1]], "must have shape"),
        (-1, "must be finite and not negative"),
        (np.nan, "must be finite and not negative"),
        (np.inf, "must be finite and not negative"),
        (0, "must not be zero everywhere"),
        ("heavy", "must be . numbers"),
        (None, "must be finite"),
    ],
)
def test_bad_weights_are_refused_by_name(name, bad, message):
    length = 2 if name == "sample_weight" else 3
    weights = bad if np.ndim(bad) or bad == 1.0 else [bad] * length
    with pytest.raises(ValueError, match=f"{name} {message}"):
        label_costs(Labels(EXPECTED), **{name: weights})
