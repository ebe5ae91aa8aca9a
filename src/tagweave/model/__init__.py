"""The convex problem, one term a file; a Problem is a sum of terms under constraints."""

from tagweave.model.base import SmoothTerm
from tagweave.model.box import Box
from tagweave.model.hierarchy import HierarchyConstraint
from tagweave.model.label_consistency import LabelConsistency
from tagweave.model.problem import Problem
from tagweave.model.smoothness import ClassSmoothness, InstanceSmoothness
from tagweave.model.sparse_low_rank import SparseLowRank

__all__ = [
    "Box",
    "ClassSmoothness",
    "HierarchyConstraint",
    "InstanceSmoothness",
    "LabelConsistency",
    "Problem",
    "SmoothTerm",
    "SparseLowRank",
]
