"""The paper's projected gradient descent with exact line search (Eqs. 12-14), for problems with a box only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tagweave._typing import FloatArray
from tagweave.model.base import inner
from tagweave.model.problem import Problem
from tagweave.progress import Callback
from tagweave.solvers.certificate import step_constant
from tagweave.solvers.monitor import Monitor
from tagweave.solvers.result import Solution, SolverResult


@dataclass(frozen=True)
class ProjectedGradient:
    """Projected gradient descent as the paper has it.

    The exact step is that of the line without the box. Where most of the gradient points out of the box it is too
    long for the scores inside, more than 2/L, and the iterates may go round for ever (`step_every=1` shows it). The
    damped steps of the heuristic have always got out of it, but nothing proves that they must.

    Parameters
    ----------
    tol : float
        The certified relative gap at which to stop.
    max_iter : int
        The most iterations; the paper takes 50.
    step_every : int
        Compute the exact step once in so many iterations; 1 is always. The paper's acceleration heuristic takes 5.
    damping : float
        What the steps in between are: the last one times this.
    check_every : int
        How many iterations lie between two certificates.
    """

    tol: float = 1e-6
    max_iter: int = 50
    step_every: int = 5
    damping: float = 0.9
    check_every: int = 10

    def solve(self, problem: Problem, start: Solution, *, callback: Callback | None = None) -> SolverResult:
        """Solve `problem`, with iterates in the precision of `start`."""
        if problem.sparse_low_rank is not None or problem.hierarchy is not None:
            raise ValueError(
                "ProjectedGradient takes smooth terms in a box only; the problem has "
                + (
                    "a hierarchy (see ADMM)"
                    if problem.sparse_low_rank is None
                    else "a sparse + low rank term (see SparseLowRankADMM)"
                )
            )
        monitor = Monitor(problem, start, self, callback)
        iterates = descend(problem, start.Z, step_every=self.step_every, damping=self.damping)
        with monitor:
            for _ in monitor.iterations():
                monitor.done(Solution(next(iterates)))
                if monitor.check_due:
                    monitor.check()
        return monitor.result()


def descend(problem: Problem, Z: FloatArray, *, step_every: int = 5, damping: float = 0.9) -> Iterator[FloatArray]:
    """Yield the iterates of projected gradient descent from Z, for ever."""
    step, age = 0.0, step_every
    while True:
        gradient = problem.gradient(Z)
        if age >= step_every:
            step, age = exact_step(problem, gradient), 0
        else:
            step *= damping
        age += 1
        Z = problem.box.project(Z - gradient.dtype.type(step) * gradient)
        yield Z


def exact_step(problem: Problem, gradient: FloatArray) -> float:
    """Return the step that minimises the objective along the negative gradient, Eq. 13.

    The paper's numerator is half the squared norm of the gradient, written out. A linear objective has no minimum
    along a line; it takes any step.
    """
    bend = problem.quadratic(gradient)
    return 0.5 * inner(gradient, gradient) / bend if bend > 0 else 1.0 / step_constant(problem)
