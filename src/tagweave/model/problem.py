"""The convex problem: a sum of terms over scores in a box, under a hierarchy."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from tagweave._typing import FloatArray
from tagweave.kernels.feasibility import infeasible_rows
from tagweave.model.base import SmoothTerm
from tagweave.model.box import Box
from tagweave.model.hierarchy import HierarchyConstraint
from tagweave.model.rowwise import Rowwise
from tagweave.model.sparse_low_rank import SparseLowRank


@dataclass(frozen=True, eq=False)
class Problem:
    """Minimise the sum of `terms`, plus the sparse + low rank term, over feasible scores Z.

    MLMG-CO (Eq. 8) has label consistency, instance and class smoothness; MLMG-SL (Eq. 18) has the sparse + low
    rank term in the place of class smoothness; MLMG has all of them. Any sum of `SmoothTerm` will do.

    Attributes
    ----------
    shape : (n_instances, n_labels)
    terms : tuple of SmoothTerm
    hierarchy : HierarchyConstraint, optional
        No child above its parent.
    sparse_low_rank : SparseLowRank, optional
        The one term that is not smooth.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.labels import Labels
    >>> from tagweave.model import InstanceSmoothness, LabelConsistency
    >>> labels = Labels.from_any([[1.0], [np.nan]])
    >>> problem = Problem(
    ...     labels.shape,
    ...     (
    ...         LabelConsistency.from_labels(labels),
    ...         InstanceSmoothness.from_weights(1.0, np.array([[0.0, 1.0], [1.0, 0.0]])),
    ...     ),
    ... )
    >>> problem.objective(np.array([[1.0], [0.0]])), problem.objective(np.array([[1.0], [1.0]]))
    (1.0, 0.0)
    """

    shape: tuple[int, int]
    terms: tuple[SmoothTerm, ...]
    hierarchy: HierarchyConstraint | None = None
    sparse_low_rank: SparseLowRank | None = None
    box: Box = field(default_factory=Box)

    @property
    def curvature(self) -> float:
        """An upper bound on the largest eigenvalue of the Hessian of the smooth terms."""
        return sum(term.curvature for term in self.terms)

    @cached_property
    def rowwise(self) -> Rowwise:
        """The problem as the kernels read it."""
        return Rowwise.from_terms(self.shape, self.terms, None if self.hierarchy is None else self.hierarchy.projection)

    def with_terms(self, *terms: SmoothTerm) -> Problem:
        """Return the problem with other smooth terms and no more than the box: a solver's sub-problem."""
        return replace(self, terms=terms, hierarchy=None, sparse_low_rank=None)

    def smooth(self, Z: FloatArray) -> float:
        """Return the sum of the smooth terms at Z."""
        return sum(term.value(Z) for term in self.terms)

    def gradient(self, Z: FloatArray) -> FloatArray:
        """Return the gradient of the smooth terms at Z."""
        gradient = np.zeros(self.shape, dtype=Z.dtype)
        for term in self.terms:
            term.add_gradient(Z, gradient)
        return gradient

    def quadratic(self, D: FloatArray) -> float:
        """Return the quadratic part of the smooth terms along D."""
        return sum(term.quadratic(D) for term in self.terms)

    def objective(self, Z: FloatArray, H1: FloatArray | None = None) -> float:
        """Return the objective at Z, with the given split Z = H0 + H1 of the sparse + low rank term."""
        rest = 0.0 if self.sparse_low_rank is None else self.sparse_low_rank.value(Z, H1)
        return self.smooth(Z) + rest

    def repair(self, Z: FloatArray) -> FloatArray:
        """Return Z made exactly feasible: in the box, no child above its parent; Z itself if it is so already."""
        if not infeasible_rows(Z, self.rowwise.projection.edges):
            return Z
        Z = self.box.project(Z)
        return Z if self.hierarchy is None else self.hierarchy.repair(Z)

    def violation(self, Z: FloatArray) -> float:
        """Return the most by which a child stands above its parent."""
        return 0.0 if self.hierarchy is None else self.hierarchy.violation(Z)
