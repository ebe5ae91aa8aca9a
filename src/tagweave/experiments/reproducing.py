"""From names of experiments to a report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from pathlib import Path

from tagweave.experiments.experiment import PROPORTIONS, QUICK_PROPORTIONS, Experiment, Plan
from tagweave.experiments.parameters import tuned_for
from tagweave.experiments.registry import EXPERIMENTS
from tagweave.experiments.report import Settings, write_report
from tagweave.experiments.runner import CellProgress, run_cells
from tagweave.experiments.study import Study
from tagweave.store import Store

CELLS = "cells"
"""The folder, within that of a report, where results are kept."""

TUNED = "tuned"
"""The folder, within that of a report, where `tagweave reproduce tune` writes parameters."""

_QUICK_SIZES = (300, 100)


@dataclass(frozen=True)
class Choice:
    """The experiments that a collection allows.

    Attributes
    ----------
    experiments : tuple of Experiment
    notes : tuple of str
        Why others are left out.
    """

    experiments: tuple[Experiment, ...]
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class Report:
    """What `reproduce` made.

    Attributes
    ----------
    page : Path
        Of report.html.
    failures : list of str
        The computations that failed; the report says so too.
    """

    page: Path
    failures: list[str]


def choose(names: Sequence[str], study: Study | None = None) -> Choice:
    """Return experiments by name; "all" are those that the collection allows.

    Parameters
    ----------
    names : sequence of str
    study : Study, optional
        Without it only the names are checked.

    Returns
    -------
    Choice

    Raises
    ------
    ValueError
        If a name is unknown, or the collection lacks what an experiment named needs.

    Examples
    --------
    >>> [one.name for one in choose(["curves"]).experiments]
    ['curves']
    """
    for name in names:
        if name not in EXPERIMENTS and name != "all":
            close = get_close_matches(name, [*EXPERIMENTS, "all"], n=1)
            hint = f" (did you mean {close[0]!r}?)" if close else ""
            raise ValueError(f"no experiment {name!r}{hint}; there are {', '.join(EXPERIMENTS)}, and all")
    if "all" in names:
        chosen = tuple(EXPERIMENTS.values())
    else:
        chosen = tuple(EXPERIMENTS[name] for name in dict.fromkeys(names))
    if study is None:
        return Choice(chosen)
    lacking = {one.name: reason for one in chosen if (reason := one.lacks(study))}
    if lacking and "all" not in names:
        raise ValueError("; ".join(lacking.values()))
    return Choice(
        tuple(one for one in chosen if one.name not in lacking),
        tuple(f"Left out: {reason}." for reason in lacking.values()),
    )


def make_plan(study: Study, *, n_seeds: int | None = None, quick: bool = False, tuned: Path | None = None) -> Plan:
    """Return how thoroughly to work.

    Parameters
    ----------
    study : Study
        Whose parameters to look for.
    n_seeds : int, optional
        5, or 2 if it is to be quick.
    quick : bool
        Few proportions and repetitions.
    tuned : path, optional
        A folder of tuned parameters, before those that come with Tagweave.

    Returns
    -------
    Plan
    """
    if n_seeds is not None and n_seeds < 1:
        raise ValueError(f"seeds must be at least 1; got {n_seeds}")
    return Plan(
        seeds=tuple(range(n_seeds or (2 if quick else 5))),
        proportions=QUICK_PROPORTIONS if quick else PROPORTIONS,
        tuned=tuned_for(study, tuned),
        repeats=2 if quick else 10,
        quick=quick,
    )


def reproduce(
    names: Sequence[str],
    study: Study,
    output: str | Path,
    *,
    n_seeds: int | None = None,
    quick: bool = False,
    callback: Callable[[CellProgress], object] | None = None,
) -> Report:
    """Run experiments and write their report.

    Parameters
    ----------
    names : sequence of str
        Of experiments, or "all".
    study : Study
    output : path
        The folder of the report. Results are kept in it: the next run computes only what is new.
    n_seeds : int, optional
        How often labels are hidden; 5, or 2 if it is to be quick.
    quick : bool
        A sample of the collection and few repetitions, to see that everything works.
    callback : callable, optional
        Called with a `CellProgress` before every computation, and at the end.

    Returns
    -------
    Report
    """
    folder = Path(output)
    plan = make_plan(study, n_seeds=n_seeds, quick=quick, tuned=folder / TUNED)
    if quick:
        study = study.sample(*_QUICK_SIZES)
    choice = choose(names, study)
    store = Store(folder / CELLS)
    cells = [cell for one in choice.experiments for cell in one.cells(study, plan)]
    results = run_cells(cells, study, store, callback)
    sections = [one.section(study, plan, results) for one in choice.experiments]
    settings = Settings(
        collection=study.name,
        features=study.view,
        note=study.note,
        content=study.content,
        seeds=plan.seeds,
        proportions=plan.proportions,
        quick=plan.quick,
        tuning=plan.tuned.how,
        tuned=[asdict(entry) for entry in plan.tuned.entries],
    )
    failures = results.failures()
    notes = [
        *choice.notes,
        *(f"Not computed: {refusal}." for refusal in results.refusals()),
        *(f"Failed: {failure}." for failure in failures),
    ]
    return Report(write_report(folder, settings, sections, notes), failures)
