"""Run benchmarks by name: `python -m benchmarks optima corel5k`; all of the quick ones without a name.

Those of speed come in a short form and in a full one (--full), and end in one table.
"""

from __future__ import annotations

import argparse
from importlib import import_module

from benchmarks.common import Line, keep, machine, need_shared, table

# Quick in their short form; each has measure(full), which returns its lines of the one table.
SPEED = {
    "corel5k": "seconds to a certified gap on the reference problems, beside our port of the paper's ADMM",
    "sizes": "the sizes of ESP Game, IAPRTC-12 and MediaMill, beside the paper's seconds",
    "bandwidth": "an iteration beside what the memory allows; locality and screening on and off",
    "growth": "time, iterations and memory over the numbers of instances and labels (docs/growth.png)",
    "alternatives": "the paper's ADMM, LabelSpreading, SMiLE and OSQP on the same data",
}
QUICK = {
    "optima": "MLMG-CO + constraint against certified reference optima (Corel5k)",
}
SLOW = {
    "wordnet": "hierarchies from names alone against the hand-made ones (Corel5k, ESP Game, IAPRTC-12)",
    "neighbours": "neighbours of 20,000 instances: scikit-learn, NumPy, faiss and Tagweave; the graphs of Corel5k",
    "solvers": "the paper's algorithms beside the exact solver: objective, gap, violation, seconds (Corel5k)",
    "variants": "the eight variants of Table 3, 5 seeds x 5 proportions, beside the published code (Corel5k)",
    "tuned": "MLMG-SL against MLMG-CO, each tuned on validation data (Corel5k, two kinds of features)",
    "rivals_graph": "the rivals on graphs, kernels and hierarchies, unfilled and filled (Corel5k)",
    "rivals_graph_tuning": "where the defaults of those rivals come from: validation data only (Corel5k)",
    "rivals": "every rival of tagweave.baselines at 0, 50 and 80 % missing, unfilled and filled (Corel5k)",
}


def main() -> None:
    every = {**QUICK, **SPEED, **SLOW}
    listing = "\n".join(f"  {name:20}{what}" for name, what in every.items())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        epilog=f"benchmarks:\n{listing}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="name", help="default: the quick ones, and those of speed")
    parser.add_argument("--seeds", type=int, default=5, help="how many draws of missing labels (default 5)")
    parser.add_argument("--full", action="store_true", help="the full form of those of speed")
    options = parser.parse_args()
    if unknown := set(options.names) - set(every):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(every)}")
    need_shared()
    print(machine())
    lines: list[Line] = []
    for name in options.names or [*QUICK, *SPEED]:
        print(f"\n## {name}: {every[name]}\n")
        benchmark = import_module(f"benchmarks.{name}")
        if name in SPEED:
            lines += benchmark.measure(options.full)
        else:
            benchmark.run(options.seeds)
    if lines:
        rows = [line.cells() for line in lines]
        print("\n## all of speed\n")
        table(list(rows[0]), [list(row.values()) for row in rows])
        if not options.names:
            keep("speed" if options.full else "speed-short", rows)


if __name__ == "__main__":
    main()
