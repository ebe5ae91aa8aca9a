from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tagweave.graphs.selection import smallest


@given(st.data())
def test_equals_a_stable_sort_even_with_ties_at_the_cut(data):
    shape = data.draw(st.tuples(st.integers(0, 4), st.integers(1, 9)))
    values = data.draw(hnp.arrays(np.float64, shape, elements=st.integers(0, 3).map(float)))
    k = data.draw(st.integers(0, shape[1]))
    chosen, columns = smallest(values, k)
    expected = np.argsort(values, axis=1, kind="stable")[:, :k]
    np.testing.assert_array_equal(columns, expected)
    np.testing.assert_array_equal(chosen, np.take_along_axis(values, expected, axis=1))
