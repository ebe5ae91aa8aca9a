"""A small collection with all that makes it hard: blanks, whole test rows, labels with several parents."""

from __future__ import annotations

import numpy as np
import pandas as pd

from tagweave import MLMG, MLMGCO, MLMGSL, Hierarchy
from tagweave.graphs import InstanceGraph

LABELS = ("puppy", "cat", "dog", "pet", "animal", "car", "sky")
EDGES = (("puppy", "dog"), ("dog", "pet"), ("dog", "animal"), ("cat", "pet"), ("cat", "animal"))
HIERARCHY = Hierarchy(LABELS, EDGES)
COLUMNS = tuple((LABELS.index(child), LABELS.index(parent)) for child, parent in EDGES)
GRAPH = InstanceGraph(n_neighbors=6, kernel_neighbor=3)

ESTIMATORS = {
    MLMGCO: {"gamma": 0.3},
    MLMGSL: {"gamma0": 0.5, "gamma1": 0.2},
    MLMG: {"gamma": 0.3, "gamma0": 0.5, "gamma1": 0.2},
}


def estimator(kind, **parameters):
    return kind(**{"beta": 1.0, "graph": GRAPH, "hierarchy": COLUMNS, **ESTIMATORS[kind], **parameters})


def collection(seed=0, n=40, n_test=8):
    """Return features, and labels in which the test rows, a third of the rest and most parents are missing."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(0, 4, n)
    X = rng.normal(size=(4, 3))[kinds] + rng.normal(scale=0.6, size=(n, 3))
    leaves = np.eye(4)[kinds] * (rng.uniform(size=(n, 4)) < 0.9)
    Y = np.zeros((n, len(LABELS)))
    Y[:, [LABELS.index(name) for name in ("puppy", "cat", "car", "sky")]] = leaves
    Y = HIERARCHY.fill(Y)
    missing = rng.uniform(size=Y.shape) < np.where(HIERARCHY.is_leaf_or_singleton, 0.3, 0.7)
    Y[missing] = np.nan
    Y[n - n_test :] = np.nan
    return X, Y


def frame(Y, index=None):
    return pd.DataFrame(Y, columns=LABELS, index=index)
