"""What every solver takes and returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import DTypeLike

from tagweave._typing import Float64Array, FloatArray
from tagweave.model.problem import Problem
from tagweave.progress import Callback


@dataclass(frozen=True, eq=False)
class Solution:
    """The scores and what belongs to them: where a solver starts, and where it ends.

    Attributes
    ----------
    Z : ndarray of shape (n, m)
        The scores.
    multipliers : ndarray of shape (n, n_edges), optional
        Of the hierarchy: how hard each child pushes its parent up.
    H1 : ndarray of shape (n, m), optional
        The sparse part of Z; the low-rank part is Z - H1.
    S : ndarray of shape (n, m), optional
        The multiplier of Z = H0 + H1.
    """

    Z: FloatArray
    multipliers: FloatArray | None = None
    H1: FloatArray | None = None
    S: FloatArray | None = None

    def astype(self, dtype: DTypeLike) -> Solution:
        """Return the solution in another precision."""
        return self.each(lambda part: part.astype(dtype))

    def each(self, change: Callable[[FloatArray], FloatArray]) -> Solution:
        """Return the solution with every part changed."""
        rest = (None if part is None else change(part) for part in (self.multipliers, self.H1, self.S))
        return Solution(change(self.Z), *rest)


class Status(StrEnum):
    """Why a solver stopped."""

    OPTIMAL = "optimal"
    """The certified gap is at most `tol`."""
    MAX_ITER = "max_iter"
    """The iterations ran out."""
    STALLED = "stalled"
    """The gap no longer falls: the precision of the arithmetic, or a method that does not converge."""
    DIVERGED = "diverged"
    """The residuals grow: the method does not converge with these parameters."""
    STOPPED = "stopped"
    """A callback said so."""
    INTERRUPTED = "interrupted"
    """The keyboard said so (Ctrl-C)."""


@dataclass(eq=False)
class History:
    """What a solver saw each time it looked.

    Attributes
    ----------
    iteration, objective, gap, violation, seconds : lists of the same length
        `objective` is that of the feasible point made of the iterate, `gap` the certified relative gap,
        `violation` that of the iterate as it was.
    """

    iteration: list[int] = field(default_factory=list)
    objective: list[float] = field(default_factory=list)
    gap: list[float] = field(default_factory=list)
    violation: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.iteration)

    def as_dict(self) -> dict[str, Float64Array]:
        """Return the columns as arrays, ready for a DataFrame."""
        return {name: np.asarray(column, dtype=np.float64) for name, column in vars(self).items()}


@dataclass(frozen=True, eq=False)
class SolverResult:
    """What every solver returns.

    Attributes
    ----------
    solution : Solution
        The last iterate as the solver left it.
    scores : ndarray of shape (n, m)
        The same made exactly feasible: in [0, 1], no child above its parent.
    objective : float
        At `scores`; an upper bound of the optimum.
    lower_bound : float
        A certified lower bound of the optimum.
    gap : float
        (objective - lower_bound) / objective.
    n_iter : int
    status : Status
    history : History
    """

    solution: Solution
    scores: FloatArray
    objective: float
    lower_bound: float
    gap: float
    n_iter: int
    status: Status
    history: History


class Solver(Protocol):
    """An algorithm with its parameters."""

    @property
    def tol(self) -> float:
        """The certified relative gap at which to stop."""
        ...

    def solve(self, problem: Problem, start: Solution, *, callback: Callback | None = None) -> SolverResult:
        """Solve `problem`, with iterates in the precision of `start`."""
        ...
