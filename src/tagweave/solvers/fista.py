"""The exact solver: FISTA with the exact projection of every row, adaptive restart and a certified gap.

The prox of the constraints is the projection of each instance's row on {parent >= child}, then the clip to [0, 1];
that order is exact. It is the default for every problem without a sparse + low rank term.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tagweave._typing import FloatArray
from tagweave.model.problem import Problem
from tagweave.progress import Callback
from tagweave.solvers.certificate import step_constant
from tagweave.solvers.momentum import Momentum, ascent
from tagweave.solvers.monitor import Monitor
from tagweave.solvers.result import Solution, SolverResult


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
    """

    tol: float = 1e-6
    max_iter: int = 2000
    check_every: int = 10

    def solve(self, problem: Problem, start: Solution, *, callback: Callback | None = None) -> SolverResult:
        """Solve `problem`, given in float64, with iterates in the precision of `start`."""
        if problem.sparse_low_rank is not None:
            raise ValueError(
                "FISTA takes smooth terms only, and the problem has a sparse + low rank term; "
                "MethodOfMultipliers takes both"
            )
        monitor = Monitor(problem, start, self, callback)
        working = problem.astype(start.Z.dtype)
        step = 1.0 / step_constant(problem)
        constraints = Constraints(problem, start, step)
        momentum = Momentum()
        Z, ahead = start.Z, start.Z
        with monitor:
            for _ in monitor.iterations():
                moved = working.gradient(ahead)
                moved *= -step
                moved += ahead
                new = constraints.project(moved)
                weight = momentum.weight(uphill=ascent(ahead, new, Z) > 0)
                ahead = new + moved.dtype.type(weight) * (new - Z)
                Z = new
                monitor.done(Solution(Z, multipliers=None))
                if monitor.check_due:
                    monitor.check()
        return monitor.result()


class Constraints:
    """The projection on the feasible set, with the multipliers of the extra edges kept from call to call."""

    def __init__(self, problem: Problem, start: Solution, step: float) -> None:
        self._box = problem.box
        self._hierarchy = problem.hierarchy
        if self._hierarchy is not None:
            extra = self._hierarchy.projection.extra
            self._extra = np.zeros((problem.shape[0], len(extra)), dtype=start.Z.dtype)
            if start.multipliers is not None:
                self._extra[:] = step * start.multipliers[:, extra]

    def project(self, moved: FloatArray) -> FloatArray:
        """Project in place; return the same array."""
        if self._hierarchy is not None:
            self._hierarchy.projection.in_place(moved, self._extra, tol=1e-9)
        return self._box.project(moved, out=moved)
