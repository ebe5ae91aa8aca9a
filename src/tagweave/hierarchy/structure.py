"""The labels and edges themselves: who is above whom, and in which order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tagweave._typing import BoolArray
from tagweave.hierarchy.checks import Edge, Label, check_edges, index_labels, plain, unknown_labels
from tagweave.hierarchy.ordering import depths, topological_order
from tagweave.hierarchy.statistics import HierarchyStatistics


def _read_only(values: Any, dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    array = np.array(values, dtype=dtype).reshape(shape)
    array.flags.writeable = False
    return array


class LabelGraph:
    """An immutable directed acyclic graph of labels: the part of `Hierarchy` that knows no matrix of data.

    See `tagweave.hierarchy.Hierarchy` for parameters and examples.
    """

    __slots__ = (
        "_children",
        "_depth",
        "_edge_index",
        "_edges",
        "_index",
        "_labels",
        "_order",
        "_parents",
        "_rank",
    )

    def __init__(self, labels: Iterable[Label], edges: Iterable[Edge] = ()) -> None:
        self._index = index_labels(labels)
        self._labels = tuple(self._index)
        self._edges = check_edges(edges, self._index)
        n_labels = len(self._labels)
        parents: list[list[int]] = [[] for _ in range(n_labels)]
        children: list[list[int]] = [[] for _ in range(n_labels)]
        for child, parent in self._edges:
            parents[self._index[child]].append(self._index[parent])
            children[self._index[parent]].append(self._index[child])
        order = topological_order(self._labels, parents, children)
        self._depth = max(depths(order, parents), default=0)
        self._order = _read_only(order, np.int32, (n_labels,))
        self._rank = _read_only(np.argsort(self._order), np.int32, (n_labels,))
        rank = self._rank.tolist()
        self._parents = tuple(tuple(sorted(of_one, key=rank.__getitem__)) for of_one in parents)
        self._children = tuple(tuple(sorted(of_one, key=rank.__getitem__)) for of_one in children)
        by_child = [(child, parent) for child in order for parent in self._parents[child]]
        self._edge_index = _read_only(by_child, np.int32, (len(by_child), 2))

    @property
    def labels(self) -> tuple[Label, ...]:
        """The names, in the order of the columns."""
        return self._labels

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The (child, parent) names, in the order in which they were given."""
        return self._edges

    @property
    def n_labels(self) -> int:
        """Number of labels, the paper's m."""
        return len(self._labels)

    @property
    def n_edges(self) -> int:
        """Number of edges, the paper's n_e."""
        return len(self._edges)

    @property
    def edge_index(self) -> NDArray[np.int32]:
        """The (child, parent) columns of each edge, (n_edges, 2), read-only.

        Sorted by the topological position of the child, then of the parent: all edges into a column stand
        before all edges out of it, so a pass from front to back goes down the hierarchy, back to front up.
        """
        return self._edge_index

    @property
    def Phi(self) -> sparse.csc_array[Any]:  # noqa: N802 - the paper's symbol
        """The paper's constraint matrix, (n_labels, n_edges): +1 at the parent, -1 at the child.

        Column e belongs to ``edge_index[e]``; scores Z are feasible where ``Z @ Phi >= 0``. Each access
        makes a new matrix.
        """
        n_edges = self.n_edges
        rows = self._edge_index[:, ::-1].ravel()
        values = np.tile(np.array([1.0, -1.0]), n_edges)
        starts = np.arange(0, 2 * n_edges + 1, 2)
        Phi = sparse.csc_array((values, rows, starts), shape=(self.n_labels, n_edges))
        Phi.sort_indices()
        return Phi

    @property
    def order(self) -> NDArray[np.int32]:
        """The columns with every parent before its children, ties by column; read-only."""
        return self._order

    @property
    def rank(self) -> NDArray[np.int32]:
        """The position of each column in `order`; read-only."""
        return self._rank

    @property
    def depth(self) -> int:
        """Number of labels on the longest path; 1 without edges, 0 without labels."""
        return self._depth

    @property
    def roots(self) -> tuple[Label, ...]:
        """Labels with children and no parent (singletons are no roots), in topological order."""
        return self._where(has_parents=False, has_children=True)

    @property
    def leaves(self) -> tuple[Label, ...]:
        """Labels with parents and no child (singletons are no leaves), in topological order."""
        return self._where(has_parents=True, has_children=False)

    @property
    def singletons(self) -> tuple[Label, ...]:
        """Labels without any edge, in topological order."""
        return self._where(has_parents=False, has_children=False)

    @property
    def is_leaf_or_singleton(self) -> BoolArray:
        """For each column, whether it has no child: those which the paper's protocol hides."""
        return np.array([not children for children in self._children], dtype=np.bool_)

    def index(self, label: Label) -> int:
        """Return the column of a label.

        Examples
        --------
        >>> from tagweave.hierarchy import Hierarchy
        >>> hierarchy = Hierarchy(["dog", "pet", "animal"], [("dog", "pet"), ("pet", "animal")])
        >>> hierarchy.index("animal")
        2
        """
        label = plain(label)
        if label not in self._index:
            raise unknown_labels([label], self._labels, "label")
        return self._index[label]

    def parents(self, label: Label) -> tuple[Label, ...]:
        """Return the direct parents, in topological order.

        Examples
        --------
        >>> from tagweave.hierarchy import Hierarchy
        >>> hierarchy = Hierarchy(["dog", "pet", "animal"], [("dog", "pet"), ("pet", "animal")])
        >>> hierarchy.parents("dog")
        ('pet',)
        """
        return tuple(self._labels[column] for column in self._parents[self.index(label)])

    def children(self, label: Label) -> tuple[Label, ...]:
        """Return the direct children, in topological order.

        Examples
        --------
        >>> from tagweave.hierarchy import Hierarchy
        >>> hierarchy = Hierarchy(["dog", "pet", "animal"], [("dog", "pet"), ("pet", "animal")])
        >>> hierarchy.children("animal")
        ('pet',)
        """
        return tuple(self._labels[column] for column in self._children[self.index(label)])

    def ancestors(self, label: Label) -> tuple[Label, ...]:
        """Return all that the label implies, in topological order: the most general first.

        Examples
        --------
        >>> from tagweave.hierarchy import Hierarchy
        >>> hierarchy = Hierarchy(["dog", "pet", "animal"], [("dog", "pet"), ("pet", "animal")])
        >>> hierarchy.ancestors("dog")
        ('animal', 'pet')
        """
        return self._reach(self.index(label), self._parents)

    def descendants(self, label: Label) -> tuple[Label, ...]:
        """Return all that imply the label, in topological order.

        Examples
        --------
        >>> from tagweave.hierarchy import Hierarchy
        >>> hierarchy = Hierarchy(["dog", "pet", "animal"], [("dog", "pet"), ("pet", "animal")])
        >>> hierarchy.descendants("animal")
        ('pet', 'dog')
        """
        return self._reach(self.index(label), self._children)

    def statistics(self) -> HierarchyStatistics:
        """Describe the hierarchy by the six figures of the paper's table.

        Examples
        --------
        >>> from tagweave.hierarchy import Hierarchy
        >>> hierarchy = Hierarchy(["dog", "pet", "animal"], [("dog", "pet"), ("pet", "animal")])
        >>> hierarchy.statistics()
        HierarchyStatistics(nodes=3, edges=2, roots=1, leaves=1, singletons=0, depth=3)
        """
        return HierarchyStatistics(
            nodes=self.n_labels,
            edges=self.n_edges,
            roots=len(self.roots),
            leaves=len(self.leaves),
            singletons=len(self.singletons),
            depth=self.depth,
        )

    def _where(self, *, has_parents: bool, has_children: bool) -> tuple[Label, ...]:
        return tuple(
            self._labels[column]
            for column in self._order
            if bool(self._parents[column]) is has_parents and bool(self._children[column]) is has_children
        )

    def _reach(self, start: int, neighbours: tuple[tuple[int, ...], ...]) -> tuple[Label, ...]:
        found: set[int] = set()
        todo = list(neighbours[start])
        while todo:
            column = todo.pop()
            if column not in found:
                found.add(column)
                todo.extend(neighbours[column])
        return tuple(self._labels[column] for column in sorted(found, key=self._rank.__getitem__))

    def __len__(self) -> int:
        return len(self._labels)

    def __contains__(self, label: Label) -> bool:
        return plain(label) in self._index

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LabelGraph):
            return NotImplemented
        return self._labels == other._labels and set(self._edges) == set(other._edges)

    def __hash__(self) -> int:
        return hash((self._labels, frozenset(self._edges)))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.n_labels} labels, {self.n_edges} edges, depth {self.depth}>"

    def __reduce__(self) -> tuple[Any, ...]:
        # Rebuilt, not restored: a pickle cannot keep arrays read-only, nor be trusted to be acyclic.
        return type(self), (self._labels, self._edges)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __bool__(self) -> bool:
        # An empty hierarchy is still a hierarchy: `if hierarchy` must not mean `if labels`.
        return True
