"""Each term of the objective: the paper's sums, their gradients, curvature and precision."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tagweave.labels import Labels
from tagweave.model import ClassSmoothness, HierarchyConstraint, InstanceSmoothness, LabelConsistency, SmoothTerm
from tagweave.model.augmentation import HierarchyPenalty, Linear, SquaredNorm
from tagweave.model.base import inner

N, M = 7, 5
EDGES = np.array([[1, 0], [2, 0], [3, 1], [3, 2]])


def random_weights(size, rng):
    W = np.triu(rng.random((size, size)) * (rng.random((size, size)) < 0.6), 1)
    W[:, -1] = 0  # an isolated node
    return W + W.T


def random_labels(rng):
    return rng.choice([1.0, 0.0, np.nan], size=(N, M))


def make(name, rng):
    terms = {
        "label consistency": lambda: LabelConsistency.from_labels(Labels.from_any(random_labels(rng))),
        "instance smoothness": lambda: InstanceSmoothness.from_weights(0.7, sparse.csr_array(random_weights(N, rng))),
        "class smoothness": lambda: ClassSmoothness.from_weights(1.3, sparse.csr_array(random_weights(M, rng))),
        "linear": lambda: Linear(rng.normal(size=(N, M))),
        "squared norm": lambda: SquaredNorm(0.4),
        "hierarchy penalty": lambda: HierarchyPenalty(0.6, HierarchyConstraint(EDGES, M)),
    }
    return terms[name]()


TERMS = (
    "label consistency",
    "instance smoothness",
    "class smoothness",
    "linear",
    "squared norm",
    "hierarchy penalty",
)
every_term = pytest.mark.parametrize("name", TERMS)


def gradient(term: SmoothTerm, Z):
    out = np.zeros_like(Z)
    term.add_gradient(Z, out)
    return out


@every_term
def test_the_gradient_is_that_of_the_value(name):
    rng = np.random.default_rng(1)
    term, Z = make(name, rng), rng.random((N, M))
    numerical = np.empty((N, M))
    for cell in np.ndindex(N, M):
        step = np.zeros((N, M))
        step[cell] = 1e-4
        numerical[cell] = (term.value(Z + step) - term.value(Z - step)) / 2e-4
    np.testing.assert_allclose(gradient(term, Z), numerical, atol=1e-6)


@every_term
def test_the_gradient_is_added_to_what_is_there(name):
    rng = np.random.default_rng(2)
    term, Z = make(name, rng), rng.random((N, M))
    there = rng.random((N, M))
    out = there.copy()
    term.add_gradient(Z, out)
    np.testing.assert_allclose(out, there + gradient(term, Z), atol=1e-12)


@every_term
def test_the_quadratic_part_is_what_a_line_leaves_out(name):
    rng = np.random.default_rng(3)
    term, Z, D = make(name, rng), rng.random((N, M)), rng.normal(size=(N, M))
    bend = term.value(Z + D) - term.value(Z) - np.vdot(gradient(term, Z), D)
    assert term.quadratic(D) == pytest.approx(bend, abs=1e-9)


@every_term
@pytest.mark.parametrize("seed", range(3))
def test_the_curvature_bounds_the_hessian(name, seed):
    rng = np.random.default_rng(seed)
    term = make(name, rng)
    zero = gradient(term, np.zeros((N, M)))
    unit = np.eye(N * M).reshape(-1, N, M)
    hessian = np.array([(gradient(term, e) - zero).ravel() for e in unit])
    np.testing.assert_allclose(hessian, hessian.T, atol=1e-12)
    eigenvalues = np.linalg.eigvalsh(hessian)
    assert eigenvalues[-1] <= term.curvature * (1 + 1e-12)
    assert eigenvalues[0] >= -1e-12


@every_term
def test_float32_scores_give_a_float32_gradient(name):
    rng = np.random.default_rng(4)
    term, Z = make(name, rng), rng.random((N, M))
    single = Z.astype(np.float32)
    assert term.value(single) == pytest.approx(term.value(Z), rel=1e-4)
    assert gradient(term, single).dtype == np.float32
    np.testing.assert_allclose(gradient(term, single), gradient(term, Z), rtol=1e-4, atol=1e-4)


def test_label_consistency_is_the_sum_of_eq_1():
    rng = np.random.default_rng(5)
    Y, Z = random_labels(rng), rng.random((N, M))
    total = 0.0
    for i in range(N):
        for j in range(M):
            if Y[i, j] == 1:
                total += 100 * (1 - Z[i, j])
            if Y[i, j] == 0:
                total += -1 * (0 - Z[i, j])
    assert LabelConsistency.from_labels(Labels.from_any(Y)).value(Z) == pytest.approx(total)


def test_label_consistency_weighs_instances_and_labels():
    Y, Z = np.array([[1.0, 0.0], [1.0, 0.0]]), np.full((2, 2), 0.25)
    term = LabelConsistency.from_labels(
        Labels.from_any(Y), r_plus=8, r_minus=4, sample_weight=[1, 0.5], label_weight=[3, 1]
    )
    assert term.value(Z) == pytest.approx(3 * (8 + 4) * 0.75 + (4 + 2) * 0.25)


@pytest.mark.parametrize("of_classes", [False, True])
def test_smoothness_is_the_sum_of_eqs_2_and_3(of_classes):
    rng = np.random.default_rng(6)
    W = random_weights(M if of_classes else N, rng)
    Z = rng.random((N, M))
    degree, nodes, total = W.sum(axis=1), (Z.T if of_classes else Z), 0.0
    for k in range(nodes.shape[1]):
        for i in range(len(W)):
            for j in range(len(W)):
                if W[i, j] > 0:
                    step = nodes[i, k] / degree[i] ** 0.5 - nodes[j, k] / degree[j] ** 0.5
                    total += W[i, j] / 2 * step**2
    term = (ClassSmoothness if of_classes else InstanceSmoothness).from_weights(0.3, sparse.csr_array(W))
    assert term.value(Z) == pytest.approx(0.3 * total)


def test_the_class_graph_stays_sparse_where_labels_are_many(monkeypatch):
    from tagweave.model import smoothness

    rng = np.random.default_rng(7)
    W, Z = sparse.csr_array(random_weights(M, rng)), rng.random((N, M))
    dense = ClassSmoothness.from_weights(0.3, W)
    expected, gradient_expected = dense.value(Z), gradient(dense, Z)
    monkeypatch.setattr(smoothness, "_DENSE_LABELS", M - 1)
    thin = ClassSmoothness.from_weights(0.3, W)
    found, gradient_found = thin.value(Z), gradient(thin, Z)
    assert "_dense" not in vars(thin)
    assert found == pytest.approx(expected)
    np.testing.assert_allclose(gradient_found, gradient_expected)


def test_sums_are_float64_for_float32_scores():
    """In float32, 100 million ones and a half would lose the half."""
    A = np.full((3, 5000), 1000.0, dtype=np.float32)
    A[0, 0] = 0.5
    assert inner(A, A) == (15000 - 1) * 1e6 + 0.25


def test_a_sum_takes_in_every_block_of_rows(monkeypatch):
    from tagweave.model import base

    monkeypatch.setattr(base, "_ROWS", 2)
    A = np.arange(14.0).reshape(7, 2)
    assert inner(A, A) == (A**2).sum()


@given(st.integers(0, 2**32 - 1))
def test_the_hierarchy_penalty_is_the_slack_squared(seed):
    rng = np.random.default_rng(seed)
    Z, total = rng.random((N, M)), 0.0
    for row in Z:
        for child, parent in EDGES:
            total += 0.5 * 0.6 * (row[parent] - row[child]) ** 2
    assert HierarchyPenalty(0.6, HierarchyConstraint(EDGES, M)).value(Z) == pytest.approx(total)


@given(st.integers(2, 12), st.integers(0, 2**32 - 1))
def test_in_another_order_a_term_is_what_it_was(n, seed):
    rng = np.random.default_rng(seed)
    order, Z = rng.permutation(n), rng.random((n, 3))
    W = np.triu(rng.random((n, n)), 1)
    labels = Labels(rng.integers(-1, 2, (n, 3)).astype(np.int8))
    for term in (
        InstanceSmoothness.from_weights(2.0, W + W.T),
        ClassSmoothness.from_weights(2.0, np.ones((3, 3)) - np.eye(3)),
        LabelConsistency.from_labels(labels, sample_weight=1 + np.arange(n)),
    ):
        permuted = term.permuted(order)
        assert permuted.value(Z[order]) == pytest.approx(term.value(Z))
        assert permuted.curvature == pytest.approx(term.curvature, rel=1e-6)
