"""The rivals on Corel5k: AP, mAP and seconds at three proportions of missing labels, unfilled and filled.

Their settings were chosen on validation data: a fifth of the training rows loses all its labels, and the best AP on the
labels known there wins. No label of a test row is ever seen by a rival.
"""

from __future__ import annotations

import inspect
import warnings
from itertools import product
from time import perf_counter
from typing import Any

import numpy as np

import tagweave.baselines as baselines
from benchmarks.common import Corel5k, keep, mean_and_deviation, need_shared, table
from tagweave.graphs import InstanceGraph
from tagweave.metrics import average_precision, mean_average_precision

PROPORTIONS = (0.0, 0.5, 0.8)
# SMiLE's package loops over pairs of instances and labels in Python: far too slow for this table.
LEFT_OUT = {"Rival", "SMiLE"}
# Variants of a rival stand beside it under a name of their own; those without an entry run as they are made.
SETTINGS: dict[str, dict[str, dict[str, Any]]] = {
    "FastTag": {
        "FastTag": {"feature_map": "hellinger"},
        "FastTag, rarity": {"feature_map": "hellinger", "weighting": "rarity"},
        "FastTag, rarity, diagonal Q": {
            "feature_map": "hellinger",
            "weighting": "rarity",
            "scatter": "diagonal",
        },
    },
    "KernelRidge": {"KernelRidge chi2": {"kernel": "chi2", "ridge": 0.3}},
    "LEML": {"LEML": {"feature_map": "standard", "lam": 300.0}},
    "MCPos": {"MCPos": {}},
    "MLkNN": {"MLkNN": {"metric": "hellinger", "n_neighbors": 10}},
    "OneVsRestSVM": {"OneVsRestSVM": {"feature_map": "hellinger", "n_jobs": 2}},
    "PerLabelSpreading": {"PerLabelSpreading": {"graph": InstanceGraph(metric="hellinger")}},
}


def rivals() -> dict[str, tuple[Any, dict[str, Any]]]:
    """Return class and settings of all rivals there are, by the name in the table."""
    found: dict[str, tuple[Any, dict[str, Any]]] = {}
    for name in baselines.__all__:
        kind = getattr(baselines, name)
        if name in LEFT_OUT or not inspect.isclass(kind) or not issubclass(kind, baselines.Rival):
            continue
        for title, settings in SETTINGS.get(name, {name: {}}).items():
            found[title] = kind, settings
    return found


def run(seeds: int) -> None:
    need_shared()
    data = Corel5k()
    X, truth = data.features(), data.truth[data.n_train :]
    rows = []
    for (title, (kind, settings)), missing, fill in product(rivals().items(), PROPORTIONS, (False, True)):
        figures: dict[str, list[float]] = {"AP": [], "mAP": [], "seconds": []}
        # Without missing labels every draw is the same.
        for seed in range(seeds if missing else 1):
            model = kind(hierarchy=data.hierarchy, fill=fill, **settings)
            Y = data.labels(missing, seed)
            start = perf_counter()
            with warnings.catch_warnings():
                # With most labels missing a few have no known value; every method gets the same.
                warnings.simplefilter("ignore")
                model.fit(X, Y)
            figures["seconds"].append(perf_counter() - start)
            scores = np.asarray(model.scores_, dtype=np.float64)[data.n_train :]
            figures["AP"].append(average_precision(truth, scores, data.hierarchy))
            figures["mAP"].append(mean_average_precision(truth, scores, data.hierarchy))
        checks = {
            name: float(getattr(model, name)) for name in ("gap_", "gradient_", "residual_") if hasattr(model, name)
        }
        rows.append({"rival": title, "fill": fill, "missing": missing, **figures, **checks})
        keep("rivals", rows)
        print(f"{title} fill={fill} {missing:.0%} done", flush=True)
    table(
        ["rival", "filling", "missing", "AP", "mAP", "seconds"],
        [
            [
                row["rival"],
                row["fill"],
                f"{row['missing']:.0%}",
                mean_and_deviation(row["AP"]),
                mean_and_deviation(row["mAP"]),
                f"{np.mean(row['seconds']):.1f}",
            ]
            for row in rows
        ],
    )
