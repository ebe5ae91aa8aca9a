"""The semantic hierarchical constraint, Eq. 6: Phi' Z >= 0, no child above its parent."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tagweave._typing import FloatArray, IntArray
from tagweave.hierarchy.projection import RowProjection
from tagweave.hierarchy.sweeps import lower_children
from tagweave.kernels.feasibility import row_violations


class HierarchyConstraint:
    """The set of scores in which every parent is at least its children, row by row.

    Parameters
    ----------
    edges : ndarray of shape (n_edges, 2)
        Column indices (child, parent), each child after its own parents (`Hierarchy.edge_index`).
    n_labels : int
        The number of columns.

    Examples
    --------
    >>> import numpy as np
    >>> constraint = HierarchyConstraint(np.array([[1, 0]]), n_labels=2)
    >>> constraint.slack(np.array([[0.2, 0.5]]))
    array([[-0.3]])
    >>> constraint.repair(np.array([[0.2, 0.5]]))
    array([[0.2, 0.2]])
    """

    def __init__(self, edges: IntArray, n_labels: int) -> None:
        self.projection = RowProjection(edges, n_labels)
        self.edges: NDArray[np.int32] = self.projection.edges
        self.n_labels = n_labels
        n_edges = len(self.edges)
        positions = np.arange(n_edges)
        # Phi' as a sparse matrix: one row an edge, +1 at the parent and -1 at the child.
        self._slack_of = sparse.csr_array(
            (
                np.repeat(np.array([1, -1], dtype=np.int8), n_edges),
                (np.tile(positions, 2), np.r_[self.edges[:, 1], self.edges[:, 0]]),
            ),
            shape=(n_edges, n_labels),
        )

    @property
    def n_edges(self) -> int:
        """The number of edges."""
        return len(self.edges)

    @cached_property
    def eigenvalue(self) -> float:
        """An upper bound on the largest eigenvalue of Phi Phi': twice the largest degree (Gershgorin)."""
        return 2.0 * float(np.bincount(self.edges.ravel(), minlength=1).max(initial=0))

    def slack(self, Z: FloatArray) -> FloatArray:
        """Return Phi' Z, instances in rows: parent less child for each edge."""
        return Z[:, self.edges[:, 1]] - Z[:, self.edges[:, 0]]

    def adjoint(self, multipliers: FloatArray) -> FloatArray:
        """Return Phi M, instances in rows: each multiplier lifts its parent and lowers its child."""
        return np.asarray(multipliers @ self._slack_of.astype(multipliers.dtype))

    def violation(self, Z: FloatArray) -> float:
        """Return the most by which a child stands above its parent, 0 where none does."""
        worst = np.empty(len(Z), Z.dtype)
        row_violations(Z, self.edges, worst)
        return float(worst.max(initial=0.0))

    def repair(self, Z: FloatArray) -> FloatArray:
        """Return Z made exactly feasible: one pass of min(child, parent), parents first."""
        repaired = Z.copy()
        lower_children(repaired, self.edges)
        return repaired
