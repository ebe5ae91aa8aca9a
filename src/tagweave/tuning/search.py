"""The two searches: the whole grid on all splits, or the better part of it on more and more splits."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from numbers import Integral
from typing import Any, Self

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import ParameterGrid

from tagweave._typing import Float64Array
from tagweave.hierarchy import Hierarchy
from tagweave.tuning.splits import Hide, make_splits
from tagweave.tuning.trials import Bench, Outcome, Params, Scorer, SearchProgress, Trial, make_bench

# Trials that follow each other from one solution to the next; also what one process is given at a time.
_BLOCK = 5

_SHARED_PARAMETERS = """
    estimator : estimator
        With `fit(X, Y)` and `scores_`. One with `warm_start` goes from candidate to candidate; one whose `graph` is a
        recipe gets it built once for all.
    param_grid : dict, or sequence of dicts
        Parameter names to the values to try, as scikit-learn's; or several such grids.
    hide : {"instances", "labels", "both"}
        What to hide: see `make_splits`.
    proportion : float
        How much of it.
    scoring : {"AP", "mAP"} or callable
        The larger the better; called as ``scoring(Y_true, scores, hierarchy)``.
    hierarchy : Hierarchy, optional
        Fills the truth and breaks the ties in the ranking.
    refit : bool
        Whether to fit `best_estimator_` with nothing hidden.
    store : str or path, optional
        A folder where each outcome is kept as soon as it is there: the same search goes on from there.
    n_jobs : int
        Processes. 1 by default: the estimators use all cores themselves.
    random_state : int, RandomState or None
        For the splits.
    callback : callable, optional
        Called with a `SearchProgress` after every fit.
"""

_SHARED_ATTRIBUTES = """
    best_params_ : dict
    best_score_ : float
        Its mean over the splits.
    best_index_ : int
    best_estimator_ : estimator
        Fitted with all known labels; with `refit` only.
    cv_results_ : dict of arrays
        Ready for a DataFrame: params, param_NAME, splitI_test_score (NaN where a candidate was not tried),
        mean_test_score, std_test_score, rank_test_score, mean_fit_time, n_splits.
    n_splits_ : int
