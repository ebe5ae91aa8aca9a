"""Figs. 9 and 10: objective and AP from iteration to iteration, from zeros and from random starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from tagweave.experiments.cells import Cell, Result, fit_quietly
from tagweave.experiments.experiment import Experiment, Plan, Results
from tagweave.experiments.judging import rankings
from tagweave.experiments.methods import Params, method
from tagweave.experiments.parts import Figure, Section
from tagweave.experiments.plots import COLOURS, FAINT, Line, draw_lines, new_drawing, style
from tagweave.experiments.study import Draw, Study
from tagweave.solvers import ADMM, SparseLowRankADMM

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

MODELS = ("MLMG-CO", "MLMG-SL")

ITERATIONS = {
    ("exact", "zeros"): (1, 2, 3, 4, 5, 7, 10, 14, 20, 28, 40, 60),
    ("exact", "random"): (1, 2, 3, 5, 10, 20),
    ("paper", "zeros"): (1, 2, 3, 5, 8, 12, 20),
}
"""After how many iterations is looked: the paper's algorithm counts its outer ones, of which it does 20."""


@dataclass(frozen=True)
class Trace(Cell):
    """The way of one solver from one start.

    Attributes
    ----------
    method : str
    params : tuple of (name, value)
    solver : {"exact", "paper"}
    start : {"zeros", "random"}
    seed : int
        Of the random start; the missing labels are always those of seed 0.
    """

    method: str
    params: Params
    solver: Literal["exact", "paper"]
    start: Literal["zeros", "random"]
    seed: int

    @property
    def label(self) -> str:
        """What it is, in a few words, for people."""
        return f"convergence of {self.method}, {self.solver} solver, from {self.start}, seed {self.seed}"

    @property
    def code(self) -> tuple[str, ...]:
        """The modules of Tagweave on which it depends, beyond the core."""
        return ("experiments.convergence",)

    def run(self, study: Study) -> Result:
        """Solve with as many iterations as there are points, anew for each: a solver shows its iterates to nobody."""
        Y = study.labels(Draw(0.5, 0))
        iterations = ITERATIONS[self.solver, self.start]
        objectives, precisions, bounds = [], [], []
        for n in iterations:
            model = method(self.method).make(
                study, self.params, fill=False, constrain=True, seed=self.seed, init=self.start, **self._solving(n)
            )
            fit_quietly(model, study.X, Y)
            objectives.append(model.objective_)
            bounds.append(model.objective_ * (1 - model.gap_))
            precisions.append(rankings(study, model.scores_, study.test, "")["AP"])
        return {"iteration": list(iterations), "objective": objectives, "AP": precisions, "bound": max(bounds)}

    def _solving(self, n: int) -> dict[str, object]:
        if self.solver == "exact":
            return {"max_iter": n, "tol": 0.0}
        admm = SparseLowRankADMM if self.method == "MLMG-SL" else ADMM
        return {"solver": admm(max_iter=n, check_every=n, tol=0.0)}


class Convergence(Experiment):
    """How fast the solvers are there, and that the start does not matter."""

    name: ClassVar[str] = "convergence"
    title: ClassVar[str] = "Convergence, and where it starts from"
    paper: ClassVar[str] = "Figs. 9 and 10"

    def cells(self, study: Study, plan: Plan) -> list[Cell]:
        """Return the traces of both models, from zeros and from random starts."""
        return [trace for model in MODELS for traces in _traces(plan, model).values() for trace in traces]

    def section(self, study: Study, plan: Plan, results: Results) -> Section:
        """Draw how far each iterate is above the certified bound, and its AP."""
        text = [
            "Half of the labels are missing, not filled, with the constraint. Top: how far the objective is above the "
            "best certified lower bound. Bottom: AP on the test instances. One iteration of the exact solver is one "
            "step; one of the paper's ADMM is five steps and an update of the multipliers."
        ]
        data = []
        for model in MODELS:
            traces = _traces(plan, model)
            bound = _bound(results, traces)
            for kind, of in traces.items():
                data += [{"model": model, "kind": kind, "seed": t.seed, **results.found.get(t, {})} for t in of]
            last = [results.found[t]["AP"][-1] for t in traces["exact, random starts"] if t in results.found]
            if len(last) > 1:
                text.append(
                    f"{model}: over {len(last)} random starts AP ends at {np.mean(last):.4f} with a standard deviation "
                    f"of {np.std(last):.1e}; the best certified lower bound is {bound:.6g}."
                )
        caption = "Objective above the bound (top, logarithmic) and AP (bottom) over iterations"
        return self._section(text, [Figure("convergence", caption, _drawer(plan, results))], data)


def _traces(plan: Plan, model: str) -> dict[str, list[Trace]]:
    params = plan.tuned.params(model, fill=False, proportion=0.5)
    return {
        "exact, from zeros": [Trace(model, params, "exact", "zeros", 0)],
        "exact, random starts": [Trace(model, params, "exact", "random", seed) for seed in range(plan.repeats)],
        "the paper's ADMM, from zeros": [Trace(model, params, "paper", "zeros", 0)],
    }


def _bound(results: Results, traces: dict[str, list[Trace]]) -> float:
    return max((results.found[t]["bound"] for of in traces.values() for t in of if t in results.found), default=np.nan)


def _drawer(plan: Plan, results: Results) -> Callable[[], Drawing]:
    def draw() -> Drawing:
        with style("convergence"):
            drawing = new_drawing(8.6, 6.6)
            axes = drawing.subplots(2, len(MODELS), squeeze=False, sharex=True, sharey="row")
            for column, model in enumerate(MODELS):
                traces = _traces(plan, model)
                bound = _bound(results, traces)
                for axis, figure in zip(axes[:, column], ("objective", "AP"), strict=True):
                    lines = [
                        line
                        for (kind, of), colour, dash, marker in zip(
                            traces.items(),
                            (COLOURS[model], "#009e73", FAINT),
                            ("-", (0, (4, 1.5)), (0, (1, 1.2))),
                            "os^",
                            strict=True,
                        )
                        if (line := _line(results, kind, of, figure, bound, colour, dash, marker)) is not None
                    ]
                    draw_lines(axis, lines, title=model if figure == "objective" else "")
                    axis.set_xscale("log")
                    if figure == "objective":
                        axis.set_yscale("log")
                axes[1, column].set_xlabel("iterations")
                axes[1, column].set_xticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
                axes[1, column].minorticks_off()
                if axes[1, column].lines:
                    axes[1, column].legend(loc="lower right", fontsize=9)
            axes[0, 0].set_ylabel("objective above the bound, relative")
            axes[1, 0].set_ylabel("AP")
        return drawing

    return draw


def _line(
    results: Results,
    kind: str,
    traces: Sequence[Trace],
    figure: str,
    bound: float,
    colour: str,
    dash: object,
    marker: str,
) -> Line | None:
    found = [results.found[trace] for trace in traces if "objective" in results.found.get(trace, {})]
    if not found:
        return None
    values = np.array([result[figure] for result in found], dtype=float)
    if figure == "objective":
        values = np.maximum(values / bound - 1, 1e-12) if bound > 0 else values
    return Line(
        kind, found[0]["iteration"], values.mean(axis=0).tolist(), values.std(axis=0).tolist(), colour, dash, marker
    )
