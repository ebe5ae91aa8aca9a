"""Small studies, and results that cost nothing."""

from __future__ import annotations

import numpy as np
from PIL import Image

from tagweave.datasets import Collection, make_tagged_collection
from tagweave.experiments.cells import Fit
from tagweave.experiments.convergence import ITERATIONS, Trace
from tagweave.experiments.examples import Examples
from tagweave.experiments.experiment import Results
from tagweave.experiments.run_times import Timing
from tagweave.experiments.study import Study

FIGURES = [
    "AP",
    "mAP",
    "AHL",
    "train_AP",
    "train_mAP",
    "hidden_AP",
    "hidden_mAP",
    "F1_provided",
    "F1_missing",
    "F1_test",
    "seconds",
    "gap",
    "n_iter",
]


def photos_in(folder, n):
    """Make small photos, the second of them damaged, the third missing."""
    paths = []
    for i in range(n):
        path = folder / f"photo{i}.png"
        Image.new("RGB", (30, 20), (i % 255, 120, 200)).save(path)
        paths.append(path)
    paths[1].write_bytes(b"no picture")
    paths[2] = None
    return tuple(paths)


def collection(n=120, *, hierarchy=True, photos=None, n_train=None, name="album"):
    made = make_tagged_collection(n, random_state=0)
    return Collection.from_arrays(
        made.X - made.X.min(),
        made.Y,
        name=name,
        hierarchy=made.hierarchy if hierarchy else None,
        labels=None if hierarchy else made.labels,
        n_train=made.n_train if n_train is None else n_train,
        photos=photos,
    )


def study(n=120, **arguments):
    return Study.of(collection(n, **arguments))


def pretend(cells, of):
    """Return results that look like those of the cells, without computing them."""
    return Results({cell: _pretend(cell, of) for cell in cells})


def _pretend(cell, of):
    rng = np.random.default_rng(abs(hash(cell.label)) % 2**32)
    if isinstance(cell, Fit):
        return {figure: float(rng.random()) for figure in FIGURES}
    if isinstance(cell, Timing):
        return {"seconds": rng.random(3).tolist(), "graph_seconds": 0.5}
    if isinstance(cell, Trace):
        n = len(ITERATIONS[cell.solver, cell.start])
        return {
            "iteration": list(ITERATIONS[cell.solver, cell.start]),
            "objective": (10 + np.sort(rng.random(n))[::-1]).tolist(),
            "AP": rng.random(n).tolist(),
            "bound": 9.9,
        }
    assert isinstance(cell, Examples)
    rows = np.flatnonzero(of.test)[:3].tolist()
    return {
        "annotation": [
            {"row": r, "AP": 0.5, "tags": [["sky", 0.9, "hit"], ["<b>", 0.8, "wrong"]], "missed": ["sea"]} for r in rows
        ],
        "retrieval": [
            {
                "label": "sky",
                "AP": 0.5,
                "positives": 3,
                "instances": list(zip(rows, ["hit", "wrong", "unknown"], strict=True)),
            }
        ],
    }
