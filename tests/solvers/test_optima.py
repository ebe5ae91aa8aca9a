"""The exact solvers against a conic one, which is given the raw matrices of the same problem."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.solvers.conic import conic_optimum, graphs, raw_problems, weights

from tagweave.solvers import FISTA, MethodOfMultipliers, Solution, Status, certify

MODELS = {
    "CO": {"co": True, "sl": False, "constraint": False},
    "CO + constraint": {"co": True, "sl": False, "constraint": True},
    "SL": {"co": False, "sl": True, "constraint": False},
    "SL + constraint": {"co": False, "sl": True, "constraint": True},
    "CO and SL + constraint": {"co": True, "sl": True, "constraint": True},
}
every_model = pytest.mark.parametrize("model", MODELS)


def solve(raw, start=None, **options):
    solver = FISTA if raw.gamma0 is None else MethodOfMultipliers
    return solver(**{"tol": 1e-8, "max_iter": 5000} | options).solve(raw.problem(), start or raw.start())


def assert_exactly_feasible(raw, scores):
    assert scores.min() >= 0
    assert scores.max() <= 1
    for child, parent in () if raw.edges is None else raw.edges:
        assert (scores[:, parent] >= scores[:, child]).all()


@every_model
def test_the_optimum_is_that_of_the_conic_solver(model):
    @settings(max_examples=40, derandomize=True, database=None, phases=(Phase.generate,))
    @given(raw_problems(**MODELS[model]))
    def check(raw):
        result, optimum = solve(raw), conic_optimum(raw)
        scale = 1e-6 * max(1.0, optimum)
        assert result.objective == pytest.approx(optimum, abs=scale)
        assert result.lower_bound <= optimum + scale
        assert result.lower_bound <= result.objective
        assert_exactly_feasible(raw, result.scores)
        assert result.objective == pytest.approx(
            raw.problem().objective(result.scores, result.solution.H1), rel=1e-12, abs=1e-12
        )

    check()


@every_model
def test_both_bounds_hold_for_any_solution_however_wrong(model):
    @settings(max_examples=40, derandomize=True, database=None, phases=(Phase.generate,))
    @given(raw_problems(**MODELS[model]), st.integers(0, 2**32 - 1), st.sampled_from([0.1, 1.0, 100.0]))
    def check(raw, seed, size):
        problem, rng = raw.problem(), np.random.default_rng(seed)
        solved = solve(raw)
        slack = 1e-6 * max(1.0, solved.objective)
        n_edges = 0 if raw.edges is None else len(raw.edges)
        wrong = Solution(
            rng.normal(0.5, size, raw.Y.shape),
            multipliers=rng.normal(0, size, (len(raw.Y), n_edges)) if seed % 5 else None,
            H1=rng.normal(0, size, raw.Y.shape) if seed % 2 else None,
            S=rng.normal(0, size, raw.Y.shape) if seed % 3 else None,
        )
        certificate = certify(problem, wrong)
        assert 0 <= certificate.lower <= solved.objective + slack
        assert certificate.upper >= solved.lower_bound - slack
        assert certificate.lower <= certificate.upper
        assert 0 <= certificate.gap <= 1

    check()


@every_model
def test_the_certificate_closes_at_the_optimum(model):
    @settings(max_examples=15, derandomize=True, database=None, phases=(Phase.generate,))
    @given(raw_problems(**MODELS[model]))
    def check(raw):
        result = solve(raw)
        certificate = certify(raw.problem(), result.solution)
        assert certificate.upper == pytest.approx(result.objective, rel=1e-12)
        assert certificate.upper - certificate.lower <= 1e-6 * max(1.0, result.objective)

    check()


@every_model
def test_the_order_of_instances_and_labels_does_not_matter(model):
    @settings(max_examples=15, derandomize=True, database=None, phases=(Phase.generate,))
    @given(raw_problems(**MODELS[model]), st.randoms(use_true_random=False))
    def check(raw, random):
        n, m = raw.Y.shape
        rows, columns = np.array(random.sample(range(n), n)), np.array(random.sample(range(m), m))
        shuffled = raw.reordered(rows, columns)
        result, other = solve(raw), solve(shuffled)
        scale = max(1.0, result.objective)
        assert other.objective == pytest.approx(result.objective, abs=1e-6 * scale)
        # Optimal scores need not be unique; what is, is the objective of either in the other's problem.
        moved = Solution(other.scores[np.ix_(np.argsort(rows), np.argsort(columns))], H1=other.solution.H1)
        if moved.H1 is not None:
            moved = Solution(moved.Z, H1=moved.H1[np.ix_(np.argsort(rows), np.argsort(columns))])
        assert raw.problem().objective(moved.Z, moved.H1) == pytest.approx(other.objective, rel=1e-9, abs=1e-9)

    check()


@every_model
def test_float32_agrees_with_float64(model):
    @settings(max_examples=15, derandomize=True, database=None, phases=(Phase.generate,))
    @given(raw_problems(**MODELS[model]))
    def check(raw):
        double, single = solve(raw), solve(raw, raw.start(np.float32), tol=1e-5)
        assert single.scores.dtype == np.float32
        assert single.objective == pytest.approx(double.objective, rel=1e-4, abs=1e-4)
        assert single.lower_bound <= double.objective + 1e-6 * max(1.0, double.objective)
        assert_exactly_feasible(raw, single.scores)

    check()


@every_model
def test_a_warm_start_has_next_to_nothing_to_do(model):
    @settings(max_examples=15, derandomize=True, database=None, phases=(Phase.generate,))
    @given(raw_problems(**MODELS[model]))
    def check(raw):
        first = solve(raw)
        if first.status is not Status.OPTIMAL:
            return
        again = solve(raw, first.solution, tol=1e-7)
        assert again.status is Status.OPTIMAL
        assert again.n_iter <= 10

    check()


@settings(max_examples=10, derandomize=True, database=None, phases=(Phase.generate,))
@given(st.data())
def test_scores_follow_the_instances_and_labels_where_the_optimum_is_unique(data):
    """A graph term that is positive definite makes it so: each instance is tied to one with all labels known."""
    from tests.solvers.conic import Raw

    n, m = 5, 3
    Y = np.full((n, m), np.nan)
    Y[0] = data.draw(st.sampled_from([(1, 0, 1), (0, 0, 1), (1, 1, 0)]))
    W_X = data.draw(graphs(n)) + 0.5 * (1 - np.eye(n))
    raw = Raw(Y, W_X, 1.0 + data.draw(weights()), edges=np.array([[1, 0]]))
    rows, columns = np.array([3, 1, 4, 0, 2]), np.array([2, 0, 1])
    here = solve(raw, tol=1e-12).scores
    there = solve(raw.reordered(rows, columns), tol=1e-12).scores
    np.testing.assert_allclose(there, here[np.ix_(rows, columns)], atol=1e-4)
