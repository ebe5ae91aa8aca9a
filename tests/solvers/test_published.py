"""The paper's own solvers: they do what it says, and reach the optimum if given the time."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from tests.solvers.conic import Raw, conic_optimum, raw_problems

from tagweave.labels import Labels
from tagweave.model import LabelConsistency, Problem
from tagweave.solvers import (
    ADMM,
    FISTA,
    MethodOfMultipliers,
    ProjectedGradient,
    Solution,
    SparseLowRankADMM,
    Status,
    admm_sparse_low_rank,
    pgd,
)

few = settings(max_examples=15, derandomize=True, database=None, phases=(Phase.generate,))
N, M = 6, 4
EDGES = np.array([[1, 0], [2, 0], [3, 1], [3, 2]])


def example(seed=0, **parts):
    rng = np.random.default_rng(seed)
    Y = rng.choice([1.0, 0.0, np.nan], p=[0.2, 0.3, 0.5], size=(N, M))
    W_X, W_C = (np.triu(rng.random((k, k)), 1) for k in (N, M))
    return Raw(Y, W_X + W_X.T, 2.0, W_C=W_C + W_C.T, **parts)


def co(seed=0):
    return example(seed, gamma=0.5)


def co_constraint(seed=0):
    return example(seed, gamma=0.5, edges=EDGES)


def sl_constraint(seed=0):
    return example(seed, gamma0=1.0, gamma1=0.4, edges=EDGES)


def kept(raw):
    """A feasible start, as the labels alone may not be."""
    return Solution(raw.problem().repair(raw.start().Z))


@few
@given(raw_problems(co=True, sl=False, constraint=False), st.integers(0, 2**32 - 1))
def test_the_exact_step_minimises_the_objective_along_the_line(raw, seed):
    problem, Z = raw.problem(), np.random.default_rng(seed).random(raw.Y.shape)
    gradient = problem.gradient(Z)
    if problem.quadratic(gradient) <= 1e-9 * np.vdot(gradient, gradient):
        return
    step = pgd.exact_step(problem, gradient)
    best = minimize_scalar(lambda eta: problem.smooth(Z - eta * gradient), bracket=(0, step))
    assert problem.smooth(Z - step * gradient) <= best.fun + 1e-9 * max(1, abs(best.fun))


def test_a_linear_objective_takes_any_step():
    problem = Problem((1, 2), (LabelConsistency.from_labels(Labels.from_any([[1.0, 0.0]]), r_plus=1.0),))
    assert pgd.exact_step(problem, np.array([[-1.0, 1.0]])) == 1.0
    result = ProjectedGradient().solve(problem, Solution(np.full((1, 2), 0.5)))
    np.testing.assert_array_equal(result.scores, [[1.0, 0.0]])
    assert (result.status, result.gap) == (Status.OPTIMAL, 0.0)


def test_the_heuristic_takes_a_new_step_every_fifth_time_and_damps_it_in_between(monkeypatch):
    problem, Z = co().problem(), co().start().Z
    asked = []
    monkeypatch.setattr(pgd, "exact_step", lambda *_: asked.append(len(iterates)) or 0.01)
    iterates = []
    for new in islice(pgd.descend(problem, Z, step_every=5, damping=0.9), 12):
        step = 0.01 * 0.9 ** (len(iterates) % 5)
        np.testing.assert_allclose(new, np.clip(Z - step * problem.gradient(Z), 0, 1), atol=1e-15)
        iterates.append(new)
        Z = new
    assert asked == [0, 5, 10]


@pytest.mark.parametrize("seed", range(4))
def test_projected_gradient_reaches_the_optimum(seed):
    raw = co(seed)
    result = ProjectedGradient(tol=1e-8, max_iter=5000).solve(raw.problem(), raw.start())
    exact = FISTA(tol=1e-9).solve(raw.problem(), raw.start())
    assert result.status is Status.OPTIMAL
    assert result.objective == pytest.approx(exact.objective, rel=1e-7, abs=1e-7)


def test_without_the_heuristic_exact_steps_may_overshoot_for_ever_and_the_result_says_so():
    """The paper has it that convergence is guaranteed; that holds for shorter steps or a line within the box."""
    raw = co()
    exact = FISTA(tol=1e-9).solve(raw.problem(), raw.start())
    result = ProjectedGradient(tol=1e-8, max_iter=5000, step_every=1).solve(raw.problem(), raw.start())
    assert result.status is Status.STALLED
    assert result.objective > 1.1 * exact.objective
    assert result.lower_bound <= exact.objective * (1 + 1e-9)


@pytest.fixture
def short_steps(monkeypatch):
    """Steps of 1/L: with them projected gradient converges, and what is left to test is the ADMM itself."""
    monkeypatch.setattr(pgd, "exact_step", lambda problem, _: 1 / problem.curvature)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.usefixtures("short_steps")
def test_the_admm_reaches_the_optimum_with_multipliers_that_are_not_negative(seed):
    raw = co_constraint(seed)
    solver = ADMM(rho=1.0, tol=1e-7, max_iter=3000, n_inner=10, step_every=1)
    result = solver.solve(raw.problem(), kept(raw))
    assert result.status is Status.OPTIMAL
    assert result.objective == pytest.approx(conic_optimum(raw), rel=1e-6)
    assert result.solution.multipliers.min() >= 0
    again = solver.solve(raw.problem(), result.solution)
    assert again.n_iter <= 20


def test_the_multipliers_of_every_iterate_of_the_admm_are_not_negative(monkeypatch):
    from tagweave.solvers import admm

    seen = []
    done = admm.Monitor.done
    monkeypatch.setattr(admm.Monitor, "done", lambda self, solution: (seen.append(solution), done(self, solution)))
    ADMM().solve(co_constraint().problem(), co_constraint().start())
    assert len(seen) == 20
    assert all(solution.multipliers.min() >= -1e-12 for solution in seen)


@pytest.mark.parametrize("alpha", [0, 0.1, 0.5, 0.9, 1])
@pytest.mark.usefixtures("short_steps")
def test_the_optimum_of_the_sparse_low_rank_admm_does_not_depend_on_alpha(alpha):
    raw = sl_constraint()
    solver = SparseLowRankADMM(
        alpha=alpha, rho1=4.0, rho2=4.0, tol=1e-6, max_iter=4000, n_inner=20, step_every=1, patience=100
    )
    result = solver.solve(raw.problem(), kept(raw))
    assert result.status is Status.OPTIMAL
    assert result.objective == pytest.approx(conic_optimum(raw), rel=2e-6)
    again = solver.solve(raw.problem(), result.solution)
    assert again.status is Status.OPTIMAL
    assert again.n_iter <= 100


@pytest.mark.usefixtures("short_steps")
def test_the_sparse_low_rank_admm_does_without_a_hierarchy():
    raw = example(gamma0=1.0, gamma1=0.4)
    result = SparseLowRankADMM(rho1=4.0, tol=1e-6, max_iter=4000, n_inner=20, step_every=1, patience=100).solve(
        raw.problem(), raw.start()
    )
    assert result.objective == pytest.approx(conic_optimum(raw), rel=2e-6)


def test_the_safeguard_halves_the_dual_step_while_residuals_grow_and_not_while_they_fall():
    safeguard = admm_sparse_low_rank.Safeguard(patience=2)
    assert not any(safeguard.gives_up(residual) for residual in (4.0, 3.0, 2.0, 1.0, 1.2, 1.0))
    assert safeguard.dual_step == 1.0
    verdicts = [safeguard.gives_up(2.0**k) for k in range(40)]
    assert verdicts[-1]
    assert not verdicts[0]
    assert safeguard.dual_step < 1e-3


@pytest.mark.parametrize("residual", [np.inf, np.nan])
def test_the_safeguard_gives_up_at_once_on_what_is_no_number(residual):
    assert admm_sparse_low_rank.Safeguard(patience=10).gives_up(residual)


def test_rounding_is_no_growth():
    safeguard = admm_sparse_low_rank.Safeguard(patience=1)
    assert not any(safeguard.gives_up(1e-30 * 2.0**k) for k in range(20))
    assert safeguard.dual_step == 1.0


def test_a_method_beyond_help_says_that_it_diverged(monkeypatch):
    monkeypatch.setattr(admm_sparse_low_rank.Safeguard, "gives_up", lambda self, _: True)
    result = SparseLowRankADMM(tol=1e-12).solve(sl_constraint().problem(), sl_constraint().start())
    assert (result.status, result.n_iter) == (Status.DIVERGED, 1)
    assert result.lower_bound <= result.objective


def test_each_solver_refuses_what_it_cannot_solve_and_names_one_that_can():
    plain, tree, sparse = (raw.problem() for raw in (co(), co_constraint(), sl_constraint()))
    start = co().start()
    for solver, problem, words in (
        (FISTA(), sparse, "MethodOfMultipliers"),
        (MethodOfMultipliers(), tree, "see FISTA"),
        (ProjectedGradient(), tree, "see ADMM"),
        (ProjectedGradient(), sparse, "see SparseLowRankADMM"),
        (ProjectedGradient(), example(gamma0=1.0, gamma1=0.4).problem(), "see SparseLowRankADMM"),
        (ADMM(), plain, "see ProjectedGradient"),
        (ADMM(), sparse, "see SparseLowRankADMM"),
        (SparseLowRankADMM(), tree, "see ADMM"),
    ):
        with pytest.raises(ValueError, match=words):
            solver.solve(problem, start)


@pytest.mark.parametrize("alpha", [-0.1, 1.1])
def test_alpha_outside_of_0_and_1_is_refused(alpha):
    with pytest.raises(ValueError, match=r"alpha must lie in \[0, 1\]; got"):
        SparseLowRankADMM(alpha=alpha).solve(sl_constraint().problem(), sl_constraint().start())
