"""Where the defaults of the graph and kernel rivals come from: AP on hidden training rows, test rows unseen.

A fifth of the training rows loses all its labels; what was known there is what is judged, as in `tuned`.
"""

from __future__ import annotations

import warnings
from itertools import product

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from benchmarks.common import Corel5k, keep, mean_and_deviation, need_shared, table
from tagweave.baselines import KDE, MLRGL, FeatureKernel, MLMLAppro, MLMLExact
from tagweave.graphs import InstanceGraph
from tagweave.metrics import average_precision
from tagweave.missing import hide_instances

BANDWIDTHS = (0.3, 1.0)
PROPORTIONS = (0.0, 0.5)


def candidates(W, K):
    """Yield a name and a model for each point of the grids."""
    for kind, beta, gamma in product((MLMLExact, MLMLAppro), (0.1, 0.3, 1.0, 3.0), (0.0, 0.03, 0.1, 0.3)):
        yield f"{kind.__name__} beta={beta} gamma={gamma}", kind(beta, gamma, W, tol=1e-4)
    for alpha, n_components, bandwidth in product((0.1, 0.3, 1.0), (None, 50), BANDWIDTHS):
        yield f"KDE {alpha=} {n_components=} {bandwidth=}", KDE(alpha, n_components, K[bandwidth])
    for C, bandwidth in product((0.1, 0.3, 1.0), BANDWIDTHS):
        yield f"MLRGL {C=} {bandwidth=}", MLRGL(C, K[bandwidth], tol=0.02, max_iter=30)


def run(seeds: int) -> None:
    need_shared()
    data = Corel5k()
    X = data.features()
    W = InstanceGraph().build(X)
    K = {bandwidth: FeatureKernel(bandwidth=bandwidth).build(X) for bandwidth in BANDWIDTHS}
    rows = []
    for missing, seed in product(PROPORTIONS, range(seeds)):
        Y = data.labels(missing, seed)
        train, hidden = hide_instances(Y[: data.n_train], 0.2, random_state=seed)
        known_part = np.vstack([train, Y[data.n_train :]])
        truth = data.hierarchy.fill(Y[hidden])
        known = ~np.isnan(truth)
        for name, model in candidates(W, K):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                scores = model.set_params(hierarchy=data.hierarchy).fit(X, known_part).scores_[hidden]
            # What is not known is ranked last, where it can neither help nor harm.
            found = average_precision(np.where(known, truth, 0), np.where(known, scores, -np.inf), data.hierarchy)
            rows.append({"missing": missing, "seed": seed, "model": name, "AP": found})
            keep("rivals_graph_tuning", rows)
    names = list(dict.fromkeys(row["model"] for row in rows))
    lines = []
    for name in names:
        found = [[row["AP"] for row in rows if (row["model"], row["missing"]) == (name, p)] for p in PROPORTIONS]
        lines.append([name, *(mean_and_deviation(each) for each in found)])
    table(["model", *(f"AP at {missing:.0%}" for missing in PROPORTIONS)], lines)
