"""Figs. 4 and 5: AP and mAP of all methods without the constraint, labels not filled and filled."""

from __future__ import annotations

from typing import ClassVar

from tagweave.experiments.cells import Cell
from tagweave.experiments.charts import Panel, Series, data_of, grid_of_charts, leader, table_of
from tagweave.experiments.experiment import Experiment, Plan, Results
from tagweave.experiments.methods import RIVALS
from tagweave.experiments.parts import Figure, Section
from tagweave.experiments.plots import COLOURS
from tagweave.experiments.study import Study

SHOWN = ("MLMG-CO", "MLMG-SL", *RIVALS)

_DASHED = (0, (4, 1.5))


class Curves(Experiment):
    """Every method for itself: nobody may use the hierarchy but to fill the labels given."""

    name: ClassVar[str] = "curves"
    title: ClassVar[str] = "All methods, without the constraint"
    paper: ClassVar[str] = "Figs. 4 and 5"

    def cells(self, study: Study, plan: Plan) -> list[Cell]:
        """Return a fit for each method, proportion and seed, not filled and filled."""
        return [
            fit
            for fill in _fillings(study)
            for series in _series(plan, fill=fill)
            for fits in series.fits.values()
            for fit in fits
        ]

    def section(self, study: Study, plan: Plan, results: Results) -> Section:
        """Draw the curves."""
        words = {False: "not filled", True: "filled"} if study.hierarchy.n_edges else {False: "as given"}
        by_fill = {fill: _series(plan, fill=fill) for fill in _fillings(study)}
        panels = [
            [Panel(figure, f"{figure}, labels {words[fill]}", series) for fill, series in by_fill.items()]
            for figure in ("AP", "mAP")
        ]
        text = [
            "How well the labels of the test instances are ranked (AP), and the test instances for each label (mAP), "
            "when more and more labels of the training instances are hidden. Bands are one standard deviation over "
            "the seeds."
        ]
        if not study.hierarchy.n_edges:
            text.append("The collection has no hierarchy: there is nothing to fill.")
        for fill, series in by_fill.items():
            text.append(f"Labels {words[fill]}: {leader(series, results, 'AP')} {leader(series, results, 'mAP')}")
        caption = "AP (top) and mAP (bottom) on the test instances"
        return self._section(
            text,
            [
                Figure("curves", caption, grid_of_charts("curves", panels, results)),
                *(
                    table_of(f"{figure}, labels {words[fill]}", series, results, figure)
                    for fill, series in by_fill.items()
                    for figure in ("AP", "mAP")
                ),
            ],
            [row for fill, series in by_fill.items() for row in data_of(series, results, ("AP", "mAP"), filled=fill)],
        )


def _fillings(study: Study) -> tuple[bool, ...]:
    return (False, True) if study.hierarchy.n_edges else (False,)


def _series(plan: Plan, *, fill: bool) -> list[Series]:
    return [
        Series(
            name,
            COLOURS[name],
            {p: plan.fits(name, p, fill=fill) for p in plan.proportions},
            "-" if name.startswith("MLMG") else _DASHED,
        )
        for name in SHOWN
    ]
