"""The row of the paper's Table 1 that describes a hierarchy."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HierarchyStatistics:
    """The six figures by which the paper describes a hierarchy (columns C1 to C6 of its table).

    Attributes
    ----------
    nodes : int
        Number of labels.
    edges : int
        Number of (child, parent) pairs.
    roots : int
        Labels with children and no parent.
    leaves : int
        Labels with parents and no child.
    singletons : int
        Labels with neither.
    depth : int
        Number of labels on the longest path from a root to a leaf; 1 if there are only singletons.

    Examples
    --------
    >>> from tagweave.hierarchy import Hierarchy
    >>> Hierarchy(["animal", "dog", "sky"], [("dog", "animal")]).statistics()
    HierarchyStatistics(nodes=3, edges=1, roots=1, leaves=1, singletons=1, depth=2)
    """

    nodes: int
    edges: int
    roots: int
    leaves: int
    singletons: int
    depth: int
