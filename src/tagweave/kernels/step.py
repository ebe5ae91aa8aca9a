"""One step of accelerated projected gradient, all of it in one pass over the rows."""

from __future__ import annotations

import numpy as np
from numba import get_thread_id, prange
from numpy.typing import NDArray

from tagweave._typing import Float64Array, FloatArray
from tagweave.kernels.compiling import kernel
from tagweave.kernels.projection import FAR, Families, Workspace, project_families
from tagweave.kernels.rows import BLOCK, Costs, Scratch, Smoothness, gather_block, label_cost, mix_classes
from tagweave.kernels.settling import mark, settle
from tagweave.kernels.turning import turn, turn_back


@kernel(parallel=True)
def step_rows(
    rows: NDArray[np.int32],
    ahead: FloatArray,
    Z: FloatArray,
    following: FloatArray,
    pull: FloatArray,
    costs: Costs,
    smoothness: Smoothness,
    shift: float,
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

    To the gradient comes `pull`, if it has any rows, and `shift` everywhere. `ascents` takes, for each block of rows,
    <ahead - new, new - Z>: positive where the momentum points uphill.
    """
    m = Z.shape[1]
    dtype = Z.dtype.type
    zero, one, two = dtype(0), dtype(1), dtype(2)
    eta, momentum, away = dtype(step), dtype(weight), dtype(step * shift)
    r_plus, r_minus = dtype(costs.r_plus), dtype(costs.r_minus)
    # Asked once: the same question again inside of the loop was answered wrongly (Numba 0.68).
    mixed, constrained = len(smoothness.class_data) > 0, len(families.edges) > 0
    for block in prange((len(rows) + BLOCK - 1) // BLOCK):
        t = get_thread_id()
        mine = rows[block * BLOCK : (block + 1) * BLOCK]
        moved, turned, up, down = scratch.moved[t], scratch.turned[t], scratch.up[t], scratch.down[t]
        unsettled = workspace.unsettled[t]
        gather_block(smoothness, ahead, mine, moved)
        for r in range(len(mine)):
            i = mine[r]
            row, start, labels, trust = moved[r], ahead[i], costs.labels[i], eta * dtype(costs.row_weight[i])
            for j in range(m):
                cost = label_cost(labels[j], r_plus, r_minus) * dtype(costs.column_weight[j])
                row[j] = start[j] - eta * two * row[j] + trust * cost - away
            if len(pull) > 0:
                for j in range(m):
                    row[j] -= eta * pull[i, j]
        if mixed or constrained:
            turn(moved, scratch.order[: len(mine)], turned)
            if mixed:
                turn(ahead, mine, up)
                mix_classes(smoothness, -2.0 * step, up, turned)
            if constrained:
                settle(turned, up, down, families.edges)
                mark(turned, up, down, families, unsettled)
            turn_back(turned, moved)
        if constrained:
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
