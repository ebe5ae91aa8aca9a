"""The certificate: how far from the optimum any scores can be, whatever algorithm found them.

For feasible Z, multipliers M >= 0 of the hierarchy and S in the dual set of the sparse + low rank term, convexity
gives for every feasible X

    f(X) >= f(Z) + <S, Z> - <M, Phi'Z> + <A, X - Z>,    A = grad f(Z) + S - Phi M,

and the last term is smallest over the box in closed form. Any M and S are valid; good ones come from a single
exact projection at Z. Sums are float64 whatever the precision of the iterates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tagweave._typing import FloatArray
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
    multipliers : ndarray of shape (n, n_edges) or None
        M, the multipliers of the hierarchy that the lower bound was found with.
    """

    upper: float
    lower: float
    multipliers: FloatArray | None

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


def certify(problem: Problem, solution: Solution) -> Certificate:
    """Bound the optimum of `problem` from both sides at `solution`.

    Parameters
    ----------
    problem : Problem
        In float64.
    solution : Solution
        From any solver, feasible or not. Its `multipliers` are only where the search for better ones starts; its
        `S` is moved into the dual set first.

    Returns
    -------
    Certificate
    """
    Z = problem.repair(solution.Z.astype(np.float64, copy=False))
    smooth, A = problem.smooth(Z), problem.gradient(Z)
    upper, lower = smooth, smooth
    if (term := problem.sparse_low_rank) is not None:
        split = None if solution.H1 is None else solution.H1.astype(np.float64, copy=False)
        upper += term.value(Z, split)
        if solution.S is not None:
            S = term.feasible_multiplier(solution.S.astype(np.float64, copy=False))
            A += S
            lower += inner(S, Z)
    M = None
    if problem.hierarchy is not None:
        M = hierarchy_multipliers(problem, Z, A, solution.multipliers)
        lower -= inner(M, problem.hierarchy.slack(Z))
        A -= problem.hierarchy.adjoint(M)
    lower += problem.box.lowest(A, around=Z)
    # No term of the objective is ever negative, so 0 is a lower bound as well; whatever is below is rounding, as is a
    # lower bound above the upper one.
    upper = max(upper, 0.0)
    return Certificate(upper, min(max(lower, 0.0), upper), M)


def hierarchy_multipliers(
    problem: Problem, Z: FloatArray, gradient: FloatArray, near: FloatArray | None = None
) -> FloatArray:
    """Return the multipliers of a projected gradient step from Z, which are the optimal ones at the optimum."""
    assert problem.hierarchy is not None
    projection = problem.hierarchy.projection
    step = 1.0 / step_constant(problem)
    ahead = Z - step * gradient
    extra = None if near is None else step * near[:, projection.extra]
    projected, extra = projection(ahead, extra, tol=1e-12)
    found: FloatArray = projection.multipliers(ahead, projected, extra) / step
    return found


def step_constant(problem: Problem) -> float:
    """Return L, the inverse of a safe gradient step; 1 for a linear objective, which takes any."""
    return problem.curvature or 1.0
