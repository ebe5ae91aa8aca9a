"""What is hidden to see how well it is found again: known labels only, as the truth of the others is not known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.utils import check_random_state

from tagweave._typing import BoolArray, Float64Array
from tagweave.hierarchy import Hierarchy
from tagweave.labels import MISSING, POSITIVE, Labels
from tagweave.missing import hide_labels

Hide = Literal["instances", "labels", "both"]

HIDE = ("instances", "labels", "both")


class TooFewLabelsError(ValueError):
    """Labels so few that hiding some of them leaves nothing to find."""


@dataclass(frozen=True, eq=False)
class Split:
    """One way to hide known labels.

    Attributes
    ----------
    Y : ndarray of shape (n_instances, n_labels)
        What the estimator gets: 1, 0, and NaN where missing or hidden.
    truth : ndarray of bool, (n_instances, n_labels)
        The known positives, filled by the hierarchy.
    hidden : tuple of ndarray of bool, (n_instances, n_labels)
        The entries to judge; the score is the mean over the parts.
    """

    Y: Float64Array
    truth: BoolArray
    hidden: tuple[BoolArray, ...]


def make_splits(
    Y: Any,
    n_splits: int,
    *,
    hide: Hide = "instances",
    proportion: float = 0.2,
    hierarchy: Hierarchy | None = None,
    random_state: Any = None,
) -> list[Split]:
    """Hide known labels several times over.

    Parameters
    ----------
    Y : array-like, DataFrame or sparse matrix of shape (n_instances, n_labels)
        1 and 0 where known, NaN where missing. Rows that are all missing stay so and are never judged.
    n_splits : int
        How many times. The first splits are the same whatever their number.
    hide : {"instances", "labels", "both"}
        All known labels of some instances, as those of the test instances are missing; single labels of leaves
        and singletons, as in the paper's protocol; or both, each judged on its own with equal weight.
    proportion : float
        How many, greater than 0 and below 1.
    hierarchy : Hierarchy, optional
        Fills the truth: a known positive makes its ancestors true.
    random_state : int, RandomState or None
        An int gives the same splits each time.

    Returns
    -------
    list of Split

    Examples
    --------
    >>> Y = np.array([[1, 0], [0, 1], [1, 1], [np.nan, np.nan]])
    >>> split, = make_splits(Y, 1, proportion=0.4, random_state=0)
    >>> int(split.hidden[0].any(axis=1).sum()), bool(split.hidden[0][3].any())
    (1, False)
    """
    if hide not in HIDE:
        raise ValueError(f"hide must be one of {', '.join(map(repr, HIDE))}; got {hide!r}")
    if not 0 < proportion < 1:
        raise ValueError(f"proportion must be greater than 0 and below 1; got {proportion!r}")
    labels = Labels.from_any(Y)
    known = labels.values != MISSING
    filled = labels.values if hierarchy is None else hierarchy.fill(labels.values)
    given = np.asarray(labels.to_float(), dtype=np.float64)
    seeds = check_random_state(random_state).randint(2**31 - 1, size=n_splits)
    splits = []
    for seed in seeds:
        rng = np.random.RandomState(int(seed))
        parts: list[BoolArray] = []
        if hide in ("instances", "both"):
            parts.append(_rows(known, proportion, rng))
        if hide in ("labels", "both"):
            left = known.copy() if not parts else known & ~parts[0]
            drawn = np.isnan(hide_labels(given, proportion, hierarchy, random_state=rng))
            parts.append(drawn & left)
        hidden = np.where(np.logical_or.reduce(parts), np.nan, given)
        truth = filled == POSITIVE
        if not all((truth & part).any() for part in parts):
            raise TooFewLabelsError(
                f"no positive label is hidden at proportion={proportion} with hide={hide!r}: "
                "there would be nothing to find; raise proportion or give more labels"
            )
        splits.append(Split(hidden, truth, tuple(parts)))
    return splits


def _rows(known: BoolArray, proportion: float, rng: np.random.RandomState) -> BoolArray:
    """Choose all known entries of some of the rows that have any."""
    labelled = np.flatnonzero(known.any(axis=1))
    chosen = rng.choice(labelled, size=max(1, round(len(labelled) * proportion)), replace=False)
    hidden = np.zeros_like(known)
    hidden[chosen] = known[chosen]
    return hidden
