"""Label consistency, Eq. 1: <Ybar, Y - Z>."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from numpy.typing import ArrayLike

from tagweave._typing import Float64Array, FloatArray, IntArray
from tagweave.labels import Labels, check_weights, costs_of
from tagweave.model.base import inner

# Ybar is made this many rows at a time: it would be eight times as large as the labels.
_ROWS = 4096


@dataclass(frozen=True, eq=False)
class LabelConsistency:
    """What it costs to leave the known labels: <Ybar, Y - Z>, never negative for Z in [0, 1].

    Attributes
    ----------
    labels : Labels
        What is known.
    r_plus, r_minus : float
        The cost of a lost positive and of a lost negative.
    sample_weight : ndarray of shape (n,)
        How much to trust the labels of each instance.
    label_weight : ndarray of shape (m,)
        How much to trust each label.

    Examples
    --------
    >>> import numpy as np
    >>> term = LabelConsistency.from_labels(Labels.from_any([[1, 0, np.nan]]))
    >>> term.value(np.array([[1.0, 0.0, 0.5]])), term.value(np.array([[0.75, 0.5, 0.5]]))
    (0.0, 25.5)
    """

    labels: Labels
    r_plus: float
    r_minus: float
    sample_weight: Float64Array
    label_weight: Float64Array

    @classmethod
    def from_labels(
        cls,
        labels: Labels,
        r_plus: float = 100.0,
        r_minus: float = 1.0,
        *,
        sample_weight: ArrayLike | None = None,
        label_weight: ArrayLike | None = None,
    ) -> LabelConsistency:
        """Make the term from what is known; the parameters are those of `label_costs`."""
        n, m = labels.shape
        return cls(
            labels,
            float(r_plus),
            float(r_minus),
            check_weights("sample_weight", sample_weight, n),
            check_weights("label_weight", label_weight, m),
        )

    def permuted(self, order: IntArray) -> LabelConsistency:
        """Return the term for instances in another order."""
        labels = Labels(self.labels.values[order], self.labels.names)
        return replace(self, labels=labels, sample_weight=self.sample_weight[order])

    @property
    def Ybar(self) -> FloatArray:  # noqa: N802  # the paper's symbol
        """(2Y - 1) * r, 0 where the label is missing: an n x m matrix, made anew."""
        return self._costs(slice(None))

    @property
    def curvature(self) -> float:
        """Zero: the term is linear."""
        return 0.0

    def value(self, Z: FloatArray) -> float:
        """Return <Ybar, Y - Z>."""
        total = 0.0
        for rows in self._blocks():
            costs = self._costs(rows)
            total += inner(costs, (costs > 0) - Z[rows])
        return total

    def add_gradient(self, Z: FloatArray, out: FloatArray) -> None:
        """Add -Ybar to `out`."""
        for rows in self._blocks():
            out[rows] -= self._costs(rows)

    def quadratic(self, D: FloatArray) -> float:
        """Zero: the term is linear."""
        return 0.0

    def _blocks(self) -> Iterator[slice]:
        for start in range(0, self.labels.shape[0], _ROWS):
            yield slice(start, start + _ROWS)

    def _costs(self, rows: slice) -> FloatArray:
        values, trust = self.labels.values[rows], self.sample_weight[rows]
        return costs_of(values, self.r_plus, self.r_minus, trust, self.label_weight)
