"""Speed on the reference problems of Corel5k, the graph given, beside our port of the paper's ADMM."""

from __future__ import annotations

import numpy as np

from benchmarks.common import Corel5k, Line, keep, reference_problems, table
from benchmarks.timing import best_of, once
from tagweave import MLMGCO
from tagweave.labels import POSITIVE, Labels
from tagweave.model import ClassSmoothness, HierarchyConstraint, InstanceSmoothness, LabelConsistency, Problem
from tagweave.solvers import ADMM, Solution, certify

# The published code's numbers of iterations; it has no certificate to pay for.
PUBLISHED = ADMM(max_iter=50, n_inner=10, check_every=10**9)
FIRST = "tau50_beta1_gamma0.01"
OCTAVE = 18.0
"""Seconds of the published code under Octave on a quiet machine like the one of the results; cannot be run here."""


def measure(full: bool) -> list[Line]:
    """Time all four problems; the port, which takes long, only on the first unless `full`."""
    arrays, graph, optima = reference_problems()
    hierarchy = Corel5k().hierarchy
    rows, lines = [], []
    for name, (best, _) in optima.items():
        tau, beta, gamma = (part.lstrip("taubemg") for part in name.split("_"))
        labels, W_C = Labels(arrays[f"Y_filled_tau{tau}"]), arrays[f"W_C_tau{tau}"]
        model = MLMGCO(
            float(beta), float(gamma), hierarchy=hierarchy, graph=graph, class_graph=W_C, tol=1e-6, dtype="float32"
        )
        seconds, _ = best_of(5, lambda model=model, labels=labels: model.fit(None, labels))
        row = {
            "problem": name,
            "seconds": seconds,
            "iterations": model.n_iter_,
            "gap": f"{model.gap_:.1e}",
            "above best known": f"{model.objective_ / best - 1:.1e}",
        }
        if full or name == FIRST:
            problem = Problem(
                labels.shape,
                (
                    LabelConsistency.from_labels(labels),
                    InstanceSmoothness.from_weights(float(beta), graph),
                    ClassSmoothness.from_weights(float(gamma), W_C),
                ),
                HierarchyConstraint(hierarchy.edge_index, labels.shape[1]),
            )
            start = Solution((labels.values == POSITIVE).astype(np.float32))
            certify(problem, start)  # compiles
            admm_seconds, result = once(lambda problem=problem, start=start: PUBLISHED.solve(problem, start))
            row |= {
                "ADMM, seconds": admm_seconds,
                "ADMM, gap": f"{result.gap:.1e}",
                "ADMM, above best known": f"{result.objective / best - 1:.1e}",
                "ratio": admm_seconds / seconds,
            }
            lines += lines_of(name, seconds, admm_seconds, model.gap_) if name == FIRST else []
        rows.append(row)
    print("Fit of MLMGCO with hierarchy, float32, to a certified gap of 1e-6; best of 5, kernels warm.")
    print("ADMM: our port, float32, 50 iterations of 10 gradient steps, as the published code has it.\n")
    header = list(rows[0])
    table(header, [[row.get(key, "") for key in header] for row in rows])
    keep("corel5k" if full else "corel5k-short", rows)
    return lines


def lines_of(name: str, seconds: float, admm_seconds: float, gap: float) -> list[Line]:
    what, port = f"Corel5k, CO + constraint, {name}, to gap 1e-6", "our port of the ADMM, 50 x 10"
    solved = gap <= 1e-6
    return [
        Line(what, seconds, "s", "at most", 0.5, "0.5 s", solved and seconds <= 0.5),
        Line(what, seconds, "s", port, admm_seconds, "40 times", solved and admm_seconds >= 40 * seconds),
        Line(port, admm_seconds, "s", "published code, Octave", OCTAVE, "no slower", admm_seconds <= OCTAVE),
    ]
