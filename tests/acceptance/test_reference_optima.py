"""MLMG-CO + constraint on Corel5k: the certified optima of `shared/reference`, by another implementation."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import sparse

from tagweave.hierarchy import Hierarchy
from tagweave.labels import Labels
from tagweave.model import ClassSmoothness, HierarchyConstraint, InstanceSmoothness, LabelConsistency, Problem
from tagweave.solvers import FISTA, Solution, Status

slow = pytest.mark.slow
every_problem = pytest.mark.parametrize(
    ("percent_missing", "beta", "gamma"),
    [
        ("50", "1", "0.01"),
        pytest.param("50", "10", "0.1", marks=slow),
        pytest.param("80", "1", "0.01", marks=slow),
        ("80", "10", "0.1"),
    ],
)


@pytest.fixture(scope="module")
def reference(shared):
    folder = shared / "reference"
    if not (folder / "corel5k_problems.npz").is_file():
        pytest.skip(f"REFERENCE DATA ABSENT: nothing in {folder}, no solver was compared with the certified optima")
    optima = json.loads((folder / "corel5k_optimum.json").read_text(encoding="utf-8"))["optimum"]
    with np.load(folder / "corel5k_problems.npz") as arrays:
        return optima, dict(arrays)


def make(arrays, corel5k, percent_missing, beta, gamma):
    Y = arrays[f"Y_filled_tau{percent_missing}"]
    n, m = Y.shape
    W_X = sparse.csr_array((arrays["W_X_data"], arrays["W_X_indices"], arrays["W_X_indptr"]), shape=(n, n))
    W_C = sparse.csr_array(arrays[f"W_C_tau{percent_missing}"])
    terms = (
        LabelConsistency.from_labels(Labels.from_any(np.where(Y < 0, np.nan, Y))),
        InstanceSmoothness.from_weights(float(beta), W_X),
        ClassSmoothness.from_weights(float(gamma), W_C),
    )
    hierarchy = Hierarchy(corel5k.labels, corel5k.edges)
    problem = Problem((n, m), terms, HierarchyConstraint(hierarchy.edge_index, m))
    return problem, (Y == 1).astype(np.float64)


@every_problem
@pytest.mark.parametrize(("dtype", "tol", "accuracy"), [(np.float64, 1e-7, 1e-6), (np.float32, 1e-5, 1e-4)])
def test_the_certified_optimum_is_reached(reference, corel5k, percent_missing, beta, gamma, dtype, tol, accuracy):
    optima, arrays = reference
    upper, lower = optima[f"tau{percent_missing}_beta{beta}_gamma{gamma}"]
    problem, Z = make(arrays, corel5k, percent_missing, beta, gamma)
    result = FISTA(tol=tol).solve(problem, Solution(Z.astype(dtype)))
    assert result.status is Status.OPTIMAL
    assert result.gap <= tol
    assert result.objective == pytest.approx(upper, rel=accuracy)
    assert result.objective >= lower * (1 - 1e-12)
    assert result.lower_bound <= upper * (1 + 1e-12)
    scores = result.scores
    assert scores.dtype == dtype
    assert scores.min() >= 0
    assert scores.max() <= 1
    column = {label: position for position, label in enumerate(corel5k.labels)}
    for child, parent in corel5k.edges:
        assert (scores[:, column[parent]] >= scores[:, column[child]]).all()
    assert problem.violation(scores) == 0.0
