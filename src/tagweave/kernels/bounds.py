"""The sums of the certificate: objective and lower bound of all rows, in float64, without a matrix in between."""

from __future__ import annotations

import numpy as np
from numba import get_thread_id, prange
from numpy.typing import NDArray

from tagweave._typing import BoolArray, Float64Array, FloatArray
from tagweave.kernels.compiling import kernel
from tagweave.kernels.projection import FAR, Families, Workspace, project_families
from tagweave.kernels.rows import BLOCK, Costs, Scratch, Smoothness, label_cost, smooth_block
from tagweave.kernels.settling import mark, push, settle
from tagweave.kernels.turning import turn, turn_back


@kernel(parallel=True)
def bound_rows(
    Z: FloatArray,
    pull: FloatArray,
    costs: Costs,
    smoothness: Smoothness,
    step: float,
    families: Families,
    extra_multipliers: FloatArray,
    tol: float,
    max_sweeps: int,
    workspace: Workspace,
    scratch: Scratch,
    sums: Float64Array,
) -> None:
    """Write into `sums`, for each block of feasible rows, the costs and smoothness, and what the lower bound adds.

    That is the sum of min(0, A - Phi M) - A Z, with A the gradient plus `pull`, if it has any rows. The multipliers M
    are those of a projected gradient step; `extra_multipliers` (of that step) are where the search for them starts.
    """
    n, m = Z.shape
    for block in prange((n + BLOCK - 1) // BLOCK):
        t = get_thread_id()
        mine = scratch.order[: min(BLOCK, n - block * BLOCK)] + np.int32(block * BLOCK)
        gradients, reduced, moved = scratch.gradients[t], scratch.reduced[t], scratch.moved[t]
        turned, up, down = scratch.turned[t], scratch.up[t], scratch.down[t]
        smooth_block(smoothness, Z, mine, gradients, turned, up, moved)
        smooth = 0.0
        for r in range(len(mine)):
            i = mine[r]
            z, A, labels, trust = Z[i], gradients[r], costs.labels[i], costs.row_weight[i]
            row_sum = 0.0
            for j in range(m):
                cost = label_cost(labels[j], costs.r_plus, costs.r_minus) * trust * costs.column_weight[j]
                known = 1.0 if labels[j] == 1 else 0.0
                row_sum += cost * (known - z[j]) + A[j] * z[j]
                A[j] = 2.0 * A[j] - cost
            smooth += row_sum
            if len(pull) > 0:
                for j in range(m):
                    A[j] += pull[i, j]
            for j in range(m):
                reduced[r, j] = A[j]
        if len(families.edges) > 0:
            unsettled = workspace.unsettled[t]
            for r in range(len(mine)):
                for j in range(m):
                    reduced[r, j] = Z[mine[r], j] - step * gradients[r, j]
            turn(reduced, scratch.order[: len(mine)], turned)
            settle(turned, up, down, families.edges)
            push(turned, up, down, families.edges)
            turn_back(turned, reduced)
            for r in range(len(mine)):
                for j in range(m):
                    reduced[r, j] = (Z[mine[r], j] - reduced[r, j]) / step
            mark(turned, up, down, families, unsettled)
            turn_back(turned, moved)
            project_families(moved, mine, extra_multipliers, unsettled, FAR, families, workspace, t, tol, max_sweeps)
            lift(reduced, turned, moved, mine, step, unsettled, families, extra_multipliers)
        beyond = 0.0
        for r in range(len(mine)):
            z, A, A_reduced = Z[mine[r]], gradients[r], reduced[r]
            row_sum = 0.0
            for j in range(m):
                row_sum += min(0.0, A_reduced[j]) - A[j] * z[j]
            beyond += row_sum
        sums[block, 0] = smooth
        sums[block, 1] = beyond


@kernel()
def lift(
    A: Float64Array,
    turned: Float64Array,
    moved: Float64Array,
    rows: NDArray[np.int32],
    step: float,
    unsettled: BoolArray,
    families: Families,
    extra_multipliers: FloatArray,
) -> None:
    """Take Phi M off A, for the multipliers M with which the unsettled families of `turned` went to `moved`."""
    tree_parent = families.tree_parent
    for family in range(len(families.bounds)):
        bounds = families.bounds[family]
        nodes = families.nodes[bounds[0, 0] : bounds[0, 1]]
        for r in range(len(rows)):
            if not unsettled[family, r]:
                continue
            # What the row has lost, without what the extra edges took.
            for j in nodes:
                moved[r, j] = turned[j, r] - moved[r, j]
            for e in range(bounds[2, 0], bounds[2, 1]):
                child, parent = families.extra[e, 0], families.extra[e, 1]
                found = extra_multipliers[rows[r], e]
                moved[r, parent] += found
                moved[r, child] -= found
                A[r, parent] -= found / step
                A[r, child] += found / step
            # What a subtree of the forest has lost can only have gone through the edge above it.
            for child in nodes:
                parent = tree_parent[child]
                if parent >= 0:
                    moved[r, parent] += moved[r, child]
                    found = max(moved[r, child], 0.0) / step
                    A[r, parent] -= found
                    A[r, child] += found
