"""Label consistency, Eq. 1: <Ybar, Y - Z>."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from tagweave._typing import FloatArray
from tagweave.labels import Labels, label_costs
from tagweave.model.base import inner


@dataclass(frozen=True, eq=False)
class LabelConsistency:
    """What it costs to leave the known labels: <Ybar, Y - Z>, never negative for Z in [0, 1].

    Attributes
    ----------
    Ybar : ndarray of shape (n, m)
        (2Y - 1) * r, 0 where the label is missing.
    constant : float
        <Ybar, Y>, the cost of Z = 0.

    Examples
    --------
    >>> import numpy as np
    >>> term = LabelConsistency.from_labels(Labels.from_any([[1, 0, np.nan]]))
    >>> term.value(np.array([[1.0, 0.0, 0.5]])), term.value(np.array([[0.75, 0.5, 0.5]]))
    (0.0, 25.5)
    """

    Ybar: FloatArray
    constant: float

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
        Ybar = label_costs(labels, r_plus, r_minus, sample_weight=sample_weight, label_weight=label_weight)
        return cls(Ybar, float(Ybar.sum(where=Ybar > 0)))

    @property
    def curvature(self) -> float:
        """Zero: the term is linear."""
        return 0.0

    def value(self, Z: FloatArray) -> float:
        """Return <Ybar, Y - Z>."""
        return self.constant - inner(self.Ybar, Z)

    def add_gradient(self, Z: FloatArray, out: FloatArray) -> None:
        """Add -Ybar to `out`."""
        np.subtract(out, self.Ybar, out=out)

    def quadratic(self, D: FloatArray) -> float:
        """Zero: the term is linear."""
        return 0.0

    def astype(self, dtype: DTypeLike) -> LabelConsistency:
        """Return the term in another precision."""
        return LabelConsistency(self.Ybar.astype(dtype, copy=False), self.constant)
