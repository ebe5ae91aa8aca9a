"""Figs. 11 to 14: what the answers look like, tags of a photo and photos of a tag."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tagweave._typing import FloatArray
from tagweave.experiments.cells import Cell, Result, fit_quietly
from tagweave.experiments.experiment import Experiment, Plan, Results
from tagweave.experiments.methods import Params, method
from tagweave.experiments.parts import Gallery, Picture, Section, Verdict
from tagweave.experiments.study import Draw, Study
from tagweave.labels import MISSING, POSITIVE
from tagweave.metrics import average_precision, rank_instances, rank_labels

MODEL = "MLMG-SL"

# A photo of the worst tenth is as telling as one of the best: neither is picked by hand.
_ROW_QUANTILES = np.linspace(0.97, 0.03, 12)
_LABEL_QUANTILES = np.linspace(0.97, 0.1, 8)

_FEWEST_POSITIVES = 5


@dataclass(frozen=True)
class Examples(Cell):
    """The best labels of some test instances, and the best test instances of some labels.

    Attributes
    ----------
    params : tuple of (name, value)
    draw : Draw
    top_labels, top_instances : int
        How many.
    """

    params: Params
    draw: Draw
    top_labels: int = 8
    top_instances: int = 8

    @property
    def label(self) -> str:
        """What it is, in a few words, for people."""
        return f"examples of {MODEL} + filling + constraint, {self.draw.proportion:.0%} missing"

    @property
    def code(self) -> tuple[str, ...]:
        """The modules of Tagweave on which it depends, beyond the core."""
        return ("experiments.examples",)

    def run(self, study: Study) -> Result:
        """Fit once and take out the examples."""
        model = method(MODEL).make(study, self.params, fill=True, constrain=True)
        fit_quietly(model, study.X, study.labels(self.draw))
        rows = np.flatnonzero(study.test)
        return {
            "annotation": self._annotate(study, model.scores_, rows),
            "retrieval": self._retrieve(study, model.scores_, rows),
        }

    def _annotate(self, study: Study, scores: FloatArray, rows: Any) -> list[dict[str, Any]]:
        rows = _with_photos(study, rows[(study.truth[rows] == POSITIVE).any(axis=1)])
        precisions = [average_precision(study.truth[[r]] == POSITIVE, scores[[r]], study.hierarchy) for r in rows]
        found = []
        for place in _at_quantiles(precisions, _ROW_QUANTILES):
            row = int(rows[place])
            best = rank_labels(scores[[row]], study.hierarchy, top_k=self.top_labels)[0]
            missed = np.setdiff1d(np.flatnonzero(study.truth[row] == POSITIVE), best)
            found.append(
                {
                    "row": row,
                    "AP": precisions[place],
                    "tags": [[_name(study, j), float(scores[row, j]), verdict(study.truth[row, j])] for j in best],
                    "missed": [_name(study, j) for j in missed],
                }
            )
        return found

    def _retrieve(self, study: Study, scores: FloatArray, rows: Any) -> list[dict[str, Any]]:
        rows = _with_photos(study, rows)
        positives = (study.truth[rows] == POSITIVE).sum(axis=0)
        columns = np.flatnonzero(positives >= min(_FEWEST_POSITIVES, positives.max()))
        precisions = [average_precision(study.truth[rows, j][None] == POSITIVE, scores[rows, j][None]) for j in columns]
        found = []
        for place in _at_quantiles(precisions, _LABEL_QUANTILES):
            column = int(columns[place])
            best = rows[rank_instances(scores[rows, column], top_k=self.top_instances)]
            found.append(
                {
                    "label": _name(study, column),
                    "AP": precisions[place],
                    "positives": int(positives[column]),
                    "instances": [[int(row), verdict(study.truth[row, column])] for row in best],
                }
            )
        return found


class Annotation(Experiment):
    """The best tags of test photos."""

    name: ClassVar[str] = "annotation"
    title: ClassVar[str] = "Photos and their tags"
    paper: ClassVar[str] = "Figs. 11 and 12"

    def cells(self, study: Study, plan: Plan) -> list[Cell]:
        """Return the examples."""
        return [_examples(plan)]

    def section(self, study: Study, plan: Plan, results: Results) -> Section:
        """Show photos with hits, wrong tags and missed tags."""
        found = results.found.get(_examples(plan), {}).get("annotation", [])
        pictures = [
            Picture(
                f"{_title(study, example['row'])}, AP {example['AP']:.2f}",
                _photo(study, example["row"]),
                [*((tag, of) for tag, _, of in example["tags"]), *((tag, "missed") for tag in example["missed"])],
            )
            for example in found
        ]
        text = [
            f"{MODEL} + filling + constraint, 20% of the labels missing. Not picked by hand: the test photos at evenly "
            "spaced ranks of AP, from nearly the best to nearly the worst."
        ]
        caption = f"The {_examples(plan).top_labels} best tags of each photo, and the ones missed"
        return self._section(text, [Gallery("annotation", caption, [("", pictures)])], found)


class Retrieval(Experiment):
    """The best test photos of tags."""

    name: ClassVar[str] = "retrieval"
    title: ClassVar[str] = "Tags and their photos"
    paper: ClassVar[str] = "Figs. 13 and 14"

    def cells(self, study: Study, plan: Plan) -> list[Cell]:
        """Return the examples."""
        return [_examples(plan)]

    def section(self, study: Study, plan: Plan, results: Results) -> Section:
        """Show for each tag the photos found, right ones and wrong ones."""
        found = results.found.get(_examples(plan), {}).get("retrieval", [])
        rows = [
            (
                f"{example['label']} (AP {example['AP']:.2f}, {example['positives']} photos have it)",
                [Picture(_title(study, row), _photo(study, row), (), of) for row, of in example["instances"]],
            )
            for example in found
        ]
        text = [
            f"{MODEL} + filling + constraint, 20% of the labels missing; the best first. Not picked by hand: tags at "
            f"evenly spaced ranks of AP among those that at least {_FEWEST_POSITIVES} test photos have."
        ]
        return self._section(text, [Gallery("retrieval", "The best test photos for a tag", rows)], found)


def verdict(truth: int) -> Verdict:
    """Judge a tag that was given to an instance.

    Examples
    --------
    >>> verdict(1), verdict(0), verdict(-1)
    ('hit', 'wrong', 'unknown')
    """
    return "hit" if truth == POSITIVE else "unknown" if truth == MISSING else "wrong"


def _examples(plan: Plan) -> Examples:
    return Examples(plan.tuned.params(MODEL, fill=True, proportion=0.2), Draw(0.2, plan.seeds[0]))


def _at_quantiles(values: list[float], quantiles: Any) -> list[int]:
    """Return the places of values at some quantiles, each place once."""
    order = np.argsort(values, kind="stable")
    places = np.round(np.asarray(quantiles) * (len(order) - 1)).astype(int)
    return [int(place) for place in order[list(dict.fromkeys(places.tolist()))]] if len(order) else []


def _with_photos(study: Study, rows: Any) -> Any:
    if study.photos is None:
        return rows
    there = [row for row in rows if study.photos[row] is not None]
    return np.asarray(there, dtype=np.intp) if there else rows


def _photo(study: Study, row: int) -> Any:
    return None if study.photos is None else study.photos[row]


def _title(study: Study, row: int) -> str:
    photo = _photo(study, row)
    return f"instance {row}" if photo is None else photo.stem


def _name(study: Study, column: Any) -> str:
    return str(study.hierarchy.labels[int(column)])
