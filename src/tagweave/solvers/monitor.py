"""What the loops of all solvers share: time, history, certificate, callback, and when to stop."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from types import TracebackType
from typing import Protocol, Self

import numpy as np

from tagweave.model.problem import Problem
from tagweave.progress import Callback, Progress
from tagweave.solvers.certificate import Certificate, certify, first_multipliers, relative_gap
from tagweave.solvers.result import History, Solution, SolverResult, Status

# A gap that has not fallen by a hundredth in so many checks, and in half of all checks, will not fall any more.
_PATIENCE = 25


class Rules(Protocol):
    """The parameters that every solver has."""

    @property
    def tol(self) -> float:
        """The certified relative gap at which to stop."""
        ...

    @property
    def max_iter(self) -> int:
        """The most iterations."""
        ...

    @property
    def check_every(self) -> int:
        """How many iterations lie between two certificates."""
        ...


class Monitor:
    """Runs a solver's iterations, judges them, and makes the result.

    Used as a context, it takes a KeyboardInterrupt as a wish to stop: the result holds the last whole iterate and
    says so.

    Parameters
    ----------
    problem : Problem
    solution : Solution
        The first iterate.
    rules : Rules
        When to look and when to stop: the solver itself.
    callback : Callback, optional
        Called after every iteration.
    """

    def __init__(self, problem: Problem, solution: Solution, rules: Rules, callback: Callback | None = None) -> None:
        self.problem = problem
        self.solution = solution
        self.tol = rules.tol
        self.max_iter = rules.max_iter
        self.check_every = rules.check_every
        self.callback = callback
        self.history = History()
        self.n_iter = 0
        self.status: Status | None = None
        self._lower = 0.0
        self._best_distance = np.inf
        self._checks_since_better = 0
        self._checked: Solution | None = None
        self._multipliers = first_multipliers(problem, solution)
        self._started = perf_counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            self.status = Status.INTERRUPTED
            return True
        return False

    def iterations(self) -> Iterator[int]:
        """Count the iterations until one of the reasons to stop comes up."""
        while self.status is None and self.n_iter < self.max_iter:
            yield self.n_iter + 1

    def done(self, solution: Solution) -> None:
        """Take note of a whole iterate."""
        self.solution = solution
        self.n_iter += 1
        if self.callback is not None and self.callback(self.progress()):
            self.status = Status.STOPPED

    @property
    def check_due(self) -> bool:
        """Whether the last iterate is one to certify."""
        return self.n_iter % self.check_every == 0 or self.n_iter == self.max_iter

    def check(self) -> Certificate:
        """Certify the last iterate and decide whether to stop."""
        certificate = certify(self.problem, self.solution, self._multipliers)
        self._checked = self.solution
        # Lower bounds hold for the problem, not for the iterate: the best one counts.
        self._lower = max(self._lower, certificate.lower)
        gap = relative_gap(certificate.upper, self._lower)
        self.history.iteration.append(self.n_iter)
        self.history.objective.append(certificate.upper)
        self.history.gap.append(gap)
        self.history.violation.append(self.problem.violation(self.solution.Z))
        self.history.seconds.append(perf_counter() - self._started)
        # Not the relative gap: where the optimum is 0 that stays 1 until the end.
        distance = certificate.upper - self._lower
        if distance < 0.99 * self._best_distance:
            self._best_distance, self._checks_since_better = distance, 0
        else:
            self._checks_since_better += 1
        # Who was told to stop has stopped for that reason, even at the optimum.
        if self.status is None and gap <= self.tol:
            self.status = Status.OPTIMAL
        elif self.status is None and self._checks_since_better >= max(_PATIENCE, len(self.history) // 2):
            self.status = Status.STALLED
        return certificate

    def progress(self) -> Progress:
        """Say where the solver is."""
        return Progress(
            iteration=self.n_iter,
            max_iter=self.max_iter,
            objective=self.history.objective[-1] if len(self.history) else np.nan,
            gap=self.history.gap[-1] if len(self.history) else np.nan,
            tol=self.tol,
            seconds=perf_counter() - self._started,
        )

    def result(self) -> SolverResult:
        """Return the last iterate, certified."""
        if self._checked is not self.solution:
            self.check()
        return SolverResult(
            solution=self.solution,
            scores=self.problem.repair(self.solution.Z),
            objective=self.history.objective[-1],
            lower_bound=min(self._lower, self.history.objective[-1]),
            gap=self.history.gap[-1],
            n_iter=self.n_iter,
            status=self.status or Status.MAX_ITER,
            history=self.history,
        )
