"""Smoothness over instances, Eq. 2: beta tr(Z' L_X Z), and over classes, Eq. 3: gamma tr(Z L_C Z')."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from tagweave._typing import FloatArray
from tagweave.graphs.laplacian import largest_eigenvalue, normalized_laplacian
from tagweave.model.base import inner

# Below this many labels a dense product with L_C is faster than a sparse one.
_DENSE_LABELS = 1024


@dataclass(frozen=True, eq=False)
class _Smoothness(ABC):
    """weight * <Z, L Z> for a positive semi-definite L that acts on the rows or on the columns of Z."""

    weight: float
    laplacian: Any
    eigenvalue: float

    @abstractmethod
    def apply(self, Z: FloatArray) -> FloatArray:
        """Return L Z (or Z L, for classes)."""
        ...

    @property
    def curvature(self) -> float:
        """2 * weight * the largest eigenvalue of L, at most 4 * weight."""
        return 2.0 * self.weight * self.eigenvalue

    def value(self, Z: FloatArray) -> float:
        """Return weight * <Z, L Z>."""
        return self.weight * inner(Z, self.apply(Z))

    def add_gradient(self, Z: FloatArray, out: FloatArray) -> None:
        """Add 2 * weight * L Z to `out`."""
        smoothed = self.apply(Z)
        smoothed *= 2.0 * self.weight
        out += smoothed

    def quadratic(self, D: FloatArray) -> float:
        """Return weight * <D, L D>: the term is its own quadratic part."""
        return self.value(D)

    def astype(self, dtype: DTypeLike) -> Any:
        """Return the term in another precision."""
        return type(self)(self.weight, self.laplacian.astype(dtype), self.eigenvalue)


class InstanceSmoothness(_Smoothness):
    """Like instances have like scores: beta tr(Z' L_X Z), L_X acting from the left.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> term = InstanceSmoothness.from_weights(1.0, sparse.csr_array([[0.0, 1.0], [1.0, 0.0]]))
    >>> term.value(np.array([[1.0], [1.0]])), term.value(np.array([[1.0], [0.0]]))
    (0.0, 1.0)
    """

    @classmethod
    def from_weights(cls, beta: float, W_X: Any) -> InstanceSmoothness:
        """Make the term from the weight matrix of the instance graph (n x n)."""
        # The eigenvalues of a normalised Laplacian lie in [0, 2]; finding the largest would cost more than it saves.
        return cls(beta, normalized_laplacian(W_X), 2.0)

    def apply(self, Z: FloatArray) -> FloatArray:
        """Return L_X Z."""
        return np.asarray(self.laplacian @ Z)


class ClassSmoothness(_Smoothness):
    """Classes that co-occur have like scores: gamma tr(Z L_C Z'), L_C acting from the right.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> term = ClassSmoothness.from_weights(0.5, sparse.csr_array([[0.0, 1.0], [1.0, 0.0]]))
    >>> term.value(np.array([[1.0, 1.0]])), term.value(np.array([[1.0, 0.0]]))
    (0.0, 0.5)
    """

    @classmethod
    def from_weights(cls, gamma: float, W_C: Any) -> ClassSmoothness:
        """Make the term from the weight matrix of the class graph (m x m)."""
        laplacian = normalized_laplacian(W_C)
        eigenvalue = largest_eigenvalue(laplacian)
        return cls(gamma, laplacian.toarray() if W_C.shape[0] <= _DENSE_LABELS else laplacian, eigenvalue)

    def apply(self, Z: FloatArray) -> FloatArray:
        """Return Z L_C."""
        return np.asarray(Z @ self.laplacian)
