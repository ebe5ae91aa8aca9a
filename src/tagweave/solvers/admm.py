"""The paper's ADMM for MLMG-CO + constraint (Eqs. 9-16).

The paper's augmented Lagrangian says that "Lambda Phi" is the multiplier; shapes and updates show that Lambda is.
Its sign makes Lambda <= 0 at every iteration, so -Lambda is the multiplier of Phi'Z >= 0 for the certificate.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np

from tagweave.model.augmentation import HierarchyPenalty, Linear
from tagweave.model.problem import Problem
from tagweave.progress import Callback
from tagweave.solvers.monitor import Monitor
from tagweave.solvers.pgd import descend
from tagweave.solvers.result import Solution, SolverResult


@dataclass(frozen=True)
class ADMM:
    """The alternating direction method of multipliers as the paper has it.

    Parameters
    ----------
    rho : float
        The weight of the penalty. The paper does not give its value, and much depends on it: too large a one
        freezes the first guess.
    tol : float
        The certified relative gap at which to stop.
    max_iter : int
        The most (outer) iterations: 20 in the paper, 50 in the published code.
    n_inner : int
        How many steps of projected gradient each update of Z takes: 5 in the paper, 10 in the published code.
    step_every, damping
        Of `ProjectedGradient`.
    check_every : int
        How many iterations lie between two certificates.
    """

    rho: float = 0.3
    tol: float = 1e-6
    max_iter: int = 20
    n_inner: int = 5
    step_every: int = 5
    damping: float = 0.9
    check_every: int = 10

    def solve(self, problem: Problem, start: Solution, *, callback: Callback | None = None) -> SolverResult:
        """Solve `problem`, with iterates in the precision of `start`."""
        if problem.sparse_low_rank is not None or problem.hierarchy is None:
            raise ValueError(
                "ADMM takes smooth terms with a hierarchy; the problem has "
                + (
                    "a sparse + low rank term (see SparseLowRankADMM)"
                    if problem.sparse_low_rank is not None
                    else "no hierarchy (see ProjectedGradient)"
                )
            )
        monitor = Monitor(problem, start, self, callback)
        hierarchy = problem.hierarchy
        Z, rho = start.Z, start.Z.dtype.type(self.rho)
        slack = hierarchy.slack(Z)
        Lambda = np.zeros_like(slack) if start.multipliers is None else -start.multipliers.astype(Z.dtype)
        Q = np.maximum(0, slack + Lambda / rho)
        penalty = HierarchyPenalty(self.rho, hierarchy)
        with monitor:
            for _ in monitor.iterations():
                linear = Linear(hierarchy.adjoint(Lambda - rho * Q))
                subproblem = problem.with_terms(*problem.terms, linear, penalty)
                iterates = descend(subproblem, Z, step_every=self.step_every, damping=self.damping)
                (Z,) = islice(iterates, self.n_inner - 1, self.n_inner)
                slack = hierarchy.slack(Z)
                Q = np.maximum(0, slack + Lambda / rho)
                Lambda = Lambda + rho * (slack - Q)
                monitor.done(Solution(Z, multipliers=-Lambda))
                if monitor.check_due:
                    monitor.check()
        return monitor.result()
