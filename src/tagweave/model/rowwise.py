"""A problem as the kernels read it: its terms that go row by row, and whatever other terms there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tagweave._typing import FloatArray
from tagweave.hierarchy.projection import RowProjection
from tagweave.kernels.rows import Costs, Smoothness
from tagweave.labels import MISSING
from tagweave.model.base import SmoothTerm
from tagweave.model.label_consistency import LabelConsistency
from tagweave.model.smoothness import ClassSmoothness, InstanceSmoothness, smoothness_arrays


@dataclass(frozen=True, eq=False)
class Rowwise:
    """What the kernels take from a problem.

    Attributes
    ----------
    costs : Costs
        Of the first `LabelConsistency`.
    smoothness : Smoothness
        Of the first `InstanceSmoothness` and the first `ClassSmoothness`.
    others : tuple of SmoothTerm
        All other terms: their gradients are added up in a matrix of their own.
    projection : RowProjection
        Of the hierarchy; without edges if there is none.
    """

    costs: Costs
    smoothness: Smoothness
    others: tuple[SmoothTerm, ...]
    projection: RowProjection

    @classmethod
    def from_terms(
        cls, shape: tuple[int, int], terms: Sequence[SmoothTerm], projection: RowProjection | None
    ) -> Rowwise:
        """Sort the terms."""
        labels = _first(terms, LabelConsistency)
        instances, classes = _first(terms, InstanceSmoothness), _first(terms, ClassSmoothness)
        if labels is None:
            costs = Costs(np.full(shape, MISSING, np.int8), 0.0, 0.0, np.ones(shape[0]), np.ones(shape[1]))
        else:
            values = np.ascontiguousarray(labels.labels.values)
            costs = Costs(values, labels.r_plus, labels.r_minus, labels.sample_weight, labels.label_weight)
        return cls(
            costs,
            smoothness_arrays(
                0.0 if instances is None else instances.weight,
                instances,
                0.0 if classes is None else classes.weight,
                classes,
            ),
            tuple(term for term in terms if term not in (labels, instances, classes)),
            RowProjection(np.empty((0, 2), np.int32), shape[1]) if projection is None else projection,
        )

    def other_gradients(self, Z: FloatArray, pull: FloatArray | None = None) -> FloatArray:
        """Return `pull` plus the gradients of the other terms at Z; a matrix without rows if there are neither."""
        if not self.others:
            return np.empty((0, Z.shape[1]), Z.dtype) if pull is None else pull
        gradients = np.zeros_like(Z) if pull is None else pull.astype(Z.dtype)
        for term in self.others:
            term.add_gradient(Z, gradients)
        return gradients


def _first(terms: Sequence[SmoothTerm], kind: type[Any]) -> Any:
    """Return the first term of just this type, not of one derived from it: that may have a gradient of its own."""
    return next((term for term in terms if type(term) is kind), None)
