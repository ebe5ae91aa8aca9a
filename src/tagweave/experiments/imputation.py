"""Figs. 7 and 8: missing labels of training instances found again, when labels of all classes may be missing."""

from __future__ import annotations

from typing import ClassVar

from tagweave.experiments.cells import Cell
from tagweave.experiments.charts import Panel, Series, data_of, grid_of_charts, table_of
from tagweave.experiments.experiment import Experiment, Plan, Results
from tagweave.experiments.judging import TOP_K
from tagweave.experiments.parts import Figure, Section
from tagweave.experiments.plots import COLOURS
from tagweave.experiments.study import Study

MODELS = ("MLMG-CO", "MLMG-SL")

# The paper's green, blue and red, so that they can be told apart.
_KINDS = {"provided": "#009e73", "missing": "#0072b2", "test": "#d55e00"}


class Imputation(Experiment):
    """F1 of the ten best labels, on entries that were given, that were missing, and of test instances."""

    name: ClassVar[str] = "imputation"
    title: ClassVar[str] = "Entries given, missing, and of test instances"
    paper: ClassVar[str] = "Fig. 7"

    def cells(self, study: Study, plan: Plan) -> list[Cell]:
        """Return a fit for each model, proportion and seed."""
        return [fit for model in MODELS for fits in _series(plan, model).fits.values() for fit in fits]

    def section(self, study: Study, plan: Plan, results: Results) -> Section:
        """Draw F1 by kind of entry."""
        by_kind = {kind: [_series(plan, model) for model in MODELS] for kind in _KINDS}
        text = [
            f"The {TOP_K} best labels of each instance are set, all others not; F1 is measured on each kind of "
            "entries. Labels of all classes may be missing. Labels not filled"
            + (", with the constraint." if study.hierarchy.n_edges else "; there is no hierarchy.")
        ]
        panels = [
            Panel(
                "",
                f"F1, {model}",
                [
                    Series(kind, colour, _series(plan, model).fits, figure=f"F1_{kind}")
                    for kind, colour in _KINDS.items()
                ],
            )
            for model in MODELS
        ]
        return self._section(
            text,
            [
                Figure(
                    "imputation",
                    "F1 of provided, missing and test entries",
                    grid_of_charts("imputation", [panels], results),
                ),
                *(table_of(f"F1 of {kind} entries", series, results, f"F1_{kind}") for kind, series in by_kind.items()),
            ],
            data_of(by_kind["test"], results, tuple(f"F1_{kind}" for kind in _KINDS)),
        )


class AllMissing(Experiment):
    """AP and mAP on training and test instances when labels of all classes may be missing."""

    name: ClassVar[str] = "all-missing"
    title: ClassVar[str] = "All classes may be missing"
    paper: ClassVar[str] = "Fig. 8"

    def cells(self, study: Study, plan: Plan) -> list[Cell]:
        """Return the fits of Fig. 7."""
        return Imputation().cells(study, plan)

    def section(self, study: Study, plan: Plan, results: Results) -> Section:
        """Draw both figures of merit on both kinds of instances."""
        series = [_series(plan, model) for model in MODELS]
        kinds = {"training": "train_", "test": ""}
        panels = [
            [Panel(prefix + figure, f"{figure}, {kind} instances", series) for kind, prefix in kinds.items()]
            for figure in ("AP", "mAP")
        ]
        text = [
            "As in the experiment before, judged by rankings: of the training instances of which something was given, "
            "and of the test instances."
        ]
        figures = tuple(prefix + figure for figure in ("AP", "mAP") for prefix in kinds.values())
        return self._section(
            text,
            [
                Figure(
                    "all-missing",
                    "AP (top) and mAP (bottom) on training and test instances",
                    grid_of_charts("all-missing", panels, results),
                ),
                *(
                    table_of(f"{figure}, {kind} instances", series, results, prefix + figure)
                    for figure in ("AP", "mAP")
                    for kind, prefix in kinds.items()
                ),
            ],
            data_of(series, results, figures),
        )


def _series(plan: Plan, model: str) -> Series:
    # Where nothing is missing there is nothing to find again.
    proportions = [p for p in plan.proportions if p]
    fits = {p: plan.fits(model, p, fill=False, constrain=True, where="all") for p in proportions}
    return Series(model, COLOURS[model], fits)
