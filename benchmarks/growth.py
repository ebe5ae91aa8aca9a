"""Growth in instances and labels: seconds, iterations and memory of MLMG-CO + constraint on generated collections.

Every size is measured in a process of its own (`python -m benchmarks.growth N M TOL`), so that its memory is.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.common import Line, keep, table
from benchmarks.instances import collection
from benchmarks.timing import PeakMemory, exponent, once
from tagweave import MLMGCO

M, N = 256, 50_000
TOL = {"full": 1e-6, "largest": 1e-4}
MANY_N = (10_000, 30_000, 100_000, 300_000)
LARGEST = 1_000_000
LARGE = 100_000 * M
MANY_M = (64, 128, 256, 512, 1024, 2048)
PICTURE = Path(__file__).parent.parent / "docs" / "growth.png"


def measure(full: bool) -> list[Line]:
    """Measure all sizes, and draw them; without `full` those up to 100,000 x 256 and 50,000 x 512."""
    in_n = [point(n, M, TOL["full"]) for n in (MANY_N if full else MANY_N[:3])]
    in_m = [point(N, m, TOL["full"]) for m in (MANY_M if full else (64, 256, 512))]
    largest = [point(LARGEST, M, TOL["largest"])] if full else []
    rows = [*in_n, *largest, *in_m]
    slopes = {
        f"{column} ~ {size}": exponent([row[size] for row in some], [row[column] for row in some])
        for size, some in (("n", [*in_n, *largest]), ("m", in_m))
        for column in ("seconds per iteration", "peak, GiB")
    }
    slopes["seconds ~ n (to the same gap)"] = exponent([row["n"] for row in in_n], [row["seconds"] for row in in_n])
    print("Generated collections, stored in random order; whole fits in float32, the graph given; best of 3 up to")
    print(
        "100,000 x 256. An iteration is the time in the solver, certificates too, by iterations. The peak counts what"
    )
    print("the fit adds to labels and graph, which are there before; beside it, in units of n x m x 4 bytes.\n")
    table(list(rows[0]), [list(row.values()) for row in rows])
    print()
    table(["fitted", "exponent"], [[what, slope] for what, slope in slopes.items()])
    keep("growth" if full else "growth-short", {"points": rows, "exponents": slopes})
    if full:
        draw([*in_n, *largest], in_m, slopes)
    slope = slopes["seconds per iteration ~ n"]
    # In small problems what does not grow counts most.
    peak = max(row["peak / 4nm"] + 0.25 for row in rows if row["n"] * row["m"] >= LARGE)
    lines = [
        Line("growth of the time per iteration in n, exponent", slope, "", "at most", 1.05, "1.05", slope <= 1.05),
        Line("peak memory / 4nm bytes, labels too, graph not", peak, "", "at most", 3.5, "3.5", peak <= 3.5),
    ]
    for row in largest:
        met = row["gap"] <= TOL["largest"] and row["seconds"] <= 900 and row["peak of all, GiB"] <= 24
        lines.append(Line(f"{LARGEST:,} x {M} to gap 1e-4", row["seconds"], "s", "at most", 900, "900 s, 24 GiB", met))
    return lines


def point(n: int, m: int, tol: float) -> dict[str, float]:
    """Measure one size in a process of its own."""
    print(f"{n} x {m} ...", end=" ", flush=True, file=sys.stderr)
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.growth", str(n), str(m), str(tol)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr}")
    row: dict[str, float] = json.loads(done.stdout)
    print(f"{row['seconds']:.2f} s", file=sys.stderr)
    return row


def fit(n: int, m: int, tol: float) -> dict[str, float]:
    """Fit; small ones several times."""
    warm, given = collection(500, m), collection(n, m)
    fit_one = MLMGCO(1.0, 0.01, hierarchy=warm.hierarchy, graph=warm.graph, class_graph=warm.class_graph, tol=tol)
    fit_one.fit(None, warm.labels)
    model = MLMGCO(1.0, 0.01, hierarchy=given.hierarchy, graph=given.graph, class_graph=given.class_graph, tol=tol)
    with PeakMemory() as memory:
        seconds, _ = once(lambda: model.fit(None, given.labels))
    solving = model.history_.seconds[-1]
    for _ in range(2 if n * m <= LARGE else 0):
        again, _ = once(lambda: model.fit(None, given.labels))
        seconds, solving = min((seconds, solving), (again, model.history_.seconds[-1]))
    return {
        "n": n,
        "m": m,
        "neighbours": given.graph.nnz / n,
        "seconds": seconds,
        "in the solver": solving,
        "iterations": model.n_iter_,
        "gap": model.gap_,
        "seconds per iteration": solving / model.n_iter_,
        "peak, GiB": memory.bytes / 2**30,
        "peak / 4nm": memory.bytes / (4 * n * m),
        "peak of all, GiB": memory.highest / 2**30,
    }


def draw(in_n: Sequence[dict[str, float]], in_m: Sequence[dict[str, float]], slopes: dict[str, float]) -> None:
    """Draw time and memory over both sizes."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    style = {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 10}
    with plt.rc_context(style):
        figure, grid = plt.subplots(2, 2, figsize=(7.2, 5.4), layout="constrained", sharex="col", sharey="row")
        for column, (size, rows, other) in enumerate(
            (("n", in_n, f"instances, at {M} labels"), ("m", in_m, f"labels, at {N:,} instances"))
        ):
            for axes, what, colour in zip(
                grid[:, column], ("seconds per iteration", "peak, GiB"), ("#1f5a8a", "#a8511e"), strict=True
            ):
                sizes, values = [row[size] for row in rows], [row[what] for row in rows]
                slope = slopes[f"{what} ~ {size}"]
                middle = len(sizes) // 2
                line = [values[middle] * (x / sizes[middle]) ** 1.0 for x in sizes]
                axes.loglog(sizes, line, color="0.8", linewidth=1, zorder=1)
                axes.loglog(sizes, values, "o-", color=colour, markersize=5, linewidth=1.5)
                axes.set_title(f"grows with {size} to the power {slope:.2f}", loc="left")
                axes.grid(visible=True, which="major", color="0.93")
                axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
                axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
                axes.yaxis.set_minor_formatter(NullFormatter())
                if axes is grid[1, column]:
                    axes.set_xlabel(other)
                    axes.set_xticks(sizes, [f"{x:,}" if x < LARGEST else "1 million" for x in sizes])
                axes.xaxis.set_minor_formatter(NullFormatter())
                axes.tick_params(axis="x", which="minor", length=0)
        grid[0, 0].set_ylabel("seconds per iteration")
        grid[1, 0].set_ylabel("memory the fit adds, GiB")
        figure.suptitle("MLMG-CO + constraint: growth in instances and in labels (grey: linear)", fontsize=11)
        figure.savefig(PICTURE, dpi=200)
        plt.close(figure)


if __name__ == "__main__":
    print(json.dumps(fit(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))))
