"""Safe screening: rows that are proven to be all 0 and 1 at the optimum, and need not be visited.

All off-diagonal entries of L_X and L_C are at most 0, so a short enough gradient step keeps the order of scores: from
higher scores it leads to higher scores. So do the projection on {parent >= child} and the clip. The optimum stays where
it is under such a step; hence steps from all ones stay above it for ever, and steps from all zeros below it. Where both
meet, the score is known, whatever the other rows do.

The bounds are local, so that they hold their strength in large collections. The usual sphere around the iterate does
not: its radius is the square root of the duality gap, and that is one gap for all scores together.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tagweave._typing import BoolArray, FloatArray
from tagweave.labels import MISSING
from tagweave.model.problem import Problem
from tagweave.solvers.row_steps import RowSteps

# A row of which something is unknown hardly ever settles; where there are fewer known rows than this, none are sought.
_FEWEST_KNOWN = 0.1
# Of the largest cost: how far the gradient is shifted, so that no rounding can make a bound cross the optimum.
_MARGIN = 1e-5
# At a time, so many rows that their bits fill whole bytes.
_ROWS = 4096


def screen(steps: RowSteps, problem: Problem) -> None:
    """Have `steps` visit only the rows that are not settled, if that can pay; the others are put where they belong."""
    if not can_pay(problem):
        return
    costs, smoothness = problem.rowwise.costs, problem.rowwise.smoothness
    dearest = max(costs.r_plus, costs.r_minus) * costs.row_weight.max() * costs.column_weight.max()
    shift = _MARGIN * max(dearest, smoothness.beta, smoothness.gamma)
    # The longest step that keeps the order; without smoothness any does, and this one is long enough.
    together = smoothness.beta + smoothness.gamma
    length = 0.5 / together if together > 0 else 2.0 / costs.r_minus
    zeros = _bits_where_zero(steps.bound(1.0, -shift, length))
    lower = steps.bound(0.0, shift, length)
    steps.keep(np.flatnonzero(~_settled(zeros, lower)).astype(np.int32), lower)


def can_pay(problem: Problem) -> bool:
    """Say whether one step from all ones brings a known negative down to 0, and enough rows are known.

    What takes more steps costs more than it saves: the solver itself is done in a few dozen. Only problems of the terms
    that keep the order are screened.
    """
    rows = problem.rowwise
    if rows.others or problem.sparse_low_rank is not None or rows.costs.r_minus <= 0:
        return False
    if 2 * (rows.smoothness.beta + rows.smoothness.gamma) > rows.costs.r_minus:
        return False
    return bool((rows.costs.labels != MISSING).all(axis=1).mean() >= _FEWEST_KNOWN)


def _bits_where_zero(upper: FloatArray) -> NDArray[np.uint8]:
    """Return one bit a score, set where the bound is 0: all that is kept of it."""
    m = upper.shape[1]
    bits = np.empty(-(-upper.size // 8), dtype=np.uint8)
    for start in range(0, len(upper), _ROWS):
        packed = np.packbits(upper[start : start + _ROWS] <= 0, axis=None)
        bits[start * m // 8 :][: len(packed)] = packed
    return bits


def _settled(zeros: NDArray[np.uint8], lower: FloatArray) -> BoolArray:
    """Say for each row whether every score is 0 from above or 1 from below."""
    m = lower.shape[1]
    settled = np.empty(len(lower), dtype=bool)
    for start in range(0, len(lower), _ROWS):
        block = lower[start : start + _ROWS]
        at_zero = np.unpackbits(zeros[start * m // 8 :], count=block.size).reshape(block.shape).view(bool)
        settled[start : start + len(block)] = (at_zero | (block >= 1)).all(axis=1)
    return settled
