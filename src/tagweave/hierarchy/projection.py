"""The exact projection of each row on {parent >= child}, for a hierarchy that is a DAG.

A forest is projected in one pass: children first, each node absorbs the child block that stands above it, as in
the pool-adjacent-violators algorithm. A DAG is a forest (each child with the first of its parents) plus a few
extra edges, and its projection is block coordinate ascent on the dual: the forest as one exact block, Hildreth's
step for each extra edge. Without extra edges the answer is exact after one pass, however deep the hierarchy.

A hierarchy falls apart into families, the connected parts of the DAG. Most families of a row are feasible as they are,
and stay untouched. The passes themselves are in `tagweave.kernels.projection`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from tagweave._typing import FloatArray, IntArray
from tagweave.kernels.projection import Families, Workspace, project_rows_parallel, project_rows_serial

# Waking other threads for a few rows costs more than the rows, much more where the cores are busy.
FEW_ROWS = 64


class RowProjection:
    """Projects rows on {parent >= child}; made once for a hierarchy, used at every iteration.

    Parameters
    ----------
    edges : ndarray of shape (n_edges, 2)
        Column indices (child, parent) of an acyclic hierarchy.
    n_labels : int
        The number of columns.

    Attributes
    ----------
    families : Families
        The hierarchy as the kernels read it.
    extra : ndarray of int
        The edges that lie outside the forest, as positions in `edges`. Only their multipliers have to be kept
        from one call to the next.
    tree_edge : ndarray of shape (n_labels,)
        The position in `edges` of the edge above each label in the forest, -1 for roots.

    Examples
    --------
    >>> import numpy as np
    >>> projection = RowProjection(np.array([[1, 0]]), n_labels=3)
    >>> projected, _ = projection(np.array([[0.0, 1.0, 0.5]]))
    >>> projected
    array([[0.5, 0.5, 0.5]])
    >>> projection.multipliers(np.array([[0.0, 1.0, 0.5]]), projected)
    array([[0.5]])
    """

    def __init__(self, edges: IntArray, n_labels: int) -> None:
        self.edges = np.ascontiguousarray(edges, dtype=np.int32).reshape(-1, 2)
        self.n_labels = n_labels
        children, first = np.unique(self.edges[:, 0], return_index=True)
        self.tree_edge = np.full(n_labels, -1, dtype=np.int32)
        self.tree_edge[children] = first
        tree_parent = np.full(n_labels, -1, dtype=np.int32)
        tree_parent[children] = self.edges[first, 1]
        ones = np.ones(len(self.edges), dtype=bool)
        adjacency = sparse.coo_array((ones, (self.edges[:, 0], self.edges[:, 1])), shape=(n_labels, n_labels))
        n_families, family = connected_components(adjacency, directed=False)
        # Sorted by family; within one, nodes children first and edges parents first.
        nodes = _children_first(tree_parent)
        nodes = nodes[np.argsort(family[nodes], kind="stable")]
        ordered = np.lexsort((_depths(self.edges, n_labels)[self.edges[:, 0]], family[self.edges[:, 0]]))
        extra = np.setdiff1d(np.arange(len(self.edges)), first)
        self.extra = extra[np.argsort(family[self.edges[extra, 0]], kind="stable")]
        sizes = [
            np.bincount(family[columns], minlength=n_families)
            for columns in (nodes, self.edges[:, 0], self.edges[self.extra, 0])
        ]
        ends = np.cumsum(sizes, axis=1)
        bounds = np.stack([ends - sizes, ends], axis=-1).transpose(1, 0, 2)
        # A label on its own has nothing to be projected on.
        bounds = np.ascontiguousarray(bounds[sizes[0] > 1], dtype=np.int32)
        below = np.argsort(tree_parent, kind="stable").astype(np.int32)
        child_start = np.searchsorted(tree_parent[below], np.arange(n_labels + 1)).astype(np.int32)
        self.families = Families(
            bounds, nodes, tree_parent, child_start, below, self.edges[ordered], self.edges[self.extra]
        )

    def __call__(
        self,
        scores: FloatArray,
        extra_multipliers: FloatArray | None = None,
        *,
        tol: float = 1e-13,
        max_sweeps: int = 100_000,
    ) -> tuple[FloatArray, FloatArray]:
        """Project the rows of `scores`, exactly feasible and near the projection up to `tol`.

        Parameters
        ----------
        scores : ndarray of shape (n, m)
            Not changed.
        extra_multipliers : ndarray of shape (n, n_extra), optional
            Those of a nearby problem, to start from. Not changed.
        tol : float
            How far the extra edges may be from holding before the last rounding, relative to the row's largest score.
        max_sweeps : int
            The most sweeps spent on one row.

        Returns
        -------
        projected : ndarray of shape (n, m)
        extra_multipliers : ndarray of shape (n, n_extra)
        """
        projected = np.array(scores, order="C")
        shape = (len(projected), len(self.extra))
        if extra_multipliers is None:
            extra = np.zeros(shape, dtype=projected.dtype)
        else:
            extra = np.array(extra_multipliers, dtype=projected.dtype, order="C").reshape(shape)
        self.in_place(projected, extra, tol=tol, max_sweeps=max_sweeps)
        return projected, extra

    def in_place(
        self, scores: FloatArray, extra_multipliers: FloatArray, *, tol: float, max_sweeps: int = 100_000
    ) -> None:
        """Do the same, overwriting both arrays: the solvers' form."""
        if len(self.edges):
            project = project_rows_serial if len(scores) <= FEW_ROWS else project_rows_parallel
            project(scores, extra_multipliers, self.families, self.workspace(), tol, max_sweeps)

    def workspace(self) -> Workspace:
        """Make the work space of one call: calls from several threads of Python must not share it."""
        return Workspace.create(self.families)

    def multipliers(
        self, scores: FloatArray, projected: FloatArray, extra_multipliers: FloatArray | None = None
    ) -> FloatArray:
        """Return the multipliers of all edges: `projected` = `scores` + multipliers @ Phi.T, none negative.

        What a subtree of the forest has lost can only have gone through the edge above it.
        """
        found = np.zeros((len(projected), len(self.edges)), dtype=projected.dtype)
        lost = np.subtract(scores, projected, dtype=np.float64)
        if extra_multipliers is not None and len(self.extra):
            found[:, self.extra] = extra_multipliers
            for position, (child, parent) in enumerate(self.edges[self.extra]):
                lost[:, parent] += extra_multipliers[:, position]
                lost[:, child] -= extra_multipliers[:, position]
        for child in self.families.nodes:
            if (parent := self.families.tree_parent[child]) >= 0:
                lost[:, parent] += lost[:, child]
                found[:, self.tree_edge[child]] = np.maximum(lost[:, child], 0)
        return found


