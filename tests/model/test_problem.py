"""A problem: the sum of its terms, made feasible."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from tests.solvers.conic import pairwise, raw_problems

from tagweave.model import Problem


@settings(derandomize=True)
@given(raw_problems(co=True, sl=True, constraint=True))
def test_the_objective_is_the_sum_of_the_papers_terms(raw):
    problem = raw.problem()
    rng = np.random.default_rng(0)
    Z, H1 = rng.random(raw.Y.shape), rng.normal(size=raw.Y.shape)
    expected = 100 * (1 - Z)[raw.Y == 1].sum() + Z[raw.Y == 0].sum()
    expected += raw.beta * ((pairwise(raw.W_X) @ Z) ** 2).sum()
    expected += raw.gamma * ((pairwise(raw.W_C) @ Z.T) ** 2).sum()
    assert problem.smooth(Z) == pytest.approx(expected)
    expected += raw.gamma0 * np.linalg.norm(Z - H1, "nuc") + raw.gamma1 * np.abs(H1).sum()
    assert problem.objective(Z, H1) == pytest.approx(expected)


@settings(derandomize=True)
@given(raw_problems(co=True, sl=False, constraint=True))
def test_gradient_quadratic_and_curvature_are_those_of_all_terms(raw):
    problem = raw.problem()
    rng = np.random.default_rng(0)
    Z, D = rng.random(raw.Y.shape), rng.normal(size=raw.Y.shape)
    moved = problem.smooth(Z) + np.vdot(problem.gradient(Z), D) + problem.quadratic(D)
    assert problem.smooth(Z + D) == pytest.approx(moved, rel=1e-9, abs=1e-9)
    assert problem.quadratic(D) <= 0.5 * problem.curvature * np.vdot(D, D) * (1 + 1e-12) + 1e-12


@settings(derandomize=True)
@given(raw_problems(co=True, sl=False, constraint=True))
def test_repair_is_feasible_and_keeps_the_feasible(raw):
    problem = raw.problem()
    Z = np.random.default_rng(0).normal(0.5, 1, size=raw.Y.shape)
    repaired = problem.repair(Z)
    assert repaired.min() >= 0
    assert repaired.max() <= 1
    assert problem.violation(repaired) == 0.0
    np.testing.assert_array_equal(problem.repair(repaired), repaired)


def test_without_a_hierarchy_nothing_is_violated():
    problem = Problem((1, 2), ())
    assert problem.violation(np.array([[0.0, 1.0]])) == 0.0
    np.testing.assert_array_equal(problem.repair(np.array([[0.5, 1.5]])), [[0.5, 1.0]])


@settings(derandomize=True)
@given(raw_problems(co=True, sl=False, constraint=True))
def test_what_is_feasible_already_is_not_copied(raw):
    problem = raw.problem()
    repaired = problem.repair(np.random.default_rng(0).normal(0.5, 1, size=raw.Y.shape))
    assert problem.repair(repaired) is repaired
