"""What the kernels do, in NumPy: a line or two for each of their passes."""

from __future__ import annotations

import numpy as np

from tagweave.solvers import Solution
from tagweave.solvers.certificate import Certificate, step_constant


def step(problem, Z, ahead, length, weight, pull=0.0):
    """One accelerated projected gradient step: the new Z, the new point ahead, and the ascent."""
    moved = ahead - length * (problem.gradient(ahead) + pull)
    if problem.hierarchy is not None:
        moved, _ = problem.hierarchy.projection(moved)
    new = np.clip(moved, 0, 1)
    return new, new + weight * (new - Z), float(np.vdot(ahead - new, new - Z))


def certify(problem, solution: Solution) -> Certificate:
    """Both bounds, with the multipliers of a projected gradient step from Z."""
    Z = problem.repair(solution.Z.astype(np.float64))
    smooth, A, M = problem.smooth(Z), problem.gradient(Z), None
    upper, lower = smooth, smooth
    if (term := problem.sparse_low_rank) is not None:
        upper += term.value(Z, solution.H1)
        if solution.S is not None:
            S = term.feasible_multiplier(solution.S.astype(np.float64))
            A += S
            lower += np.vdot(S, Z)
    if problem.hierarchy is not None:
        length = 1.0 / step_constant(problem)
        M = multipliers(problem, Z, A, length)
        lower -= np.vdot(M, problem.hierarchy.slack(Z))
        A = A - problem.hierarchy.adjoint(M)
    lower += np.minimum(-A * Z, A * (1 - Z)).sum()
    return Certificate(max(upper, 0.0), min(max(lower, 0.0), max(upper, 0.0)))


def multipliers(problem, Z, A, length):
    projection = problem.hierarchy.projection
    moved = Z - length * A
    projected, extra = projection(moved)
    return projection.multipliers(moved, projected, extra) / length


def fista(problem, Z, iterations):
    """The reference path: plain FISTA with restart, nothing fused."""
    length, t, ahead = 1.0 / step_constant(problem), 1.0, Z
    for _ in range(iterations):
        following = 0.5 * (1 + np.sqrt(1 + 4 * t * t))
        new, there, ascent = step(problem, Z, ahead, length, (t - 1) / following)
        ahead, Z, t = (new, new, 0.5 * (1 + np.sqrt(5))) if ascent > 0 else (there, new, following)
    return Z
