"""One step of accelerated projected gradient, all of it in one pass over the rows."""

from __future__ import annotations

import numpy as np
from numba import get_thread_id, prange
from numpy.typing import NDArray

from tagweave._typing import Float64Array, FloatArray
from tagweave.kernels.compiling import kernel
from tagweave.kernels.projection import FAR, Families, Workspace, project_families
from tagweave.kernels.rows import BLOCK, Costs, Scratch, Smoothness, label_cost, smooth_block, turn, turn_back
from tagweave.kernels.settling import mark, settle


@kernel(parallel=True)
def step_rows(
    rows: NDArray[np.int32],
    ahead: FloatArray,
    Z: FloatArray,
    following: FloatArray,
    pull: FloatArray,
    costs: Costs,
    smoothness: Smoothness,
    step: float,
    weight: float,
    families: Families,
    extra_multipliers: FloatArray,
    tol: float,
    max_sweeps: int,
    workspace: Workspace,
    scratch: Scratch,
    ascents: Float64Array,
) -> None:
    """Move the given rows from `ahead` down the gradient and project them: into Z, and extrapolated into `following`.

    `pull` is added to the gradient, if it has any rows. `ascents` takes, for each block of rows,
    <ahead - new, new - Z>: positive where the momentum points uphill.
    """
    m = Z.shape[1]
    dtype = Z.dtype.type
    zero, one, two = dtype(0), dtype(1), dtype(2)
    eta, momentum = dtype(step), dtype(weight)
    r_plus, r_minus = dtype(costs.r_plus), dtype(costs.r_minus)
    for block in prange((len(rows) + BLOCK - 1) // BLOCK):
        t = get_thread_id()
        mine = rows[block * BLOCK : (block + 1) * BLOCK]
        moved, turned, up, down = scratch.gradients[t], scratch.turned[t], scratch.up[t], scratch.down[t]
        smooth_block(smoothness, ahead, mine, moved, turned, up)
        for r in range(len(mine)):
            i = mine[r]
            row, start, labels, trust = moved[r], ahead[i], costs.labels[i], eta * dtype(costs.row_weight[i])
            for j in range(m):
                cost = label_cost(labels[j], r_plus, r_minus) * dtype(costs.column_weight[j])
                row[j] = start[j] - eta * two * row[j] + trust * cost
            if len(pull) > 0:
                for j in range(m):
                    row[j] -= eta * pull[i, j]
        if len(families.edges) > 0:
            unsettled = workspace.unsettled[t]
            turn(moved, scratch.order[: len(mine)], turned)
            settle(turned, up, down, families.edges)
            mark(turned, up, down, families, unsettled)
            turn_back(turned, len(mine), moved)
            project_families(moved, mine, extra_multipliers, unsettled, FAR, families, workspace, t, tol, max_sweeps)
        ascent = 0.0
        for r in range(len(mine)):
            row, start, old, extrapolated = moved[r], ahead[mine[r]], Z[mine[r]], following[mine[r]]
            uphill = zero
            for j in range(m):
                new = min(max(row[j], zero), one)
                change = new - old[j]
                uphill += (start[j] - new) * change
                extrapolated[j] = new + momentum * change
                old[j] = new
            ascent += float(uphill)
        ascents[block] = ascent