"""


class HiddenLabelSearch(BaseEstimator, ABC):
    """The common part of the searches: hide, try, choose, refit."""

    estimator: Any
    param_grid: Any
    hide: Hide
    proportion: float
    scoring: str | Scorer
    hierarchy: Hierarchy | None
    refit: bool
    store: str | os.PathLike[str] | None
    n_jobs: int
    random_state: Any
    callback: Callable[[SearchProgress], object] | None
    best_params_: dict[str, Any]
    best_score_: float
    best_index_: int
    best_estimator_: Any
    cv_results_: dict[str, Any]
    n_splits_: int

    def fit(self, X: Any, Y: Any) -> Self:
        """Find the parameters that find hidden labels best.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_instances, n_features), or None
            As the estimator takes it.
        Y : array-like, DataFrame or sparse matrix of shape (n_instances, n_labels)
            1 and 0 where known, NaN where missing. What is missing is never asked for.

        Returns
        -------
        self
        """
        if not isinstance(self.n_jobs, Integral) or self.n_jobs == 0:
            raise ValueError(f"n_jobs must be a whole number other than 0; got {self.n_jobs!r}")
        candidates = list(ParameterGrid(self.param_grid))
        rungs = self._rungs(len(candidates))
        splits = make_splits(
            Y,
            rungs[-1][1],
            hide=self.hide,
            proportion=self.proportion,
            hierarchy=self.hierarchy,
            random_state=self.random_state,
        )
        bench = make_bench(self.estimator, X, splits, candidates, self.scoring, self.hierarchy, self.store)
        scores, seconds = self._climb(bench, rungs)
        self.n_splits_ = len(splits)
        self.cv_results_ = results_table(candidates, scores, seconds)
        self.best_index_ = int(np.argmin(self.cv_results_["rank_test_score"]))
        self.best_params_ = dict(candidates[self.best_index_])
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])
        if self.refit:
            self.best_estimator_ = clone(self.estimator).set_params(**self.best_params_).fit(X, Y)
        return self

    @abstractmethod
    def _rungs(self, n_candidates: int) -> list[tuple[int, int]]:
        """Return how many candidates are left at each rung, and on how many splits they are judged."""
        ...

    def _climb(self, bench: Bench, rungs: Sequence[tuple[int, int]]) -> tuple[Float64Array, Float64Array]:
        scores = np.full((len(bench.candidates), rungs[-1][1]), np.nan)
        seconds = np.full_like(scores, np.nan)
        left = np.arange(len(bench.candidates))
        total = sum(n * (upto - since) for (n, upto), since in zip(rungs, [0, *(r[1] for r in rungs)], strict=False))
        done, since = 0, 0
        for n_left, upto in rungs:
            # The order of the grid is kept, for neighbours in it have neighbouring solutions.
            left = np.sort(left[np.argsort(-_mean(scores[left]), kind="stable")[:n_left]])
            trials = [[Trial(int(c), split) for c in left] for split in range(since, upto)]
            blocks = [row[i : i + _BLOCK] for row in trials for i in range(0, len(row), _BLOCK)]
            for outcome in self._outcomes(bench, blocks):
                done += 1
                candidate, split = outcome.trial.candidate, outcome.trial.split
                scores[candidate, split], seconds[candidate, split] = outcome.score, outcome.seconds
                if self.callback is not None:
                    best = float(np.nanmax(_mean(scores)))
                    params = bench.candidates[candidate]
                    self.callback(SearchProgress(done, total, params, split, outcome.score, best))
            since = upto
        return scores, seconds

    def _outcomes(self, bench: Bench, blocks: Iterable[Sequence[Trial]]) -> Iterator[Outcome]:
        if self.n_jobs == 1:
            for block in blocks:
                yield from bench.run(block)
            return
        parallel = Parallel(n_jobs=self.n_jobs, return_as="generator_unordered")
        for outcomes in parallel(delayed(bench.run_all)(block) for block in blocks):
            yield from outcomes


class GridSearch(HiddenLabelSearch):
    """Try every candidate on every split: the paper's cross-validation.

    Parameters
    ----------
    {shared}
    n_splits : int
        How many times labels are hidden.

    Attributes
    ----------
    {attributes}

    Examples
    --------
    >>> from tagweave import MLMGCO
    >>> from tagweave.datasets import make_tagged_collection
    >>> photos = make_tagged_collection(80, random_state=0)
    >>> search = GridSearch(MLMGCO(), {"beta": [0.1, 10.0]}, n_splits=2, random_state=0).fit(photos.X, photos.Y)
    >>> sorted(search.best_params_), search.cv_results_["split1_test_score"].shape
    (['beta'], (2,))
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Sequence[Any]]],
        *,
        n_splits: int = 3,
        hide: Hide = "instances",
        proportion: float = 0.2,
        scoring: str | Scorer = "AP",
        hierarchy: Hierarchy | None = None,
        refit: bool = True,
        store: str | os.PathLike[str] | None = None,
        n_jobs: int = 1,
        random_state: Any = None,
        callback: Callable[[SearchProgress], object] | None = None,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.n_splits = n_splits
        self.hide = hide
        self.proportion = proportion
        self.scoring = scoring
        self.hierarchy = hierarchy
        self.refit = refit
        self.store = store
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.callback = callback

    def _rungs(self, n_candidates: int) -> list[tuple[int, int]]:
        if not isinstance(self.n_splits, Integral) or self.n_splits < 1:
            raise ValueError(f"n_splits must be a whole number of at least 1; got {self.n_splits!r}")
        return [(n_candidates, int(self.n_splits))]


