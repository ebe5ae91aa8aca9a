"""`tagweave reproduce`: run experiments and write their report; or tune, for the experiments to come."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tagweave.cli.status import StatusLine

if TYPE_CHECKING:
    from tagweave.datasets import Collection

GENERATED = "generated"
"""The name of a collection that is made up on the spot, where there is no data."""

TUNE = "tune"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the verb takes."""
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="experiments, or `all`, or `tune`; without a name they are listed"
    )
    parser.add_argument("--list", action="store_true", help="list the experiments and stop")
    parser.add_argument(
        "--data",
        metavar="NAME|FOLDER",
        default="corel5k",
        help=f"a collection by name or folder, or `{GENERATED}` (default: corel5k)",
    )
    parser.add_argument("--features", metavar="NAME", help="which, if there are several (default: the paper's)")
    parser.add_argument("--output", metavar="DIR", type=Path, help="where the report goes (default: reproduced/DATA)")
    parser.add_argument("--seeds", metavar="N", type=int, help="how often labels are hidden (default: 5; quick: 2)")
    parser.add_argument("--quick", action="store_true", help="a sample and few repetitions, to see that it works")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="processes, for `tune` only (default: 1)")


def run(options: argparse.Namespace) -> int:
    """Do it."""
    if options.list or not options.names:
        return _list()
    from tagweave.experiments.reproducing import choose, reproduce
    from tagweave.experiments.study import Study

    tuning = TUNE in options.names
    if tuning and len(options.names) > 1:
        raise ValueError(f"{TUNE} goes alone, before the experiments; got {' '.join(options.names)}")
    if not tuning:
        choose(options.names)
    if options.seeds is not None and options.seeds < 1:
        raise ValueError(f"--seeds must be at least 1; got {options.seeds}")
    study = Study.of(_load(options.data), options.features)
    if not tuning:
        choose(options.names, study)
    output = options.output or Path("reproduced") / study.name
    _check_writable(output)
    with StatusLine() as status:
        if tuning:
            return _tune(study, output, options.jobs, status)
        report = reproduce(
            options.names, study, output, n_seeds=options.seeds, quick=options.quick, callback=status.cells
        )
    _print(f"{report.page}")
    if report.failures:
        raise RuntimeError(f"{len(report.failures)} computations failed, the first: {report.failures[0]}")
    return 0


def _tune(study: Any, output: Path, n_jobs: int, status: StatusLine) -> int:
    from tagweave.experiments.parameters import file_for
    from tagweave.experiments.reproducing import CELLS, TUNED
    from tagweave.experiments.tune import tune

    found = tune(study, store=output / CELLS, n_jobs=n_jobs, callback=status.searches)
    _print(f"{found.save(file_for(study, output / TUNED), study)}")
    return 0


def _list() -> int:
    from tagweave.experiments.registry import EXPERIMENTS

    width = max(map(len, EXPERIMENTS))
    _print("\n".join(f"{name:{width}}  {one.title} ({one.paper})" for name, one in EXPERIMENTS.items()))
    return 0


def _load(name: str) -> Collection:
    from tagweave.datasets import Collection, load, make_tagged_collection

    if name != GENERATED:
        return load(name)
    made = make_tagged_collection(700, random_state=0)
    return Collection.from_arrays(made.X, made.Y, name=GENERATED, hierarchy=made.hierarchy, n_train=made.n_train)


def _check_writable(folder: Path) -> None:
    """Find out before the work, not after it, that its result could not be kept."""
    from tagweave.store import write_atomically

    write_atomically(folder / ".writable", "").unlink()


def _print(text: str, file: Any = None) -> None:
    print(text, file=file or sys.stdout)
