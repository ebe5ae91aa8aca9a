"""Counting positives among the nearest that know (imports numba: import this module only on use)."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from tagweave._typing import Int8Array
from tagweave.kernels.compiling import kernel


@kernel(parallel=True)
def count_neighbours(
    order: NDArray[np.intp], own: NDArray[np.intp], known: Int8Array, k: int, counts: NDArray[np.int64]
) -> None:
    """Fill counts with the positives among the first k of each row of `order` that know the label, `own` left out."""
    m = known.shape[1]
    for i in numba.prange(order.shape[0]):
        left = np.full(m, k)
        open_labels = m
        for j in range(m):
            counts[i, j] = 0
        for position in range(order.shape[1]):
            neighbour = order[i, position]
            if neighbour == own[i]:
                continue
            for j in range(m):
                if left[j] > 0 and known[neighbour, j] >= 0:
                    counts[i, j] += known[neighbour, j]
                    left[j] -= 1
                    if left[j] == 0:
                        open_labels -= 1
            if open_labels == 0:
                break