class HalvingSearch(HiddenLabelSearch):
    """Successive halving: every candidate on a split or few, the better part of them on more, and so on.

    Parameters
    ----------
    {shared}
    min_splits : int
        On how many splits every candidate is tried.
    factor : int
        From rung to rung one in so many candidates is left, on so many times the splits, until at most `factor`
        are left.

    Attributes
    ----------
    {attributes}

    Examples
    --------
    >>> from tagweave import MLMGCO
    >>> from tagweave.datasets import make_tagged_collection
    >>> photos = make_tagged_collection(80, random_state=0)
    >>> grid = {"beta": [0.01, 0.1, 1.0, 10.0]}
    >>> search = HalvingSearch(MLMGCO(), grid, factor=2, random_state=0).fit(photos.X, photos.Y)
    >>> search.cv_results_["n_splits"].tolist().count(2)
    2
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Sequence[Any]]],
        *,
        min_splits: int = 1,
        factor: int = 3,
        hide: Hide = "instances",
        proportion: float = 0.2,
        scoring: str | Scorer = "AP",
        hierarchy: Hierarchy | None = None,
        refit: bool = True,
        store: str | os.PathLike[str] | None = None,
        n_jobs: int = 1,
        random_state: Any = None,
        callback: Callable[[SearchProgress], object] | None = None,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.min_splits = min_splits
        self.factor = factor
        self.hide = hide
        self.proportion = proportion
        self.scoring = scoring
        self.hierarchy = hierarchy
        self.refit = refit
        self.store = store
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.callback = callback

    def _rungs(self, n_candidates: int) -> list[tuple[int, int]]:
        for name, value, least in (("min_splits", self.min_splits, 1), ("factor", self.factor, 2)):
            if not isinstance(value, Integral) or value < least:
                raise ValueError(f"{name} must be a whole number of at least {least}; got {value!r}")
        rungs = [(n_candidates, int(self.min_splits))]
        while rungs[-1][0] > self.factor:
            n_left, n_splits = rungs[-1]
            rungs.append((-(-n_left // self.factor), n_splits * self.factor))
        return rungs


def results_table(candidates: Sequence[Params], scores: Float64Array, seconds: Float64Array) -> dict[str, Any]:
    """Lay out what a search found, as scikit-learn does.

    Examples
    --------
    >>> table = results_table([{"beta": 1}, {"beta": 2}], np.array([[0.9, np.nan], [0.5, 0.7]]), np.ones((2, 2)))
    >>> table["rank_test_score"]  # more splits first: one lucky split is no proof
    array([2, 1])
    """
    n_splits = np.sum(~np.isnan(scores), axis=1)
    means = _mean(scores)
    order = np.lexsort((-means, -n_splits))
    rank = np.empty(len(candidates), dtype=np.int64)
    rank[order] = np.arange(1, len(candidates) + 1)
    names = sorted({name for candidate in candidates for name in candidate})
    columns: dict[str, Any] = {"params": [dict(candidate) for candidate in candidates]}
    for name in names:
        values = [candidate.get(name) for candidate in candidates]
        columns[f"param_{name}"] = np.ma.MaskedArray(
            np.array(values, dtype=object), mask=[name not in candidate for candidate in candidates]
        )
    for split in range(scores.shape[1]):
        columns[f"split{split}_test_score"] = scores[:, split]
    columns["mean_test_score"] = means
    columns["std_test_score"] = np.sqrt(_mean((scores - means[:, None]) ** 2))
    columns["rank_test_score"] = rank
    columns["mean_fit_time"] = _mean(seconds)
    columns["n_splits"] = n_splits
    return columns


def _mean(scores: Float64Array) -> Float64Array:
    """Return the mean of each row over what is there; -inf where nothing is."""
    there = ~np.isnan(scores)
    counts = there.sum(axis=1)
    sums = np.where(there, scores, 0.0).sum(axis=1)
    means: Float64Array = np.where(counts > 0, sums / np.maximum(counts, 1), -np.inf)
    return means


for _search in (GridSearch, HalvingSearch):  # python -OO drops docstrings
    _search.__doc__ = (
        (_search.__doc__ or "")
        .replace("    {shared}\n", _SHARED_PARAMETERS.lstrip("\n"))
        .replace("    {attributes}\n", _SHARED_ATTRIBUTES.lstrip("\n"))
    )
