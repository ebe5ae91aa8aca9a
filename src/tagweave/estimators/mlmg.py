"""The paper's models as scikit-learn estimators: MLMG-CO, MLMG-SL, and MLMG with the terms of both."""

from __future__ import annotations

from typing import Any

from tagweave.estimators.base import TransductiveTagger
from tagweave.labels import Unstored

_SHARED_PARAMETERS = """
    hierarchy : Hierarchy or sequence of (child, parent), optional
        What implies what. With a DataFrame as Y, it speaks of its columns in any order.
    fill : bool
        Whether a known positive also sets its ancestors before the fit ("filling" in Table 3).
    constrain : bool
        Whether no child may score above its parent ("with SH constraint" in Table 3).
    r_plus, r_minus : float
        The cost of losing a known positive, and a known negative.
    graph : str, InstanceGraph or matrix of weights (n x n)
        The instance graph: the paper's formula ("paper"), the published code's ("published"), a recipe with
        other metrics, or ready weights.
    unstored : {"negative", "missing"}, optional
        What the cells mean that a sparse Y does not store.
    solver : {"exact", "paper"} or solver
        The certified exact solver, the paper's algorithms with the paper's iteration counts, or any object of
        `tagweave.solvers`.
    tol : float
        The certified relative gap at which to stop.
    max_iter : int
        The most iterations of the exact solver.
    init : {"zeros", "random"} or array of shape (n_instances, n_labels)
        Where missing labels start. The optimum does not depend on it.
    warm_start : bool
        Whether a further `fit` on as many instances and labels goes on from the last solution.
    dtype : dtype
        Of the scores, float32 or float64. The certificate is always computed in float64.
    random_state : int, RandomState or None
        For ``init="random"``.
    callback : callable, optional
        Called with a `Progress` after every iteration; returning True stops the fit.
"""


class MLMGCO(TransductiveTagger):
    """MLMG-CO: missing labels by instance similarity and class co-occurrence, under a hierarchy (Eq. 8).

    Minimises ``<Ybar, Y - Z> + beta tr(Z' L_X Z) + gamma tr(Z L_C Z')`` over scores in [0, 1] in which no child is
    above its parent.

    Parameters
    ----------
    beta : float
        How much alike instances are to agree.
    gamma : float
        How much co-occurring classes are to agree; 0 leaves them out.
    class_graph : str, ClassGraph or matrix of weights (m x m)
        The class graph: the paper's formula ("paper"), the published code's ("published"), or ready weights.
    {shared}

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave import MLMGCO
    >>> X = np.array([[0.0], [0.1], [1.0], [1.1]])
    >>> Y = np.array([[1, 1], [np.nan, np.nan], [0, 1], [np.nan, np.nan]])  # dog, animal
    >>> from tagweave.graphs import InstanceGraph
    >>> graph = InstanceGraph(n_neighbors=2, kernel_neighbor=1)
    >>> model = MLMGCO(graph=graph, hierarchy=[(0, 1)], dtype="float64").fit(X, Y)
    >>> model.scores_.round(2)
    array([[1.  , 1.  ],
           [1.  , 1.  ],
           [0.  , 1.  ],
           [0.08, 0.92]])
    >>> bool(model.gap_ <= model.tol)
    True
    """

    def __init__(
        self,
        beta: float = 0.1,
        gamma: float = 0.01,
        *,
        hierarchy: Any = None,
        fill: bool = True,
        constrain: bool = True,
        r_plus: float = 100.0,
        r_minus: float = 1.0,
        graph: Any = "paper",
        class_graph: Any = "paper",
        unstored: Unstored | None = None,
        solver: Any = "exact",
        tol: float = 1e-5,
        max_iter: int = 1000,
        init: Any = "zeros",
        warm_start: bool = False,
        dtype: Any = "float32",
        random_state: Any = None,
        callback: Any = None,
    ) -> None:
        super().__init__(
            hierarchy=hierarchy,
            fill=fill,
            constrain=constrain,
            r_plus=r_plus,
            r_minus=r_minus,
            graph=graph,
            unstored=unstored,
            solver=solver,
            tol=tol,
            max_iter=max_iter,
            init=init,
            warm_start=warm_start,
            dtype=dtype,
            random_state=random_state,
            callback=callback,
        )
        self.beta = beta
        self.gamma = gamma
        self.class_graph = class_graph


