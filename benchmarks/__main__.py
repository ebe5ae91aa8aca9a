"""Run benchmarks by name: `python -m benchmarks optima solvers`; all of the quick ones without a name."""

from __future__ import annotations

import argparse
from importlib import import_module

QUICK = {
    "optima": "MLMG-CO + constraint against certified reference optima (Corel5k)",
    "solvers": "the paper's algorithms beside the exact solver: objective, gap, violation, seconds (Corel5k)",
}
SLOW = {
    "variants": "the eight variants of Table 3, 5 seeds x 5 proportions, beside the published code (Corel5k)",
    "tuned": "MLMG-SL against MLMG-CO, each tuned on validation data (Corel5k, two kinds of features)",
    "rivals_graph": "the rivals on graphs, kernels and hierarchies, unfilled and filled (Corel5k)",
    "rivals_graph_tuning": "where the defaults of those rivals come from: validation data only (Corel5k)",
}


def main() -> None:
    every = {**QUICK, **SLOW}
    listing = "\n".join(f"  {name:20}{what}" for name, what in every.items())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        epilog=f"benchmarks:\n{listing}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="name", help="default: the quick ones")
    parser.add_argument("--seeds", type=int, default=5, help="how many draws of missing labels (default 5)")
    options = parser.parse_args()
    if unknown := set(options.names) - set(every):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(every)}")
    for name in options.names or QUICK:
        print(f"\n{name}: {every[name]}\n")
        import_module(f"benchmarks.{name}").run(options.seeds)


if __name__ == "__main__":
    main()
