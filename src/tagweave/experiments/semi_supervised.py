"""Table 4: some training instances have all their labels, the others none."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from tagweave.experiments.cells import Cell, Fit
from tagweave.experiments.experiment import Experiment, Plan, Results, best_in_columns, spread
from tagweave.experiments.parts import Section, Table
from tagweave.experiments.study import Study

MODELS = ("MLMG-CO", "MLMG-SL")

_KINDS = {"provided": "train_", "validation": "hidden_", "test": ""}


class SemiSupervised(Experiment):
    """As many training instances as there are for testing lose all their labels."""

    name: ClassVar[str] = "semi-supervised"
    title: ClassVar[str] = "Semi-supervised: labelled instances and unlabelled ones"
    paper: ClassVar[str] = "Table 4"

    def cells(self, study: Study, plan: Plan) -> list[Cell]:
        """Return a fit for each model and seed."""
        return [fit for fits in _fits(plan).values() for fit in fits]

    def section(self, study: Study, plan: Plan, results: Results) -> Section:
        """Compare instances that were labelled, that were hidden, and that are for testing."""
        fits = _fits(plan)
        parts = []
        for figure in ("AP", "mAP"):
            values = {
                model: [results.values(of, prefix + figure) for prefix in _KINDS.values()] for model, of in fits.items()
            }
            means = [[float(np.mean(v)) if v else None for v in row] for row in values.values()]
            rows = [[model, *(spread(v, 4) for v in row)] for model, row in values.items()]
            parts.append(Table(figure, ["method", *_KINDS], rows, best_in_columns(means)))
        data = [
            {
                "method": model,
                "seed": fit.draw.seed,
                **{
                    f"{kind}_{figure}": results.found.get(fit, {}).get(prefix + figure)
                    for kind, prefix in _KINDS.items()
                    for figure in ("AP", "mAP")
                },
            }
            for model, of in fits.items()
            for fit in of
        ]
        text = [
            "As many training instances as there are test instances (validation) lose all their labels; the others "
            "(provided) keep them. Labels not filled"
            + (", with the constraint." if study.hierarchy.n_edges else "; there is no hierarchy.")
        ]
        return self._section(text, parts, data)


def _fits(plan: Plan) -> dict[str, list[Fit]]:
    return {model: plan.fits(model, 0.0, fill=False, constrain=True, where="instances") for model in MODELS}
