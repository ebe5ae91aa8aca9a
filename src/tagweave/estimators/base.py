"""What the three estimators share: they assemble the problem, have it solved and show the result."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import ClassifierTags, check_random_state

from tagweave._typing import FloatArray
from tagweave.estimators.inputs import (
    check_count,
    check_dtype,
    check_init,
    check_nonnegative,
    class_weights,
    first_scores,
    instance_weights,
    read_collection,
    warn_about_unreached,
)
from tagweave.estimators.persistence import Persistent
from tagweave.estimators.ranking import Ranked
from tagweave.graphs import GraphReport
from tagweave.hierarchy import Hierarchy
from tagweave.labels import Labels, Unstored
from tagweave.memory import check_memory
from tagweave.model import (
    ClassSmoothness,
    HierarchyConstraint,
    InstanceSmoothness,
    LabelConsistency,
    Problem,
    SmoothTerm,
    SparseLowRank,
)
from tagweave.solvers import (
    ADMM,
    FISTA,
    History,
    MethodOfMultipliers,
    ProjectedGradient,
    Reordered,
    Solution,
    Solver,
    SolverResult,
    SparseLowRankADMM,
    Status,
)


class TransductiveTagger(Ranked, Persistent, BaseEstimator):
    """The common part of MLMGCO, MLMGSL and MLMG: everything but the weights of the class terms.

    Attributes
    ----------
    scores_ : ndarray of shape (n_instances, n_labels)
        In [0, 1], no child above its parent.
    objective_ : float
        At `scores_`.
    gap_ : float
        The certified relative gap: the optimum is at least (1 - gap_) * objective_.
    n_iter_ : int
    history_ : History
        Objective, gap, violation and seconds each time the solver looked.
    status_ : Status
        Why the solver stopped.
    graph_, class_graph_ : csr_array
        The weights of both graphs; `class_graph_` is None where the model has none.
    graph_report_ : GraphReport or None
        How the neighbours of `graph_` were found, and with what recall; None where it was given.
    hierarchy_ : Hierarchy
        Over the columns of Y; without edges if none was given.
    solution_ : Solution
        Scores, multipliers and parts, from which `warm_start` goes on.
    instances_ : tuple or None
        The names of the instances, where Y had them.
    """

    scores_: FloatArray
    objective_: float
    gap_: float
    n_iter_: int
    history_: History
    status_: Status
    graph_: sparse.csr_array[Any]
    class_graph_: sparse.csr_array[Any] | None
    graph_report_: GraphReport | None
    hierarchy_: Hierarchy
    solution_: Solution
    instances_: tuple[Any, ...] | None

    def __init__(
        self,
        *,
        hierarchy: Any,
        fill: bool,
        constrain: bool,
        r_plus: float,
        r_minus: float,
        graph: Any,
        unstored: Unstored | None,
        solver: Any,
        tol: float,
        max_iter: int,
        init: Any,
        warm_start: bool,
        dtype: Any,
        random_state: Any,
        callback: Any,
    ) -> None:
        self.hierarchy = hierarchy
        self.fill = fill
        self.constrain = constrain
        self.r_plus = r_plus
        self.r_minus = r_minus
        self.graph = graph
        self.unstored = unstored
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.init = init
        self.warm_start = warm_start
        self.dtype = dtype
        self.random_state = random_state
        self.callback = callback

    def _weights(self) -> dict[str, float]:
        """Return beta and, where the model has them, gamma, gamma0 and gamma1."""
        names = ("beta", "gamma", "gamma0", "gamma1")
        return {name: getattr(self, name) for name in names if hasattr(self, name)}

    def fit(
        self,
        X: Any,
        Y: Any,
        *,
        sample_weight: ArrayLike | None = None,
        label_weight: ArrayLike | None = None,
    ) -> Self:
        """Complete the missing labels of a collection.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_instances, n_features), or None
            Training and test instances together. None if `graph` is a ready matrix of weights.
        Y : array-like, DataFrame or sparse matrix of shape (n_instances, n_labels)
            1 and 0 where known, NaN where missing. Rows that are all missing are the instances to predict.
        sample_weight : array-like of shape (n_instances,), optional
            How much to trust the labels of each instance.
        label_weight : array-like of shape (n_labels,), optional
            How much to trust each label.

        Returns
        -------
        self
            After Ctrl-C the attributes hold what was reached, and KeyboardInterrupt is raised again.
        """
        weights = self._weights()
        check_nonnegative(**weights, r_plus=self.r_plus, r_minus=self.r_minus, tol=self.tol)
        check_count("max_iter", self.max_iter)
        dtype = check_dtype(self.dtype)
        X, labels, hierarchy = read_collection(self, X, Y)
        n, m = labels.shape
        constraint = HierarchyConstraint(hierarchy.edge_index, m) if self.constrain and hierarchy.n_edges else None
        low_rank = SparseLowRank(weights.get("gamma0", 0.0), weights.get("gamma1", 0.0))
        problem = Problem(labels.shape, (), constraint, low_rank if low_rank.gamma0 and low_rank.gamma1 else None)
        solver = self._solver_for(problem)
        # Three iterates, labels, and what temporaries leave behind; the other algorithms want much more.
        lean = isinstance(solver, Reordered) and problem.sparse_low_rank is None
        check_memory(
            n * m * (4.5 * dtype.itemsize if lean else 8 * dtype.itemsize + 48),
            f"fitting {n} x {m} scores in {dtype}",
            "use dtype='float32', fewer labels or a part of the collection",
        )
        check_init(self.init, labels)
        terms: list[SmoothTerm] = [
            LabelConsistency.from_labels(
                labels, self.r_plus, self.r_minus, sample_weight=sample_weight, label_weight=label_weight
            )
        ]
        W_C = class_weights(self.class_graph, labels) if weights.get("gamma") else None
        if W_C is not None:
            terms.append(ClassSmoothness.from_weights(weights["gamma"], W_C))
        # The instance graph comes last: it takes long, and nothing is refused after it.
        W_X, graph_report = instance_weights(self.graph, X, n)
        warn_about_unreached(W_X, labels)
        if weights["beta"]:
            terms.append(InstanceSmoothness.from_weights(weights["beta"], W_X))
        # In lists, from which the solver takes them: it drops them as soon as it can, and nobody else is to hold them.
        problems, starts = [replace(problem, terms=tuple(terms))], [self._start(labels, hierarchy, dtype)]
        instances = labels.instances
        del labels, terms
        result = solver.solve(problems.pop(), starts.pop(), callback=self.callback)
        self.graph_, self.class_graph_, self.hierarchy_ = W_X, W_C, hierarchy
        self.graph_report_, self.instances_ = graph_report, instances
        self._keep(result, solver.tol)
        return self

    def _keep(self, result: SolverResult, tol: float) -> None:
        self.solution_, self.scores_ = result.solution, result.scores
        self.objective_, self.gap_ = result.objective, result.gap
        self.n_iter_, self.history_, self.status_ = result.n_iter, result.history, result.status
        if result.status is Status.INTERRUPTED:
            raise KeyboardInterrupt
        if result.status not in (Status.OPTIMAL, Status.STOPPED):
            warnings.warn(
                f"the solver stopped ({result.status}) after {result.n_iter} iterations at a certified gap of "
                f"{result.gap:.1e}, above tol={tol:.1e}",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _start(self, labels: Labels, hierarchy: Hierarchy, dtype: np.dtype[Any]) -> Solution:
        if self.warm_start and hasattr(self, "solution_") and self.solution_.Z.shape == labels.shape:
            last = self.solution_.astype(dtype)
            # Multipliers belong to edges; scores do not.
            same = np.array_equal(hierarchy.edge_index, self.hierarchy_.edge_index)
            return last if same else replace(last, multipliers=None)
        return Solution(first_scores(self.init, labels, check_random_state(self.random_state), dtype))

    def _solver_for(self, problem: Problem) -> Solver:
        if hasattr(self.solver, "solve"):
            return self.solver  # type: ignore[no-any-return]
        low_rank = problem.sparse_low_rank is not None
        if self.solver == "exact":
            exact = MethodOfMultipliers if low_rank else FISTA
            return Reordered(exact(tol=self.tol, max_iter=self.max_iter))
        if self.solver == "paper":
            if low_rank:
                return SparseLowRankADMM(tol=self.tol)
            return ProjectedGradient(tol=self.tol) if problem.hierarchy is None else ADMM(tol=self.tol)
        raise ValueError(f"solver must be 'exact', 'paper' or a solver object; got {self.solver!r}")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        tags.target_tags.two_d_labels = True
        # Many labels, each of two classes: it has no predict, and so is no classifier otherwise.
        tags.classifier_tags = ClassifierTags(multi_class=False, multi_label=True)
        return tags
