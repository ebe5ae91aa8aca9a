"""MC-Pos (Cabral, De la Torre, Costeira and Bernardino, 2011 and 2015): labels and features as one low-rank matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from tagweave.baselines.base import Rival
from tagweave.baselines.checks import check_positive
from tagweave.baselines.features import map_features
from tagweave.baselines.mc_pos_solver import Completion
from tagweave._typing import FloatArray
from tagweave.estimators.inputs import check_count
from tagweave.hierarchy import Hierarchy
from tagweave.labels import MISSING, POSITIVE, Labels, Unstored


class MCPos(Rival):
    r"""Matrix completion with positive features.

    A row of Z holds an instance's labels, its features and a 1. Minimises

    .. math:: \mu |Z|_* + \frac{\lambda}{|\Omega_Y|} \sum_{\Omega_Y} \tfrac1\gamma \log(1 + e^{-\gamma y z})
              + \frac{1}{|\Omega_X|} \sum_{\Omega_X} \frac{(z - x)^2}{z + x}

    over Z whose features are not negative and whose last column is 1, with the sums over the known labels, -1 or 1, and
    over the features. The scores are the labels in Z.

    Parameters
    ----------
    nuclear : float
        The weight of the nuclear norm: mu is this divided by the root of the number of entries of Z, so that it means the
        same for collections of every size.
    lam : float
        The weight of the labels, the lambda above.
    sharpness : float
        The gamma above.
    feature_map : {"l1", "hellinger", None}
        What happens to the features first, see :func:`~tagweave.baselines.features.map_features`. Afterwards all are
        divided by their mean, so that they are of the size of the labels and of the column of ones.
    tol : float
        The certified relative gap at which to stop.
    max_iter : int
        The most iterations.
    hierarchy, fill, unstored
        As of the estimators, see :class:`tagweave.MLMGCO`.

    Attributes
    ----------
    objective_ : float
        Of the formula above, at the feasible point that the scores belong to.
    gap_ : float
        The certified relative distance of `objective_` from the optimum.
    rank_ : int
        Of the low-rank copy of Z at the end.
    n_iter_ : int

    Notes
    -----
    The paper's algorithm, fixed-point continuation, takes a gradient step, shrinks the singular values, and projects on
    the constraints, for a falling sequence of mu. Shrinking and then projecting is not the proximal step of both together,
    and the gradient of the chi-square loss changes without bound near 0, so no length of step makes it converge on
    histograms. Here the same convex problem is solved by alternating directions, with the exact proximal steps of the
    nuclear norm on one side and of losses and constraints on the other, along the same kind of continuation. The multiplier
    gives a lower bound, so how far the result is from the optimum is known, not hoped for.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.baselines import MCPos
    >>> X = [[4, 1, 0], [0, 1, 4], [1, 0, 4], [4, 0, 1]]
    >>> Y = [[1, 0], [0, 1], [np.nan, 1], [np.nan, np.nan]]
    >>> model = MCPos().fit(X, Y)
    >>> bool(model.scores_[3, 0] > model.scores_[3, 1]), model.gap_ < 0.01
    (True, True)
    """

    def __init__(
        self,
        nuclear: float = 0.1,
        lam: float = 1.0,
        sharpness: float = 3.0,
        feature_map: str | None = "l1",
        tol: float = 1e-2,
        max_iter: int = 300,
        hierarchy: Any = None,
        fill: bool = True,
        unstored: Unstored | None = None,
    ) -> None:
        self.nuclear = nuclear
        self.lam = lam
        self.sharpness = sharpness
        self.feature_map = feature_map
        self.tol = tol
        self.max_iter = max_iter
        self.hierarchy = hierarchy
        self.fill = fill
        self.unstored = unstored

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

    def _complete(self, X: Any, labels: Labels, hierarchy: Hierarchy) -> FloatArray:
        check_positive(nuclear=self.nuclear, lam=self.lam, sharpness=self.sharpness, tol=self.tol)
        check_count("max_iter", self.max_iter)
        if self.feature_map not in ("l1", "hellinger", None):
            raise ValueError(f"feature_map must be 'l1', 'hellinger' or None; got {self.feature_map!r}")
        features = map_features(X, self.feature_map)
        if (features < 0).any():
            raise ValueError(f"X has negative values (the least is {features.min():g}); MCPos expects none")
        features /= features.mean() or 1.0
        signs = np.where(labels.values == MISSING, 0, np.where(labels.values == POSITIVE, 1, -1)).astype(np.int8)
        n, d = features.shape
        # The whole objective times the number of features: then the chi-square loss has weight 1.
        problem = Completion(
            signs,
            features.astype(np.float32),
            mu=self.nuclear * n * d / np.sqrt(n * (d + signs.shape[1] + 1)),
            label_weight=self.lam * n * d / max(1, np.count_nonzero(signs)),
            sharpness=self.sharpness,
        )
        Z, upper, self.gap_, self.rank_, self.n_iter_ = problem.solve(self.tol, self.max_iter)
        self.objective_ = upper / (n * d)
        return Z[:, : signs.shape[1]]