class MLMGSL(TransductiveTagger):
    """MLMG-SL: missing labels by instance similarity and a sparse + low rank decomposition (Eq. 18).

    Minimises ``<Ybar, Y - Z> + beta tr(Z' L_X Z) + gamma0 |H0|_* + gamma1 |H1|_1`` with Z = H0 + H1 over scores in
    [0, 1] in which no child is above its parent. The paper's alpha does not change the optimum; it is a parameter
    of `SparseLowRankADMM`.

    Parameters
    ----------
    beta : float
        How much alike instances are to agree.
    gamma0 : float
        How much a high rank of H0 costs.
    gamma1 : float
        How much each entry of H1 costs; from gamma0 on H1 is 0.
    {shared}

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave import MLMGSL
    >>> from tagweave.graphs import InstanceGraph
    >>> X = np.array([[0.0], [0.1], [1.0], [1.1]])
    >>> Y = np.array([[1, 1], [np.nan, np.nan], [0, 1], [np.nan, np.nan]])
    >>> graph = InstanceGraph(n_neighbors=2, kernel_neighbor=1)
    >>> model = MLMGSL(graph=graph, hierarchy=[(0, 1)], dtype="float64").fit(X, Y)
    >>> bool(model.gap_ <= model.tol), model.hierarchy_.violation(model.scores_)
    (True, 0.0)
    """

    def __init__(
        self,
        beta: float = 0.1,
        gamma0: float = 0.1,
        gamma1: float = 1.0,
        *,
        hierarchy: Any = None,
        fill: bool = True,
        constrain: bool = True,
        r_plus: float = 100.0,
        r_minus: float = 1.0,
        graph: Any = "paper",
        unstored: Unstored | None = None,
        solver: Any = "exact",
        tol: float = 1e-5,
        max_iter: int = 1000,
        init: Any = "zeros",
        warm_start: bool = False,
        dtype: Any = "float32",
        random_state: Any = None,
        callback: Any = None,
    ) -> None:
        super().__init__(
            hierarchy=hierarchy,
            fill=fill,
            constrain=constrain,
            r_plus=r_plus,
            r_minus=r_minus,
            graph=graph,
            unstored=unstored,
            solver=solver,
            tol=tol,
            max_iter=max_iter,
            init=init,
            warm_start=warm_start,
            dtype=dtype,
            random_state=random_state,
            callback=callback,
        )
        self.beta = beta
        self.gamma0 = gamma0
        self.gamma1 = gamma1


class MLMG(TransductiveTagger):
    """MLMG: co-occurrence and sparse + low rank together, the general model the paper mentions and leaves out.

    Minimises ``<Ybar, Y - Z> + beta tr(Z' L_X Z) + gamma tr(Z L_C Z') + gamma0 |H0|_* + gamma1 |H1|_1`` with
    Z = H0 + H1 over scores in [0, 1] in which no child is above its parent.

    Parameters
    ----------
    beta : float
        How much alike instances are to agree.
    gamma : float
        How much co-occurring classes are to agree; 0 leaves them out.
    gamma0 : float
        How much a high rank of H0 costs.
    gamma1 : float
        How much each entry of H1 costs; from gamma0 on H1 is 0.
    class_graph : str, ClassGraph or matrix of weights (m x m)
        The class graph: the paper's formula ("paper"), the published code's ("published"), or ready weights.
    {shared}

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave import MLMG
    >>> graph = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> Y = np.array([[1, 0], [np.nan, np.nan]])
    >>> model = MLMG(graph=graph, gamma=0.1, gamma0=0.1, gamma1=0.05, dtype="float64").fit(None, Y)
    >>> model.annotate(top_k=1).labels.tolist()
    [[0], [0]]
    """

    def __init__(
        self,
        beta: float = 0.1,
        gamma: float = 0.01,
        gamma0: float = 0.1,
        gamma1: float = 1.0,
        *,
        hierarchy: Any = None,
        fill: bool = True,
        constrain: bool = True,
        r_plus: float = 100.0,
        r_minus: float = 1.0,
        graph: Any = "paper",
        class_graph: Any = "paper",
        unstored: Unstored | None = None,
        solver: Any = "exact",
        tol: float = 1e-5,
        max_iter: int = 1000,
        init: Any = "zeros",
        warm_start: bool = False,
        dtype: Any = "float32",
        random_state: Any = None,
        callback: Any = None,
    ) -> None:
        super().__init__(
            hierarchy=hierarchy,
            fill=fill,
            constrain=constrain,
            r_plus=r_plus,
            r_minus=r_minus,
            graph=graph,
            unstored=unstored,
            solver=solver,
            tol=tol,
            max_iter=max_iter,
            init=init,
            warm_start=warm_start,
            dtype=dtype,
            random_state=random_state,
            callback=callback,
        )
        self.beta = beta
        self.gamma = gamma
        self.gamma0 = gamma0
        self.gamma1 = gamma1
        self.class_graph = class_graph


for _estimator in (MLMGCO, MLMGSL, MLMG):  # python -OO drops docstrings
    _estimator.__doc__ = (_estimator.__doc__ or "").replace("    {shared}\n", _SHARED_PARAMETERS.lstrip("\n") + "\n")
