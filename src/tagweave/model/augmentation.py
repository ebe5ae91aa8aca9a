"""What an augmented Lagrangian adds to the objective: a linear term and squared penalties (Eqs. 9 and 19)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tagweave._typing import FloatArray
from tagweave.model.base import inner
from tagweave.model.hierarchy import HierarchyConstraint


@dataclass(frozen=True, eq=False)
class Linear:
    """<A, Z>.

    Examples
    --------
    >>> import numpy as np
    >>> Linear(np.array([[2.0, 0.0]])).value(np.array([[0.5, 0.5]]))
    1.0
    """

    A: FloatArray

    @property
    def curvature(self) -> float:
        """Zero."""
        return 0.0

    def value(self, Z: FloatArray) -> float:
        """Return <A, Z>."""
        return inner(self.A, Z)

    def add_gradient(self, Z: FloatArray, out: FloatArray) -> None:
        """Add A to `out`."""
        np.add(out, self.A, out=out)

    def quadratic(self, D: FloatArray) -> float:
        """Zero."""
        return 0.0


@dataclass(frozen=True, eq=False)
class SquaredNorm:
    """rho/2 |Z|^2.

    Examples
    --------
    >>> import numpy as np
    >>> SquaredNorm(2.0).value(np.array([[3.0]]))
    9.0
    """

    rho: float

    @property
    def curvature(self) -> float:
        """Return rho."""
        return self.rho

    def value(self, Z: FloatArray) -> float:
        """Return rho/2 |Z|^2."""
        return 0.5 * self.rho * inner(Z, Z)

    def add_gradient(self, Z: FloatArray, out: FloatArray) -> None:
        """Add rho Z to `out`."""
        out += self.rho * Z

    def quadratic(self, D: FloatArray) -> float:
        """Return rho/2 |D|^2."""
        return self.value(D)


@dataclass(frozen=True, eq=False)
class HierarchyPenalty:
    """rho/2 |Phi' Z|^2: the slack of all edges, squared.

    Examples
    --------
    >>> import numpy as np
    >>> penalty = HierarchyPenalty(2.0, HierarchyConstraint(np.array([[1, 0]]), 2))
    >>> penalty.value(np.array([[1.0, 0.0]]))
    1.0
    """

    rho: float
    constraint: HierarchyConstraint

    @property
    def curvature(self) -> float:
        """Return rho * a bound on the largest eigenvalue of Phi Phi'."""
        return self.rho * self.constraint.eigenvalue

    def value(self, Z: FloatArray) -> float:
        """Return rho/2 |Phi' Z|^2."""
        slack = self.constraint.slack(Z)
        return 0.5 * self.rho * inner(slack, slack)

    def add_gradient(self, Z: FloatArray, out: FloatArray) -> None:
        """Add rho Phi Phi' Z to `out`."""
        out += self.constraint.adjoint(self.rho * self.constraint.slack(Z))

    def quadratic(self, D: FloatArray) -> float:
        """Return rho/2 |Phi' D|^2."""
        return self.value(D)
