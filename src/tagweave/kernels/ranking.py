"""Dual ascent for the group ranking loss; the problem is told in `tagweave.baselines.mlr_gl`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tagweave._typing import Float64Array
from tagweave.kernels.compiling import kernel


@kernel()
def ascend_rows(
    rows: NDArray[np.int64],
    K: Float64Array,
    F: Float64Array,
    coef: Float64Array,
    gamma: Float64Array,
    starts: NDArray[np.int64],
    positives: NDArray[np.int64],
    C: float,
    n_passes: int,
) -> None:
    """Improve the multipliers of a block of rows, one row after the other, one unassigned label after the other.

    Row i has the assigned labels `positives[starts[i] : starts[i + 1]]`, and for each of them a line of multipliers in
    `gamma`, one for each label. `F` holds the scores of the block's rows when it begins, and is brought up to date with
    each row that is done; `K` is the kernel between the rows of the block.
    """
    m = F.shape[1]
    change = np.empty(m)
    assigned = np.empty(m, np.bool_)
    for position in range(len(rows)):
        i = rows[position]
        first, last = starts[i], starts[i + 1]
        f, width, curvature = F[position], last - first, K[position, position]
        if width == 0 or width == m or curvature <= 0:
            continue
        assigned[:] = False
        for e in range(first, last):
            assigned[positives[e]] = True
        change[:] = 0.0
        moved = np.empty(width)
        for _ in range(n_passes):
            for label in range(m):
                if not assigned[label]:
                    _ascend_group(label, positives[first:last], gamma[first:last], f, curvature, C, change, moved)
        for label in range(m):
            coef[i, label] += change[label]
        # The row's own scores have moved with each group; the later rows of the block hear of it now.
        for later in range(position + 1, len(rows)):
            weight = K[later, position]
            for label in range(m):
                F[later, label] += weight * change[label]


@kernel()
def _ascend_group(
    label: int,
    assigned: NDArray[np.int64],
    gamma: Float64Array,
    f: Float64Array,
    curvature: float,
    C: float,
    change: Float64Array,
    moved: Float64Array,
) -> None:
    """Take a projected gradient step in the multipliers of one unassigned label against all assigned ones.

    Its length is one over the largest eigenvalue of curvature * (I + 11'), so the dual cannot fall. The projection on
    the nonnegative part of the ball is the clip at 0 and then the scaling.
    """
    width = len(assigned)
    step = 1.0 / (curvature * (1.0 + width))
    square = 0.0
    for e in range(width):
        moved[e] = max(0.0, gamma[e, label] + step * (1.0 - f[assigned[e]] + f[label]))
        square += moved[e] * moved[e]
    scale = C / np.sqrt(square) if square > C * C else 1.0
    for e in range(width):
        value = moved[e] * scale
        difference = value - gamma[e, label]
        gamma[e, label] = value
        change[assigned[e]] += difference
        change[label] -= difference
        f[assigned[e]] += curvature * difference
        f[label] -= curvature * difference


@kernel()
def ranking_loss(F: Float64Array, starts: NDArray[np.int64], positives: NDArray[np.int64]) -> float:
    """Sum over rows and unassigned labels the norm of the errors against the assigned labels."""
    n, m = F.shape
    total = 0.0
    assigned = np.empty(m, np.bool_)
    for i in range(n):
        assigned[:] = False
        for e in range(starts[i], starts[i + 1]):
            assigned[positives[e]] = True
        for label in range(m):
            if assigned[label]:
                continue
            square = 0.0
            for e in range(starts[i], starts[i + 1]):
                error = max(0.0, 1.0 - F[i, positives[e]] + F[i, label])
                square += error * error
            total += np.sqrt(square)
    return total
