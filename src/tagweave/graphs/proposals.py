"""The pass over blocks of products: the smallest bounds of each row and column are kept.

Imports numba: import this module only on use.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tagweave._typing import FloatArray
from tagweave.kernels.compiling import kernel

STRIPE = 64
"""So many bounds are compared at a time, without a branch; few stripes hold one that is worth a look."""


@kernel(fastmath=False)
def insert(value: float, index: int, values: FloatArray, indices: NDArray[np.intp]) -> None:
    """Put a value that is smaller than the last one into an increasing list, behind its equals."""
    place = len(values) - 1
    while place > 0 and values[place - 1] > value:
        values[place], indices[place] = values[place - 1], indices[place - 1]
        place -= 1
    values[place], indices[place] = value, index


@kernel(nogil=True, fastmath=False)
def offer_to_rows(
    products: FloatArray, i0: int, j0: int, shrunk: FloatArray, lower: FloatArray, proposed: NDArray[np.intp]
) -> None:
    """Offer the columns of a block to its rows: ``lower`` keeps the smallest bounds, ``proposed`` whose they are."""
    two = products.dtype.type(2)
    rows, columns = products.shape
    last = lower.shape[1] - 1
    for r in range(rows):
        i = i0 + r
        for start in range(0, columns, STRIPE):
            end = min(start + STRIPE, columns)
            worst = lower[i, last]
            hits = 0
            for c in range(start, end):
                hits += shrunk[i] + shrunk[j0 + c] - two * products[r, c] < worst
            if hits == 0:
                continue
            for c in range(start, end):
                bound = shrunk[i] + shrunk[j0 + c] - two * products[r, c]
                if bound < lower[i, last] and i != j0 + c:
                    insert(bound, j0 + c, lower[i], proposed[i])


@kernel(nogil=True, fastmath=False)
def offer_to_columns(
    products: FloatArray, i0: int, j0: int, shrunk: FloatArray, lower: FloatArray, proposed: NDArray[np.intp]
) -> None:
    """Offer the rows of a block, which is not on the diagonal, to its columns."""
    two = products.dtype.type(2)
    rows, columns = products.shape
    last = lower.shape[1] - 1
    for stripe in range((columns + STRIPE - 1) // STRIPE):
        start = stripe * STRIPE
        end = min(start + STRIPE, columns)
        worst = lower[j0 + start : j0 + end, last].copy()
        for r in range(rows):
            i = i0 + r
            hits = 0
            for c in range(start, end):
                hits += shrunk[i] + shrunk[j0 + c] - two * products[r, c] < worst[c - start]
            if hits == 0:
                continue
            for c in range(start, end):
                j = j0 + c
                bound = shrunk[i] + shrunk[j] - two * products[r, c]
                if bound < lower[j, last]:
                    insert(bound, i, lower[j], proposed[j])
                    worst[c - start] = lower[j, last]
