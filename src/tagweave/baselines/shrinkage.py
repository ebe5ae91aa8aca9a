"""Singular value thresholding of a matrix that changes little from call to call."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tagweave._typing import FloatArray
from tagweave.model.sparse_low_rank import shrink_singular_values

# Below this many columns the whole spectrum costs nothing.
SMALL = 200
# Directions followed beyond those above the threshold, and how often each call turns them towards the largest.
SPARE = 20
TURNS = 3


class Shrinkage:
    """Lowers all singular values by a threshold, with the directions of the last call to start from.

    Only directions whose singular value is above the threshold survive, so a basis that contains them is enough. It is
    followed by subspace iteration on the Gram matrix; what a call leaves undone the next one finds. Where the basis
    would be a large part of all directions the exact decomposition is used.

    Examples
    --------
    >>> Shrinkage()(np.diag([3.0, 1.0]), 2.0)
    array([[1., 0.],
           [0., 0.]])
    """

    def __init__(self) -> None:
        self.rank = 0
        self._basis: NDArray[Any] | None = None

    def __call__(self, A: FloatArray, threshold: float) -> FloatArray:
        """Return A with its singular values lowered, those below the threshold to 0."""
        d = A.shape[1]
        if d <= SMALL or A.shape[0] < d:
            return self._exactly(A, threshold)
        gram = A.T @ A
        basis = self._basis
        if basis is None:
            basis = np.random.default_rng(0).normal(size=(d, 2 * SPARE)).astype(A.dtype)
        while True:
            for _ in range(TURNS):
                basis = np.linalg.qr(gram @ basis)[0]
            squares, turn = np.linalg.eigh(basis.T @ gram @ basis)
            basis = basis @ turn[:, ::-1]
            values = np.sqrt(np.maximum(squares[::-1], 0))
            self.rank = int(np.count_nonzero(values > threshold))
            if self.rank + SPARE // 2 <= basis.shape[1]:
                break
            if 2 * basis.shape[1] > d // 2:
                self._basis = None
                return self._exactly(A, threshold)
            # Too narrow to know that nothing is missed: start the new directions from what it does not span.
            fresh = np.random.default_rng(basis.shape[1]).normal(size=basis.shape).astype(A.dtype)
            basis = np.hstack([basis, fresh])
        self._basis = basis[:, : self.rank + SPARE]
        kept = basis[:, : self.rank]
        shrunk: FloatArray = (A @ kept) @ (kept * (1 - threshold / values[: self.rank]).astype(A.dtype)).T
        return shrunk

    def _exactly(self, A: FloatArray, threshold: float) -> FloatArray:
        shrunk = shrink_singular_values(A, threshold)
        self.rank = int(np.linalg.matrix_rank(shrunk)) if min(A.shape) <= SMALL else min(A.shape)
        return shrunk
