"""The exact solver: FISTA with the exact projection of every row, adaptive restart and a certified gap.

The prox of the constraints is the projection of each instance's row on {parent >= child}, then the clip to [0, 1];
that order is exact. It is the default for every problem without a sparse + low rank term.
"""

from __future__ import annotations

from dataclasses import dataclass

from tagweave.model.problem import Problem
from tagweave.progress import Callback
from tagweave.solvers.certificate import step_constant
from tagweave.solvers.momentum import Momentum
from tagweave.solvers.monitor import Monitor
from tagweave.solvers.result import Solution, SolverResult
from tagweave.solvers.row_steps import RowSteps
from tagweave.solvers.screening import screen


@dataclass(frozen=True)
class FISTA:
    """Accelerated projected gradient, to a certified gap.

    Parameters
    ----------
    tol : float
        The certified relative gap at which to stop.
    max_iter : int
        The most iterations.
    check_every : int
        How many iterations lie between two certificates.
    screen : bool
        Whether rows that are proven to be all 0 and 1 are left out.
    """

    tol: float = 1e-6
    max_iter: int = 2000
    check_every: int = 10
    screen: bool = True

    def solve(self, problem: Problem, start: Solution, *, callback: Callback | None = None) -> SolverResult:
        """Solve `problem`, with iterates in the precision of `start`."""
        if problem.sparse_low_rank is not None:
            raise ValueError(
                "FISTA takes smooth terms only, and the problem has a sparse + low rank term; "
                "MethodOfMultipliers takes both"
            )
        monitor = Monitor(problem, start, self, callback)
        steps = RowSteps(problem, start, 1.0 / step_constant(problem))
        # The start is not needed any more, and may be a matrix that nobody else holds.
        monitor.solution = Solution(steps.Z)
        del start
        if self.screen:
            screen(steps, problem)
        momentum = Momentum()
        with monitor:
            for _ in monitor.iterations():
                if steps.step(momentum.weight()) > 0:
                    steps.restart()
                    momentum.restart()
                monitor.done(Solution(steps.Z))
                if monitor.check_due:
                    monitor.check()
        return monitor.result()
