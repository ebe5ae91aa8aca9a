"""How it is solved: starts, solvers, callbacks, Ctrl-C, and the warning when it was not enough."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from tests.estimators.samples import COLUMNS, ESTIMATORS, collection, estimator

from tagweave import MLMG, MLMGCO, MLMGSL, Progress
from tagweave.solvers import ADMM, FISTA, MethodOfMultipliers, ProjectedGradient, SparseLowRankADMM, Status

X, Y = collection()


class Spy:
    """A solver of the user's own, which remembers what it was given."""

    tol = 0.5

    def solve(self, problem, start, *, callback=None):
        self.problem, self.start = problem, start
        solver = FISTA if problem.sparse_low_rank is None else MethodOfMultipliers
        return solver(tol=self.tol).solve(problem, start, callback=callback)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_a_warm_start_needs_few_iterations(kind):
    model = estimator(kind, tol=1e-7, dtype="float64", warm_start=True, max_iter=5000).fit(X, Y)
    cold, scores = model.n_iter_, model.scores_
    model.fit(X, Y)
    assert model.n_iter_ <= cold / 3
    np.testing.assert_allclose(model.scores_, scores, atol=1e-3)


CHANGES = [{"constrain": False}, {"hierarchy": COLUMNS[:1]}, {"dtype": "float64"}, {"beta": 2}]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("kind", ESTIMATORS)
def test_a_warm_start_survives_other_parameters(kind, change):
    plain, other = estimator(kind), estimator(kind, **change)
    for before, after in ((plain, other), (other, plain)):
        expected = clone(after).fit(X, Y)
        model = clone(before).set_params(warm_start=True).fit(X, Y)
        model.set_params(**{name: getattr(after, name) for name in change}).fit(X, Y)
        assert model.status_ == "optimal"
        assert model.objective_ == pytest.approx(expected.objective_, rel=3e-5)


def test_a_warm_start_on_another_shape_is_a_cold_one():
    model = estimator(MLMGCO, warm_start=True).fit(X, Y)
    np.testing.assert_array_equal(model.fit(X[:30], Y[:30]).scores_, estimator(MLMGCO).fit(X[:30], Y[:30]).scores_)


@pytest.mark.parametrize(
    ("kind", "constrain", "own"),
    [
        (MLMGCO, True, ADMM()),
        (MLMGCO, False, ProjectedGradient()),
        (MLMGSL, True, SparseLowRankADMM()),
        (MLMG, True, SparseLowRankADMM()),
    ],
)
def test_the_papers_solver_is_the_one_for_the_problem_and_says_how_far_it_is(kind, constrain, own):
    exact = estimator(kind, constrain=constrain).fit(X, Y)
    papers, same = (estimator(kind, constrain=constrain, tol=1e-6, solver=solver) for solver in ("paper", own))
    for model in (papers, same):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(X, Y)
    np.testing.assert_array_equal(papers.scores_, same.scores_)
    assert (1 - papers.gap_) * papers.objective_ <= exact.objective_ * (1 + 1e-6)
    assert papers.objective_ >= (1 - exact.gap_) * exact.objective_ * (1 - 1e-6)


@pytest.mark.parametrize(("kind", "solver"), [(MLMGCO, FISTA(tol=1e-2)), (MLMGSL, MethodOfMultipliers(tol=1e-2))])
def test_a_solver_object_brings_its_own_tolerance(kind, solver):
    model = estimator(kind, solver=solver, tol=1e-9).fit(X, Y)
    assert model.tol < model.gap_ <= 1e-2


def test_any_object_that_solves_is_a_solver():
    spy = Spy()
    model = estimator(MLMGCO, solver=spy, dtype="float32").fit(X, Y)
    assert model.gap_ <= 0.5
    assert spy.start.Z.dtype == np.float32
    np.testing.assert_array_equal(spy.start.Z, np.nan_to_num(model.hierarchy_.fill(Y)))


def test_missing_labels_start_where_init_says():
    starts = {}
    for name, given in {
        "zeros": {"init": "zeros"},
        "random": {"init": "random", "random_state": 3},
        "again": {"init": "random", "random_state": np.random.RandomState(3)},
        "given": {"init": np.full(Y.shape, 7)},
    }.items():
        spy = Spy()
        estimator(MLMGCO, hierarchy=None, solver=spy, **given).fit(X, Y)
        starts[name] = spy.start.Z
    missing = np.isnan(Y)
    for name in ("zeros", "random"):
        np.testing.assert_array_equal(starts[name][~missing], Y[~missing])
    assert not starts["zeros"][missing].any()
    assert starts["random"][missing].std() > 0.2
    np.testing.assert_array_equal(starts["random"], starts["again"])
    assert (starts["given"] == 1).all()


def test_too_few_iterations_warn_at_the_line_that_called():
    with pytest.warns(
        ConvergenceWarning, match=r"stopped \(max_iter\) after 2 iterations .* above tol=1.0e-09"
    ) as seen:
        model = estimator(MLMGCO, max_iter=2, tol=1e-9).fit(X, Y)
    assert seen[0].filename == __file__
    assert model.n_iter_ == 2
    assert model.gap_ > 1e-9
    assert model.hierarchy_.violation(model.scores_) == 0.0


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_a_callback_sees_every_iteration_and_may_stop(kind):
    seen = []

    def stop_at_the_fourth(progress):
        seen.append(progress)
        return len(seen) == 4

    model = estimator(kind, tol=1e-9, callback=stop_at_the_fourth).fit(X, Y)
    assert model.status_ is Status.STOPPED
    assert [progress.iteration for progress in seen] == [1, 2, 3, 4]
    assert all(isinstance(progress, Progress) and progress.max_iter == 1000 for progress in seen)
    assert model.n_iter_ == 4


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_ctrl_c_leaves_what_was_reached_and_a_warm_start_goes_on_from_there(kind):
    def interrupt(progress):
        if progress.iteration == 3:
            raise KeyboardInterrupt

    model = estimator(kind, tol=1e-9, callback=interrupt, warm_start=True)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, Y)
    assert model.status_ is Status.INTERRUPTED
    assert model.n_iter_ == 3
    assert model.hierarchy_.violation(model.scores_) == 0.0
    assert np.isfinite(model.gap_)
    reached = model.solution_.Z
    spy = Spy()
    model.set_params(callback=None, solver=spy, tol=1e-5).fit(X, Y)
    np.testing.assert_array_equal(spy.start.Z, reached)
    assert model.set_params(solver="exact").fit(X, Y).status_ is Status.OPTIMAL
