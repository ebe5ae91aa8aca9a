"""Tables 1 and 2: the hierarchy and the data in figures, beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from tagweave._typing import Int8Array
from tagweave.experiments.cells import Cell
from tagweave.experiments.experiment import Experiment, Plan, Results
from tagweave.experiments.parts import Section, Table
from tagweave.experiments.study import Study
from tagweave.labels import POSITIVE

PUBLISHED_HIERARCHIES: Mapping[str, tuple[int, ...]] = {
    "corel5k": (260, 138, 37, 98, 99, 5),
    "espgame": (268, 129, 41, 92, 120, 4),
    "iaprtc12": (291, 179, 36, 132, 98, 4),
    "mediamill": (101, 63, 14, 52, 30, 3),
}
"""Nodes, edges, roots, leaves, singletons, depth: the paper's Table 1."""

PUBLISHED_LABELS: Mapping[str, Mapping[str, tuple[float, float, float]]] = {
    "corel5k": {"original": (3.40, 65.30, 1.31), "complete": (4.84, 93.06, 1.86)},
    "mediamill": {"original": (4.38, 1902, 4.33), "complete": (6.17, 2680, 6.10)},
    "espgame": {"original": (4.69, 363.2, 1.75), "complete": (7.27, 563.6, 2.71)},
    "iaprtc12": {"original": (5.72, 385.71, 1.97), "complete": (9.88, 666.3, 3.39)},
}
"""Positives of an instance, positives of a class, percent of positives: the paper's Table 2."""


class HierarchyTable(Experiment):
    """Table 1: what the hierarchy consists of."""

    name: ClassVar[str] = "hierarchy"
    title: ClassVar[str] = "The hierarchy in figures"
    paper: ClassVar[str] = "Table 1"
    needs: ClassVar[frozenset[str]] = frozenset({"a hierarchy"})

    def cells(self, study: Study, plan: Plan) -> list[Cell]:
        """Return none: counting takes no time."""
        return []

    def section(self, study: Study, plan: Plan, results: Results) -> Section:
        """Count."""
        figures = study.hierarchy.statistics()
        names = ("nodes", "edges", "roots", "leaves", "singletons", "depth")
        ours = tuple(int(getattr(figures, name)) for name in names)
        rows = [[study.name, *map(str, ours)]]
        text = []
        if published := PUBLISHED_HIERARCHIES.get(study.name):
            rows.append(["the paper", *map(str, published)])
            differing = [name for name, a, b in zip(names, ours, published, strict=True) if a != b]
            text.append(
                f"They differ from the paper's in: {', '.join(differing)}. Depth is counted in labels on the longest "
                "path from a root to a leaf."
                if differing
                else "They are the paper's."
            )
        table = Table("Labels and edges of the hierarchy", ["collection", *names], rows)
        return self._section(text, [table], [{"collection": study.name, **dict(zip(names, ours, strict=True))}])


class DataTable(Experiment):
    """Table 2: how many instances, features and labels, and how full the label matrix is."""

    name: ClassVar[str] = "data"
    title: ClassVar[str] = "The data in figures"
    paper: ClassVar[str] = "Table 2"
    needs: ClassVar[frozenset[str]] = frozenset()

    def cells(self, study: Study, plan: Plan) -> list[Cell]:
        """Return none: counting takes no time."""
        return []

    def section(self, study: Study, plan: Plan, results: Results) -> Section:
        """Count."""
        n, m = study.given.shape
        n_test = int(study.test.sum())
        features = "none" if study.X is None else f"{study.X.shape[1]} ({study.view})"
        matrices = {"original": study.given, "complete": study.truth}
        found = {kind: fullness(matrix) for kind, matrix in matrices.items()}
        rows: list[Sequence[str]] = [
            [f"{kind} labels", f"{per_instance:.2f}", f"{per_label:.2f}", f"{percent:.2f} %"]
            for kind, (per_instance, per_label, percent) in found.items()
        ]
        # A sample has fewer instances of each label than the paper counts.
        for kind, published in ({} if plan.quick else PUBLISHED_LABELS.get(study.name, {})).items():
            rows.append([f"the paper, {kind}", f"{published[0]:.2f}", f"{published[1]:.2f}", f"{published[2]:.2f} %"])
        sizes = Table(
            "Sizes",
            ["collection", "instances", "to learn from", "to judge", "labels", "features"],
            [[study.name, str(n), str(n - n_test), str(n_test), str(m), features]],
        )
        columns = ["label matrix", "positives per instance", "positives per label", "of all entries"]
        data = [
            {"labels": kind, "per_instance": values[0], "per_label": values[1], "percent": values[2]}
            for kind, values in found.items()
        ]
        text = [f"{study.note[0].upper()}{study.note[1:]}."]
        return self._section(text, [sizes, Table("How full the label matrix is", columns, rows)], data)


def fullness(states: Int8Array) -> tuple[float, float, float]:
    """Return positives of an instance and of a label on average, and their percentage.

    Examples
    --------
    >>> fullness(np.array([[1, 0], [1, 1]], dtype=np.int8))
    (1.5, 1.5, 75.0)
    """
    positives = int(np.count_nonzero(states == POSITIVE))
    return positives / states.shape[0], positives / states.shape[1], 100 * positives / states.size
