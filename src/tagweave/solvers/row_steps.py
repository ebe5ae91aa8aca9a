"""Accelerated projected gradient steps, row by row: what the exact solvers do at every iteration."""

from __future__ import annotations

import numpy as np

from tagweave._typing import FloatArray
from tagweave.kernels.rows import BLOCK, Scratch
from tagweave.kernels.step import step_rows
from tagweave.model.problem import Problem
from tagweave.solvers.certificate import first_multipliers, step_constant
from tagweave.solvers.result import Solution

# How exactly a row is projected, relative to its scores: beyond the precision of the iterates it makes no difference.
_TOLERANCE = {np.dtype(np.float32): 1e-7, np.dtype(np.float64): 1e-10}
_MAX_SWEEPS = 1000


class RowSteps:
    """The iterates of an accelerated method, and the step that moves them.

    Attributes
    ----------
    Z : ndarray of shape (n, m)
        The scores, changed in place and feasible after every step.
    ahead : ndarray of shape (n, m)
        Where the next gradient is taken: Z and some of its last change.
    rows : ndarray of int
        Those that move.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.labels import Labels
    >>> from tagweave.model import LabelConsistency
    >>> labels = Labels.from_any([[1.0, 0.0]])
    >>> problem = Problem(labels.shape, (LabelConsistency.from_labels(labels),))
    >>> steps = RowSteps(problem, Solution(np.full((1, 2), 0.5)), 0.01)
    >>> steps.step(weight=0.0)
    -0.2501
    >>> steps.Z
    array([[1.  , 0.49]])
    """

    def __init__(self, problem: Problem, start: Solution, length: float) -> None:
        self.Z = np.array(start.Z, order="C")
        self.ahead = self.Z.copy()
        self.length = length
        self.rows = np.arange(len(self.Z), dtype=np.int32)
        self._following = self.ahead[:0]
        self._problem = problem
        self._extra = first_multipliers(problem, start) * self.Z.dtype.type(length * step_constant(problem))
        self._scratch = Scratch.create(self.Z.shape[1], self.Z.dtype)
        self._workspace = problem.rowwise.projection.workspace()

    def step(self, weight: float, pull: FloatArray | None = None) -> float:
        """Take a gradient step from `ahead`, project, and go ahead by `weight` times the change.

        Parameters
        ----------
        weight : float
            Of the momentum.
        pull : ndarray of shape (n, m), optional
            Added to the gradient.

        Returns
        -------
        float
            <ahead - new, new - Z>: positive where the momentum points uphill.
        """
        following = self._third()
        ascent = self._step(self.ahead, self.Z, following, weight, self.length, pull=pull)
        self.ahead, self._following = following, self.ahead
        return ascent

    def bound(self, first: float, shift: float, length: float) -> FloatArray:
        """Take a plain step from all scores at `first`, the gradient shifted; return where it leads.

        Overwrites all iterates but Z.
        """
        following = self._third()
        self.ahead.fill(first)
        self._step(self.ahead, following, following, 0.0, length, shift=shift)
        return following

    def keep(self, rows: np.ndarray[tuple[int], np.dtype[np.int32]], values: FloatArray) -> None:
        """Move only these rows from here on, which start at Z; the others stay at their `values`."""
        moving = np.zeros(len(self.Z), dtype=bool)
        moving[rows] = True
        np.copyto(self.Z, values, where=~moving[:, None])
        self.ahead[:], self._following[:] = self.Z, self.Z
        self.rows = rows
        self._extra[~moving] = 0

    def restart(self) -> None:
        """Forget the momentum."""
        self.ahead[:] = self.Z

    def lengthen(self, length: float) -> None:
        """Take steps of another length from here on."""
        self._extra *= self.Z.dtype.type(length / self.length)
        self.length = length

    def _third(self) -> FloatArray:
        """Return the third iterate; it is made late, when the start, which somebody else made, may be gone."""
        if len(self._following) < len(self.Z):
            self._following = self.ahead.copy()
        return self._following

    def _step(
        self,
        ahead: FloatArray,
        Z: FloatArray,
        following: FloatArray,
        weight: float,
        length: float,
        *,
        pull: FloatArray | None = None,
        shift: float = 0.0,
    ) -> float:
        rows = self._problem.rowwise
        ascents = np.empty(-(-len(self.rows) // BLOCK))
        step_rows(
            self.rows,
            ahead,
            Z,
            following,
            rows.other_gradients(ahead, pull),
            rows.costs,
            rows.smoothness,
            shift,
            length,
            weight,
            rows.projection.families,
            self._extra,
            _TOLERANCE[self.Z.dtype],
            _MAX_SWEEPS,
            self._workspace,
            self._scratch,
            ascents,
        )
        return float(ascents.sum())
