"""Small random problems, and their optima from another solver: Clarabel, through CVXPY, from the raw matrices."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import cvxpy as cp
import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray
from scipy import sparse
from tests.strategies import hierarchies, label_matrices

from tagweave.labels import Labels
from tagweave.model import (
    ClassSmoothness,
    HierarchyConstraint,
    InstanceSmoothness,
    LabelConsistency,
    Problem,
    SparseLowRank,
)
from tagweave.solvers import Solution

Array = NDArray[Any]


@dataclass(frozen=True)
class Raw:
    """A problem as the paper states it: labels, weights, edges and numbers; None where a part is absent."""

    Y: Array
    W_X: Array
    beta: float
    W_C: Array | None = None
    gamma: float | None = None
    edges: Array | None = None
    gamma0: float | None = None
    gamma1: float | None = None

    def problem(self) -> Problem:
        labels = Labels.from_any(self.Y)
        terms: list[Any] = [LabelConsistency.from_labels(labels)]
        terms.append(InstanceSmoothness.from_weights(self.beta, sparse.csr_array(self.W_X)))
        if self.gamma is not None:
            terms.append(ClassSmoothness.from_weights(self.gamma, sparse.csr_array(self.W_C)))
        hierarchy = None if self.edges is None else HierarchyConstraint(self.edges, self.Y.shape[1])
        split = None if self.gamma0 is None else SparseLowRank(self.gamma0, self.gamma1)
        return Problem(labels.shape, tuple(terms), hierarchy, split)

    def start(self, dtype: Any = np.float64) -> Solution:
        return Solution((self.Y == 1).astype(dtype))

    def reordered(self, rows: Array, columns: Array) -> Raw:
        """The same problem with instances and labels in another order."""
        place = np.argsort(columns)
        return replace(
            self,
            Y=self.Y[np.ix_(rows, columns)],
            W_X=self.W_X[np.ix_(rows, rows)],
            W_C=None if self.W_C is None else self.W_C[np.ix_(columns, columns)],
            edges=None if self.edges is None else place[self.edges],
        )


def pairwise(W: Array) -> Array:
    """One row for each pair of Eq. 2 (or 3): its square at Z is W_ij (Z_i / sqrt(d_i) - Z_j / sqrt(d_j))^2."""
    degree = W.sum(axis=1)
    rows = []
    for i in range(len(W)):
        for j in range(i):
            if W[i, j] > 0:
                row = np.zeros(len(W))
                row[i], row[j] = (W[i, j] / degree[i]) ** 0.5, -((W[i, j] / degree[j]) ** 0.5)
                rows.append(row)
    return np.array(rows).reshape(-1, len(W))


def conic_optimum(raw: Raw) -> float:
    """The optimal value of Eq. 7, 16 or both, with the constant of Eq. 1."""
    n, m = raw.Y.shape
    Z = cp.Variable((n, m))
    positive, negative = (raw.Y == 1).astype(float), (raw.Y == 0).astype(float)
    objective = 100 * cp.sum(cp.multiply(positive, 1 - Z)) + cp.sum(cp.multiply(negative, Z))
    if len(pairs := pairwise(raw.W_X)):
        objective += raw.beta * cp.sum_squares(pairs @ Z)
    if raw.gamma is not None and len(pairs := pairwise(raw.W_C)):
        objective += raw.gamma * cp.sum_squares(Z @ pairs.T)
    constraints = [Z >= 0, Z <= 1]
    if raw.edges is not None:
        constraints += [Z[:, parent] >= Z[:, child] for child, parent in raw.edges]
    # Where one of the two costs nothing it takes all of Z, and leaves the rest undetermined: Clarabel loses its way.
    if raw.gamma0 and raw.gamma1:
        H1 = cp.Variable((n, m))
        objective += raw.gamma0 * cp.normNuc(Z - H1) + raw.gamma1 * cp.sum(cp.abs(H1))
    problem = cp.Problem(cp.Minimize(objective), constraints)
    accuracy = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), 1e-10)
    with warnings.catch_warnings():
        # It may not get that far, and says so; what it gets to is good enough for a millionth.
        warnings.filterwarnings("ignore", "Solution may be inaccurate")
        problem.solve(solver=cp.CLARABEL, max_threads=1, **accuracy)
    return float(problem.value)


def weights() -> st.SearchStrategy[float]:
    """Zero, or anything from a thousandth to thirty."""
    return st.one_of(st.just(0.0), st.floats(-3, 1.5).map(lambda exponent: float(10.0**exponent)))


@st.composite
def graphs(draw: st.DrawFn, n: int) -> Array:
    """Weight matrices with isolated nodes and components."""
    elements = st.one_of(st.just(0.0), st.floats(0.05, 1))
    upper = np.triu(draw(hnp.arrays(np.float64, (n, n), elements=elements)), 1)
    return upper + upper.T


@st.composite
def raw_problems(draw: st.DrawFn, *, co: bool, sl: bool, constraint: bool) -> Raw:
    """Problems of up to 8 x 6 with missing cells, rows and columns."""
    hierarchy = draw(hierarchies(max_labels=6))
    m = len(hierarchy.labels)
    Y = draw(label_matrices(m, max_rows=8))
    Y[draw(hnp.arrays(bool, len(Y), elements=st.integers(0, 3).map(lambda k: k == 3)))] = np.nan
    Y[:, draw(hnp.arrays(bool, m, elements=st.integers(0, 5).map(lambda k: k == 5)))] = np.nan
    parts: dict[str, Any] = {}
    if co:
        parts |= {"W_C": draw(graphs(m)), "gamma": draw(weights())}
    if sl:
        parts |= {"gamma0": draw(weights()), "gamma1": draw(weights())}
    if constraint:
        parts["edges"] = hierarchy.edge_index
    return Raw(Y, draw(graphs(len(Y))), draw(weights()), **parts)
