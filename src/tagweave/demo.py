"""The demonstration: `python -m tagweave.demo` completes a generated collection and draws what it did."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tagweave._typing import FloatArray
from tagweave.datasets import TaggedCollection, make_tagged_collection
from tagweave.estimators import MLMGCO, MLMGSL
from tagweave.metrics import average_hierarchical_loss, average_precision, mean_average_precision
from tagweave.missing import hide_labels
from tagweave.progress import ProgressBar

if TYPE_CHECKING:
    from rich.console import Console

MISSING = 0.6
"""How much of the tagged things' labels nobody looked at (of leaves and singletons, as in the paper)."""

FORGOTTEN = 0.7
"""How often a tagger who writes "dog" does not write "animal"."""


@dataclass(frozen=True)
class Completion:
    """One way to complete the collection, and how well it did on the instances without any label."""

    method: str
    scores: FloatArray
    precision: float
    retrieval: float
    hierarchical_loss: float
    gap: float | None
    seconds: float | None


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the demonstration."""
    from rich.console import Console

    parser = argparse.ArgumentParser(prog="python -m tagweave.demo", description=main.__doc__)
    parser.add_argument("--output", type=Path, default=Path("demo-output"), help="folder for the picture")
    parser.add_argument("--instances", type=int, default=1500, help="size of the collection (default 1500)")
    parser.add_argument("--seed", type=int, default=0, help="of the generated collection (default 0)")
    options = parser.parse_args(arguments)
    if options.instances < 50:
        parser.error(f"--instances must be at least 50; got {options.instances}")
    if options.output.exists() and not options.output.is_dir():
        parser.error(f"--output must be a folder; {options.output} is a file")

    console = Console()
    collection = make_tagged_collection(options.instances, random_state=options.seed)
    Y = tag_like_people(collection, options.seed)
    n, m = Y.shape
    console.print(
        f"A generated collection: [bold]{n:,}[/] things, {m} tags in a hierarchy of {collection.hierarchy.n_edges} "
        f"edges.\nOf the tagged things, {MISSING:.0%} of the leaf tags were not looked at, and {FORGOTTEN:.0%} of the "
        f"parents forgotten; {n - collection.n_train} things have no tag at all."
    )
    completions = complete(collection, Y)
    show_table(console, completions)
    best = completions[-1]
    show_examples(console, collection, best)
    picture = draw(collection, Y, best.scores, options.output)
    console.print(f"\nThe picture: [bold]{picture}[/]")


def tag_like_people(collection: TaggedCollection, seed: int) -> FloatArray:
    """Return labels as people give them: parents forgotten, most leaves not looked at, some things not at all."""
    rng = np.random.default_rng(seed)
    given = collection.Y.copy()
    implied = np.zeros(given.shape, dtype=bool)
    for child, parent in collection.hierarchy.edge_index:
        implied[:, parent] |= collection.Y[:, child] == 1
    given[implied & (rng.random(given.shape) < FORGOTTEN)] = 0
    Y = hide_labels(given, MISSING, collection.hierarchy, random_state=seed)
    Y[collection.n_train :] = np.nan
    return np.asarray(Y)


def complete(collection: TaggedCollection, Y: FloatArray) -> list[Completion]:
    """Complete the collection by popularity, without the hierarchy, and with it."""
    hierarchy = collection.hierarchy
    models = {
        "MLMG-CO, no hierarchy": MLMGCO(hierarchy=hierarchy, fill=False, constrain=False),
        "MLMG-CO": MLMGCO(hierarchy=hierarchy),
        "MLMG-SL": MLMGSL(hierarchy=hierarchy),
    }
    popular = np.tile(np.nanmean(Y, axis=0), (len(Y), 1))
    found = [judge("most popular tags", collection, popular)]
    for method, model in models.items():
        with ProgressBar(f"{method:22}") as bar:
            model.set_params(callback=bar).fit(collection.X, Y)
        found.append(judge(method, collection, model.scores_, model.gap_, model.history_.seconds[-1]))
    return found


def judge(
    method: str,
    collection: TaggedCollection,
    scores: FloatArray,
    gap: float | None = None,
    seconds: float | None = None,
) -> Completion:
    """Measure scores on the instances without any label."""
    hierarchy, test = collection.hierarchy, slice(collection.n_train, None)
    truth, judged = collection.Y[test], scores[test]
    return Completion(
        method,
        scores,
        average_precision(truth, judged, hierarchy),
        mean_average_precision(truth, judged, hierarchy),
        average_hierarchical_loss(truth, judged, hierarchy, ks=(5, 10, 20)),
        gap,
        seconds,
    )


def show_table(console: Console, completions: Sequence[Completion]) -> None:
    """Print how well each way did."""
    from rich.table import Table

    table = Table(title="\nOn the things without any tag", title_justify="left", title_style="bold")
    table.add_column("method", no_wrap=True)
    for column in ("AP", "mAP", "AHL", "certified gap", "seconds"):
        table.add_column(column, justify="right")
    for found in completions:
        table.add_row(
            found.method,
            f"{found.precision:.3f}",
            f"{found.retrieval:.3f}",
            f"{found.hierarchical_loss:.5f}" if found.hierarchical_loss else "0",
            "" if found.gap is None else f"{found.gap:.0e}",
            "" if found.seconds is None else f"{found.seconds:.2f}",
        )
    console.print(table)


def show_examples(console: Console, collection: TaggedCollection, found: Completion, count: int = 4) -> None:
    """Print the best tags of a few things; right ones in green."""
    from tagweave.metrics import rank_labels

    console.print(f"\n[bold]What {found.method} says[/] (right in green)")
    rows = np.arange(collection.n_train, collection.n_train + count)
    for row, order in zip(rows, rank_labels(found.scores[rows], collection.hierarchy, top_k=5), strict=True):
        tags = (
            f"[{'green' if collection.Y[row, label] else 'red'}]{collection.labels[label]}[/] "
            f"[dim]{found.scores[row, label]:.2f}[/]"
            for label in order
        )
        console.print(f"  thing {row}: {', '.join(tags)}")


def draw(collection: TaggedCollection, Y: FloatArray, scores: FloatArray, folder: Path) -> Path:
    """Draw given tags, completed scores and truth side by side; return where the picture is."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    hierarchy = collection.hierarchy
    used = [label for label in hierarchy.order if collection.Y[:, label].any()]
    rows = np.r_[np.arange(24), np.arange(collection.n_train, collection.n_train + 12)]
    # Things with like tags next to each other, the untagged ones below.
    half = (
        np.lexsort(collection.Y[rows[:24]][:, used[::-1]].T)[::-1],
        np.lexsort(collection.Y[rows[24:]][:, used[::-1]].T)[::-1],
    )
    rows = np.r_[rows[:24][half[0]], rows[24:][half[1]]]
    panels: dict[str, Any] = {
        "Given": Y[np.ix_(rows, used)],
        "Completed (MLMG-SL)": scores[np.ix_(rows, used)],
        "Truth": collection.Y[np.ix_(rows, used)],
    }
    figure = Figure(figsize=(13, 6.2), layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    axes = figure.subplots(1, 3, sharey=True)
    for axis, (title, values) in zip(axes, panels.items(), strict=True):
        axis.set_facecolor("#f1e4cf")  # shows where a cell is missing
        axis.imshow(np.ma.masked_invalid(values), cmap="BuGn", vmin=0, vmax=1, aspect="auto", interpolation="nearest")
        axis.set_title(title, loc="left", fontsize=12, fontweight="bold")
        axis.set_xticks(range(len(used)), [collection.labels[label] for label in used], rotation=90, fontsize=7)
        axis.set_yticks([])
        axis.axhline(23.5, color="#b5651d", linewidth=1.2)
        axis.tick_params(length=0)
        axis.spines[:].set_visible(False)
    axes[0].set_ylabel("untagged things      partly tagged things       ", fontsize=9)
    figure.supxlabel("dark: has the tag · white: has it not · sand: not known", fontsize=9, color="#555555")
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "completion.png", dpi=110)
    return folder / "completion.png"


if __name__ == "__main__":
    main()
