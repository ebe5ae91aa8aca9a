"""What all solvers share: histories, callbacks, reasons to stop, results."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.solvers.test_published import co, co_constraint, example, sl_constraint

from tagweave.solvers import (
    ADMM,
    FISTA,
    Certificate,
    MethodOfMultipliers,
    ProjectedGradient,
    Solution,
    SparseLowRankADMM,
    Status,
    monitor,
)
from tagweave.solvers.certificate import relative_gap
from tagweave.solvers.method_of_multipliers import Smoothed
from tagweave.solvers.momentum import Momentum

CASES = {
    "FISTA": (FISTA, co_constraint),
    "MethodOfMultipliers": (MethodOfMultipliers, sl_constraint),
    "ProjectedGradient": (ProjectedGradient, co),
    "ADMM": (ADMM, co_constraint),
    "SparseLowRankADMM": (SparseLowRankADMM, sl_constraint),
}
every_solver = pytest.mark.parametrize(("solver", "raw"), [(kind, make()) for kind, make in CASES.values()], ids=CASES)


@every_solver
def test_the_history_has_a_row_for_every_check(solver, raw):
    result = solver(tol=0, max_iter=23, check_every=5).solve(raw.problem(), raw.start())
    columns = result.history.as_dict()
    assert list(columns) == ["iteration", "objective", "gap", "violation", "seconds"]
    assert {len(column) for column in columns.values()} == {len(result.history)}
    np.testing.assert_array_equal(columns["iteration"], [5, 10, 15, 20, 23])
    assert (np.diff(columns["seconds"]) > 0).all()
    assert columns["objective"][-1] == result.objective
    assert columns["gap"][-1] == result.gap == relative_gap(result.objective, result.lower_bound)
    assert (result.status, result.n_iter) == (Status.MAX_ITER, 23)


@every_solver
def test_the_result_is_feasible_whole_and_its_bounds_hold(solver, raw):
    result = solver(max_iter=7).solve(raw.problem(), raw.start())
    assert result.scores.shape == raw.Y.shape
    assert (result.scores.min() >= 0) & (result.scores.max() <= 1)
    assert raw.problem().violation(result.scores) == 0.0
    assert 0 <= result.lower_bound <= result.objective
    assert (result.solution.S is None) == (raw.gamma0 is None)


@every_solver
def test_the_lower_bound_is_the_best_so_far(solver, raw, monkeypatch):
    lower = []
    certify = monitor.certify

    def watched(*given):
        certificate = certify(*given)
        lower.append(certificate.lower)
        return certificate

    monkeypatch.setattr(monitor, "certify", watched)
    result = solver(tol=0, max_iter=40, check_every=2).solve(raw.problem(), raw.start())
    assert result.lower_bound == min(max(lower), result.objective)
    best = np.minimum(np.maximum.accumulate(lower), result.history.objective)
    objective = np.array(result.history.objective)
    np.testing.assert_allclose(result.history.gap, (objective - best) / objective)


@every_solver
def test_the_callback_is_called_at_every_iteration_and_may_stop(solver, raw):
    seen = []

    def stop_at_8(progress):
        seen.append(progress)
        return progress.iteration == 8

    result = solver(tol=0, max_iter=50, check_every=5).solve(raw.problem(), raw.start(), callback=stop_at_8)
    assert [progress.iteration for progress in seen] == list(range(1, 9))
    assert np.isnan(seen[3].gap)
    assert seen[5].gap == result.history.gap[0]
    assert (seen[5].max_iter, seen[5].tol) == (50, 0)
    assert (result.status, result.n_iter) == (Status.STOPPED, 8)
    assert result.history.iteration == [5, 8]


@every_solver
def test_the_keyboard_stops_with_a_whole_solution(solver, raw):
    def interrupt(progress):
        if progress.iteration == 3:
            raise KeyboardInterrupt

    result = solver(tol=0).solve(raw.problem(), raw.start(), callback=interrupt)
    assert (result.status, result.n_iter) == (Status.INTERRUPTED, 3)
    uninterrupted = solver(tol=0, max_iter=3).solve(raw.problem(), raw.start())
    assert result.objective == pytest.approx(uninterrupted.objective, rel=0.5)
    assert raw.problem().violation(result.scores) == 0.0
    assert 0 <= result.lower_bound <= result.objective


@every_solver
def test_the_keyboard_stops_even_where_the_optimum_is_reached(solver, raw):
    def interrupt(progress):
        raise KeyboardInterrupt

    result = solver(tol=1.0).solve(raw.problem(), raw.start(), callback=interrupt)
    assert (result.status, result.n_iter) == (Status.INTERRUPTED, 1)


@every_solver
def test_any_other_error_goes_through(solver, raw):
    def fail(progress):
        raise RuntimeError("the callback's own")

    with pytest.raises(RuntimeError, match="the callback's own"):
        solver().solve(raw.problem(), raw.start(), callback=fail)


@every_solver
def test_no_iterations_give_the_start_certified(solver, raw):
    start = Solution(np.full(raw.Y.shape, 0.25))
    result = solver(max_iter=0).solve(raw.problem(), start)
    assert (result.status, result.n_iter, result.history.iteration) == (Status.MAX_ITER, 0, [0])
    np.testing.assert_array_equal(result.scores, start.Z)
    assert 0 <= result.lower_bound <= result.objective


@every_solver
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_iterates_keep_the_precision_of_the_start_and_the_start_is_not_changed(solver, raw, dtype):
    start = raw.start(dtype)
    before = start.Z.copy()
    result = solver(max_iter=12).solve(raw.problem(), start)
    np.testing.assert_array_equal(start.Z, before)
    assert result.scores.dtype == result.solution.Z.dtype == dtype
    if raw.gamma0 is not None:
        assert result.solution.S.dtype == result.solution.H1.dtype == dtype


def test_a_solution_changes_precision_in_all_its_parts():
    whole = Solution(*(np.ones((2, 2)) for _ in range(4))).astype(np.float32)
    assert {part.dtype for part in vars(whole).values()} == {np.dtype(np.float32)}
    assert Solution(np.ones((2, 2))).astype(np.float32).S is None


@pytest.mark.parametrize(("solver", "make"), [(FISTA, co_constraint), (MethodOfMultipliers, sl_constraint)])
def test_a_gap_below_the_precision_stalls(solver, make):
    raw = make()
    result = solver(tol=1e-12, max_iter=20_000).solve(raw.problem(), raw.start(np.float32))
    assert result.status is Status.STALLED
    assert result.gap < 1e-4
    assert result.n_iter < 10_000


def test_patience_grows_with_the_checks_and_is_about_the_distance_not_the_ratio(monkeypatch):
    """A crawling method is not a stalled one; and where the optimum is 0, the relative gap is 1 to the end."""
    problem, start = co().problem(), co().start()
    distances = iter([*(0.98**k for k in range(100)), *([0.5 * 0.98**99] * 200)])
    monkeypatch.setattr(monitor, "certify", lambda *_: Certificate(next(distances), 0.0))
    watch = monitor.Monitor(problem, start, FISTA(tol=0, max_iter=1000))
    checks = 0
    while watch.status is None:
        watch.check()
        checks += 1
    assert watch.status is Status.STALLED
    assert set(watch.history.gap) == {1.0}
    assert checks in (201, 202)  # better until the 101st, then about as many again


@pytest.mark.parametrize(
    ("upper", "lower", "gap"), [(2.0, 1.0, 0.5), (0.0, 0.0, 0.0), (1.0, 1.5, 0.0), (1e-300, 0.0, 1.0)]
)
def test_the_relative_gap_is_at_least_0_and_at_most_1(upper, lower, gap):
    assert relative_gap(upper, lower) == Certificate(upper, lower).gap == gap


@given(st.integers(1, 50))
def test_momentum_grows_towards_1_and_starts_anew_after_a_restart(n):
    momentum = Momentum()
    weights = [momentum.weight() for _ in range(n)]
    assert all(earlier < later for earlier, later in pairwise(weights))
    assert weights[0] == 0
    assert weights[-1] < 1
    momentum.restart()
    assert [momentum.weight() for _ in range(n)][: n - 1] == weights[1:]


def test_the_smoothed_term_has_the_gradient_it_says():
    raw = example(gamma0=1.0, gamma1=0.4)
    term = raw.problem().sparse_low_rank
    rng = np.random.default_rng(0)
    Z, H1, D = (rng.normal(size=raw.Y.shape) for _ in range(3))
    smoothed = Smoothed(term, Solution(Z, S=rng.normal(size=Z.shape)), sigma=0.5)

    def value(H0):
        S = smoothed.gradient(H0, None)
        return np.vdot(S, H0) - np.sum((S - smoothed._centre) ** 2) / (2 * 0.5)

    numerical = (value(Z - H1 + 1e-5 * D) - value(Z - H1 - 1e-5 * D)) / 2e-5
    assert np.vdot(smoothed.gradient(Z, H1), D) == pytest.approx(numerical, rel=1e-6)
    assert smoothed.lag(Z, H1, smoothed.gradient(Z, H1)) >= 0


def test_the_centre_moves_when_the_smoothing_is_most_of_the_gap():
    raw = sl_constraint()
    S = np.ones(raw.Y.shape)
    smoothed = Smoothed(raw.problem().sparse_low_rank, raw.start(), sigma=1.0)
    gap = Certificate(2.0, 1.0)
    assert not smoothed.move_centre(S, 0.4, gap)
    assert not smoothed._centre.any()
    assert not smoothed.move_centre(S, 0.6, gap)  # moved, sigma as it was
    np.testing.assert_array_equal(smoothed._centre, S)
    assert smoothed.move_centre(S, 0.95, gap)  # no better, and nothing else left of the gap
    assert smoothed.sigma == 2.0
    for _ in range(7):
        assert not smoothed.move_centre(S, 0.1, gap)
    assert smoothed.move_centre(S, 0.6, gap)  # long in coming
    assert smoothed.sigma == 1.0


def test_any_first_sigma_leads_to_the_same_optimum():
    raw = sl_constraint()
    results = [
        MethodOfMultipliers(tol=1e-8, max_iter=5000, sigma=sigma).solve(raw.problem(), raw.start())
        for sigma in (None, 0.01, 1.0, 100.0)
    ]
    assert {result.status for result in results} == {Status.OPTIMAL}
    assert [result.objective for result in results] == pytest.approx([results[0].objective] * 4, rel=1e-7)
