"""What a term of the objective is."""

from __future__ import annotations

from typing import Any, Protocol

from tagweave._typing import FloatArray


class SmoothTerm(Protocol):
    """A convex term, at most quadratic in the scores Z, that the objective adds up.

    To add a term of your own, give it these four members; every solver and the certificate will take it.
    """

    @property
    def curvature(self) -> float:
        """An upper bound on the largest eigenvalue of the term's Hessian."""
        ...

    def value(self, Z: FloatArray) -> float:
        """Return the term at Z, summed in float64."""
        ...

    def add_gradient(self, Z: FloatArray, out: FloatArray) -> None:
        """Add the gradient at Z to `out`."""
        ...

    def quadratic(self, D: FloatArray) -> float:
        """Return the quadratic part of the term along the direction D: value(D) less all that is linear."""
        ...


def inner(A: FloatArray, B: FloatArray) -> float:
    """Return <A, B> summed in float64, whatever the precision of A and B."""
    total: Any = 0.0
    for start in range(0, len(A), _ROWS):
        total += (A[start : start + _ROWS].astype("f8", copy=False) * B[start : start + _ROWS]).sum()
    return float(total)


_ROWS = 4096
