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
        self._following = np.empty_like(self.Z)
        self._problem = problem
        self._extra = first_multipliers(problem, start) * self.Z.dtype.type(length * step_constant(problem))
        self._scratch = Scratch.create(self.Z.shape[1], self.Z.dtype)
        self._workspace = problem.rowwise.projection.workspace()
        self._rows = np.arange(len(self.Z), dtype=np.int32)
        self._ascents = np.empty(-(-len(self.Z) // BLOCK))

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
        rows = self._problem.rowwise
        step_rows(
            self._rows,
            self.ahead,
            self.Z,
            self._following,
            rows.other_gradients(self.ahead, pull),
            rows.costs,
            rows.smoothness,
            self.length,
            weight,
            rows.projection.families,
            self._extra,
            _TOLERANCE[self.Z.dtype],
            _MAX_SWEEPS,
            self._workspace,
            self._scratch,
            self._ascents,
        )
        self.ahead, self._following = self._following, self.ahead
        return float(self._ascents.sum())

    def restart(self) -> None:
        """Forget the momentum."""
        self.ahead[:] = self.Z

    def lengthen(self, length: float) -> None:
        """Take steps of another length from here on."""
        self._extra *= self.Z.dtype.type(length / self.length)
        self.length = length
