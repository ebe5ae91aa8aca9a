"""The box and the hierarchy, Eq. 5."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import hierarchies

from tagweave.model import Box, HierarchyConstraint

seeds = st.integers(0, 2**32 - 1)


def scores(seed, m, rows=4):
    return np.random.default_rng(seed).normal(0.5, 0.7, size=(rows, m))


@given(hierarchies(), seeds)
def test_the_slack_is_that_of_eq_5_edge_by_edge(hierarchy, seed):
    m, edges = len(hierarchy.labels), hierarchy.edge_index
    Z = scores(seed, m)
    slack = HierarchyConstraint(edges, m).slack(Z)
    assert slack.shape == (4, len(edges))
    for i in range(len(Z)):
        for e, (child, parent) in enumerate(edges):
            assert slack[i, e] == Z[i, parent] - Z[i, child]


@given(hierarchies(), seeds)
def test_the_adjoint_is_that_of_the_slack(hierarchy, seed):
    m = len(hierarchy.labels)
    constraint, Z = HierarchyConstraint(hierarchy.edge_index, m), scores(seed, m)
    multipliers = scores(seed + 1, constraint.n_edges)
    lifted = constraint.adjoint(multipliers)
    assert lifted.shape == Z.shape
    assert np.vdot(lifted, Z) == pytest.approx(np.vdot(multipliers, constraint.slack(Z)), abs=1e-10)
    assert constraint.adjoint(multipliers.astype(np.float32)).dtype == np.float32


@given(hierarchies(), seeds)
def test_the_violation_is_the_most_negative_slack(hierarchy, seed):
    m = len(hierarchy.labels)
    constraint, Z = HierarchyConstraint(hierarchy.edge_index, m), scores(seed, m)
    assert constraint.violation(Z) == max(0.0, -constraint.slack(Z).min(initial=0.0))


@given(hierarchies(), seeds, st.sampled_from([np.float32, np.float64]))
def test_repair_is_exactly_feasible_only_lowers_and_keeps_what_is_feasible(hierarchy, seed, dtype):
    m = len(hierarchy.labels)
    constraint, Z = HierarchyConstraint(hierarchy.edge_index, m), scores(seed, m).astype(dtype)
    before = Z.copy()
    repaired = constraint.repair(Z)
    np.testing.assert_array_equal(Z, before)
    assert repaired.dtype == dtype
    assert constraint.violation(repaired) == 0.0
    assert (repaired <= Z).all()
    np.testing.assert_array_equal(constraint.repair(repaired), repaired)


@given(hierarchies(), seeds)
def test_the_eigenvalue_bounds_that_of_phi_phi(hierarchy, seed):
    constraint = HierarchyConstraint(hierarchy.edge_index, len(hierarchy.labels))
    Phi = hierarchy.Phi.toarray()
    assert np.linalg.eigvalsh(Phi @ Phi.T)[-1] <= constraint.eigenvalue + 1e-12


@given(seeds)
def test_the_lowest_value_over_the_box_is_at_a_corner(seed):
    rng = np.random.default_rng(seed)
    A, around = rng.normal(size=(2, 3)), rng.random((2, 3))
    A[0, 0] = 0
    corners = [np.array([(k >> b) & 1 for b in range(6)]).reshape(2, 3) for k in range(64)]
    assert Box().lowest(A, around) == pytest.approx(min(np.vdot(A, corner - around) for corner in corners))
