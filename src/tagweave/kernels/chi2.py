"""The chi-square distance between histograms."""

from __future__ import annotations

import numpy as np
from numba import prange

from tagweave._typing import Float64Array
from tagweave.kernels.compiling import kernel

# Added to every denominator: an empty bin of both histograms gives 0 / TINY = 0, any other bin is left as it
# is.
TINY = 1e-300


@kernel(parallel=True)
def chi2_kernel(A: Float64Array, B: Float64Array, out: Float64Array) -> None:
    """Fill ``out[i, j]`` with the sum over the bins of ``(A[i] - B[j])**2 / (A[i] + B[j])``."""
    for i in prange(A.shape[0]):
        for j in range(B.shape[0]):
            total = 0.0
            for k in range(A.shape[1]):
                difference = A[i, k] - B[j, k]
                total += difference * difference / (A[i, k] + B[j, k] + TINY)
            out[i, j] = total


def squared_chi2(A: Float64Array, B: Float64Array) -> Float64Array:
    """Squared chi-square distances between the rows of ``A`` and the rows of ``B``.

    Parameters
    ----------
    A : ndarray of shape (n_a, n_bins)
        Nonnegative rows, C order.
    B : ndarray of shape (n_b, n_bins)
        Nonnegative rows, C order.

    Returns
    -------
    ndarray of shape (n_a, n_b)
        ``sum_k (a_k - b_k)**2 / (a_k + b_k)``; bins empty in both count nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.kernels.chi2 import squared_chi2
    >>> squared_chi2(np.array([[1.0, 0.0]]), np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]))
    array([[0.        , 0.666..., 2.        ]])
    """
    out = np.empty((A.shape[0], B.shape[0]))
    chi2_kernel(np.ascontiguousarray(A), np.ascontiguousarray(B), out)
    return out
