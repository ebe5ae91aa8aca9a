"""Acceptance: the paper's algorithms, with the paper's and the published code's iterations, beside the exact ones."""

from __future__ import annotations

import numpy as np

from benchmarks.common import Corel5k, keep, need_shared, reference_problems, table
from tagweave.labels import POSITIVE, Labels
from tagweave.model import (
    ClassSmoothness,
    HierarchyConstraint,
    InstanceSmoothness,
    LabelConsistency,
    Problem,
    SparseLowRank,
)
from tagweave.solvers import ADMM, FISTA, MethodOfMultipliers, ProjectedGradient, Solution, SparseLowRankADMM

NEVER = 10**9  # certify at the end only: the published code has no certificate to pay for


def run(seeds: int) -> None:
    need_shared()
    arrays, graph, _ = reference_problems()
    labels = Labels(arrays["Y_filled_tau50"])
    consistency = LabelConsistency.from_labels(labels)
    hierarchy = HierarchyConstraint(Corel5k().hierarchy.edge_index, labels.shape[1])
    start = Solution((labels.values == POSITIVE).astype(np.float64))
    rows = []
    for beta, gamma in ((1.0, 0.01), (10.0, 0.1)):
        smoothness = InstanceSmoothness.from_weights(beta, graph)
        classes = ClassSmoothness.from_weights(gamma, arrays["W_C_tau50"])
        models = {
            "MLMG-CO": Problem(labels.shape, (consistency, smoothness, classes)),
            "MLMG-CO + constraint": Problem(labels.shape, (consistency, smoothness, classes), hierarchy),
            "MLMG-SL + constraint": Problem(
                labels.shape, (consistency, smoothness), hierarchy, SparseLowRank(beta, 10 * beta)
            ),
        }
        contests = {
            "MLMG-CO": {
                "projected gradient, 50": ProjectedGradient(check_every=NEVER),
                "the same, exact step always": ProjectedGradient(step_every=1, check_every=NEVER),
                "exact": FISTA(tol=1e-6),
            },
            "MLMG-CO + constraint": {
                "ADMM, 20 x 5 (paper)": ADMM(check_every=NEVER),
                "ADMM, 50 x 10 (published code)": ADMM(max_iter=50, n_inner=10, check_every=NEVER),
                "the same, rho = 1": ADMM(rho=1.0, max_iter=50, n_inner=10, check_every=NEVER),
                "exact": FISTA(tol=1e-6),
            },
            "MLMG-SL + constraint": {
                "ADMM, 20 x 5 (paper)": SparseLowRankADMM(check_every=NEVER),
                "ADMM, 50 x 10": SparseLowRankADMM(max_iter=50, n_inner=10, check_every=NEVER),
                "exact": MethodOfMultipliers(tol=1e-6),
            },
        }
        for model, solvers in contests.items():
            results = {name: solver.solve(models[model], start) for name, solver in solvers.items()}
            optimum = results["exact"].objective
            for name, result in results.items():
                rows.append(
                    {
                        "model": model,
                        "beta": beta,
                        "solver": name,
                        "iterations": result.n_iter,
                        "objective": f"{result.objective:.4f}",
                        "above optimum": f"{result.objective / optimum - 1:.1e}",
                        "certified gap": f"{result.gap:.1e}",
                        "violation as left": f"{result.history.violation[-1]:.1e}",
                        "seconds": f"{result.history.seconds[-1]:.2f}",
                    }
                )
    table(list(rows[0]), [list(row.values()) for row in rows])
    keep("solvers", rows)
