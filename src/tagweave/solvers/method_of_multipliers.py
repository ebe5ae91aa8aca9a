"""The exact solver for a sparse + low rank term: accelerated projected gradient inside the method of multipliers.

The nuclear norm of H0 = Z - H1 is the largest <S, H0> over the spectral ball of radius gamma0. Taking off
|S - S_c|^2 / (2 sigma) around a centre S_c makes it smooth: its gradient is the S that attains the maximum,
S_c + sigma H0 with its singular values clipped to gamma0, and its curvature at most sigma. FISTA minimises the
smoothed problem over Z (exact row projection) and H1 (soft thresholding). Whenever most of the certified gap is due
to the smoothing, the centre moves to S; this is the method of multipliers, it leads to the exact optimum, and as
gamma0 is usually small against the rest the first centres are close already.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tagweave._typing import FloatArray
from tagweave.model.base import inner
from tagweave.model.problem import Problem
from tagweave.model.sparse_low_rank import SparseLowRank, clip_singular_values, soft_threshold
from tagweave.progress import Callback
from tagweave.solvers.certificate import Certificate, step_constant
from tagweave.solvers.momentum import Momentum
from tagweave.solvers.monitor import Monitor
from tagweave.solvers.result import Solution, SolverResult
from tagweave.solvers.row_steps import RowSteps

# More checks than this between two moves of the centre are many.
_SLOW = 6


@dataclass(frozen=True)
class MethodOfMultipliers:
    """The exact solver for problems with a sparse + low rank term, to a certified gap.

    Parameters
    ----------
    tol : float
        The certified relative gap at which to stop.
    max_iter : int
        The most iterations; each takes one gradient and one eigenvalue decomposition of an m x m matrix.
    check_every : int
        How many iterations lie between two certificates, and so between two moves of the centre.
    sigma : float, optional
        The first curvature of the smoothed nuclear norm, adapted on the way.
    """

    tol: float = 1e-6
    max_iter: int = 2000
    check_every: int = 5
    sigma: float | None = None

    def solve(self, problem: Problem, start: Solution, *, callback: Callback | None = None) -> SolverResult:
        """Solve `problem`, with iterates in the precision of `start`."""
        term = problem.sparse_low_rank
        if term is None:
            raise ValueError("MethodOfMultipliers needs a problem with a sparse + low rank term (see FISTA)")
        monitor = Monitor(problem, start, self, callback)
        smoothed = Smoothed(term, start, self.sigma or self._first_sigma(problem, term))
        steps = RowSteps(problem, start, 1.0 / (problem.curvature + smoothed.curvature))
        momentum = Momentum()
        H1 = H1_ahead = smoothed.first_sparse_part(start)
        with monitor:
            for _ in monitor.iterations():
                weight = momentum.weight()
                S = smoothed.gradient(steps.ahead, H1_ahead)
                new_H1 = None if H1_ahead is None else smoothed.sparse_step(H1_ahead, S)
                uphill = steps.step(weight, S) / steps.length
                if H1 is not None and H1_ahead is not None and new_H1 is not None:
                    change = new_H1 - H1
                    uphill += smoothed.curvature * inner(H1_ahead - new_H1, change)
                    H1, H1_ahead = new_H1, new_H1 + change.dtype.type(weight) * change
                if uphill > 0:
                    steps.restart()
                    momentum.restart()
                    H1_ahead = H1
                monitor.done(Solution(steps.Z, H1=H1, S=S))
                if monitor.check_due:
                    S = smoothed.gradient(steps.Z, H1)
                    monitor.solution = Solution(steps.Z, H1=H1, S=S)
                    if smoothed.move_centre(S, smoothed.lag(steps.Z, H1, S), monitor.check()):
                        steps.lengthen(1.0 / (problem.curvature + smoothed.curvature))
                        steps.restart()
                        momentum = Momentum()
                        H1_ahead = H1
        return monitor.result()

    @staticmethod
    def _first_sigma(problem: Problem, term: SparseLowRank) -> float:
        """Return the curvature of the other terms, which costs half the step; less where H1 has to move."""
        curvature = step_constant(problem)
        return 0.25 * curvature if term.has_sparse_part else curvature


class Smoothed:
    """The nuclear norm smoothed around a centre S_c, and the rule that moves the centre."""

    def __init__(self, term: SparseLowRank, start: Solution, sigma: float) -> None:
        self._term = term
        self.sigma = sigma
        self._centre = np.zeros_like(start.Z) if start.S is None else start.S.astype(start.Z.dtype)
        self._last_lag = np.inf
        self._checks = 0

    @property
    def curvature(self) -> float:
        """Of the smoothed term in each of its variables: Z and H1 pull at the same H0."""
        return 2.0 * self.sigma if self._term.has_sparse_part else self.sigma

    def first_sparse_part(self, start: Solution) -> FloatArray | None:
        """Return where H1 starts, None where it stays 0."""
        if not self._term.has_sparse_part:
            return None
        return np.zeros_like(start.Z) if start.H1 is None else start.H1.astype(start.Z.dtype)

    def gradient(self, Z: FloatArray, H1: FloatArray | None) -> FloatArray:
        """Return S, the gradient in Z (and, negative, in H1)."""
        H0 = Z if H1 is None else Z - H1
        return clip_singular_values(self._centre + H0.dtype.type(self.sigma) * H0, self._term.gamma0)

    def sparse_step(self, H1: FloatArray, S: FloatArray) -> FloatArray:
        """Return the proximal gradient step of H1 on gamma1 |H1|_1."""
        step = H1.dtype.type(1.0 / self.curvature)
        return soft_threshold(H1 + step * S, self._term.gamma1 * float(step))

    def lag(self, Z: FloatArray, H1: FloatArray | None, S: FloatArray) -> float:
        """Return gamma0 |H0|_* - <S, H0>: what the smoothing still costs."""
        H0 = Z if H1 is None else Z - H1
        return self._term.value(H0) - inner(S, H0)

    def move_centre(self, S: FloatArray, lag: float, certificate: Certificate) -> bool:
        """Move the centre to S if the smoothing is most of the gap; return whether sigma changed with it.

        Where a move has not halved the lag and hardly anything else is left of the gap, sigma is too small; where
        the move took long to be due, too large. A move alone changes the objective too little to spoil the momentum.
        """
        self._checks += 1
        distance = certificate.upper - certificate.lower
        if lag <= 0.5 * distance:
            return False
        self._centre = S
        before = self.sigma
        if lag > max(0.5 * self._last_lag, 0.9 * distance):
            self.sigma *= 2.0
        elif self._checks > _SLOW:
            self.sigma *= 0.5
        self._last_lag, self._checks = lag, 0
        return self.sigma != before
