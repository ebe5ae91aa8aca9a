"""The convex problem of MC-Pos, solved by alternating directions and certified by its dual."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tagweave._typing import FloatArray, Int8Array
from tagweave.memory import check_memory
from tagweave.model.sparse_low_rank import shrink_singular_values, singular_values

# How often the certificate is computed and the penalty reconsidered; both cost about an iteration.
CHECK_EVERY = 10
# The continuation: mu starts this many times too large, and falls by this factor every few iterations.
CONTINUATION = 64.0
DECREASE = 0.25
STAGE = 5
# How far one residual may exceed the other before the penalty follows.
IMBALANCE = 3.0


class Solved(NamedTuple):
    """What `Completion.solve` returns."""

    Z: FloatArray
    objective: float
    gap: float
    rank: int
    n_iter: int


@dataclass
class Completion:
    """``mu |Z|_* + label_weight sum logistic + sum chi-square``, features >= 0, last column 1.

    Attributes
    ----------
    signs : ndarray of int8, shape (n_instances, n_labels)
        1, -1, or 0 where missing.
    features : ndarray of float32 or float64, shape (n_instances, n_features)
        Not negative; their precision is that of the computation.
    mu, label_weight, sharpness : float
    """

    signs: Int8Array
    features: FloatArray
    mu: float
    label_weight: float
    sharpness: float

    def solve(self, tol: float, max_iter: int) -> Solved:
        """Solve it to a certified relative gap, or as far as the iterations reach.

        Z is the low-rank copy, V the feasible one; U times the penalty is the multiplier of Z = V.
        """
        n, m = self.signs.shape
        shape = n, m + self.features.shape[1] + 1
        check_memory(6 * self.features.itemsize * shape[0] * shape[1], "a stacked matrix", "use fewer features")
        Z = np.hstack([np.zeros(self.signs.shape), self.features, np.ones((n, 1))]).astype(self.features.dtype)
        U = np.zeros_like(Z)
        V = Z.copy()
        penalty, mu = 1.0, CONTINUATION * self.mu
        gap, objective, rank = np.inf, np.inf, 0
        for iteration in range(1, max_iter + 1):
            if iteration % STAGE == 0:
                mu = max(self.mu, DECREASE * mu)
            previous = V
            Z = shrink_singular_values(V - U, mu / penalty)
            V = Z + U
            self._approach(V, penalty)
            U += Z - V
            if iteration % CHECK_EVERY == 0 or iteration == max_iter:
                objective, gap = self._certify(V, penalty * U)
                if gap <= tol and mu == self.mu:
                    break
                primal = float(np.linalg.norm(Z - V))
                dual = penalty * float(np.linalg.norm(V - previous))
                factor = 2.0 if primal * penalty > IMBALANCE * dual else 0.5 if dual > IMBALANCE * primal * penalty else 1.0
                penalty *= factor
                U /= factor
        rank = int(np.count_nonzero(singular_values(Z) > 1e-4 * np.sqrt(Z.size)))
        return Solved(V, objective, gap, rank, iteration)

    def _parts(self, Z: FloatArray) -> tuple[FloatArray, FloatArray]:
        m = self.signs.shape[1]
        return Z[:, :m], Z[:, m:-1]

    def _approach(self, V: FloatArray, penalty: float) -> None:
        """Take the proximal step of losses and constraints, in place."""
        from tagweave.baselines.mc_pos_losses import chi2_step, logistic_step

        labels, features = self._parts(V)
        logistic_step(labels, self.signs, penalty / self.label_weight, self.sharpness)
        chi2_step(features, self.features, penalty)
        V[:, -1] = 1.0

    def _certify(self, V: FloatArray, multiplier: FloatArray) -> tuple[float, float]:
        """Return the objective at the feasible V, and its relative distance from the bound by the multiplier.

        For every S of spectral norm mu at most, mu |Z|_* >= <S, Z>, so the least of <S, Z> and the losses is a lower
        bound of the objective. The multiplier is such an S once it is scaled down, and where no loss is it is 0.
        """
        from tagweave.baselines.mc_pos_losses import (
            chi2_conjugates,
            chi2_values,
            logistic_conjugates,
            logistic_values,
        )

        labels, features = self._parts(V)
        upper = self.mu * float(singular_values(V).sum())
        upper += self.label_weight * logistic_values(labels, self.signs, self.sharpness)
        upper += chi2_values(features, self.features)
        # The proximal step left the gradient of the losses, -S, in the multiplier, but for rounding.
        T = multiplier
        of_labels, of_features = self._parts(T)
        of_labels *= self.signs != 0
        np.clip(of_labels * self.signs, -self.label_weight, 0, out=of_labels)
        of_labels *= self.signs
        np.minimum(of_features, 1, out=of_features)
        norm = float(singular_values(T).max())
        T *= min(1.0, self.mu / norm) if norm > 0 else 1.0
        lower = -(
            self.label_weight * logistic_conjugates(of_labels / self.label_weight, self.signs, self.sharpness)
            + chi2_conjugates(of_features, self.features)
            + float(T[:, -1].sum(dtype=np.float64))
        )
        return upper, (upper - lower) / upper if upper > 0 else 0.0
