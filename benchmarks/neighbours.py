"""Acceptance: neighbours of 20,000 generated instances by four ways, and the graphs of Corel5k from their features."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np
from sklearn.neighbors import NearestNeighbors

from benchmarks.common import SHARED, Corel5k, keep, table
from tagweave.graphs import InstanceGraph
from tagweave.graphs.approximate import load_faiss
from tagweave.graphs.distances import check_features
from tagweave.graphs.neighbours import search

N, K = 20_000, 20
WIDTHS = (1000, 4096)


def run(seeds: int) -> None:
    rows = [row for width in WIDTHS for row in contest(width)]
    print(f"{N} generated instances, float32, in 200 overlapping Gaussian clusters; the {K} nearest of each.\n")
    table(list(rows[0]), [list(row.values()) for row in rows])
    graphs = corel5k_graphs() if (SHARED / "data" / "corel5k").is_dir() else []
    if graphs:
        print("\nCorel5k DenseSift (4999 x 1000), features to weights, best of 3.\n")
        table(list(graphs[0]), [list(row.values()) for row in graphs])
    keep("neighbours", {"generated": rows, "corel5k": graphs})


def clusters(n: int, width: int, seed: int = 0) -> np.ndarray:
    """Isotropic Gaussians around 200 centres, as far apart as they are wide."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((200, width), dtype=np.float32)
    return centres[rng.integers(200, size=n)] + np.float32(0.7) * rng.standard_normal((n, width), dtype=np.float32)


def contest(width: int) -> list[dict[str, object]]:
    """Time the ways on the same features, scikit-learn first; recall is that against scikit-learn's distances."""
    X = clusters(N, width)
    ways = {
        "scikit-learn, brute": by_scikit_learn,
        "Tagweave, exact": lambda X: by_tagweave(X, "exact"),
        "blocks of products, NumPy": by_numpy,
    }
    faiss = load_faiss()
    if faiss is not None:
        ways["faiss.knn, exact"] = lambda X: faiss.knn(X, X, K + 1)[1][:, 1:]
        ways["Tagweave, approximate (faiss HNSW)"] = lambda X: by_tagweave(X, "approximate")
    by_tagweave(X[:1000], "exact")  # compiles
    rows: list[dict[str, object]] = []
    truth, slowest = np.empty(0), 0.0
    for name, way in ways.items():
        neighbours, seconds = timed(lambda way=way: way(X))
        slowest = slowest or seconds
        distances = distances_of(X, neighbours[:500])
        truth = truth if truth.size else distances.max(axis=1, keepdims=True) * (1 + 1e-6)
        rows.append(
            {
                "features": width,
                "by": name,
                "seconds": round(seconds, 2),
                "times as fast as scikit-learn": round(slowest / seconds, 2),
                "recall": f"{np.mean(distances <= truth):.4f}",
            }
        )
    return rows


def by_scikit_learn(X: np.ndarray) -> np.ndarray:
    return NearestNeighbors(n_neighbors=K, algorithm="brute").fit(X).kneighbors(return_distance=False)


def by_tagweave(X: np.ndarray, method: str) -> np.ndarray:
    return search(check_features(X), K, "euclidean", None, method)[1]


def by_numpy(X: np.ndarray) -> np.ndarray:
    """What one would write down: a block of products at a time, then a partition."""
    norms = np.square(X).sum(axis=1)
    found = np.empty((len(X), K), np.intp)
    for start in range(0, len(X), 1024):
        block = norms - 2 * (X[start : start + 1024] @ X.T)
        block[np.arange(len(block)), np.arange(start, start + len(block))] = np.inf
        found[start : start + 1024] = np.argpartition(block, K, axis=1)[:, :K]
    return found


def distances_of(X: np.ndarray, neighbours: np.ndarray) -> np.ndarray:
    """Distances of the first instances to their neighbours, in float64."""
    rows = [np.linalg.norm(X[who].astype(float) - X[i].astype(float), axis=1) for i, who in enumerate(neighbours)]
    return np.array(rows)


def corel5k_graphs() -> list[dict[str, object]]:
    X = Corel5k().features()
    rows: list[dict[str, object]] = []
    for metric in ("euclidean", "cosine", "hellinger", "chi2"):
        for dtype in (np.float32, np.float64):
            features = X.astype(dtype)
            graph = InstanceGraph(metric=metric)
            seconds = min(timed(lambda graph=graph, features=features: graph.build(features))[1] for _ in range(3))
            rows.append({"metric": metric, "features": np.dtype(dtype).name, "seconds": round(seconds, 3)})
    return rows


def timed(work: Callable[[], np.ndarray]) -> tuple[np.ndarray, float]:
    started = perf_counter()
    result = work()
    return result, perf_counter() - started
