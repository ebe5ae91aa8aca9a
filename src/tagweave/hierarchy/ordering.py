"""A stable topological order: every parent before its children, ties by column."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from tagweave.exceptions import HierarchyError
from tagweave.hierarchy.checks import Label

Neighbours = Sequence[Sequence[int]]


def topological_order(labels: Sequence[Label], parents: Neighbours, children: Neighbours) -> list[int]:
    """Order the columns by Kahn's algorithm, always taking the smallest column that is ready.

    Raises
    ------
    HierarchyError
        If there is a cycle; the message prints one.
    """
    waiting_for = [len(of_one) for of_one in parents]
    ready = [column for column, count in enumerate(waiting_for) if count == 0]  # sorted: already a heap
    order: list[int] = []
    while ready:
        column = heapq.heappop(ready)
        order.append(column)
        for child in children[column]:
            waiting_for[child] -= 1
            if waiting_for[child] == 0:
                heapq.heappush(ready, child)
    if len(order) < len(parents):
        cycle = _find_cycle(waiting_for, parents)
        path = " -> ".join(str(labels[column]) for column in cycle)
        raise HierarchyError(f"edges must not run in a circle, but (child -> parent): {path}")
    return order


def _find_cycle(waiting_for: Sequence[int], parents: Neighbours) -> list[int]:
    """Climb from a column that never became ready: each such column has a parent that never did either."""
    column = next(column for column, count in enumerate(waiting_for) if count)
    path: list[int] = []
    seen_at: dict[int, int] = {}
    while column not in seen_at:
        seen_at[column] = len(path)
        path.append(column)
        column = next(parent for parent in parents[column] if waiting_for[parent])
    cycle = path[seen_at[column] :]
    start = cycle.index(min(cycle))  # the same cycle is always printed the same way
    return [*cycle[start:], *cycle[:start], cycle[start]]


def depths(order: Sequence[int], parents: Neighbours) -> list[int]:
    """Count the labels on the longest way down to each column, itself included."""
    depth = [1] * len(order)
    for column in order:
        depth[column] = 1 + max((depth[parent] for parent in parents[column]), default=0)
    return depth
