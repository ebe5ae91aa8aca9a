"""Turned blocks are transposes, whatever their size."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tagweave.kernels.rows import BLOCK
from tagweave.kernels.turning import turn, turn_back


@pytest.mark.parametrize(("dtype", "turned_dtype"), [("f4", "f4"), ("f8", "f8"), ("f4", "f8")])
def test_turning_is_transposing(dtype, turned_dtype):
    @given(st.integers(1, 70), st.integers(1, BLOCK), st.booleans(), st.integers(0, 2**32 - 1))
    def check(m, count, scattered, seed):
        rng = np.random.default_rng(seed)
        Z = rng.random((100, m)).astype(dtype)
        rows = np.sort(rng.permutation(100)[:count]) if scattered else np.arange(20, 20 + count)
        turned = np.full((m, BLOCK), -1, turned_dtype)
        turn(Z, rows.astype(np.int32), turned)
        np.testing.assert_array_equal(turned[:, :count], Z[rows].T)
        assert (turned[:, count:] == -1).all()
        back = np.empty((BLOCK, m), turned_dtype)
        turn_back(turned, back)
        np.testing.assert_array_equal(back, turned.T)

    check()
