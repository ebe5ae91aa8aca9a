"""Acceptance: the objective reaches the certified optima of the reference problems, float64 and float32."""

from __future__ import annotations

from benchmarks.common import Corel5k, keep, need_shared, reference_problems, table
from tagweave import MLMGCO


def run(seeds: int) -> None:
    need_shared()
    arrays, graph, optima = reference_problems()
    hierarchy = Corel5k().hierarchy
    rows = []
    for name, (best, bound) in optima.items():
        tau, beta, gamma = (part.lstrip("taubemg") for part in name.split("_"))
        Y = arrays[f"Y_filled_tau{tau}"].astype(float)
        Y[Y < 0] = float("nan")
        for dtype in ("float64", "float32"):
            model = MLMGCO(
                float(beta),
                float(gamma),
                hierarchy=hierarchy,
                graph=graph,
                class_graph=arrays[f"W_C_tau{tau}"],
                tol=1e-7,
                dtype=dtype,
            ).fit(None, Y)
            lower = model.objective_ * (1 - model.gap_)
            rows.append(
                {
                    "problem": name,
                    "dtype": dtype,
                    "relative_error": (model.objective_ - best) / best,
                    "gap": model.gap_,
                    "bound_valid": bool(lower <= best and model.objective_ >= bound),
                    "violation": hierarchy.violation(model.scores_),
                    "lowest": float(model.scores_.min()),
                    "highest": float(model.scores_.max()),
                    "iterations": model.n_iter_,
                    "seconds": model.history_.seconds[-1],
                }
            )
    table(list(rows[0]), [list(row.values()) for row in rows])
    keep("optima", rows)
