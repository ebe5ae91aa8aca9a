"""What is alike: the graph of instances and the graph of classes, and their normalised Laplacians."""

from __future__ import annotations

from tagweave.graphs.classes import ClassGraph
from tagweave.graphs.instances import InstanceGraph
from tagweave.graphs.laplacian import largest_eigenvalue, normalized_laplacian
from tagweave.graphs.neighbours import nearest_neighbours
from tagweave.graphs.report import GraphReport
from tagweave.graphs.weights import check_weights

__all__ = [
    "ClassGraph",
    "GraphReport",
    "InstanceGraph",
    "check_weights",
    "largest_eigenvalue",
    "nearest_neighbours",
    "normalized_laplacian",
]
