"""The exact projection of each row on {parent >= child}, for a hierarchy that is a DAG.

A forest is projected in one pass: children first, each node absorbs the child block that stands above it, as in
the pool-adjacent-violators algorithm. A DAG is a forest (each child with the first of its parents) plus a few
extra edges, and its projection is block coordinate ascent on the dual: the forest as one exact block, Hildreth's
step for each extra edge. Without extra edges the answer is exact after one pass, however deep the hierarchy.

A hierarchy falls apart into families, the connected parts of the DAG. Most families of a row are feasible as they are,
and stay untouched.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from tagweave._typing import FloatArray, IntArray

ROWS_PER_BLOCK = 64


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
    extra : ndarray of int
        The edges that lie outside the forest, as positions in `edges`. Only their multipliers have to be kept
        from one call to the next.

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
        self._tree_edge = np.full(n_labels, -1, dtype=np.int32)
        self._tree_edge[children] = first
        self._tree_parent = np.full(n_labels, -1, dtype=np.int32)
        self._tree_parent[children] = self.edges[first, 1]
        extra = np.setdiff1d(np.arange(len(self.edges)), first)
        ones = np.ones(len(self.edges), dtype=bool)
        adjacency = sparse.coo_array((ones, (self.edges[:, 0], self.edges[:, 1])), shape=(n_labels, n_labels))
        n_families, family = connected_components(adjacency, directed=False)
        family_of_extra = family[self.edges[extra, 0]]
        self.extra = extra[np.argsort(family_of_extra, kind="stable")]
        nodes = _children_first(self._tree_parent)
        self._nodes = nodes[np.argsort(family[nodes], kind="stable")]
        self._families = np.zeros((n_families + 1, 2), dtype=np.int32)
        self._families[1:, 0] = np.cumsum(np.bincount(family, minlength=n_families))
        self._families[1:, 1] = np.cumsum(np.bincount(family_of_extra, minlength=n_families))
        # A label on its own has nothing to be projected on.
        alone = np.diff(self._families[:, 0]) == 1
        self._families = np.stack([self._families[:-1][~alone], self._families[1:][~alone]], axis=2)

    def __call__(
        self,
        scores: FloatArray,
        extra_multipliers: FloatArray | None = None,
        *,
        tol: float = 1e-13,
        max_sweeps: int = 100_000,
    ) -> tuple[FloatArray, FloatArray]:
        """Project the rows of `scores`; extra edges hold up to `tol` times the row's largest absolute score.

        Parameters
        ----------
        scores : ndarray of shape (n, m)
            Not changed.
        extra_multipliers : ndarray of shape (n, n_extra), optional
            Those of a nearby problem, to start from. Not changed.
        tol : float
            Relative accuracy of the extra edges; those of the forest hold exactly.
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
            # Waking other threads for a few rows costs more than the rows, much more where the cores are busy.
            project = project_block if len(scores) <= ROWS_PER_BLOCK else project_rows_kernel
            project(
                scores,
                extra_multipliers,
                self._families,
                self._nodes,
                self._tree_parent,
                self.edges[self.extra],
                tol,
                max_sweeps,
            )

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
        for child in self._nodes:
            if (parent := self._tree_parent[child]) >= 0:
                lost[:, parent] += lost[:, child]
                found[:, self._tree_edge[child]] = np.maximum(lost[:, child], 0)
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


@njit(cache=True)
def project_forest(
    v: NDArray[np.float64],
    z: NDArray[np.float64],
    nodes: NDArray[np.int32],
    tree_parent: NDArray[np.int32],
    count: NDArray[np.float64],
    links: NDArray[np.int32],
) -> None:
    """Write into `z` the projection of `v` on the forest of `nodes`; `count` and `links` are work space.

    Children stand before their parents. Every node heads a block and lists the blocks right below it. While the
    highest of these stands above the node's own value, the node absorbs it and inherits the blocks below it.
    """
    first, last, following, head = links[0], links[1], links[2], links[3]
    for node in nodes:
        first[node] = -1
        head[node] = -1
    for node in nodes:
        z[node] = v[node]
        count[node] = 1.0
        while True:
            highest, before, previous = -1, -1, -1
            block = first[node]
            while block >= 0:
                if highest < 0 or z[block] > z[highest]:
                    highest, before = block, previous
                previous = block
                block = following[block]
            if highest < 0 or z[highest] <= z[node]:
                break
            total = count[node] + count[highest]
            z[node] += (z[highest] - z[node]) * (count[highest] / total)
            count[node] = total
            head[highest] = node
            if before < 0:
                first[node] = following[highest]
            else:
                following[before] = following[highest]
            if last[node] == highest:
                last[node] = before
            if first[highest] >= 0:
                if first[node] < 0:
                    first[node] = first[highest]
                else:
                    following[last[node]] = first[highest]
                last[node] = last[highest]
        parent = tree_parent[node]
        if parent >= 0:
            following[node] = -1
            if first[parent] < 0:
                first[parent] = node
            else:
                following[last[parent]] = node
            last[parent] = node
    for node in nodes[::-1]:
        if head[node] >= 0:
            z[node] = z[head[node]]