def project_rows(scores: FloatArray, edges: IntArray, **options: Any) -> tuple[FloatArray, FloatArray]:
    """Project each row of `scores` on {parent >= child}; return it with the multipliers of all `edges`.

    Parameters
    ----------
    scores : ndarray of shape (n, m)
        What to project.
    edges : ndarray of shape (n_edges, 2)
        Column indices (child, parent) of an acyclic hierarchy.
    **options
        Passed to `RowProjection`: `tol`, `max_sweeps`.

    Returns
    -------
    projected : ndarray of shape (n, m)
    multipliers : ndarray of shape (n, n_edges)

    Examples
    --------
    >>> import numpy as np
    >>> project_rows(np.array([[0.0, 1.0]]), np.array([[1, 0]]))
    (array([[0.5, 0.5]]), array([[0.5]]))
    """
    projection = RowProjection(edges, scores.shape[1])
    projected, extra = projection(scores, **options)
    return projected, projection.multipliers(scores, projected, extra)


def _children_first(tree_parent: NDArray[np.int32]) -> NDArray[np.int32]:
    """Order the nodes of a forest so that each comes after all its children."""
    depth = np.zeros(len(tree_parent), dtype=np.int32)
    above = tree_parent.copy()
    while (below_root := above >= 0).any():
        depth[below_root] += 1
        above[below_root] = tree_parent[above[below_root]]
    return np.argsort(-depth, kind="stable").astype(np.int32)


def _depths(edges: NDArray[np.int32], n_labels: int) -> NDArray[np.int32]:
    """Return for each label the number of edges on the longest path down to it."""
    depth = np.zeros(n_labels, dtype=np.int32)
    while True:
        deeper = depth.copy()
        np.maximum.at(deeper, edges[:, 0], depth[edges[:, 1]] + 1)
        if np.array_equal(deeper, depth):
            return depth
        depth = deeper
