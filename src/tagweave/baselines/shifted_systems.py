"""Many sparse systems that differ in a shift of the diagonal, solved side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from tagweave._typing import Float64Array

# A system in n unknowns takes at most n steps in exact arithmetic; rounding may ask for a few more.
SPARE_STEPS = 20


def solve_shifted(
    L: sparse.csr_array[Any],
    scale: float,
    shifts: Float64Array,
    right: Float64Array,
    *,
    tol: float,
) -> Float64Array:
    """Solve (shifts[j] I + scale L) z_j = right[:, j] for all columns j at once, by conjugate gradients.

    Each column has its own conjugate gradients, with its own steps; they share the product with the sparse matrix,
    which is most of the work. The condition number is at most 1 + 2 scale / shift, for the eigenvalues of a
    normalised Laplacian lie between 0 and 2.

    Parameters
    ----------
    L : csr_array of shape (n, n)
        Symmetric, positive semi-definite.
    scale : float
        At least 0.
    shifts : ndarray of shape (m,)
        Positive.
    right : ndarray of shape (n, m)
        The right-hand sides.
    tol : float
        The residual of each column is at most so many times its right-hand side, in the Euclidean norm.

    Returns
    -------
    ndarray of shape (n, m)

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> L = sparse.csr_array(np.array([[1.0, -1.0], [-1.0, 1.0]]))
    >>> solve_shifted(L, 1.0, np.array([1.0, 2.0]), np.array([[3.0, 4.0], [0.0, 4.0]]), tol=1e-12).round(9)
    array([[2., 2.],
           [1., 2.]])
    """
    # Where the Laplacian does nothing this is the solution; elsewhere a start of the right size.
    Z: Float64Array = right / shifts
    if scale == 0:
        return Z
    residual: Float64Array = -scale * (L @ Z)
    direction = residual.copy()
    square = _squares(residual)
    goal = tol**2 * _squares(right)
    # What is worked on are the columns that are not done yet, so that the last ones do not pay for all.
    active = np.arange(len(shifts))
    for _ in range(L.shape[0] + SPARE_STEPS):
        going = square > goal
        if not going.all():
            active, square, goal = active[going], square[going], goal[going]
            residual, direction = residual[:, going], direction[:, going]
        if len(active) == 0:
            break
        image: Float64Array = shifts[active] * direction + scale * (L @ direction)
        step = square / np.einsum("ij,ij->j", direction, image)
        Z[:, active] += step * direction
        residual -= step * image
        before, square = square, _squares(residual)
        direction *= square / before
        direction += residual
    return Z


def _squares(columns: Float64Array) -> Float64Array:
    squares: Float64Array = np.einsum("ij,ij->j", columns, columns)
    return squares
