"""The box: every score in [0, 1]."""

from __future__ import annotations

import numpy as np

from tagweave._typing import FloatArray
from tagweave.model.base import inner


class Box:
    """Scores between 0 and 1, the relaxation of 0 or 1.

    Examples
    --------
    >>> import numpy as np
    >>> Box().project(np.array([[-0.5, 0.5, 1.5]]))
    array([[0. , 0.5, 1. ]])
    >>> Box().lowest(np.array([[2.0, -1.0]]), around=np.array([[0.5, 0.5]]))
    -1.5
    """

    def project(self, Z: FloatArray, out: FloatArray | None = None) -> FloatArray:
        """Clip Z to [0, 1]."""
        return np.clip(Z, 0, 1, out=out)

    def lowest(self, A: FloatArray, around: FloatArray) -> float:
        """Return the minimum of <A, X - around> over all X in the box.

        Each score goes to 0 where A is positive and to 1 where it is negative; `around` lies in the box.
        """
        return inner(np.minimum(A, 0), 1 - around) - inner(np.maximum(A, 0), around)
