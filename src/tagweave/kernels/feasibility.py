"""Are scores feasible, and by how much not: one pass each."""

from __future__ import annotations

import numpy as np
from numba import prange
from numpy.typing import NDArray

from tagweave._typing import FloatArray
from tagweave.kernels.compiling import kernel


@kernel(parallel=True, fastmath=False)
def row_violations(Z: FloatArray, edges: NDArray[np.int32], worst: FloatArray) -> None:
    """Write the most by which a child of the row stands above its parent into `worst`, 0 where none does."""
    for i in prange(len(Z)):
        found = worst.dtype.type(0)
        for e in range(len(edges)):
            found = max(found, Z[i, edges[e, 0]] - Z[i, edges[e, 1]])
        worst[i] = found


@kernel(parallel=True, fastmath=False)
def infeasible_rows(Z: FloatArray, edges: NDArray[np.int32]) -> int:
    """Count the rows with a score outside [0, 1] (or NaN) or a child above its parent."""
    count = 0
    for i in prange(len(Z)):
        row = Z[i]
        wrong = 0
        for j in range(len(row)):
            wrong |= not (row[j] >= 0 and row[j] <= 1)
        for e in range(len(edges)):
            wrong |= row[edges[e, 0]] > row[edges[e, 1]]
        count += wrong
    return count
