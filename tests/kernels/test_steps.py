"""The fused step and the fused certificate do what NumPy does in several passes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kernels import reference
from tests.solvers.conic import raw_problems

from tagweave.labels import Labels
from tagweave.model import (
    Box,
    ClassSmoothness,
    HierarchyConstraint,
    InstanceSmoothness,
    LabelConsistency,
    Problem,
)
from tagweave.model.augmentation import Linear, SquaredNorm
from tagweave.solvers import FISTA, Solution, Status, certify
from tagweave.solvers.certificate import step_constant
from tagweave.solvers.row_steps import RowSteps

co_problems = raw_problems(co=True, sl=False, constraint=True)
seeds = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize(("dtype", "accuracy"), [(np.float64, 1e-8), (np.float32, 2e-4)])
def test_a_step_is_gradient_projection_clip_and_extrapolation(dtype, accuracy):
    @settings(max_examples=60)
    @given(co_problems, seeds, st.booleans())
    def check(raw, seed, pulled):
        problem, rng = raw.problem(), np.random.default_rng(seed)
        pull = rng.normal(size=raw.Y.shape).astype(dtype) if pulled else None
        length = 1.0 / step_constant(problem)
        steps = RowSteps(problem, Solution(rng.random(raw.Y.shape).astype(dtype)), length)
        Z, ahead = steps.Z.copy(), steps.ahead
        for weight in (0.0, 0.3):
            Z, ahead, ascent = reference.step(
                problem, steps.Z.astype("f8"), steps.ahead.astype("f8"), length, weight, 0.0 if pull is None else pull
            )
            scale = accuracy * max(1.0, 100 * length)
            assert steps.step(weight, pull) == pytest.approx(ascent, abs=scale * Z.size)
            np.testing.assert_allclose(steps.Z, Z, atol=scale)
            np.testing.assert_allclose(steps.ahead, ahead, atol=2 * scale)

    check()


@given(co_problems, seeds)
def test_after_a_step_the_scores_are_exactly_feasible(raw, seed):
    problem, rng = raw.problem(), np.random.default_rng(seed)
    for dtype in (np.float32, np.float64):
        steps = RowSteps(problem, Solution(rng.random(raw.Y.shape).astype(dtype)), 1.0 / step_constant(problem))
        for _ in range(3):
            steps.step(0.5)
            assert problem.violation(steps.Z) == 0.0
            assert problem.repair(steps.Z) is steps.Z


@given(raw_problems(co=True, sl=True, constraint=True), seeds)
def test_the_bounds_are_those_of_the_reference(raw, seed):
    problem, rng = raw.problem(), np.random.default_rng(seed)
    Z, S = rng.random(raw.Y.shape), rng.normal(size=raw.Y.shape)
    for solution in (Solution(Z), Solution(Z, H1=0.1 * S, S=S)):
        found, expected = certify(problem, solution), reference.certify(problem, solution)
        assert found.upper == pytest.approx(expected.upper, rel=1e-12, abs=1e-12)
        # Both are valid; where multipliers are not unique they may differ, but hardly.
        assert found.lower >= expected.lower - 0.05 * max(1.0, expected.upper)


@settings(max_examples=30)
@given(co_problems)
def test_the_fused_path_leads_where_the_reference_leads(raw):
    problem, Z = raw.problem(), raw.start().Z
    expected = reference.fista(problem, Z, 60)
    steps = RowSteps(problem, Solution(Z), 1.0 / step_constant(problem))
    t = 1.0
    for _ in range(60):
        following = 0.5 * (1 + np.sqrt(1 + 4 * t * t))
        weight, t = (t - 1) / following, following
        if steps.step(weight) > 0:
            steps.restart()
            t = 0.5 * (1 + np.sqrt(5))
    assert problem.objective(steps.Z) == pytest.approx(problem.objective(expected), rel=1e-7, abs=1e-7)


def test_terms_that_the_kernels_do_not_know_take_part():
    rng = np.random.default_rng(0)
    labels = Labels.from_any(rng.choice([1.0, 0.0, np.nan], size=(5, 3)))

    class Mine(LabelConsistency):
        """Of another type, so not one that the kernels may take for theirs."""

    for first in (LabelConsistency, Mine):
        terms = (first.from_labels(labels), Linear(rng.normal(size=(5, 3))), SquaredNorm(30.0))
        problem = Problem((5, 3), terms)
        steps = RowSteps(problem, Solution(rng.random((5, 3))), 1 / 60)
        Z = steps.Z.copy()
        steps.step(0.0)
        np.testing.assert_allclose(steps.Z, reference.step(problem, Z, Z, 1 / 60, 0.0)[0], atol=1e-12)
        solution = Solution(rng.random((5, 3)))
        found, expected = certify(problem, solution), reference.certify(problem, solution)
        assert found.upper == pytest.approx(expected.upper)
        assert found.lower == pytest.approx(expected.lower)


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 200])
def test_blocks_of_any_number_of_rows_are_whole(rows):
    rng = np.random.default_rng(rows)
    labels = Labels(rng.integers(-1, 2, size=(rows, 3)).astype(np.int8))
    problem = Problem((rows, 3), (LabelConsistency.from_labels(labels), SquaredNorm(30.0)))
    Z = rng.random((rows, 3))
    assert certify(problem, Solution(Z)).upper == pytest.approx(problem.objective(Box().project(Z)))
    steps = RowSteps(problem, Solution(Z), 1 / 30)
    steps.step(0.0)
    np.testing.assert_allclose(steps.Z, reference.step(problem, Z, Z, 1 / 30, 0.0)[0], atol=1e-12)


def wide_problem(seed):
    """More rows than a block and more labels than a tile, which the drawn problems have not."""
    rng = np.random.default_rng(seed)
    n, m = 150, 43
    labels = Labels(rng.choice([1, 0, -1], size=(n, m), p=[0.1, 0.5, 0.4]).astype(np.int8))
    W_X, W_C = (np.triu(rng.random((k, k)) * (rng.random((k, k)) < 0.2), 1) for k in (n, m))
    edges = np.array([[child, rng.integers(child)] for child in range(1, 30)] + [[29, 3], [28, 1]], dtype=np.int32)
    terms = (
        LabelConsistency.from_labels(labels),
        InstanceSmoothness.from_weights(3.0, W_X + W_X.T),
        ClassSmoothness.from_weights(0.5, W_C + W_C.T),
    )
    return Problem((n, m), terms, HierarchyConstraint(np.unique(edges, axis=0), m))


@pytest.mark.parametrize(("dtype", "accuracy"), [(np.float64, 1e-9), (np.float32, 2e-5)])
def test_whole_tiles_are_stepped_and_bounded_as_single_scores_are(dtype, accuracy):
    problem, rng = wide_problem(0), np.random.default_rng(1)
    length = 1.0 / step_constant(problem)
    steps = RowSteps(problem, Solution(rng.random(problem.shape).astype(dtype)), length)
    for weight in (0.0, 0.4):
        expected = reference.step(problem, steps.Z.astype("f8"), steps.ahead.astype("f8"), length, weight)
        ascent = steps.step(weight)
        np.testing.assert_allclose(steps.Z, expected[0], atol=10 * accuracy)
        np.testing.assert_allclose(steps.ahead, expected[1], atol=20 * accuracy)
        assert ascent == pytest.approx(expected[2], abs=1e3 * accuracy)
    found, expected = certify(problem, Solution(steps.Z)), reference.certify(problem, Solution(steps.Z))
    assert found.upper == pytest.approx(expected.upper, rel=1e-12)
    assert found.lower == pytest.approx(expected.lower, rel=1e-3)
    result = FISTA(tol=1e-5).solve(problem, Solution(steps.Z))
    assert result.status is Status.OPTIMAL
    assert problem.objective(result.scores.astype("f8")) == pytest.approx(result.objective, rel=1e-9)
