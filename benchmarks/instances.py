"""Generated problems of any size: clustered instances, labels under a hierarchy, no search for neighbours.

The graph is local: a ring of clusters of 50, about 20 neighbours an instance, a fifth of them in one of the twenty
clusters to either side. The labels have the statistics of Corel5k: half of them singletons, the others in a hierarchy
of depth 4 in which a tenth has two parents; about five positives an instance, few labels frequent and most of them
rare. Half of the entries of leaves and singletons are missing, and all labels of a tenth of the instances.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from tagweave import Hierarchy
from tagweave.graphs import ClassGraph
from tagweave.labels import MISSING, Labels

CLUSTER = 50
DRAWN = 12  # neighbours an instance draws; it has those that draw it as well
ELSEWHERE, REACH = 0.2, 20  # how many of them in other clusters, and how far off
_ROWS = 4096
_SAMPLE = 20_000  # rows of which the class graph is made


@dataclass(frozen=True)
class Collection:
    """All that is given."""

    labels: Labels
    hierarchy: Hierarchy
    graph: sparse.csr_array[Any]
    class_graph: sparse.csr_array[Any]


def collection(n: int, m: int, *, seed: int = 0, shuffled: bool = True) -> Collection:
    """Make one, its instances stored in random order unless told otherwise."""
    rng = np.random.default_rng(seed)
    hierarchy = random_hierarchy(m, rng)
    # An instance stands somewhere on the ring, and is stored somewhere else.
    stored = rng.permutation(n).astype(np.int32) if shuffled else np.arange(n, dtype=np.int32)
    graph = ring_of_clusters(stored, rng)
    labels = cluster_labels(stored, hierarchy, rng)
    class_graph = ClassGraph().build(labels.values[: min(n, _SAMPLE)])
    return Collection(labels, hierarchy, graph, class_graph)


def random_hierarchy(m: int, rng: np.random.Generator) -> Hierarchy:
    """Half of the labels in four levels, every tenth of those below the first with two parents."""
    columns = rng.permutation(m)[: m // 2]
    levels = np.split(columns, np.cumsum([len(columns) * part // 20 for part in (3, 9, 6)]))
    edges = [
        (int(child), int(parent))
        for above, level in pairwise(levels)
        for child in level
        for parent in rng.choice(above, min(len(above), 1 + (rng.random() < 0.1)), replace=False)
    ]
    return Hierarchy(range(m), edges)


def ring_of_clusters(stored: np.ndarray, rng: np.random.Generator) -> sparse.csr_array[Any]:
    """Weights between 1/e^2 and 1, or sums of those."""
    n = len(stored)
    place = np.repeat(np.arange(n, dtype=np.int32), DRAWN)
    away = rng.integers(-REACH, REACH + 1, len(place), dtype=np.int32)
    away[rng.random(len(place), dtype=np.float32) >= ELSEWHERE] = 0
    n_clusters = -(-n // CLUSTER)
    drawn = (place // CLUSTER + away) % n_clusters * CLUSTER + rng.integers(CLUSTER, size=len(place), dtype=np.int32)
    np.minimum(drawn, n - 1, out=drawn)
    other = drawn != place
    rows, columns = stored[place[other]], stored[drawn[other]]
    weights = np.exp(-2 * rng.random(len(rows)))
    half = sparse.coo_array((weights, (rows, columns)), shape=(n, n)).tocsr()
    graph = sparse.csr_array(half + half.T)
    graph.sort_indices()
    return graph


def cluster_labels(stored: np.ndarray, hierarchy: Hierarchy, rng: np.random.Generator) -> Labels:
    """Each instance has most of its cluster's labels, sometimes one of its own, and the ancestors of all."""
    n, m = len(stored), hierarchy.n_labels
    popular = 1.0 / (10 + rng.permutation(m))
    prototypes = rng.choice(m, (-(-n // CLUSTER), 4), p=popular / popular.sum())
    hidden = np.flatnonzero(hierarchy.is_leaf_or_singleton)
    upwards = hierarchy.edge_index[::-1]  # children before their parents' parents
    values = np.empty((n, m), dtype=np.int8)
    for start in range(0, n, _ROWS):
        places = np.arange(start, min(n, start + _ROWS))
        block = np.zeros((len(places), m), dtype=np.int8)
        own = np.flatnonzero(rng.random(len(places)) < 0.3)
        rows, which = np.nonzero(rng.random((len(places), prototypes.shape[1])) < 0.7)
        block[rows, prototypes[places[rows] // CLUSTER, which]] = 1
        block[own, rng.integers(m, size=len(own))] = 1
        for child, parent in upwards:
            block[:, parent] |= block[:, child]
        mask = np.zeros((len(places), m), dtype=bool)
        mask[:, hidden] = rng.integers(2, size=(len(places), len(hidden)), dtype=np.int8)
        mask[rng.random(len(places)) < 0.1] = True
        block[mask] = MISSING
        values[stored[places]] = block
    return Labels(values)
