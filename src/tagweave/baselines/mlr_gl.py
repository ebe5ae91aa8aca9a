"""MLR-GL: known positives rank above all other labels, and a few of those others may break the rule."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from tagweave._typing import Float64Array, FloatArray
from tagweave.baselines.base import Rival
from tagweave.baselines.feature_kernel import kernel_of
from tagweave.estimators.inputs import check_count, check_nonnegative
from tagweave.hierarchy import Hierarchy
from tagweave.kernels.ranking import ascend_rows, ranking_loss
from tagweave.labels import POSITIVE, Labels, Unstored
from tagweave.memory import check_memory

# Rows whose scores one matrix product brings up to date; within a block they are corrected one by one.
BLOCK_ROWS = 64
# How often each group of a row is visited before the next row's turn: the row's scores are cheap by then.
PASSES = 2
# Sweeps between two looks at the duality gap, which costs about half a sweep.
SWEEPS_PER_LOOK = 5


class MLRGL(Rival):
    """Multi-label ranking with group lasso (Bucak, Jin and Jain, CVPR 2011).

    Each label k has a function f_k in the Hilbert space of a kernel. On an instance, an assigned label k (a known
    positive) errs against an unassigned label l (all others) by e_kl = max(0, 1 - f_k + f_l). The functions minimise

        1/2 sum_k |f_k|^2 + C sum_i sum_l sqrt(sum_k e_kl(x_i)^2)

    with l over the unassigned and k over the assigned labels of instance i. The square root makes the errors of an
    unassigned label one group: as in the group lasso, a few groups may be large, those of labels that are missing.

    Parameters
    ----------
    C : float
        Weight of the ranking errors.
    kernel : str, FeatureKernel or matrix of shape (n_instances, n_instances)
        See `KDE`.
    tol : float
        The relative duality gap at which to stop.
    max_iter : int
        The most sweeps over the instances.
    random_state : int, RandomState or None
        For the order of the instances in each sweep. The optimum does not depend on it.
    hierarchy : Hierarchy, sequence of (child, parent) or None
        What implies what; see `MLMGCO`.
    fill : bool
        Whether the known positives imply their ancestors beforehand.
    unstored : {"negative", "missing"} or None
        What the cells mean that a sparse Y does not store.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_instances, n_labels)
        f_k(x) = sum_i dual_coef_[i, k] K(x_i, x); 0 for instances without an assigned label.
    objective_ : float
        At `scores_`.
    gap_ : float
        The certified relative gap: the optimum is at least (1 - gap_) * objective_.
    n_iter_ : int
        Sweeps over the instances.

    Notes
    -----
    The dual has a multiplier for each error, nonnegative, and the multipliers of a group have a norm of at most C:

        maximise sum gamma - 1/2 sum_k coef_k' K coef_k

    where coef adds up the multipliers of a label where it is assigned, and takes them away where it is not. It is
    solved by block coordinate ascent over the groups, in random order of the instances; the matrix of the primal's
    scores is at hand, so the duality gap is, too.

    The groups are ours to read from the paper's motive, that few of the unassigned labels are missing: one for each
    unassigned label. As in the original, a missing label counts as unassigned, and so does a known negative.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.baselines import MLRGL
    >>> X = np.array([[0.0], [1.0], [0.1], [0.9]])
    >>> Y = np.array([[1, 0], [0, 1], [np.nan, np.nan], [np.nan, np.nan]])
    >>> model = MLRGL(C=10.0, tol=1e-6).fit(X, Y)
    >>> (model.scores_[:2, 0] - model.scores_[:2, 1]).round(3)  # by a margin of 1
    array([ 1., -1.])
    >>> model.gap_ <= 1e-6
    True
    """

    def __init__(
        self,
        C: float = 0.3,
        kernel: Any = "euclidean",
        *,
        tol: float = 0.01,
        max_iter: int = 200,
        random_state: Any = 0,
        hierarchy: Any = None,
        fill: bool = True,
        unstored: Unstored | None = None,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state
        self.hierarchy = hierarchy
        self.fill = fill
        self.unstored = unstored

    def _complete(self, X: Any, labels: Labels, hierarchy: Hierarchy) -> FloatArray:
        check_nonnegative(C=self.C, tol=self.tol)
        check_count("max_iter", self.max_iter)
        n, m = labels.shape
        owner, positives = np.nonzero(labels.values == POSITIVE)
        check_memory(8.0 * m * (len(owner) + 3 * n), f"ranking {n} x {m} labels", "use a part of the collection")
        K = kernel_of(self.kernel, X, n)
        # An instance without an assigned label has no error, and none without an unassigned one.
        rows = np.unique(owner)
        starts = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=n)[rows])])
        coef, self.objective_, self.gap_, self.n_iter_ = self._solve(
            K[np.ix_(rows, rows)], starts, positives.astype(np.int64), m
        )
        if self.gap_ > self.tol:
            warnings.warn(
                f"the ascent stopped after {self.n_iter_} sweeps at a relative gap of {self.gap_:.1e}, "
                f"above tol={self.tol:.1e}",
                ConvergenceWarning,
                stacklevel=4,
            )
        self.dual_coef_ = np.zeros((n, m))
        self.dual_coef_[rows] = coef
        scores: FloatArray = K[:, rows] @ coef
        return scores

    def _solve(
        self, K: Float64Array, starts: NDArray[np.int64], positives: NDArray[np.int64], m: int
    ) -> tuple[Float64Array, float, float, int]:
        """Return coefficients, objective, relative gap and sweeps."""
        rng = check_random_state(self.random_state)
        n, C = len(K), float(self.C)
        coef, gamma = np.zeros((n, m)), np.zeros((len(positives), m))
        sweep = 0
        while True:
            F = K @ coef
            square_norm = float(np.vdot(coef, F))
            objective = square_norm / 2 + C * float(ranking_loss(F, starts, positives))
            # Rounding may put the dual a hair above the primal.
            gap = max(0.0, objective - (float(gamma.sum()) - square_norm / 2))
            relative = gap / objective if objective > 0 else 0.0
            if relative <= self.tol or sweep >= self.max_iter:
                return coef, objective, relative, sweep
            for _ in range(min(SWEEPS_PER_LOOK, self.max_iter - sweep)):
                order = rng.permutation(n)
                for begin in range(0, n, BLOCK_ROWS):
                    block = order[begin : begin + BLOCK_ROWS]
                    near = K[block]
                    ascend_rows(block, near[:, block], near @ coef, coef, gamma, starts, positives, C, PASSES)
                sweep += 1
