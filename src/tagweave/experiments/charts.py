"""The chart that most experiments share: figures over the proportion of missing labels, one line a method."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tagweave.experiments.cells import Fit
from tagweave.experiments.experiment import Results, best_in_columns, spread
from tagweave.experiments.parts import Table
from tagweave.experiments.plots import Line, draw_lines, label_ends, new_drawing, percent_axis, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


@dataclass(frozen=True)
class Series:
    """The fits behind one line.

    Attributes
    ----------
    label : str
    colour : str
    fits : mapping of float to sequence of Fit
        For each proportion those of all seeds.
    dash, marker
        As matplotlib takes them.
    figure : str
        What it shows, if that is not the panel's.
    """

    label: str
    colour: str
    fits: Mapping[float, Sequence[Fit]]
    dash: Any = "-"
    marker: str = "o"
    figure: str = ""

    def line(self, results: Results, figure: str) -> Line:
        """Return means and deviations of one figure, where there are any."""
        values = {p: v for p, fits in self.fits.items() if (v := results.values(fits, self.figure or figure))}
        return Line(
            self.label,
            list(values),
            [float(np.mean(v)) for v in values.values()],
            [float(np.std(v)) for v in values.values()],
            self.colour,
            self.dash,
            self.marker,
        )


@dataclass(frozen=True)
class Panel:
    """One set of axes: a figure of merit over the proportions.

    Attributes
    ----------
    figure : str
        Its name in the results.
    title : str
    series : sequence of Series
    """

    figure: str
    title: str
    series: Sequence[Series]


def grid_of_charts(
    name: str, rows: Sequence[Sequence[Panel]], results: Results, *, legends: bool = False
) -> Callable[[], Drawing]:
    """Return what draws the panels; each row has one scale, and labels right of its last panel.

    With `legends`, for panels of a row that show different series, there is one below each column instead.
    """

    def draw() -> Drawing:
        with style(name):
            columns = max(len(row) for row in rows)
            drawing = new_drawing(4.1 * columns + (0 if legends else 1.2), 3.3 * len(rows) + (1.1 if legends else 0))
            axes = drawing.subplots(len(rows), columns, squeeze=False, sharey="row")
            for line_of_axes, panels in zip(axes, rows, strict=True):
                drawn = []
                for axis, panel in zip(line_of_axes, panels, strict=True):
                    lines = [series.line(results, panel.figure) for series in panel.series]
                    draw_lines(axis, lines, title=panel.title)
                    percent_axis(axis, sorted({p for series in panel.series for p in series.fits}))
                    drawn.append((axis, lines))
                # The scale is final only when all panels of the row are drawn.
                if not legends:
                    label_ends(*drawn[-1])
            for axis in axes[-1] if legends else ():
                axis.legend(loc="upper left", bbox_to_anchor=(-0.02, -0.2), fontsize=9, ncols=1, handlelength=2.6)
        return drawing

    return draw


def table_of(caption: str, series: Sequence[Series], results: Results, figure: str, *, lowest: bool = False) -> Table:
    """Return the figures of a chart as a table: a row a method, a column a proportion, the best in bold."""
    proportions = sorted({p for one in series for p in one.fits})
    values = [[results.values(one.fits.get(p, ()), figure) for p in proportions] for one in series]
    means = [[float(np.mean(v)) if v else None for v in row] for row in values]
    # Losses are a hundredth of the other figures.
    digits = 5 if figure == "AHL" else 3
    return Table(
        caption,
        ["method", *(f"{p:.0%}" for p in proportions)],
        [[one.label, *(spread(v, digits) for v in row)] for one, row in zip(series, values, strict=True)],
        best_in_columns(means, lowest=lowest),
    )


def data_of(series: Sequence[Series], results: Results, figures: Sequence[str], **more: Any) -> list[dict[str, Any]]:
    """Return every figure of every fit, one dictionary a fit, for the JSON."""
    rows = []
    for one in series:
        for proportion, fits in one.fits.items():
            for fit in fits:
                result = results.found.get(fit, {})
                rows.append(
                    {
                        "method": one.label,
                        **more,
                        "missing": proportion,
                        "seed": fit.draw.seed,
                        "params": dict(fit.params),
                        **{figure: result.get(figure) for figure in (*figures, "seconds", "gap", "n_iter")},
                    }
                )
    return rows


def leader(series: Sequence[Series], results: Results, figure: str) -> str:
    """Say which method is ahead at every proportion, in one sentence.

    An empty string if nothing was measured.
    """
    ahead: dict[str, list[float]] = {}
    for proportion in sorted({p for one in series for p in one.fits}):
        means = {
            one.label: float(np.mean(values))
            for one in series
            if (values := results.values(one.fits.get(proportion, ()), figure))
        }
        if means:
            ahead.setdefault(max(means, key=lambda label: means[label]), []).append(proportion)
    parts = [f"{label} at {', '.join(f'{p:.0%}' for p in proportions)}" for label, proportions in ahead.items()]
    return f"The best {figure}: {'; '.join(parts)}." if parts else ""
