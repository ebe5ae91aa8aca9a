"""Sparse plus low rank, Eqs. 4-5: gamma0 |H0|_* + gamma1 |H1|_1 with Z = H0 + H1.

As a function of Z alone this is the support function of a convex set: the largest <S, Z> over all S whose
spectral norm is at most gamma0 and whose entries lie within +-gamma1. Any such S gives a lower bound, which is
what the certificate uses; any split of Z gives an upper bound.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike

from tagweave._typing import Float64Array, FloatArray

# Up to this many entries an SVD is affordable, and more exact for the smallest singular values.
_SVD_ENTRIES = 1 << 14


@dataclass(frozen=True)
class SparseLowRank:
    """gamma0 |H0|_* + gamma1 |H1|_1, Z = H0 + H1.

    Examples
    --------
    >>> import numpy as np
    >>> term = SparseLowRank(gamma0=1.0, gamma1=0.5)
    >>> Z = np.diag([3.0, 4.0])
    >>> term.value(Z), term.value(Z, H1=Z)  # all low rank, all sparse
    (7.0, 3.5)
    """

    gamma0: float
    gamma1: float

    @property
    def has_sparse_part(self) -> bool:
        """Whether H1 can be anything but 0.

        No entry of S exceeds its spectral norm, so from gamma1 >= gamma0 on the bound on the entries is idle.
        """
        return self.gamma1 < self.gamma0

    def value(self, Z: FloatArray, H1: FloatArray | None = None) -> float:
        """Return gamma0 |Z - H1|_* + gamma1 |H1|_1 for the given split; everything is low rank without `H1`."""
        if H1 is None:
            return self.gamma0 * float(singular_values(Z).sum())
        sparse_part = self.gamma1 * float(np.abs(H1).sum(dtype=np.float64))
        return self.gamma0 * float(singular_values(Z - H1).sum()) + sparse_part

    def feasible_multiplier(self, S: FloatArray) -> FloatArray:
        """Return S moved into the set: entries clipped to +-gamma1, then scaled to spectral norm gamma0."""
        clipped = np.clip(S, -self.gamma1, self.gamma1)
        norm = float(singular_values(clipped).max(initial=0.0))
        return clipped * (self.gamma0 / norm) if norm > self.gamma0 else clipped


def singular_values(A: FloatArray) -> Float64Array:
    """Return the singular values of A, ascending or descending, through the Gram matrix where A is large.

    The smallest values of a large A are only known up to 1e-8 of the largest; their sum is what counts here.
    """
    if A.size <= _SVD_ENTRIES:
        values: Float64Array = np.linalg.svd(A.astype(np.float64), compute_uv=False)
    else:
        values = np.sqrt(np.maximum(np.linalg.eigvalsh(_gram(A)), 0))
    return values


def shrink_singular_values(A: FloatArray, threshold: float) -> FloatArray:
    """Return the singular value thresholding D_threshold(A) of Eq. 22, in O(m^2 n).

    The right singular vectors are the eigenvectors of the m x m Gram matrix; the n x n one is never formed.

    Examples
    --------
    >>> import numpy as np
    >>> shrink_singular_values(np.diag([3.0, 1.0]), 2.0)
    array([[1., 0.],
           [0., 0.]])
    """
    if A.shape[0] < A.shape[1]:
        return shrink_singular_values(A.T, threshold).T
    # In the precision of A: the eigenvalues that count are far above its rounding.
    squares, vectors = np.linalg.eigh(_gram(A, A.dtype))
    values = np.sqrt(np.maximum(squares, 0))
    kept = values > threshold
    if not kept.any():
        return np.zeros_like(A)
    right = vectors[:, kept]
    shrink = (right * (1 - threshold / values[kept])) @ right.T
    shrunk: FloatArray = A @ shrink.astype(A.dtype)
    return shrunk


def clip_singular_values(A: FloatArray, largest: float) -> FloatArray:
    """Return A with its singular values clipped to `largest`: the projection on the spectral ball."""
    return A - shrink_singular_values(A, largest)


def soft_threshold(A: FloatArray, threshold: float) -> FloatArray:
    """Return S_threshold(A) of Eq. 23: every entry moved towards 0 by `threshold`, to 0 where it is closer.

    Examples
    --------
    >>> import numpy as np
    >>> soft_threshold(np.array([-3.0, 0.5, 2.0]), 1.0)
    array([-2.,  0.,  1.])
    """
    shrunk: FloatArray = A - np.clip(A, -threshold, threshold)
    return shrunk


def _gram(A: FloatArray, dtype: DTypeLike = np.float64) -> Float64Array:
    """Return the smaller of A'A and AA': blocks multiplied in `dtype`, and summed in float64."""
    A = A.T if A.shape[0] < A.shape[1] else A
    gram = np.zeros((A.shape[1], A.shape[1]))
    for start in range(0, len(A), _GRAM_ROWS):
        block = A[start : start + _GRAM_ROWS].astype(dtype, copy=False)
        gram += block.T @ block
    return gram


_GRAM_ROWS = 2048
