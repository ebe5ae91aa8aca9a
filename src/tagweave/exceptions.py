"""The errors and warnings that are Tagweave's own; everything else is ValueError or TypeError."""

from __future__ import annotations


class HierarchyError(ValueError):
    """A hierarchy that cannot be: a cycle, an unknown label, an edge or label given twice."""


class LabelWarning(UserWarning):
    """Labels that are allowed but say little: a class or an instance without any known label."""


class GraphWarning(UserWarning):
    """A graph that is allowed but weaker than asked for: fewer neighbours, isolated instances."""
