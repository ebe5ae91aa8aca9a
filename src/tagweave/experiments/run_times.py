"""Table 5: how long each method takes with half of the labels missing."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

import numpy as np

from tagweave.experiments.cells import Cell, Result, check_applicable, fit_quietly
from tagweave.experiments.experiment import Experiment, Plan, Results, best_in_columns
from tagweave.experiments.methods import RIVALS, Params, method
from tagweave.experiments.parts import Section, Table
from tagweave.experiments.study import Draw, Study

# Seconds after which a slow method is not run another time: an hour has to do for everything.
_ENOUGH = 20.0

PUBLISHED = {
    "corel5k": {
        "MC-Pos": 72.94, "FastTag": 55.94, "LEML": 203.4, "MLML-exact": 50.6, "MLML-appro": 2.56,
        "MLMG-CO": 1.86, "MLMG-CO + constraint": 4.76, "MLMG-SL + constraint": 21.3,
    },
    "mediamill": {
        "MC-Pos": 165.4, "FastTag": 56.5, "LEML": 151.5, "MLML-exact": 238.4, "MLML-appro": 4.63,
        "MLMG-CO": 8.75, "MLMG-CO + constraint": 23.39, "MLMG-SL + constraint": 44.25,
    },
}  # fmt: skip
"""Seconds in the paper, on its machine."""


@dataclass(frozen=True)
class Timing(Cell):
    """One method, fitted again and again.

    Attributes
    ----------
    method : str
    params : tuple of (name, value)
    constrain : bool
    repeats : int
        At the most; fewer if it is slow.
    """

    method: str
    params: Params
    constrain: bool
    repeats: int

    @property
    def label(self) -> str:
        """What it is, in a few words, for people."""
        return f"run time of {self.title}"

    @property
    def title(self) -> str:
        """The method and whether it is constrained."""
        return self.method + (" + constraint" if self.constrain else "")

    @property
    def code(self) -> tuple[str, ...]:
        """The modules of Tagweave on which it depends, beyond the core."""
        return ("experiments.run_times", *method(self.method).code)

    def run(self, study: Study) -> Result:
        """Fit once on a few instances, so that everything is compiled, and then for the clock."""
        check_applicable(self.method, study)
        few = study.sample(60, 20)
        self._fit(few)
        seconds: list[float] = []
        while len(seconds) < self.repeats and sum(seconds) < _ENOUGH:
            seconds.append(self._fit(study))
        started = perf_counter()
        if method(self.method).accepts("graph"):
            type(study).graph.func(study)  # type: ignore[attr-defined]
        return {"seconds": seconds, "graph_seconds": perf_counter() - started}

    def _fit(self, study: Study) -> float:
        Y = study.labels(Draw(0.5, 0))
        model = method(self.method).make(study, self.params, fill=False, constrain=self.constrain)
        started = perf_counter()
        fit_quietly(model, study.X, Y)
        return perf_counter() - started


class RunTimes(Experiment):
    """Seconds of a fit; the instance graph, which its users share, is timed apart."""

    name: ClassVar[str] = "run-times"
    title: ClassVar[str] = "Run times"
    paper: ClassVar[str] = "Table 5"

    def cells(self, study: Study, plan: Plan) -> list[Cell]:
        """Return a timing for each method."""
        return list(_timings(study, plan))

    def section(self, study: Study, plan: Plan, results: Results) -> Section:
        """List the times."""
        published = {} if plan.quick else PUBLISHED.get(study.name, {})
        rows, means, data = [], [], []
        for timing in _timings(study, plan):
            result = results.found.get(timing, {})
            seconds = result.get("seconds", [])
            graph = result.get("graph_seconds", 0.0) if method(timing.method).accepts("graph") else None
            means.append([float(np.mean(seconds)) if seconds else None])
            rows.append(
                [
                    timing.title,
                    f"{np.mean(seconds):.2f} ± {np.std(seconds):.2f}" if seconds else "",
                    str(len(seconds)),
                    "" if graph is None else f"{graph:.2f}",
                    *([f"{published[timing.title]:g}"] if timing.title in published else [""] if published else []),
                ]
            )
            data.append({"method": timing.title, "seconds": seconds, "graph_seconds": graph})
        columns = ["method", "seconds", "runs", "instance graph", *(["the paper"] if published else [])]
        text = [
            "Seconds of a fit with half of the labels missing, not filled, on this machine; after a first fit on a few "
            "instances, so that nothing is compiled on the clock. The instance graph is built once and shared; its "
            "seconds are beside."
        ]
        table = Table("Seconds of a fit", columns, rows, best_in_columns(means, lowest=True))
        return self._section(text, [table], data)


def _timings(study: Study, plan: Plan) -> list[Timing]:
    constrained = [("MLMG-CO", True), ("MLMG-SL", True)] if study.hierarchy.n_edges else [("MLMG-SL", False)]
    return [
        Timing(name, plan.tuned.params(name, fill=False, proportion=0.5), constrain, plan.repeats)
        for name, constrain in (*((name, False) for name in (*RIVALS, "MLMG-CO")), *constrained)
    ]
