"""What projection and clip will send to 0 or to 1, found for a whole block of rows by sums along the edges.

The projection clipped to [0, 1] is positive on the best closed set: closed, since with a child it has to hold the
parents, and best by the sum of its scores. What a node can add to such a set is at most its own score and what each
child can add, where that is positive. Where this is not positive, the node is 0, and with it all of its descendants;
the same upside down finds the ones. On a forest no zero is overlooked; what is, with several parents or among the ones,
is left to the projection of the row.

Blocks are turned: a line for each label, in it a score for each row of the block.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tagweave._typing import BoolArray, FloatArray
from tagweave.kernels.compiling import kernel
from tagweave.kernels.projection import FAR, Families
from tagweave.kernels.rows import BLOCK


@kernel()
def settle(v: FloatArray, gain: FloatArray, lack: FloatArray, edges: NDArray[np.int32]) -> None:
    """Write sums into `gain`, not positive where v goes to 0, and into `lack`, not positive where v goes to 1."""
    zero, one = v.dtype.type(0), v.dtype.type(1)
    for j in range(len(v)):
        value, up, down = v[j], gain[j], lack[j]
        for r in range(BLOCK):
            up[r] = value[r]
            down[r] = one - value[r]
    for e in range(len(edges) - 1, -1, -1):
        child, parent = gain[edges[e, 0]], gain[edges[e, 1]]
        for r in range(BLOCK):
            parent[r] += max(child[r], zero)
    for e in range(len(edges)):
        child, parent = gain[edges[e, 0]], gain[edges[e, 1]]
        for r in range(BLOCK):
            child[r] = min(child[r], zero) if parent[r] <= zero else child[r]
        child, parent = lack[edges[e, 0]], lack[edges[e, 1]]
        for r in range(BLOCK):
            child[r] += max(parent[r], zero)
    for e in range(len(edges) - 1, -1, -1):
        child, parent = lack[edges[e, 0]], lack[edges[e, 1]]
        for r in range(BLOCK):
            parent[r] = min(parent[r], zero) if child[r] <= zero else parent[r]


@kernel()
def push(v: FloatArray, gain: FloatArray, lack: FloatArray, edges: NDArray[np.int32]) -> None:
    """Move what settled children have beyond 0 to parents at 0, and what parents lack to 1 to children at 1.

    So v becomes v + Phi M with the multipliers M >= 0 of the settled part: not positive at 0, not below 1 at 1.
    """
    zero, one = v.dtype.type(0), v.dtype.type(1)
    for e in range(len(edges) - 1, -1, -1):
        child, parent = v[edges[e, 0]], v[edges[e, 1]]
        low_child, low_parent = gain[edges[e, 0]], gain[edges[e, 1]]
        for r in range(BLOCK):
            moved = max(child[r], zero) if low_child[r] <= zero and low_parent[r] <= zero else zero
            parent[r] += moved
            child[r] -= moved
    for e in range(len(edges)):
        child, parent = v[edges[e, 0]], v[edges[e, 1]]
        high_child, high_parent = lack[edges[e, 0]], lack[edges[e, 1]]
        for r in range(BLOCK):
            moved = max(one - parent[r], zero) if high_child[r] <= zero and high_parent[r] <= zero else zero
            parent[r] += moved
            child[r] -= moved


@kernel()
def mark(v: FloatArray, gain: FloatArray, lack: FloatArray, families: Families, unsettled: BoolArray) -> None:
    """Move what is settled to -FAR and FAR; say which families of which rows are infeasible all the same."""
    zero, one, far = v.dtype.type(0), v.dtype.type(1), v.dtype.type(FAR)
    for j in range(len(v)):
        value, up, down = v[j], gain[j], lack[j]
        for r in range(BLOCK):
            value[r] = -far if up[r] <= zero else (far if down[r] <= zero else value[r])
    unsettled[:] = False
    edges = families.edges
    for family in range(len(families.bounds)):
        above = unsettled[family]
        for e in range(families.bounds[family, 1, 0], families.bounds[family, 1, 1]):
            child, parent = v[edges[e, 0]], v[edges[e, 1]]
            for r in range(BLOCK):
                # What the clip alone makes feasible stays: nothing feasible within [0, 1] is nearer.
                above[r] |= (child[r] > parent[r]) & (child[r] > zero) & (parent[r] < one)
