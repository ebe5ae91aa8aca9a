"""What is known about a graph of instances besides its weights: how its neighbours were found, and how surely."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GraphReport:
    """How the neighbours of a graph were found.

    Attributes
    ----------
    method : str
        "exact" or "approximate".
    recall : float
        The share of the true neighbours that were found: 1 if exact, otherwise measured on `n_sampled` instances.
        Whoever is as near as the last true neighbour counts as one.
    n_sampled : int
        How many instances were searched exactly to measure the recall; 0 if all were.
    seconds : float
        What the search took, the measurement included.

    Examples
    --------
    >>> from tagweave.graphs import InstanceGraph
    >>> W, report = InstanceGraph(n_neighbors=1, kernel_neighbor=1).build_with_report([[0.0], [1.0], [3.0]])
    >>> report.method, report.recall
    ('exact', 1.0)
    """

    method: str
    recall: float
    n_sampled: int
    seconds: float
