"""What implies what: labels in a directed acyclic graph, where a child implies all its ancestors."""

from __future__ import annotations

from tagweave.hierarchy.dag import Hierarchy
from tagweave.hierarchy.statistics import HierarchyStatistics

__all__ = ["Hierarchy", "HierarchyStatistics"]
