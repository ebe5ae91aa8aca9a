"""L = I - D^(-1/2) W D^(-1/2), the normalised Laplacian of Eqs. 2 and 3, and its largest eigenvalue."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from scipy import sparse

DENSE_LIMIT = 64
"""Up to this many nodes all eigenvalues are computed."""

TOLERANCE = 1e-2
"""How closely, relative, the largest eigenvalue is found beyond: a step that much longer would not pay for more."""


def normalized_laplacian(W: sparse.sparray | sparse.spmatrix) -> sparse.csr_array[np.float64]:
    """Compute the normalised Laplacian of a weight matrix.

    Parameters
    ----------
    W : sparse matrix of shape (n, n)
        Symmetric, nonnegative, zero diagonal (see :func:`tagweave.graphs.check_weights`).

    Returns
    -------
    csr_array of shape (n, n)
        Exactly symmetric, eigenvalues between 0 and 2, in canonical format.

    Notes
    -----
    The row and column of an isolated node are 0. The sum of Eq. 2 holds nothing of such a node; the 1 that
    ``I`` has there would pull its scores to 0.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> from tagweave.graphs import normalized_laplacian
    >>> W = sparse.csr_array(np.array([[0.0, 3.0, 0.0], [3.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))
    >>> normalized_laplacian(W).toarray()
    array([[ 1., -1.,  0.],
           [-1.,  1.,  0.],
           [ 0.,  0.,  0.]])
    """
    given: Any = W
    weights = sparse.csr_array(given, dtype=np.float64).tocoo()
    degrees = np.asarray(weights.sum(axis=1), dtype=np.float64).ravel()
    roots = np.sqrt(degrees)
    edge = weights.data != 0
    rows, columns, values = weights.row[edge], weights.col[edge], weights.data[edge]
    connected = np.flatnonzero(degrees > 0)
    # One product of the two roots, not two divisions: so that both halves round alike.
    normalised = -values / (roots[rows] * roots[columns])
    L: sparse.csr_array[np.float64] = sparse.csr_array(
        (
            np.concatenate([np.ones(len(connected)), normalised]),
            (np.concatenate([connected, rows]), np.concatenate([connected, columns])),
        ),
        shape=cast("tuple[int, int]", weights.shape),
    )
    L.sum_duplicates()
    return L


def largest_eigenvalue(L: Any) -> float:
    """Bound the largest eigenvalue of a normalised Laplacian from above, closely enough for a step size.

    Parameters
    ----------
    L : sparse matrix, ndarray or LinearOperator of shape (m, m)
        Symmetric.

    Returns
    -------
    float
        At most 2, which bounds every normalised Laplacian. With few nodes the eigenvalue itself plus a margin for
        rounding; beyond, that of a Lanczos run plus its residual.

    Notes
    -----
    The residual bounds the distance to an eigenvalue; that it is the largest one is certain but for starting
    vectors (random, from a fixed seed) orthogonal to its eigenvector.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.graphs import largest_eigenvalue
    >>> round(largest_eigenvalue(np.array([[1.0, -0.5], [-0.5, 1.0]])), 9)
    1.5
    """
    from scipy.sparse.linalg import ArpackNoConvergence, aslinearoperator, eigsh

    matrix = aslinearoperator(L)
    m = matrix.shape[0]
    if m <= DENSE_LIMIT:
        top = float(np.linalg.eigvalsh(matrix @ np.eye(m))[-1])
        return min(2.0, top * (1 + 1e-12) + 1e-15) if top > 0 else 0.0
    start = np.random.default_rng(0).standard_normal(m)
    if not np.any(matrix @ start):
        return 0.0
    try:
        values, vectors = eigsh(matrix, k=1, which="LA", v0=start, tol=TOLERANCE)
    except ArpackNoConvergence:
        return 2.0
    top, vector = float(values[0]), np.asarray(vectors)[:, 0]
    residual = float(np.linalg.norm(matrix @ vector - top * vector) / np.linalg.norm(vector))
    return min(2.0, (top + residual) * (1 + 1e-9))
