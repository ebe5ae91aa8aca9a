"""Fig. 6: the eight variants of Table 3 and CSSAG, by AP and by average hierarchical loss."""

from __future__ import annotations

from typing import ClassVar

from tagweave.experiments.cells import Cell
from tagweave.experiments.charts import Panel, Series, data_of, grid_of_charts, leader, table_of
from tagweave.experiments.experiment import Experiment, Plan, Results
from tagweave.experiments.parts import Figure, Section
from tagweave.experiments.plots import COLOURS
from tagweave.experiments.study import Study

# What the hierarchy is used for, from nothing to both; as in the paper, the variants of a kind share the colour.
_USES = {
    (False, False): ("", "#56b4e9"),
    (True, False): (" + filling", "#009e73"),
    (False, True): (" + constraint", "#e69f00"),
    (True, True): (" + filling + constraint", "#d55e00"),
}

_FIGURES = {"AP": "AP", "mAP": "mAP", "AHL": "hierarchical loss (AHL)"}


class Variants(Experiment):
    """What the hierarchy brings: to fill labels, to constrain scores, both, or afterwards (CSSAG)."""

    name: ClassVar[str] = "variants"
    title: ClassVar[str] = "What the hierarchy brings: the eight variants, and CSSAG"
    paper: ClassVar[str] = "Fig. 6"
    needs: ClassVar[frozenset[str]] = frozenset({"features", "a hierarchy"})

    def cells(self, study: Study, plan: Plan) -> list[Cell]:
        """Return a fit for each variant, proportion and seed."""
        groups = (*(_variants(plan, model) for model in ("MLMG-CO", "MLMG-SL")), _decoded(plan))
        return [fit for group in groups for series in group for fits in series.fits.values() for fit in fits]

    def section(self, study: Study, plan: Plan, results: Results) -> Section:
        """Draw both models side by side."""
        co, sl, decoded = _variants(plan, "MLMG-CO"), _variants(plan, "MLMG-SL"), _decoded(plan)
        panels = [
            [Panel(figure, f"MLMG-CO and CSSAG: {title}", [*co, *decoded]), Panel(figure, f"MLMG-SL: {title}", sl)]
            for figure, title in _FIGURES.items()
        ]
        constrained = [one for one in (*co, *sl) if "constraint" in one.label]
        losses = [v for one in constrained for fits in one.fits.values() for v in results.values(fits, "AHL")]
        everything = [*co, *sl, *decoded]
        text = [
            "The hierarchy fills the given labels, constrains the scores, does both, or neither; CSSAG decodes the "
            "scores of MLMG-CO afterwards. Lower hierarchical loss is better; 0 means that no child ever overtakes its "
            "parent.",
            leader(everything, results, "AP"),
        ]
        if losses:
            text.append(f"The largest average hierarchical loss of a constrained variant in any run: {max(losses):g}.")
        caption = "AP, mAP and average hierarchical loss on the test instances"
        return self._section(
            [paragraph for paragraph in text if paragraph],
            [
                Figure("variants", caption, grid_of_charts("variants", panels, results, legends=True)),
                *(
                    table_of(title, everything, results, figure, lowest=figure == "AHL")
                    for figure, title in _FIGURES.items()
                ),
            ],
            data_of(everything, results, tuple(_FIGURES)),
        )


def _variants(plan: Plan, model: str) -> list[Series]:
    return [
        Series(
            model + extra,
            colour,
            {p: plan.fits(model, p, fill=fill, constrain=constrain) for p in plan.proportions},
            marker="o" if model == "MLMG-CO" else ">",
        )
        for (fill, constrain), (extra, colour) in _USES.items()
    ]


def _decoded(plan: Plan) -> list[Series]:
    dashes = {False: (0, (1, 1.2)), True: (0, (4, 1.5))}
    return [
        Series(
            "CSSAG" + (" + filling" if fill else ""),
            COLOURS["CSSAG"],
            {p: plan.fits("CSSAG", p, fill=fill) for p in plan.proportions},
            dashes[fill],
            "s",
        )
        for fill in (False, True)
    ]
