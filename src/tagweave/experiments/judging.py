"""All that is measured of one fit, so that every experiment finds in it what it shows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from tagweave._typing import BoolArray, Float64Array, FloatArray
from tagweave.exceptions import LabelWarning
from tagweave.experiments.study import Study
from tagweave.labels import MISSING, POSITIVE
from tagweave.metrics import (
    average_hierarchical_loss,
    average_precision,
    entry_masks,
    mean_average_precision,
    top_k_f1,
)

TOP_K = 10
"""How many labels are set in each row for the F1 of the paper's Fig. 7."""


def measure(study: Study, Y: Float64Array, scores: FloatArray) -> dict[str, float | None]:
    """Measure scores on the test instances, on the training instances, and by kinds of entries.

    Parameters
    ----------
    study : Study
    Y : ndarray of shape (n_instances, n_labels)
        What the method was given.
    scores : ndarray of shape (n_instances, n_labels)

    Returns
    -------
    dict of str to float or None
        AP, mAP and AHL on the test instances; train_AP, train_mAP on the training instances of which something was
        given; hidden_AP, hidden_mAP on those of which nothing was; F1_provided, F1_missing, F1_test. None where
        there is nothing to judge.
    """
    nothing_given = np.isnan(Y).all(axis=1)
    labelled = (study.truth != MISSING).any(axis=1)
    masks = entry_masks(Y, study.test)
    known = study.truth != MISSING
    found: dict[str, Any] = {
        **rankings(study, scores, study.test, ""),
        **rankings(study, scores, labelled & ~study.test & ~nothing_given, "train_"),
        **rankings(study, scores, labelled & ~study.test & nothing_given, "hidden_"),
    }
    rows = study.test & labelled
    if study.hierarchy.n_edges:
        truth = study.truth[rows] == POSITIVE
        found["AHL"] = average_hierarchical_loss(truth, scores[rows], study.hierarchy, ks=_sizes(scores.shape[1]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LabelWarning)  # nothing of a kind: the report says so by an empty place
        for kind in ("provided", "missing", "test"):
            entries = getattr(masks, kind) & known
            found[f"F1_{kind}"] = top_k_f1(
                study.truth == POSITIVE, scores, TOP_K, entries=entries, hierarchy=study.hierarchy
            )
    return {name: None if value is None or np.isnan(value) else float(value) for name, value in found.items()}


def rankings(study: Study, scores: FloatArray, rows: BoolArray, prefix: str) -> dict[str, float | None]:
    """Return AP and mAP on some of the instances; what nobody knows is ranked last and not judged."""
    truth = study.truth[rows]
    if not (truth == POSITIVE).any():
        return {f"{prefix}AP": None, f"{prefix}mAP": None}
    judged = scores[rows]
    if (truth == MISSING).any():
        judged = np.where(truth == MISSING, -np.inf, judged)
    return {
        f"{prefix}AP": average_precision(truth == POSITIVE, judged, study.hierarchy),
        f"{prefix}mAP": mean_average_precision(truth == POSITIVE, judged, study.hierarchy),
    }


def _sizes(n_labels: int) -> tuple[int, ...]:
    """Return the paper's sizes: those of MediaMill for a vocabulary as small as its."""
    return (5, 10, 20, 50, 100, 150) if n_labels > 150 else (5, 10, 20, 50, 80)
