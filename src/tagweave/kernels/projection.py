"""One row projected on {parent >= child}, in place; the algorithm is told in `tagweave.hierarchy.projection`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import get_num_threads, get_thread_id, prange
from numpy.typing import NDArray

from tagweave._typing import BoolArray, FloatArray
from tagweave.kernels.compiling import kernel
from tagweave.kernels.rows import BLOCK

FAR = 1e30
"""Where settled scores stand, beyond all others."""


class Families(NamedTuple):
    """The connected parts of a hierarchy, those of a single label left out; edges are columns (child, parent).

    Attributes
    ----------
    bounds : ndarray of shape (n_families, 3, 2)
        Where the family's `nodes`, its `edges` and its `extra` edges begin and end.
    nodes : ndarray of shape (n_nodes,)
        Children before their parents in the forest.
    tree_parent : ndarray of shape (n_labels,)
        The parent in the forest, -1 for roots.
    edges : ndarray of shape (n_edges, 2)
        All edges, those into a column before those out of it.
    extra : ndarray of shape (n_extra, 2)
        The edges outside the forest.
    """

    bounds: NDArray[np.int32]
    nodes: NDArray[np.int32]
    tree_parent: NDArray[np.int32]
    edges: NDArray[np.int32]
    extra: NDArray[np.int32]


class Workspace(NamedTuple):
    """What the projection of rows needs besides the rows, for each thread: the first axis."""

    values: NDArray[np.float64]
    links: NDArray[np.int32]
    multipliers: NDArray[np.float64]
    unsettled: BoolArray

    @classmethod
    def create(cls, n_labels: int, n_extra: int) -> Workspace:
        """Make the work space for all threads."""
        threads = get_num_threads()
        return cls(
            np.empty((threads, 5, n_labels), np.float64),
            np.empty((threads, 4, n_labels), np.int32),
            np.empty((threads, n_extra), np.float64),
            np.empty((threads, BLOCK), np.bool_),
        )


@kernel(fastmath=False)
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


@kernel(fastmath=False)
def project_row(
    row: FloatArray,
    extra_multipliers: FloatArray,
    lowest: float,
    highest: float,
    families: Families,
    workspace: Workspace,
    thread: int,
    tol: float,
    max_sweeps: int,
) -> None:
    """Project a row in place, from and into its `extra_multipliers`.

    The row will be clipped to [lowest, highest] afterwards: a family that the clip alone makes feasible stays as it
    is, for then nothing feasible within the bounds is nearer. Nodes at -FAR and FAR are settled (see
    `kernels.settling`) and take no part where there are bounds. Sums are float64 whatever the precision of the row:
    the multipliers of a float32 problem stay consistent. The last rounding of the extra edges is removed, so that the
    row is feasible exactly.
    """
    v, z, count = workspace.values[thread, 0], workspace.values[thread, 1], workspace.values[thread, 2]
    links, multipliers = workspace.links[thread], workspace.multipliers[thread]
    edges, extra, tree_parent = families.edges, families.extra, families.tree_parent
    far = FAR if lowest > -np.inf else np.inf
    for bounds in families.bounds:
        start, stop = bounds[2]
        feasible = True
        for e in range(bounds[1, 0], bounds[1, 1]):
            child, parent = row[edges[e, 0]], row[edges[e, 1]]
            if child > parent and child > lowest and parent < highest:
                feasible = False
        if feasible:
            for e in range(start, stop):
                extra_multipliers[e] = 0
            continue
        members = families.nodes[bounds[0, 0] : bounds[0, 1]]
        scale = 1.0
        for j in members:
            v[j] = row[j]
            if abs(v[j]) < far:
                scale = max(scale, abs(v[j]))
        for e in range(start, stop):
            open_ends = abs(v[extra[e, 0]]) < far and abs(v[extra[e, 1]]) < far
            multipliers[e] = extra_multipliers[e] if open_ends else 0.0
        for e in range(start, stop):
            v[extra[e, 1]] += multipliers[e]
            v[extra[e, 0]] -= multipliers[e]
        project_forest(v, z, members, tree_parent, count, links)
        for _ in range(max_sweeps if stop > start else 0):
            largest = 0.0
            for e in range(start, stop):
                child, parent = extra[e, 0], extra[e, 1]
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
        for j in members:
            row[j] = z[j]
        if stop > start:
            for e in range(start, stop):
                extra_multipliers[e] = multipliers[e]
            for e in range(bounds[1, 0], bounds[1, 1]):
                row[edges[e, 0]] = min(row[edges[e, 0]], row[edges[e, 1]])


@kernel(fastmath=False)
def project_rows_serial(
    scores: FloatArray,
    extra_multipliers: FloatArray,
    families: Families,
    workspace: Workspace,
    tol: float,
    max_sweeps: int,
) -> None:
    """Project the rows of `scores` in place, one after the other."""
    for i in range(len(scores)):
        project_row(scores[i], extra_multipliers[i], -np.inf, np.inf, families, workspace, 0, tol, max_sweeps)


@kernel(fastmath=False, parallel=True)
def project_rows_parallel(
    scores: FloatArray,
    extra_multipliers: FloatArray,
    families: Families,
    workspace: Workspace,
    tol: float,
    max_sweeps: int,
) -> None:
    """Do the same on all cores."""
    for i in prange(len(scores)):
        t = get_thread_id()
        project_row(scores[i], extra_multipliers[i], -np.inf, np.inf, families, workspace, t, tol, max_sweeps)
