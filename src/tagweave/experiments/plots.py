"""How the figures look: one colour a method, labels at the lines, bands for deviations, nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

INK = "#24292f"
"""The colour of all text and axes; the report replaces it by that of its own text, light or dark."""

FAINT = "#8c959f"

# Okabe and Ito's palette, which people with any colour vision can tell apart; dark enough for white, light enough
# for black paper.
COLOURS: Mapping[str, str] = {
    "MLMG-CO": "#0072b2",
    "MLMG-SL": "#d55e00",
    "MLML-exact": "#009e73",
    "MLML-appro": "#56b4e9",
    "MC-Pos": "#cc79a7",
    "FastTag": "#e69f00",
    "LEML": "#8c7ae6",
    "CSSAG": "#7f8790",
}


@dataclass(frozen=True)
class Line:
    """A line of a chart.

    Attributes
    ----------
    label : str
    x, mean, deviation : sequences of float
    colour : str
    dash : str or tuple
        As matplotlib takes it.
    marker : str
    """

    label: str
    x: Sequence[float]
    mean: Sequence[float]
    deviation: Sequence[float]
    colour: str
    dash: Any = "-"
    marker: str = "o"


@contextmanager
def style(name: str) -> Iterator[None]:
    """Draw as the report's figures are drawn; `name` keeps the identifiers of two drawings in one page apart."""
    import matplotlib as mpl

    with mpl.rc_context(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": name,
            "font.size": 10,
            "font.family": "sans-serif",
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.edgecolor": FAINT,
            "axes.labelcolor": INK,
            "axes.titlecolor": INK,
            "axes.titlesize": 11,
            "axes.titlelocation": "left",
            "axes.titleweight": "bold",
            "axes.grid": True,
            "axes.grid.axis": "y",
            "axes.axisbelow": True,
            "grid.color": FAINT,
            "grid.alpha": 0.3,
            "grid.linewidth": 0.6,
            "text.color": INK,
            "xtick.color": FAINT,
            "ytick.color": FAINT,
            "xtick.labelcolor": INK,
            "ytick.labelcolor": INK,
            "xtick.major.size": 3,
            "ytick.major.size": 0,
            "legend.frameon": False,
            "lines.linewidth": 1.8,
            "lines.markersize": 4.5,
        }
    ):
        yield


def new_drawing(width: float, height: float) -> Drawing:
    """Return an empty figure of no window and no background."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(width, height), layout="constrained")
    drawing.patch.set_alpha(0)
    FigureCanvasAgg(drawing)
    return drawing


def draw_lines(axis: Axes, lines: Sequence[Line], *, title: str, direct: bool = False) -> None:
    """Draw lines with bands of one standard deviation; `direct` writes their labels at their ends."""
    axis.patch.set_alpha(0)
    for line in lines:
        x, mean, deviation = (np.asarray(part, dtype=float) for part in (line.x, line.mean, line.deviation))
        axis.fill_between(x, mean - deviation, mean + deviation, color=line.colour, alpha=0.18, linewidth=0)
        axis.plot(
            x,
            mean,
            color=line.colour,
            linestyle=line.dash,
            marker=line.marker,
            markeredgewidth=0,
            label=line.label,
        )
    axis.set_title(title)
    axis.margins(x=0.03)
    if direct:
        label_ends(axis, lines)


def label_ends(axis: Axes, lines: Sequence[Line], gap: float = 0.062) -> None:
    """Write each line's label right of its end, moved apart where two would touch."""
    there = [line for line in lines if len(line.x)]
    if not there:
        return
    low, high = axis.get_ylim()
    places = spaced([(line.mean[-1] - low) / (high - low) for line in there], gap)
    for line, place in zip(there, places, strict=True):
        end = (line.x[-1], line.mean[-1])
        axis.annotate(
            line.label,
            xy=end,
            xycoords="data",
            xytext=(1.04, place),
            textcoords="axes fraction",
            color=line.colour,
            fontsize=9,
            va="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-", "color": line.colour, "linewidth": 0.6, "alpha": 0.6, "shrinkA": 1, "shrinkB": 4,
            },
        )  # fmt: skip


def spaced(places: Sequence[float], gap: float) -> list[float]:
    """Move places apart, at least by a gap, as little as need be and in their order.

    Examples
    --------
    >>> [round(place, 2) for place in spaced([0.5, 0.5, 0.9], 0.1)]
    [0.45, 0.55, 0.9]
    """
    order = np.argsort(places, kind="stable")
    # Least squares under an order: what is left after the gaps are taken away is pooled to be monotone.
    wanted = np.asarray(places, dtype=float)[order] - gap * np.arange(len(order))
    blocks: list[list[float]] = []  # mean, size
    for value in wanted:
        blocks.append([float(value), 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            mean, size = blocks.pop()
            last, count = blocks[-1]
            blocks[-1] = [(last * count + mean * size) / (count + size), count + size]
    flat = np.concatenate([np.full(int(size), mean) for mean, size in blocks]) if blocks else np.array([])
    result = np.empty(len(order))
    result[order] = flat + gap * np.arange(len(order))
    return [float(value) for value in result]


def percent_axis(axis: Axes, proportions: Sequence[float], label: str = "labels drawn as missing") -> None:
    """Mark the proportions in percent."""
    axis.set_xticks(list(proportions), [f"{round(100 * p)}%" for p in proportions])
    axis.set_xlabel(label)
