"""What is screened is settled at the optimum, and leaving it out changes nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.solvers.conic import raw_problems
from tests.solvers.test_published import co_constraint

from tagweave.labels import Labels
from tagweave.model import LabelConsistency, Problem
from tagweave.model.augmentation import SquaredNorm
from tagweave.solvers import FISTA, Solution
from tagweave.solvers.certificate import step_constant
from tagweave.solvers.row_steps import RowSteps
from tagweave.solvers.screening import can_pay, screen


def weak(raw):
    """The same problem with smoothness so weak that negatives settle, and most rows known."""
    Y = raw.Y.copy()
    known = np.arange(len(Y)) % 3 > 0
    Y[known] = np.nan_to_num(Y[known])
    return replace(raw, Y=Y, beta=0.1 * raw.beta, gamma=0.1 * raw.gamma)


@settings(max_examples=60, deadline=None)
@given(raw_problems(co=True, sl=False, constraint=True), st.sampled_from([np.float32, np.float64]))
def test_rows_that_are_left_out_are_right(raw, dtype):
    raw = weak(raw)
    problem = raw.problem()
    assume(can_pay(problem))
    steps = RowSteps(problem, Solution(raw.start().Z.astype(dtype)), 1.0 / step_constant(problem))
    screen(steps, problem)
    out = np.setdiff1d(np.arange(len(raw.Y)), steps.rows)
    optimum = FISTA(tol=1e-12, max_iter=4000, screen=False).solve(problem, raw.start()).scores
    np.testing.assert_allclose(steps.Z[out], optimum[out], atol=2e-4)
    assert set(np.unique(steps.Z[out])) <= {0.0, 1.0}


@settings(max_examples=40, deadline=None)
@given(raw_problems(co=True, sl=False, constraint=True))
def test_the_screened_result_is_that_of_the_unscreened_one(raw):
    raw = weak(raw)
    on, off = (FISTA(tol=1e-9, max_iter=2000, screen=screen).solve(raw.problem(), raw.start()) for screen in (1, 0))
    assert on.objective == pytest.approx(off.objective, rel=1e-7, abs=1e-7)
    assert on.gap <= max(off.gap, 1e-9) + 1e-9


def known_problem(**weights):
    rng = np.random.default_rng(0)
    labels = Labels((rng.random((200, 5)) < 0.2).astype(np.int8))
    return Problem(labels.shape, (LabelConsistency.from_labels(labels, **weights),)), labels


def test_what_is_all_known_is_never_visited():
    problem, labels = known_problem()
    steps = RowSteps(problem, Solution(np.full(labels.shape, 0.5, np.float32)), 1.0)
    screen(steps, problem)
    assert len(steps.rows) == 0
    np.testing.assert_array_equal(steps.Z, labels.values)
    assert steps.step(0.5) == 0.0
    np.testing.assert_array_equal(steps.Z, labels.values)


def test_an_instance_that_is_not_trusted_stays():
    problem, labels = known_problem(sample_weight=np.arange(200) > 3)
    steps = RowSteps(problem, Solution(np.full(labels.shape, 0.5)), 1.0)
    screen(steps, problem)
    np.testing.assert_array_equal(steps.rows, range(4))


def test_terms_that_might_not_keep_the_order_are_not_screened():
    problem, _ = known_problem()
    assert can_pay(problem)
    assert not can_pay(replace(problem, terms=(*problem.terms, SquaredNorm(1.0))))


def test_strong_smoothness_and_unknown_rows_are_not_screened():
    raw = co_constraint()
    assert not can_pay(raw.problem())
    labels = Labels(np.full((20, 3), -1, np.int8))
    assert not can_pay(Problem(labels.shape, (LabelConsistency.from_labels(labels),)))
