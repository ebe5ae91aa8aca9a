"""Condensing sort and select, row by row; the algorithm is told in `tagweave.baselines.condensing`."""

from __future__ import annotations

import numpy as np
from numba import prange
from numpy.typing import NDArray

from tagweave._typing import BoolArray, Float64Array
from tagweave.kernels.compiling import kernel


@kernel(fastmath=False)
def condense_row(
    scores: Float64Array,
    order: NDArray[np.int32],
    starts: NDArray[np.int32],
    parents: NDArray[np.int32],
    any_parent: bool,
    values: Float64Array,
) -> None:
    """Write into `values` the value of the supernode that each label ends in.

    The parents of label j are `parents[starts[j] : starts[j + 1]]`; `order` has parents before their children.
    """
    m = len(scores)
    head = np.arange(m)
    total = scores.copy()
    count = np.ones(m)
    selected = np.zeros(m, np.bool_)
    left = m
    while left > 0:
        best = -1
        for j in order:
            if head[j] == j and not selected[j] and (best < 0 or total[j] / count[j] > total[best] / count[best]):
                best = j
        blocker = _blocker(best, head, selected, total, count, starts, parents, any_parent)
        if blocker < 0:
            selected[best] = True
            left -= int(count[best])
            continue
        total[blocker] += total[best]
        count[blocker] += count[best]
        for j in range(m):
            if head[j] == best:
                head[j] = blocker
    for j in range(m):
        values[j] = total[head[j]] / count[head[j]]


@kernel(fastmath=False)
def _blocker(
    node: int,
    head: NDArray[np.int64],
    selected: BoolArray,
    total: Float64Array,
    count: Float64Array,
    starts: NDArray[np.int32],
    parents: NDArray[np.int32],
    any_parent: bool,
) -> int:
    """Return the unselected supernode that the supernode is to be condensed with; -1 if it may be selected.

    Where all parents are needed, each one outside stands in the way, and the lowest is the one that decides. Where one
    is enough, only members without any parent inside or selected are held up, and the highest is the way out.
    """
    found = -1
    for j in range(len(head)):
        if head[j] != node:
            continue
        if any_parent:
            held = starts[j] < starts[j + 1]
            for e in range(starts[j], starts[j + 1]):
                above = head[parents[e]]
                if above == node or selected[above]:
                    held = False
            if not held:
                continue
        for e in range(starts[j], starts[j + 1]):
            above = head[parents[e]]
            if above == node or selected[above]:
                continue
            if found < 0:
                found = above
                continue
            gain = total[above] / count[above] - total[found] / count[found]
            if (any_parent and gain > 0) or (not any_parent and gain < 0):
                found = above
    return found


@kernel(fastmath=False)
def select_row(
    values: Float64Array,
    scores: Float64Array,
    order: NDArray[np.int32],
    starts: NDArray[np.int32],
    parents: NDArray[np.int32],
    any_parent: bool,
    positions: NDArray[np.int32],
) -> None:
    """Write into `positions` when each label is taken: by value, then by score, and never before its parents."""
    m = len(scores)
    positions[:] = -1
    for position in range(m):
        best = -1
        for j in order:
            if positions[j] >= 0:
                continue
            n_parents, n_taken = starts[j + 1] - starts[j], 0
            for e in range(starts[j], starts[j + 1]):
                n_taken += positions[parents[e]] >= 0
            if n_taken < (min(1, n_parents) if any_parent else n_parents):
                continue
            if best < 0 or values[j] > values[best] or (values[j] == values[best] and scores[j] > scores[best]):
                best = j
        positions[best] = position


@kernel(fastmath=False)
def _decode_row(
    scores: Float64Array,
    order: NDArray[np.int32],
    starts: NDArray[np.int32],
    parents: NDArray[np.int32],
    any_parent: bool,
    greedy: bool,
    values: Float64Array,
    positions: NDArray[np.int32],
) -> None:
    if greedy:
        condense_row(scores, order, starts, parents, any_parent, values)
    select_row(values, scores, order, starts, parents, any_parent, positions)


@kernel(fastmath=False)
def decode_rows_serial(
    scores: Float64Array,
    order: NDArray[np.int32],
    starts: NDArray[np.int32],
    parents: NDArray[np.int32],
    any_parent: bool,
    greedy: bool,
    values: Float64Array,
    positions: NDArray[np.int32],
) -> None:
    """Select in all rows, by the `values` given or, if `greedy`, by those found and written there first."""
    for i in range(len(scores)):
        _decode_row(scores[i], order, starts, parents, any_parent, greedy, values[i], positions[i])


@kernel(parallel=True, fastmath=False)
def decode_rows_parallel(
    scores: Float64Array,
    order: NDArray[np.int32],
    starts: NDArray[np.int32],
    parents: NDArray[np.int32],
    any_parent: bool,
    greedy: bool,
    values: Float64Array,
    positions: NDArray[np.int32],
) -> None:
    """Do the same in all threads."""
    for i in prange(len(scores)):
        _decode_row(scores[i], order, starts, parents, any_parent, greedy, values[i], positions[i])
