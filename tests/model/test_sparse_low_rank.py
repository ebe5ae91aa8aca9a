"""The sparse + low rank term, Eq. 4, its dual set and its shrinkage operators, Eqs. 21 and 22."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tagweave.model import SparseLowRank, sparse_low_rank
from tagweave.model.sparse_low_rank import (
    clip_singular_values,
    shrink_singular_values,
    singular_values,
    soft_threshold,
)

seeds = st.integers(0, 2**32 - 1)


@st.composite
def matrices(draw):
    """Tall, wide, square; of full or lower rank; now and then zero."""
    n, m, rank = draw(st.integers(1, 9)), draw(st.integers(1, 9)), draw(st.integers(0, 9))
    rng = np.random.default_rng(draw(seeds))
    return rng.normal(size=(n, rank)) @ rng.normal(size=(rank, m))


@pytest.fixture(params=["svd", "gram"])
def path(request, monkeypatch):
    if request.param == "gram":
        monkeypatch.setattr(sparse_low_rank, "_SVD_ENTRIES", 0)
        monkeypatch.setattr(sparse_low_rank, "_GRAM_ROWS", 2)
    return request.param


def spectrum(A):
    return np.linalg.svd(A, compute_uv=False)


def test_the_value_is_that_of_eq_4():
    rng = np.random.default_rng(0)
    Z, H1 = rng.random((6, 4)), rng.normal(size=(6, 4))
    total = 0.0
    for value in spectrum(Z - H1):
        total += 0.7 * value
    for entry in H1.ravel():
        total += 0.2 * abs(entry)
    assert SparseLowRank(0.7, 0.2).value(Z, H1) == pytest.approx(total)
    assert SparseLowRank(0.7, 0.2).value(Z) == pytest.approx(0.7 * spectrum(Z).sum())


@given(matrices(), seeds, st.floats(0, 3), st.floats(0, 3))
def test_any_feasible_multiplier_is_a_lower_bound_of_any_split(S, seed, gamma0, gamma1):
    rng = np.random.default_rng(seed)
    Z, H1 = rng.random(S.shape), rng.normal(size=S.shape)
    term = SparseLowRank(gamma0, gamma1)
    feasible = term.feasible_multiplier(S)
    assert spectrum(feasible)[0] <= gamma0 * (1 + 1e-12) + 1e-300  # denormal numbers have no relative precision
    assert np.abs(feasible).max() <= gamma1 * (1 + 1e-12)
    for split in (None, H1, Z, np.zeros_like(Z)):
        assert np.vdot(feasible, Z) <= term.value(Z, split) + 1e-10


@given(matrices())
def test_a_multiplier_in_the_set_stays_where_it_is(S):
    term = SparseLowRank(spectrum(S)[0] * 1.01 + 1e-3, np.abs(S).max())
    np.testing.assert_array_equal(term.feasible_multiplier(S), S)


@given(matrices(), st.floats(0.01, 3))
def test_no_split_beats_all_low_rank_once_gamma1_reaches_gamma0(Z, gamma0):
    assert not SparseLowRank(gamma0, gamma0).has_sparse_part
    assert SparseLowRank(gamma0, 0.99 * gamma0).has_sparse_part
    term = SparseLowRank(gamma0, gamma0)
    for part in (0.2, 1.0):
        assert term.value(Z) <= term.value(Z, part * Z) + 1e-9


@given(matrices())
def test_singular_values_are_those_of_the_svd(A):
    with pytest.MonkeyPatch.context() as patch:
        exact = np.sort(singular_values(A))[::-1]
        patch.setattr(sparse_low_rank, "_SVD_ENTRIES", 0)
        patch.setattr(sparse_low_rank, "_GRAM_ROWS", 3)
        through_gram = np.sort(singular_values(A))[::-1]
    np.testing.assert_allclose(exact, spectrum(A), atol=1e-12)
    # Squaring loses half of the digits of the smallest ones.
    np.testing.assert_allclose(through_gram, spectrum(A), atol=1e-7 * max(1, spectrum(A)[0]))


@given(matrices(), st.floats(0.01, 4))
def test_shrinking_is_soft_thresholding_of_the_svd(A, threshold):
    U, s, V = np.linalg.svd(A, full_matrices=False)
    expected = (U * np.maximum(s - threshold, 0)) @ V
    before = A.copy()
    np.testing.assert_allclose(shrink_singular_values(A, threshold), expected, atol=1e-9)
    np.testing.assert_array_equal(A, before)


@given(matrices(), st.floats(0.01, 4))
def test_clipping_is_the_projection_on_the_spectral_ball(A, largest):
    U, s, V = np.linalg.svd(A, full_matrices=False)
    clipped = clip_singular_values(A, largest)
    np.testing.assert_allclose(clipped, (U * np.minimum(s, largest)) @ V, atol=1e-9)
    # Nothing in the ball lies further ahead in the direction of what was cut off.
    cut = A - clipped
    assert largest * spectrum(cut).sum() == pytest.approx(np.vdot(cut, clipped), abs=1e-8)


@given(matrices())
def test_a_threshold_of_zero_changes_nothing(A):
    np.testing.assert_allclose(shrink_singular_values(A, 0.0), A, atol=1e-9)
    np.testing.assert_array_equal(soft_threshold(A, 0.0), A)


@given(matrices(), st.floats(0, 3))
def test_soft_thresholding_is_eq_22(A, threshold):
    expected = np.sign(A) * np.maximum(0, np.abs(A) - threshold)
    np.testing.assert_allclose(soft_threshold(A, threshold), expected, atol=1e-12)


@pytest.mark.parametrize("shape", [(40, 6), (6, 40)])
def test_float32_in_float32_out_with_float64_sums(shape, path):
    rng = np.random.default_rng(1)
    A = rng.normal(size=shape).astype(np.float32)
    exact = A.astype(np.float64)
    shrunk = shrink_singular_values(A, 2.0)
    assert shrunk.dtype == np.float32
    np.testing.assert_allclose(shrunk, shrink_singular_values(exact, 2.0), atol=1e-5)
    assert singular_values(A).dtype == np.float64
    np.testing.assert_allclose(np.sort(singular_values(A)), np.sort(spectrum(exact)), rtol=1e-10)
    term = SparseLowRank(0.3, 0.1)
    assert term.value(A, A / 2) == pytest.approx(term.value(exact, exact / 2), rel=1e-7)
