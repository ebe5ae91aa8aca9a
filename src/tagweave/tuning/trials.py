"""One candidate on one split: fitted, judged on what was hidden, kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.base import clone

from tagweave.graphs import InstanceGraph
from tagweave.hierarchy import Hierarchy
from tagweave.metrics import average_precision, mean_average_precision
from tagweave.store import CORE, Store, code_fingerprint, fingerprint
from tagweave.tuning.splits import Split

Scorer = Callable[[Any, Any, Hierarchy | None], float]
Params = Mapping[str, Any]

SCORERS: dict[str, Scorer] = {"AP": average_precision, "mAP": mean_average_precision}


@dataclass(frozen=True)
class SearchProgress:
    """Where a search is.

    Attributes
    ----------
    done, total : int
        How many fits are done, of how many. Those found in the store count as done.
    params : mapping
        Of the last candidate.
    split : int
        On which it was judged.
    score : float
        What it got.
    best_score : float
        The best mean so far.
    """

    done: int
    total: int
    params: Params
    split: int
    score: float
    best_score: float


@dataclass(frozen=True)
class Trial:
    """A candidate and the split to judge it on, as numbers."""

    candidate: int
    split: int


@dataclass(frozen=True)
class Outcome:
    """What came of a trial."""

    trial: Trial
    score: float
    seconds: float


@dataclass(frozen=True, eq=False)
class Bench:
    """All that the trials of a search share; it goes to other processes as it is."""

    estimator: Any
    X: Any
    splits: Sequence[Split]
    candidates: Sequence[Params]
    scorer: Scorer
    hierarchy: Hierarchy | None
    folder: str | os.PathLike[str] | None
    content: str

    def key(self, trial: Trial) -> str:
        """Return what the trial's outcome is kept under."""
        return fingerprint(self.content, dict(self.candidates[trial.candidate]), trial.split)

    def run(self, block: Sequence[Trial]) -> Iterator[Outcome]:
        """Run the trials of one split, each from where the one before ended, if the estimator can."""
        store = None if self.folder is None else Store(self.folder)
        model = clone(self.estimator)
        if "warm_start" in model.get_params(deep=False):
            model.set_params(warm_start=True)
        for trial in block:
            known = None if store is None else store.get(self.key(trial))
            if known is None:
                started = perf_counter()
                split = self.splits[trial.split]
                model.set_params(**self.candidates[trial.candidate]).fit(self.X, split.Y)
                seconds = perf_counter() - started
                known = {"score": judge(split, model.scores_, self.scorer, self.hierarchy), "seconds": seconds}
                if store is not None:
                    store.put(self.key(trial), known)
            yield Outcome(trial, known["score"], known["seconds"])

    def run_all(self, block: Sequence[Trial]) -> list[Outcome]:
        """Run a block to its end: what another process is asked for."""
        return list(self.run(block))


def judge(split: Split, scores: Any, scorer: Scorer, hierarchy: Hierarchy | None) -> float:
    """Judge scores on what the split hid; what is not to be judged is ranked last, where it does no harm.

    Examples
    --------
    >>> split = Split(np.full((1, 3), np.nan), np.array([[True, True, False]]), (np.array([[False, True, True]]),))
    >>> judge(split, [[0.9, 0.2, 0.8]], average_precision, None)
    0.5
    """
    found = []
    for hidden in split.hidden:
        rows = hidden.any(axis=1)
        mask = hidden[rows]
        found.append(scorer(split.truth[rows] & mask, np.where(mask, np.asarray(scores)[rows], -np.inf), hierarchy))
    return float(np.mean(found))


def make_bench(
    estimator: Any,
    X: Any,
    splits: Sequence[Split],
    candidates: Sequence[Params],
    scoring: str | Scorer,
    hierarchy: Hierarchy | None,
    folder: str | os.PathLike[str] | None,
) -> Bench:
    """Check the candidates, share the instance graph among them, and name the content."""
    names = set(estimator.get_params())
    for candidate in candidates:
        if unknown := set(candidate) - names:
            raise ValueError(
                f"param_grid names {', '.join(sorted(map(repr, unknown)))}, "
                f"but {type(estimator).__name__} has {', '.join(sorted(names))}"
            )
    if isinstance(scoring, str) and scoring not in SCORERS:
        raise ValueError(f"scoring must be {' or '.join(map(repr, SCORERS))} or a function; got {scoring!r}")
    scorer = SCORERS[scoring] if isinstance(scoring, str) else scoring
    content = ""
    if folder is not None:
        module = type(estimator).__module__
        own = module.split(".")[1:2] if module.startswith("tagweave.") else []
        content = fingerprint(
            code_fingerprint(*CORE, "tuning", *own),
            f"{module}.{type(estimator).__qualname__}",
            {name: value for name, value in estimator.get_params().items() if name != "callback"},
            f"{scorer.__module__}.{scorer.__qualname__}",
            X if X is None or hasattr(X, "nnz") else np.asarray(X),
            [[split.Y, split.truth, list(split.hidden)] for split in splits],
        )
    varied = {name for candidate in candidates for name in candidate}
    if "graph" in names and not any(name.startswith("graph") for name in varied):
        estimator = _with_graph(estimator, X)
    return Bench(estimator, X, splits, candidates, scorer, hierarchy, folder, content)


def _with_graph(estimator: Any, X: Any) -> Any:
    """Return the estimator with its instance graph built, if all it has is the recipe."""
    graph = estimator.get_params(deep=False)["graph"]
    recipe = InstanceGraph(graph) if isinstance(graph, str) else graph
    if X is None or not isinstance(recipe, InstanceGraph):
        return estimator
    return clone(estimator).set_params(graph=recipe.build(X))
