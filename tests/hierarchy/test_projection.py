"""The row projection: exact, by its optimality conditions and by another solver."""

from __future__ import annotations

from itertools import pairwise

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import hierarchies

from tagweave.hierarchy import projection as module
from tagweave.hierarchy.projection import RowProjection, project_rows
from tagweave.kernels import projection as kernels

seeds = st.integers(0, 2**32 - 1)


def scores(seed, m, rows=4):
    return np.random.default_rng(seed).normal(0.5, 0.7, size=(rows, m))


def phi(edges, m):
    Phi = np.zeros((m, len(edges)))
    for e, (child, parent) in enumerate(edges):
        Phi[parent, e], Phi[child, e] = 1, -1
    return Phi


def assert_optimal(U, Z, M, edges, atol=1e-9):
    """The conditions of Karush, Kuhn and Tucker, which only the projection satisfies."""
    Phi = phi(edges, U.shape[1])
    slack = Z @ Phi
    assert slack.min(initial=0) >= -atol
    assert M.min(initial=0) >= 0
    np.testing.assert_allclose(Z, U + M @ Phi.T, atol=atol)
    np.testing.assert_allclose(M * slack, 0, atol=atol * max(1, M.max(initial=0)))


@given(hierarchies(), seeds)
def test_projection_and_multipliers_meet_the_optimality_conditions(hierarchy, seed):
    U = scores(seed, len(hierarchy.labels))
    before = U.copy()
    Z, M = project_rows(U, hierarchy.edge_index)
    np.testing.assert_array_equal(U, before)
    assert_optimal(U, Z, M, hierarchy.edge_index)


SHAPES = {
    "chain of 200": [(k + 1, k) for k in range(199)],
    "chain of 200, upside down": [(k, k + 1) for k in range(199)],
    "star of 200 children": [(k, 0) for k in range(1, 200)],
    "child of 50 parents": [(50, k) for k in range(50)],
    "two roots over each of many": [(k, p) for k in range(2, 40) for p in (0, 1)],
    "ladder of diamonds": [(k, k - 1 - k % 2) for k in range(2, 60)] + [(k, k - 2 - k % 2) for k in range(2, 60)],
    "a hundred single nodes and one edge": [(100, 7)],
    "no edges": [],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_deep_and_wide_hierarchies_are_projected_exactly(shape):
    edges = np.array(SHAPES[shape], dtype=int).reshape(-1, 2)
    U = scores(3, int(edges.max(initial=100)) + 1)
    Z, M = project_rows(U, edges)
    assert_optimal(U, Z, M, edges)


def test_a_chain_is_projected_as_by_isotonic_regression():
    from sklearn.isotonic import isotonic_regression

    U = scores(4, 300, rows=3)
    Z, _ = project_rows(U, np.array(list(pairwise(range(300)))))  # node 0 is the child of all
    np.testing.assert_allclose(Z, [isotonic_regression(row) for row in U], atol=1e-12)


def conic_projection(U, edges, box=False):
    Z = cp.Variable(U.shape)
    constraints = [Z[:, parent] >= Z[:, child] for child, parent in edges]
    constraints += [Z >= 0, Z <= 1] if box else []
    accuracy = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), 1e-12)
    cp.Problem(cp.Minimize(cp.sum_squares(Z - U)), constraints).solve(cp.CLARABEL, max_threads=1, **accuracy)
    return Z.value


@settings(max_examples=25, derandomize=True)
@given(hierarchies(max_labels=7), seeds)
def test_the_projection_is_that_of_a_conic_solver(hierarchy, seed):
    U = scores(seed, len(hierarchy.labels), rows=2)
    Z, _ = project_rows(U, hierarchy.edge_index)
    np.testing.assert_allclose(Z, conic_projection(U, hierarchy.edge_index), atol=2e-5)
    assert np.sum((Z - U) ** 2) <= np.sum((conic_projection(U, hierarchy.edge_index) - U) ** 2) + 1e-8


@settings(max_examples=25, derandomize=True)
@given(hierarchies(max_labels=7), seeds)
def test_projection_then_clip_is_the_projection_on_hierarchy_and_box(hierarchy, seed):
    U = scores(seed, len(hierarchy.labels), rows=2)
    Z = np.clip(project_rows(U, hierarchy.edge_index)[0], 0, 1)
    conic = conic_projection(U, hierarchy.edge_index, box=True)
    np.testing.assert_allclose(Z, conic, atol=2e-5)
    assert np.sum((Z - U) ** 2) <= np.sum((conic - U) ** 2) + 1e-8