@njit(cache=True)
def project_block(
    scores: FloatArray,
    extra_multipliers: FloatArray,
    families: NDArray[np.int32],
    nodes: NDArray[np.int32],
    tree_parent: NDArray[np.int32],
    extra_edges: NDArray[np.int32],
    tol: float,
    max_sweeps: int,
) -> None:
    """Project the rows of `scores` in place, from and into `extra_multipliers`, one after the other.

    `families` holds for each family where its `nodes` and its `extra_edges` begin and end. Sums are float64 whatever
    the dtype of the arrays: the multipliers of a float32 problem stay consistent.
    """
    n, m = scores.shape
    v = np.empty(m, dtype=np.float64)
    z = np.empty(m, dtype=np.float64)
    count = np.empty(m, dtype=np.float64)
    links = np.empty((4, m), dtype=np.int32)
    multipliers = np.empty(len(extra_edges), dtype=np.float64)
    for i in range(n):
        for family in families:
            members = nodes[family[0, 0] : family[0, 1]]
            start, stop = family[1]
            feasible = True
            scale = 1.0
            for j in members:
                v[j] = scores[i, j]
                scale = max(scale, abs(v[j]))
            for j in members:
                if tree_parent[j] >= 0 and v[j] > v[tree_parent[j]]:
                    feasible = False
            for e in range(start, stop):
                multipliers[e] = extra_multipliers[i, e]
                child, parent = extra_edges[e, 0], extra_edges[e, 1]
                if multipliers[e] != 0.0 or v[child] > v[parent]:
                    feasible = False
            if feasible:
                continue
            for e in range(start, stop):
                v[extra_edges[e, 1]] += multipliers[e]
                v[extra_edges[e, 0]] -= multipliers[e]
            project_forest(v, z, members, tree_parent, count, links)
            for _ in range(max_sweeps if stop > start else 0):
                largest = 0.0
                for e in range(start, stop):
                    child, parent = extra_edges[e, 0], extra_edges[e, 1]
                    step = max(-multipliers[e], 0.5 * (z[child] - z[parent]))
                    if step != 0.0:
                        multipliers[e] += step
                        v[parent] += step
                        v[child] -= step
                        z[parent] += step
                        z[child] -= step
                        largest = max(largest, abs(step))
                if largest > 0.0:
                    project_forest(v, z, members, tree_parent, count, links)
                if largest <= tol * scale:
                    break
            for e in range(start, stop):
                extra_multipliers[i, e] = multipliers[e]
            for j in members:
                scores[i, j] = z[j]


@njit(parallel=True, cache=True)
def project_rows_kernel(
    scores: FloatArray,
    extra_multipliers: FloatArray,
    families: NDArray[np.int32],
    nodes: NDArray[np.int32],
    tree_parent: NDArray[np.int32],
    extra_edges: NDArray[np.int32],
    tol: float,
    max_sweeps: int,
) -> None:
    """Do what `project_block` does, blocks of rows side by side on all cores."""
    n = len(scores)
    for chunk in prange((n + ROWS_PER_BLOCK - 1) // ROWS_PER_BLOCK):
        rows = slice(chunk * ROWS_PER_BLOCK, min(n, (chunk + 1) * ROWS_PER_BLOCK))
        project_block(scores[rows], extra_multipliers[rows], families, nodes, tree_parent, extra_edges, tol, max_sweeps)
