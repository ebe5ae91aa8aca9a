"""Instances reordered for a solver, so that neighbours lie close to each other in memory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import reverse_cuthill_mckee

from tagweave._typing import FloatArray, IntArray
from tagweave.kernels.ordering import send_rows
from tagweave.model.problem import Problem
from tagweave.model.smoothness import InstanceSmoothness
from tagweave.progress import Callback
from tagweave.solvers.result import Solution, Solver, SolverResult

# Iterates up to this many bytes stay in the cache whatever the order.
_CACHED = 16 * 2**20


@dataclass(frozen=True)
class Reordered:
    """A solver on the same problem with its instances in the order of a breadth-first search (reverse Cuthill-McKee).

    The answer is the same but for rounding. Small problems, those without an instance graph and those with terms that
    do not know how to be reordered go to the solver as they are.

    Parameters
    ----------
    solver : Solver
    smallest : int
        The bytes of an iterate from which on it pays.
    """

    solver: Solver
    smallest: int = _CACHED

    @property
    def tol(self) -> float:
        """That of the solver."""
        return self.solver.tol

    def solve(self, problem: Problem, start: Solution, *, callback: Callback | None = None) -> SolverResult:
        """Solve `problem`, with iterates in the precision of `start`."""
        if start.Z.nbytes < self.smallest or (order := nearby_order(problem)) is None:
            return self.solver.solve(problem, start, callback=callback)
        terms = tuple(term.permuted(order) for term in problem.terms)  # type: ignore[attr-defined]
        problem = replace(problem, terms=terms)
        # In a list, from which the solver takes it: nobody else is to hold what it can do without.
        mine = [start.each(lambda part: part[order])]
        del start
        return _back(self.solver.solve(problem, mine.pop(), callback=callback), order)


def nearby_order(problem: Problem) -> IntArray | None:
    """Return an order of the instances in which neighbours are near; None if there is none to be had."""
    graph = next((term for term in problem.terms if type(term) is InstanceSmoothness), None)
    if graph is None or not all(hasattr(term, "permuted") for term in problem.terms):
        return None
    weights: csr_array[Any] = graph.weights
    order: IntArray = reverse_cuthill_mckee(weights, symmetric_mode=True)
    return order


def _back(result: SolverResult, order: IntArray) -> SolverResult:
    """Return the result with its rows where they were, moved in place."""

    def send(part: FloatArray) -> FloatArray:
        part = np.ascontiguousarray(part)
        send_rows(part, order)
        return part

    same = result.scores is result.solution.Z
    solution = result.solution.each(send)
    return replace(result, solution=solution, scores=solution.Z if same else send(result.scores))
