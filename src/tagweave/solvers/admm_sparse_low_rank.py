"""The paper's ADMM for MLMG-SL (Eqs. 19-26), with alpha, and the safeguards the paper only mentions.

Three blocks (Z, H0, H1) updated in turn need not converge (Chen, He, Ye and Yuan 2016). With a short enough dual
step they do (Hong and Luo 2017): the step is halved whenever the residuals have grown over a while, and a method
that grows all the same is stopped and says so.

Typographical slips in the paper, derived and tested: the signs of (1 - alpha) <Ybar, H0> in Eq. 22, and the
transpose on Lambda in the update of Q.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np

from tagweave._typing import FloatArray
from tagweave.model.augmentation import HierarchyPenalty, Linear, SquaredNorm
from tagweave.model.label_consistency import LabelConsistency
from tagweave.model.problem import Problem
from tagweave.model.sparse_low_rank import shrink_singular_values, soft_threshold
from tagweave.progress import Callback
from tagweave.solvers.monitor import Monitor
from tagweave.solvers.pgd import descend
from tagweave.solvers.result import Solution, SolverResult, Status

_SHORTEST_DUAL_STEP = 1e-3


@dataclass(frozen=True)
class SparseLowRankADMM:
    """The alternating direction method of multipliers for Z = H0 + H1 as the paper has it.

    Parameters
    ----------
    alpha : float
        How much of label consistency acts on Z; the rest acts on H0 + H1. The optimum does not depend on it.
    rho1, rho2 : float
        The weights of the penalties on Z = H0 + H1 and on Phi'Z = Q. The paper does not give their values.
    tol : float
        The certified relative gap at which to stop.
    max_iter : int
        The most (outer) iterations; 20 in the paper.
    n_inner : int
        How many steps of projected gradient each update of Z takes; 5 in the paper.
    step_every, damping
        Of `ProjectedGradient`.
    patience : int
        How many iterations the residuals may grow before the dual step is halved.
    check_every : int
        How many iterations lie between two certificates.
    """

    alpha: float = 0.5
    rho1: float = 1.0
    rho2: float = 1.0
    tol: float = 1e-6
    max_iter: int = 20
    n_inner: int = 5
    step_every: int = 5
    damping: float = 0.9
    patience: int = 10
    check_every: int = 10

    def solve(self, problem: Problem, start: Solution, *, callback: Callback | None = None) -> SolverResult:
        """Solve `problem`, with iterates in the precision of `start`."""
        term = problem.sparse_low_rank
        if term is None:
            raise ValueError("SparseLowRankADMM needs a problem with a sparse + low rank term (see ADMM)")
        if not 0 <= self.alpha <= 1:
            raise ValueError(f"alpha must lie in [0, 1]; got {self.alpha}")
        monitor = Monitor(problem, start, self, callback)
        hierarchy = problem.hierarchy
        Z = start.Z
        share = np.zeros_like(Z)
        for consistency in problem.terms:
            if isinstance(consistency, LabelConsistency):
                share += (1 - self.alpha) * consistency.Ybar
        H1 = np.zeros_like(Z) if start.H1 is None else start.H1.astype(Z.dtype)
        H0: FloatArray = Z - H1
        Lambda1 = np.zeros_like(Z) if start.S is None else start.S.astype(Z.dtype) - share
        Lambda2, Q = np.zeros((len(Z), 0), Z.dtype), np.zeros((len(Z), 0), Z.dtype)
        penalties: list[SquaredNorm | HierarchyPenalty] = [SquaredNorm(self.rho1)]
        if hierarchy is not None:
            slack = hierarchy.slack(Z)
            Lambda2 = np.zeros_like(slack) if start.multipliers is None else -start.multipliers.astype(Z.dtype)
            Q = np.maximum(0, slack + Lambda2 / self.rho2)
            penalties.append(HierarchyPenalty(self.rho2, hierarchy))
        safeguard = Safeguard(self.patience)
        with monitor:
            for _ in monitor.iterations():
                # Only alpha of the labels' pull acts on Z: the rest is taken off here.
                pull = Lambda1 + share - self.rho1 * (H0 + H1)
                if hierarchy is not None:
                    pull += hierarchy.adjoint(Lambda2 - self.rho2 * Q)
                subproblem = problem.with_terms(*problem.terms, Linear(pull.astype(Z.dtype)), *penalties)
                iterates = descend(subproblem, Z, step_every=self.step_every, damping=self.damping)
                (Z,) = islice(iterates, self.n_inner - 1, self.n_inner)
                E = (Lambda1 + share) / self.rho1
                H0 = shrink_singular_values(Z - H1 + E, term.gamma0 / self.rho1)
                H1 = soft_threshold(Z - H0 + E, term.gamma1 / self.rho1)
                residual = Z - H0 - H1
                squared = float(np.vdot(residual, residual))
                dual_step = safeguard.dual_step
                Lambda1 = Lambda1 + Z.dtype.type(dual_step * self.rho1) * residual
                if hierarchy is not None:
                    slack = hierarchy.slack(Z)
                    Q = np.maximum(0, slack + Lambda2 / self.rho2)
                    squared += float(np.vdot(slack - Q, slack - Q))
                    Lambda2 = Lambda2 + Z.dtype.type(dual_step * self.rho2) * (slack - Q)
                multipliers = None if hierarchy is None else np.maximum(-Lambda2, 0)
                monitor.done(Solution(Z, multipliers=multipliers, H1=H1, S=Lambda1 + share))
                if safeguard.gives_up(squared):
                    monitor.status = Status.DIVERGED
                if monitor.check_due:
                    monitor.check()
        return monitor.result()


class Safeguard:
    """Watches the residuals; shortens the dual step while they grow, and gives up when that does not help.

    Examples
    --------
    >>> safeguard = Safeguard(patience=2)
    >>> [safeguard.gives_up(residual) for residual in (1.0, 2.0, 4.0)], safeguard.dual_step
    ([False, False, False], 0.5)
    """

    def __init__(self, patience: int) -> None:
        self.dual_step = 1.0
        self._patience = patience
        self._residuals: list[float] = []

    def gives_up(self, squared_residual: float) -> bool:
        """Take the residual of an iteration; return whether the method is beyond help."""
        if not np.isfinite(squared_residual):
            return True
        self._residuals.append(squared_residual)
        if len(self._residuals) > self._patience:
            then = self._residuals[-1 - self._patience]
            if squared_residual > 1.5 * then and squared_residual > 1e-20:
                self.dual_step *= 0.5
                self._residuals = [squared_residual]
        return self.dual_step < _SHORTEST_DUAL_STEP
