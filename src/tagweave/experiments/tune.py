"""Tuning every method on a collection, from its training labels only; what is found is kept in a file."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tagweave.experiments.cells import fit_quietly
from tagweave.experiments.methods import METHODS
from tagweave.experiments.parameters import Entry, Tuned
from tagweave.experiments.study import Draw, Study
from tagweave.tuning import HalvingSearch, SearchProgress
from tagweave.tuning.splits import TooFewLabelsError

logger = logging.getLogger(__name__)

TUNED_PROPORTIONS = (0.0, 0.5, 0.95)
"""Between them the parameters of the nearest one are taken."""

# Of the labels hidden for tuning; the experiments hide those of seeds 0, 1, 2, ...
_SEED = 1000

_HOW = (
    "Successive halving over the grid, AP on a fifth of the labelled training instances whose labels were hidden, "
    f"without the constraint, on the labels hidden by seed {_SEED}; test labels were never looked at."
)


@dataclass(frozen=True)
class TuneProgress:
    """Where tuning is.

    Attributes
    ----------
    done, total : int
        Of the searches: a method, filled or not, at a proportion.
    label : str
        Of the search that is running.
    search : SearchProgress
        Where that is.
    """

    done: int
    total: int
    label: str
    search: SearchProgress


def tune(
    study: Study,
    *,
    store: str | Path | None = None,
    methods: Iterable[str] | None = None,
    proportions: Iterable[float] = TUNED_PROPORTIONS,
    n_jobs: int = 1,
    callback: Callable[[TuneProgress], object] | None = None,
) -> Tuned:
    """Tune every method that has a grid.

    Parameters
    ----------
    study : Study
        Its test labels are not looked at.
    store : path, optional
        Where each fit is kept; an interrupted tuning goes on from there.
    methods : iterable of str, optional
        Their names in the paper; all if not given.
    proportions : iterable of float
        How much is missing.
    n_jobs : int
        Processes.
    callback : callable, optional
        Called with a `TuneProgress` after every fit.

    Returns
    -------
    Tuned
        Without the situations in which there are too few labels to hide some more.
    """
    wanted = [METHODS[name] for name in (METHODS if methods is None else methods) if METHODS[name].grid]
    fillings = (False, True) if study.hierarchy.n_edges else (False,)
    jobs = [(one, fill, p) for one in wanted for fill in fillings for p in proportions]
    entries = []
    for done, (one, fill, proportion) in enumerate(jobs):
        label = f"{one.name}, {'filled' if fill else 'not filled'}, {proportion:.0%} missing"

        def tell(progress: SearchProgress, done: int = done, label: str = label) -> None:
            if callback is not None:
                callback(TuneProgress(done, len(jobs), label, progress))

        search = HalvingSearch(
            one.make(study, (), fill=fill),
            one.grid,
            hierarchy=study.hierarchy,
            refit=False,
            store=store,
            n_jobs=n_jobs,
            random_state=_SEED,
            callback=tell,
        )
        try:
            fit_quietly(search, study.X, study.labels(Draw(proportion, _SEED)))
        except TooFewLabelsError as error:
            logger.warning("not tuned: %s: %s", label, error)
            continue
        entries.append(
            Entry(
                one.name,
                fill,
                proportion,
                search.best_params_,
                round(search.best_score_, 5),
                len(search.cv_results_["params"]),
                int(np.sum(search.cv_results_["n_splits"])),
            )
        )
    return Tuned(tuple(entries), _HOW)
