"""One pass over the edges: down for scores, up for labels; many rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tagweave._typing import BoolArray, FloatArray

# Large enough to hide Python's cost per edge, small enough to stay near the processor.
BLOCK_ENTRIES = 2**20


def row_blocks(shape: tuple[int, ...], entries: int = BLOCK_ENTRIES) -> Iterator[slice]:
    """Cut the rows into slices of about so many entries."""
    n_rows, n_columns = shape
    rows = max(1, entries // max(1, n_columns))
    for start in range(0, n_rows, rows):
        yield slice(start, min(start + rows, n_rows))


def lower_children(scores: FloatArray, edges: NDArray[np.int32]) -> None:
    """Lower, in place, each child to the least of its parents.

    The edges into a column must stand before the edges out of it; then one pass is enough, and since it only
    copies numbers, children are at most equal to their parents exactly, not up to rounding.
    """
    pairs = edges.tolist()
    for rows in row_blocks(scores.shape):
        columns = np.ascontiguousarray(scores[rows].T)
        for child, parent in pairs:
            np.minimum(columns[child], columns[parent], out=columns[child])
        scores[rows] = columns.T


def raise_parents(positive: BoolArray, edges: NDArray[np.int32]) -> None:
    """Set, in place, every ancestor of a positive; the edges stand as in `lower_children`."""
    pairs = edges[::-1].tolist()
    for rows in row_blocks(positive.shape):
        columns = np.ascontiguousarray(positive[rows].T)
        for child, parent in pairs:
            np.logical_or(columns[parent], columns[child], out=columns[parent])
        positive[rows] = columns.T


def largest_violation(scores: NDArray[Any], edges: NDArray[np.int32]) -> float:
    """Return the most by which a child stands above one of its parents, exactly 0.0 if none does."""
    worst = 0.0
    for rows in row_blocks((scores.shape[0], max(1, len(edges)))):
        block = scores[rows]
        excess = block[:, edges[:, 0]] - block[:, edges[:, 1]]
        worst = max(worst, float(excess.max(initial=0.0)))
    return worst
