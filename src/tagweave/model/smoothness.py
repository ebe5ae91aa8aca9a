"""Smoothness over instances, Eq. 2: beta tr(Z' L_X Z), and over classes, Eq. 3: gamma tr(Z L_C Z')."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator

from tagweave._typing import Float64Array, FloatArray, IntArray
from tagweave.graphs.laplacian import largest_eigenvalue, normalized_laplacian
from tagweave.kernels.rows import Scratch, Smoothness, smooth_rows
from tagweave.model.base import inner

# Below this many labels a dense product with L_C is faster than a sparse one.
_DENSE_LABELS = 1024

_NONE = sparse.csr_array((0, 0), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class _Smoothness(ABC):
    """weight * <Z, L Z> for a positive semi-definite L that acts on the rows or on the columns of Z.

    Attributes
    ----------
    weight : float
        beta or gamma.
    weights : csr_array
        W, in float64.
    """

    weight: float
    weights: sparse.csr_array[Any]

    @property
    @abstractmethod
    def eigenvalue(self) -> float:
        """An upper bound on the largest eigenvalue of L."""
        ...

    @abstractmethod
    def apply(self, Z: FloatArray) -> FloatArray:
        """Return L Z (or Z L, for classes), in the precision of Z."""
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


class InstanceSmoothness(_Smoothness):
    """Like instances have like scores: beta tr(Z' L_X Z), L_X acting from the left.

    L_X itself is never formed: W_X may be most of the memory.

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
        return cls(beta, sparse.csr_array(W_X, dtype=np.float64))

    def permuted(self, order: IntArray) -> InstanceSmoothness:
        """Return the term for instances in another order."""
        weights = self.weights[order][:, order]
        weights.sort_indices()
        term = InstanceSmoothness(self.weight, weights)
        vars(term)["eigenvalue"] = self.eigenvalue  # the order does not change it
        return term

    @cached_property
    def eigenvalue(self) -> float:
        """The largest eigenvalue of L_X, or a little more: a tighter bound than 2 makes longer steps."""
        W, scale, linked = self.weights, self.scale, (self.scale > 0).astype(np.float64)

        def apply(x: Float64Array) -> Float64Array:
            x = x.ravel()
            product: Float64Array = linked * x - scale * (W @ (scale * x))
            return product

        L_X = LinearOperator(W.shape, matvec=apply, dtype=np.float64)
        return largest_eigenvalue(L_X)

    @cached_property
    def scale(self) -> Float64Array:
        """D^(-1/2), 0 for isolated instances: L_X is the identity (0 for those) less scale * W_X * scale."""
        degrees = np.asarray(self.weights.sum(axis=1), dtype=np.float64).ravel()
        scale: Float64Array = np.divide(1.0, np.sqrt(degrees), out=np.zeros_like(degrees), where=degrees > 0)
        return scale

    def apply(self, Z: FloatArray) -> FloatArray:
        """Return L_X Z."""
        Z = np.ascontiguousarray(Z)
        smoothed = np.empty_like(Z)
        rows = np.arange(len(Z), dtype=np.int32)
        smooth_rows(smoothness_arrays(1.0, self, 0.0, None), Z, rows, Scratch.create(Z.shape[1], Z.dtype), smoothed)
        return smoothed


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
        return cls(gamma, sparse.csr_array(W_C, dtype=np.float64))

    def permuted(self, order: IntArray) -> ClassSmoothness:
        """Return the term for instances in another order: itself."""
        return self

    @cached_property
    def laplacian(self) -> sparse.csr_array[Any]:
        """L_C."""
        return normalized_laplacian(self.weights)

    @cached_property
    def eigenvalue(self) -> float:
        """The largest eigenvalue of L_C, or a little more."""
        return largest_eigenvalue(self.laplacian)

    def apply(self, Z: FloatArray) -> FloatArray:
        """Return Z L_C."""
        laplacian: Any = self.laplacian if self.weights.shape[0] > _DENSE_LABELS else self._dense
        return np.asarray(Z @ laplacian.astype(Z.dtype, copy=False))

    @cached_property
    def _dense(self) -> Float64Array:
        dense: Float64Array = self.laplacian.toarray()
        return dense


def smoothness_arrays(
    beta: float, instances: InstanceSmoothness | None, gamma: float, classes: ClassSmoothness | None
) -> Smoothness:
    """Return what the kernels read of both terms, with other weights; None where a term is absent."""
    W = _NONE if instances is None else instances.weights
    L = _NONE if classes is None else classes.laplacian
    return Smoothness(
        beta,
        W.indptr.astype(np.int64, copy=False),
        W.indices.astype(np.int32, copy=False),
        W.data,
        np.empty(0) if instances is None else instances.scale,
        gamma,
        L.indptr.astype(np.int64, copy=False),
        L.indices.astype(np.int32, copy=False),
        L.data,
    )
