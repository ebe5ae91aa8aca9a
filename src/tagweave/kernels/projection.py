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
    child_start : ndarray of shape (n_labels + 1,)
        Where the children of each label in the forest begin in `child`.
    child : ndarray of shape (n_tree_edges,)
    edges : ndarray of shape (n_edges, 2)
        All edges, those into a column before those out of it.
    extra : ndarray of shape (n_extra, 2)
        The edges outside the forest.
    """

    bounds: NDArray[np.int32]
    nodes: NDArray[np.int32]
    tree_parent: NDArray[np.int32]
    child_start: NDArray[np.int32]
    child: NDArray[np.int32]
    edges: NDArray[np.int32]
    extra: NDArray[np.int32]


class Workspace(NamedTuple):
    """What the projection of rows needs besides the rows, for each thread: the first axis."""

    values: NDArray[np.float64]
    links: NDArray[np.int32]
    multipliers: NDArray[np.float64]
    unsettled: BoolArray

    @classmethod
    def create(cls, families: Families) -> Workspace:
        """Make the work space for all threads."""
        threads, n_labels = get_num_threads(), len(families.tree_parent)
        return cls(
            np.empty((threads, 3, n_labels), np.float64),
            np.empty((threads, 4, n_labels), np.int32),
            np.empty((threads, len(families.extra)), np.float64),
            np.empty((threads, len(families.bounds), BLOCK), np.bool_),
        )


@kernel(fastmath=False)
def project_forest(
    v: NDArray[np.float64],
    z: NDArray[np.float64],
    nodes: NDArray[np.int32],
    child_start: NDArray[np.int32],
    child: NDArray[np.int32],
    count: NDArray[np.float64],
    links: NDArray[np.int32],
) -> None:
    """Write into `z` the projection of `v` on the forest of `nodes`; `count` and `links` are work space.

    Children stand before their parents. Every node heads a block, and below a block lie others: at first those that the
    node's children head. While the highest of these stands above the node's own value, the node absorbs it and inherits
    the blocks below it. Most nodes stand above all their children, and cost a comparison for each.
    """
    first, last, following, head = links[0], links[1], links[2], links[3]
    absorbed = 0
    for node in nodes:
        own = v[node]
        z[node] = own
        head[node] = -1
        count[node] = 0.0  # what lies below is not listed
        violated = False
        for k in range(child_start[node], child_start[node + 1]):
            violated |= z[child[k]] > own
        if not violated:
            continue
        list_children(node, child_start, child, count, links)
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
            if count[highest] == 0.0:
                list_children(highest, child_start, child, count, links)
            total = count[node] + count[highest]
            z[node] += (z[highest] - z[node]) * (count[highest] / total)
            count[node] = total
            head[highest] = node
            absorbed += 1
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
    if absorbed > 0:
        for node in nodes[::-1]:
            if head[node] >= 0:
                z[node] = z[head[node]]


@kernel(fastmath=False)
def list_children(
    node: int,
    child_start: NDArray[np.int32],
    child: NDArray[np.int32],
    count: NDArray[np.float64],
    links: NDArray[np.int32],
) -> None:
    """Link the blocks below a block of one node: those that its children head."""
    first, last, following = links[0], links[1], links[2]
    previous = -1
    first[node] = -1
    for k in range(child_start[node], child_start[node + 1]):
        if previous < 0:
            first[node] = child[k]
        else:
            following[previous] = child[k]
        previous = child[k]
        following[previous] = -1
    last[node] = previous
    count[node] = 1.0


@kernel(fastmath=False)
def project_families(
    Z: FloatArray,
    rows: NDArray[np.int32],
    extra_multipliers: FloatArray,
    unsettled: BoolArray,
    far: float,
    families: Families,
    workspace: Workspace,
    thread: int,
    tol: float,
    max_sweeps: int,
) -> None:
    """Project the unsettled families of a block Z in place; `rows` says where the multipliers of its rows are.

    Labels at -far and far are settled (see `kernels.settling`) and take no part. Sums are float64 whatever the
    precision of Z: the multipliers of a float32 problem stay consistent. The last rounding of the extra edges is
    removed, so that the rows are feasible exactly. All in one function, because a call for each family costs more than
    its projection.
    """
    v, z, count = workspace.values[thread, 0], workspace.values[thread, 1], workspace.values[thread, 2]
    links, multipliers = workspace.links[thread], workspace.multipliers[thread]
    edges, extra = families.edges, families.extra
    for family in range(len(families.bounds)):
        bounds = families.bounds[family]
        members = families.nodes[bounds[0, 0] : bounds[0, 1]]
        start, stop = bounds[2]
        for r in range(len(rows)):
            i = rows[r]
            if not unsettled[family, r]:
                for e in range(start, stop):
                    extra_multipliers[i, e] = 0
                continue
            scale = 1.0
            for j in members:
                v[j] = Z[r, j]
                if abs(v[j]) < far:
                    scale = max(scale, abs(v[j]))
            for e in range(start, stop):
                open_ends = abs(v[extra[e, 0]]) < far and abs(v[extra[e, 1]]) < far
                multipliers[e] = extra_multipliers[i, e] if open_ends else 0.0
            for e in range(start, stop):
                v[extra[e, 1]] += multipliers[e]
                v[extra[e, 0]] -= multipliers[e]
            project_forest(v, z, members, families.child_start, families.child, count, links)
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
                    project_forest(v, z, members, families.child_start, families.child, count, links)
                if largest <= tol * scale:
                    break
            for j in members:
                Z[r, j] = z[j]
            if stop > start:
                for e in range(start, stop):
                    extra_multipliers[i, e] = multipliers[e]
                for e in range(bounds[1, 0], bounds[1, 1]):
                    Z[r, edges[e, 0]] = min(Z[r, edges[e, 0]], Z[r, edges[e, 1]])


@kernel(fastmath=False)
def project_block(
    block: int,
    scores: FloatArray,
    extra_multipliers: FloatArray,
    families: Families,
    workspace: Workspace,
    thread: int,
    tol: float,
    max_sweeps: int,
) -> None:
    """Project one block of the rows of `scores` in place."""
    unsettled, edges = workspace.unsettled[thread], families.edges
    rows = np.arange(block * BLOCK, min((block + 1) * BLOCK, len(scores)), dtype=np.int32)
    Z = scores[block * BLOCK : (block + 1) * BLOCK]
    for family in range(len(families.bounds)):
        for r in range(len(rows)):
            feasible = True
            for e in range(families.bounds[family, 1, 0], families.bounds[family, 1, 1]):
                feasible &= Z[r, edges[e, 0]] <= Z[r, edges[e, 1]]
            unsettled[family, r] = not feasible
    project_families(Z, rows, extra_multipliers, unsettled, np.inf, families, workspace, thread, tol, max_sweeps)


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
    for block in range((len(scores) + BLOCK - 1) // BLOCK):
        project_block(block, scores, extra_multipliers, families, workspace, 0, tol, max_sweeps)


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
    for block in prange((len(scores) + BLOCK - 1) // BLOCK):
        t = get_thread_id()
        project_block(block, scores, extra_multipliers, families, workspace, t, tol, max_sweeps)
