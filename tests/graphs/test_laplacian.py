from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse.linalg
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from tagweave.graphs import laplacian as module
from tagweave.graphs import largest_eigenvalue, normalized_laplacian


@st.composite
def weight_matrices(draw, largest=10.0):
    n = draw(st.integers(1, 8))
    elements = st.one_of(st.just(0.0), st.floats(1 / largest, largest))
    upper = np.triu(draw(hnp.arrays(np.float64, (n, n), elements=elements)), 1)
    return upper + upper.T


def smoothness(W, Z):
    """The sum of Eq. 2 (rows of Z are nodes, as in Eq. 3 transposed); isolated nodes have no terms in it."""
    degree = [sum(row) for row in W]
    total = 0.0
    for i in range(len(W)):
        for j in range(len(W)):
            for k in range(Z.shape[1]):
                if W[i][j] > 0:
                    step = Z[i, k] / degree[i] ** 0.5 - Z[j, k] / degree[j] ** 0.5
                    total += W[i][j] / 2 * step**2
    return total


@given(weight_matrices(), st.integers(0, 2**32 - 1))
def test_the_trace_equals_the_papers_sum_with_isolated_nodes_too(W, seed):
    Z = np.random.default_rng(seed).random((len(W), 3))
    L = normalized_laplacian(sparse.csr_array(W))
    assert np.trace(Z.T @ (L @ Z)) == pytest.approx(smoothness(W, Z), rel=1e-10, abs=1e-12)
    # Eq. 3: the same from the right, with instances as rows.
    assert np.trace((Z.T @ L) @ Z) == pytest.approx(smoothness(W, Z), rel=1e-10, abs=1e-12)


@given(weight_matrices(largest=1e300))
def test_the_laplacian_is_exactly_symmetric_and_finite(W):
    L = normalized_laplacian(sparse.csr_matrix(W))
    assert L.has_canonical_format
    dense = L.toarray()
    assert np.isfinite(dense).all()
    np.testing.assert_array_equal(dense, dense.T)


def test_an_isolated_node_has_a_zero_row_and_column():
    W = np.zeros((4, 4))
    W[0, 2] = W[2, 0] = 0.3
    stored_zero = sparse.csr_array(W) + sparse.csr_array(([0.0], ([1], [3])), shape=(4, 4))
    L = normalized_laplacian(stored_zero).toarray()
    np.testing.assert_allclose(L, [[1, 0, -1, 0], [0, 0, 0, 0], [-1, 0, 1, 0], [0, 0, 0, 0]])


@given(weight_matrices())
def test_the_eigenvalue_bound_holds_and_is_tight(W):
    L = normalized_laplacian(sparse.csr_array(W))
    top = np.linalg.eigvalsh(L.toarray())[-1]
    bound = largest_eigenvalue(L)
    assert top * (1 - 1e-13) <= bound <= min(2.0, top * (1 + 1e-9) + 1e-12)


def test_the_lanczos_bound_holds_and_is_tight():
    rng = np.random.default_rng(0)
    W = sparse.random_array((300, 300), density=0.03, rng=rng)
    L = normalized_laplacian(W + W.T)
    top = np.linalg.eigvalsh(L.toarray())[-1]
    assert top <= largest_eigenvalue(L) <= top * (1 + 2 * module.TOLERANCE)


def test_without_convergence_the_bound_is_two(monkeypatch):
    def fails(*args, **kwargs):
        raise scipy.sparse.linalg.ArpackNoConvergence("no", np.empty(0), np.empty((0, 0)))

    monkeypatch.setattr(module, "DENSE_LIMIT", 1)
    monkeypatch.setattr(scipy.sparse.linalg, "eigsh", fails)
    assert largest_eigenvalue(np.array([[1.0, -0.5], [-0.5, 1.0]])) == 2.0


def test_a_graph_without_edges_has_eigenvalue_zero():
    assert largest_eigenvalue(normalized_laplacian(sparse.csr_array((5, 5)))) == 0.0