@given(hierarchies(), seeds)
def test_projecting_again_changes_nothing(hierarchy, seed):
    Z, _ = project_rows(scores(seed, len(hierarchy.labels)), hierarchy.edge_index)
    again, M = project_rows(Z, hierarchy.edge_index)
    np.testing.assert_allclose(again, Z, atol=1e-11)
    np.testing.assert_allclose(M, 0, atol=1e-11)


@given(hierarchies(), seeds)
def test_it_does_not_matter_where_the_multipliers_start(hierarchy, seed):
    projection = RowProjection(hierarchy.edge_index, len(hierarchy.labels))
    U = scores(seed, len(hierarchy.labels))
    cold, extra = projection(U)
    for start in (extra, np.abs(scores(seed + 1, len(projection.extra)))):
        given_start = start.copy()
        warm, _ = projection(U, start)
        np.testing.assert_allclose(warm, cold, atol=1e-9)
        np.testing.assert_array_equal(start, given_start)


@given(hierarchies(), seeds)
def test_each_row_is_projected_by_itself(hierarchy, seed):
    U = scores(seed, len(hierarchy.labels), rows=5)
    together, _ = project_rows(U, hierarchy.edge_index)
    backwards, _ = project_rows(U[::-1], hierarchy.edge_index)
    np.testing.assert_array_equal(backwards[::-1], together)
    np.testing.assert_array_equal(project_rows(U[2:3], hierarchy.edge_index)[0], together[2:3])


@given(hierarchies(), seeds)
def test_the_order_of_the_edges_does_not_matter(hierarchy, seed):
    edges = hierarchy.edge_index
    U = scores(seed, len(hierarchy.labels))
    shuffled = np.random.default_rng(seed).permutation(edges)
    np.testing.assert_allclose(project_rows(U, shuffled)[0], project_rows(U, edges)[0], atol=1e-9)


@given(hierarchies(), seeds)
def test_float32_comes_close_and_stays_float32(hierarchy, seed):
    U = scores(seed, len(hierarchy.labels)).astype(np.float32)
    Z, M = project_rows(U, hierarchy.edge_index)
    assert Z.dtype == M.dtype == np.float32
    assert_optimal(U, Z, M, hierarchy.edge_index, atol=2e-5)


@given(hierarchies(min_labels=2), seeds)
def test_all_edges_hold_exactly_however_rough_the_tolerance(hierarchy, seed):
    projection = RowProjection(np.random.default_rng(seed).permutation(hierarchy.edge_index), len(hierarchy.labels))
    Z, _ = projection(scores(seed, len(hierarchy.labels)), tol=1e-1, max_sweeps=2)
    for child, parent in projection.edges:
        assert (Z[:, parent] >= Z[:, child]).all()


def test_many_rows_give_what_few_rows_give():
    edges = np.array([(1, 0), (2, 0), (3, 1), (3, 2), (4, 3), (4, 0)])
    rows = 3 * module.FEW_ROWS + 7
    U = scores(5, 6, rows=rows)
    projection = RowProjection(edges, 6)
    Z, extra = projection(U)
    for row in range(0, rows, 10):
        alone, alone_extra = projection(U[row : row + 1])
        np.testing.assert_array_equal(Z[row : row + 1], alone)
        np.testing.assert_array_equal(extra[row : row + 1], alone_extra)


def test_sweeps_are_limited():
    edges = np.array(SHAPES["two roots over each of many"])
    U = scores(6, 40)
    one, _ = project_rows(U, edges, max_sweeps=1)
    exact, _ = project_rows(U, edges)
    assert np.abs(one - exact).max() > 1e-3


@given(hierarchies(), seeds)
def test_the_compiled_kernels_do_what_is_written(hierarchy, seed):
    edges, m = hierarchy.edge_index, len(hierarchy.labels)
    projection = RowProjection(edges, m)
    U = scores(seed, m, rows=2)
    compiled, compiled_extra = projection(U)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("list_children", "project_forest", "project_families", "project_block"):
            patch.setattr(kernels, name, getattr(kernels, name).py_func)
        patch.setattr(kernels, "prange", range)
        patch.setattr(kernels, "get_thread_id", lambda: 0)
        for project in (kernels.project_rows_serial, kernels.project_rows_parallel):
            interpreted, extra = U.copy(), np.zeros((2, len(projection.extra)))
            project.py_func(interpreted, extra, projection.families, projection.workspace(), 1e-13, 100_000)
            np.testing.assert_allclose(interpreted, compiled, atol=1e-12)
            np.testing.assert_allclose(extra, compiled_extra, atol=1e-9)
