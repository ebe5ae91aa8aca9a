"""Instances in another order inside, and in their own outside."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.solvers.conic import raw_problems

from tagweave.kernels.ordering import send_rows
from tagweave.model import LabelConsistency, Problem
from tagweave.solvers import FISTA, MethodOfMultipliers, Reordered
from tagweave.solvers.reordered import nearby_order


@given(st.integers(0, 12), st.integers(0, 2**32 - 1))
def test_rows_are_sent_where_they_belong(n, seed):
    rng = np.random.default_rng(seed)
    Z, places = rng.random((n, 3)), rng.permutation(n)
    sent = Z.copy()
    send_rows(sent, places)
    np.testing.assert_array_equal(sent[places], Z)


@settings(max_examples=40, deadline=None)
@given(raw_problems(co=True, sl=False, constraint=True))
def test_the_answer_does_not_depend_on_the_order(raw):
    plain, reordered = (
        solver.solve(raw.problem(), raw.start()) for solver in (FISTA(), Reordered(FISTA(), smallest=0))
    )
    assert reordered.objective == pytest.approx(plain.objective, rel=2e-6, abs=1e-8)
    assert raw.problem().objective(reordered.scores) == pytest.approx(reordered.objective, rel=1e-9, abs=1e-9)
    assert raw.problem().violation(reordered.scores) == 0.0


@settings(max_examples=20, deadline=None)
@given(raw_problems(co=True, sl=True, constraint=True))
def test_all_parts_of_a_solution_come_back(raw):
    solver = Reordered(MethodOfMultipliers(tol=1e-6), smallest=0)
    result = solver.solve(raw.problem(), raw.start())
    H1, problem = result.solution.H1, raw.problem()
    assert problem.objective(result.scores, H1) == pytest.approx(result.objective, rel=1e-6, abs=1e-8)
    again = solver.solve(problem, result.solution)
    assert again.n_iter <= result.n_iter


def test_neighbours_lie_close():
    n = 300
    shuffled = np.random.default_rng(0).permutation(n)
    W = np.zeros((n, n))
    W[shuffled[1:], shuffled[:-1]] = 1  # a chain
    raw = raw_problem_of(W + W.T)
    order = nearby_order(raw)
    place = np.argsort(order)
    rows, columns = np.nonzero(W)
    assert np.abs(place[rows] - place[columns]).max() == 1


def raw_problem_of(W):
    from tagweave.labels import Labels
    from tagweave.model import InstanceSmoothness

    labels = Labels(np.zeros((len(W), 2), np.int8))
    return Problem(labels.shape, (LabelConsistency.from_labels(labels), InstanceSmoothness.from_weights(1.0, W)))


def test_what_cannot_be_reordered_is_solved_as_it_is():
    problem = raw_problem_of(np.ones((4, 4)) - np.eye(4))

    class Mine(LabelConsistency):
        permuted = property()  # as if it had none

    assert nearby_order(problem) is not None
    assert nearby_order(Problem(problem.shape, problem.terms[:1])) is None
    mine = Mine(**vars(problem.terms[0]))
    assert nearby_order(Problem(problem.shape, (mine, problem.terms[1]))) is None
