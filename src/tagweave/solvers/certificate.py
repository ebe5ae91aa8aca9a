"""The certificate: how far from the optimum any scores can be, whatever algorithm found them.

For feasible Z, multipliers M >= 0 of the hierarchy and S in the dual set of the sparse + low rank term, convexity
gives for every feasible X

    f(X) >= f(Z) + <S, Z> - <M, Phi'Z> + <A', X - Z>,    A' = grad f(Z) + S - Phi M,

and the last term is smallest over the box in closed form: <M, Phi'Z> is <Phi M, Z>, so that with A = grad f(Z) + S the
right-hand side is f(Z) + <S, Z> + sum(min(0, A') - A Z). Any M and S are valid; good ones come from a single exact
projection at Z. Sums are float64 whatever the precision of the iterates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tagweave._typing import FloatArray
from tagweave.kernels.bounds import bound_rows
from tagweave.kernels.rows import BLOCK, Scratch
from tagweave.model.base import inner
from tagweave.model.problem import Problem
from tagweave.solvers.result import Solution


@dataclass(frozen=True, eq=False)
class Certificate:
    """Both bounds of the optimum.

    Attributes
    ----------
    upper : float
        The objective at a feasible point.
    lower : float
        No feasible point is below this.
    """

    upper: float
    lower: float

    @property
    def gap(self) -> float:
        """(upper - lower) / upper."""
        return relative_gap(self.upper, self.lower)


def relative_gap(upper: float, lower: float) -> float:
    """Return (upper - lower) / upper; 0 where both are 0, never negative.

    Examples
    --------
    >>> relative_gap(2.0, 1.0), relative_gap(0.0, 0.0)
    (0.5, 0.0)
    """
    return max(0.0, upper - lower) / upper if upper > 0 else 0.0


def certify(problem: Problem, solution: Solution, extra_multipliers: FloatArray | None = None) -> Certificate:
    """Bound the optimum of `problem` from both sides at `solution`.

    Parameters
    ----------
    problem : Problem
    solution : Solution
        From any solver, feasible or not. Its `S` is moved into the dual set first.
    extra_multipliers : ndarray, optional
        Where the search for multipliers starts, and where it ends: `first_multipliers`, kept from call to call.

    Returns
    -------
    Certificate
    """
    if extra_multipliers is None:
        extra_multipliers = first_multipliers(problem, solution)
    Z, rows, term = np.ascontiguousarray(problem.repair(solution.Z)), problem.rowwise, problem.sparse_low_rank
    pull, split, linear = None, 0.0, 0.0
    if term is not None:
        split = term.value(Z, solution.H1)
        if solution.S is not None:
            pull = term.feasible_multiplier(solution.S.astype(np.float64, copy=False))
            linear = inner(pull, Z)
    precise = Z.astype(np.float64, copy=False) if rows.others else Z
    others = sum(other.value(precise) for other in rows.others)
    pull = rows.other_gradients(precise, pull)
    sums = np.empty((-(-len(Z) // BLOCK), 2))
    projection = rows.projection
    bound_rows(
        Z,
        pull,
        rows.costs,
        rows.smoothness,
        1.0 / step_constant(problem),
        projection.families,
        extra_multipliers,
        1e-12,
        100_000,
        projection.workspace(),
        Scratch.create(Z.shape[1], np.float64),
        sums,
    )
    smooth, beyond = sums.sum(axis=0).tolist()
    upper, lower = smooth + others + split, smooth + others + linear + beyond
    # No term of the objective is ever negative, so 0 is a lower bound as well; whatever is below is rounding, as is a
    # lower bound above the upper one. Smoothness of 0 is the difference of sums as large as its weight times |Z|^2.
    rounding = 4 * np.finfo(np.float64).eps * (rows.smoothness.beta + rows.smoothness.gamma) * Z.size
    upper = upper if upper > rounding else 0.0
    return Certificate(upper, min(max(lower, 0.0), upper))


def first_multipliers(problem: Problem, solution: Solution) -> FloatArray:
    """Return the multipliers of the hierarchy's extra edges, as of a gradient step, as far as `solution` has them."""
    extra = problem.rowwise.projection.extra
    if solution.multipliers is None:
        return np.zeros((len(solution.Z), len(extra)), solution.Z.dtype)
    return np.ascontiguousarray(solution.multipliers[:, extra] / step_constant(problem)).astype(solution.Z.dtype)


def step_constant(problem: Problem) -> float:
    """Return L, the inverse of a safe gradient step; 1 for a linear objective, which takes any."""
    return problem.curvature or 1.0
