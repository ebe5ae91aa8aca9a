"""The hierarchy of labels: what it says about a matrix of labels or of scores."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any, Self

import numpy as np

from tagweave._typing import FloatArray
from tagweave.exceptions import HierarchyError
from tagweave.hierarchy.checks import Edge, Label, as_pairs, listed, plain, unknown_labels
from tagweave.hierarchy.frames import as_matrix, is_dataframe, like
from tagweave.hierarchy.interchange import ExchangeableGraph
from tagweave.hierarchy.sweeps import largest_violation, lower_children, raise_parents


class Hierarchy(ExchangeableGraph):
    """A directed acyclic graph of labels in which a child implies its parents.

    Immutable, hashable, and cheap to copy. Two hierarchies are equal if they have the same labels in the same
    order and the same edges in any order.

    Parameters
    ----------
    labels : sequence of hashable
        Unique names, usually strings, in the order of the columns.
    edges : iterable of (child, parent) pairs of names
        A child may have several parents. A label without edges is a singleton.

    Raises
    ------
    HierarchyError
        If there is a cycle, a self-loop, an unknown label, or a label or edge given twice; the message names
        them.

    Examples
    --------
    >>> from tagweave.hierarchy import Hierarchy
    >>> hierarchy = Hierarchy(
    ...     ["dog", "pet", "animal", "sky"],
    ...     [("dog", "pet"), ("dog", "animal"), ("pet", "animal")],
    ... )
    >>> hierarchy
    <Hierarchy: 4 labels, 3 edges, depth 3>
    >>> hierarchy.ancestors("dog")
    ('animal', 'pet')
    >>> hierarchy.roots, hierarchy.leaves, hierarchy.singletons
    (('animal',), ('dog',), ('sky',))
    >>> hierarchy.order  # columns, parents first
    array([2, 1, 0, 3], dtype=int32)
    >>> hierarchy.edge_index  # columns of (child, parent), top down
    array([[1, 2], [0, 2], [0, 1]], dtype=int32)
    >>> hierarchy.Phi.toarray()  # one column per row of edge_index
    array([[ 0., -1., -1.],
           [-1.,  0.,  1.],
           [ 1.,  1.,  0.],
           [ 0.,  0.,  0.]])
    >>> hierarchy.is_leaf_or_singleton
    array([ True, False, False,  True])
    """

    __slots__ = ()

    @classmethod
    def from_edges(cls, edges: Iterable[Edge]) -> Self:
        """Build a hierarchy whose labels are those of the edges, in the order in which they are first seen.

        Parameters
        ----------
        edges : iterable of (child, parent) pairs of names

        Returns
        -------
        Hierarchy

        Examples
        --------
        >>> from tagweave.hierarchy import Hierarchy
        >>> Hierarchy.from_edges([("dog", "animal"), ("cat", "animal")]).labels
        ('dog', 'animal', 'cat')
        """
        pairs = as_pairs(edges)
        return cls(dict.fromkeys(label for pair in pairs for label in pair), pairs)

    @classmethod
    def from_wordnet(cls, labels: Iterable[Label], *, overrides: str | PathLike[str] | None = None) -> Self:
        """Build the hierarchy of a vocabulary of English nouns from WordNet, which comes with Tagweave.

        Senses are chosen for the whole vocabulary at once. Edges are is-a, parts of bodies, plants and buildings,
        and the members of groups; each label stands below its nearest ancestors in the vocabulary.
        `tagweave.hierarchy.wordnet.WordNetHierarchy.from_labels` gives the same hierarchy with the sense of each
        label, synonyms, and the path behind each edge.

        Parameters
        ----------
        labels : sequence of hashable
            Unique names; plurals, several words and hyphens are understood. A label that is no noun of WordNet has
            no edges.
        overrides : path, optional
            A text file of corrections, one a line: ``sense LABEL = WORD.n.NUMBER``, ``ignore LABEL``,
            ``add CHILD < PARENT``, ``drop CHILD < PARENT``.

        Returns
        -------
        Hierarchy

        Raises
        ------
        HierarchyError
            If a label is given twice, or an override cannot be followed; the message names file and line.

        Examples
        --------
        >>> from tagweave.hierarchy import Hierarchy
        >>> hierarchy = Hierarchy.from_wordnet(["polar bears", "animals", "leaf", "oak tree", "plants", "sky"])
        >>> hierarchy.edges
        (('polar bears', 'animals'), ('leaf', 'plants'), ('oak tree', 'plants'))
        """
        # The nouns take a moment to read: only who asks for them shall wait.
        from tagweave.hierarchy.wordnet import WordNetHierarchy

        built = WordNetHierarchy.from_labels(labels, overrides=overrides).hierarchy
        return cls(built.labels, built.edges)

    def fill(self, Y: Any) -> Any:
        """Complete the positives upwards: where a label is 1, all its ancestors become 1 (paper, sec. 5).

        An observed 0 above a 1 is overwritten, and so is a missing entry. Nothing else changes.

        Parameters
        ----------
        Y : array or DataFrame, (n_instances, n_labels)
            1, 0 or missing; missing is NaN, or -1 in whole numbers. A DataFrame has the labels as its
            columns, in their order.

        Returns
        -------
        array or DataFrame
            A copy, of the same kind and dtype.

        Examples
        --------
        >>> import numpy as np
        >>> from tagweave.hierarchy import Hierarchy
        >>> hierarchy = Hierarchy(["dog", "pet", "animal"], [("dog", "pet"), ("pet", "animal")])
        >>> hierarchy.fill(np.array([[1, np.nan, 0], [0, np.nan, np.nan]]))
        array([[ 1.,  1.,  1.],
               [ 0., nan, nan]])
        """
        labels = as_matrix(Y, "Y", self.labels)
        given = labels == 1
        allowed = given | (labels == 0) | (np.isnan(labels) if labels.dtype.kind == "f" else labels == -1)
        if not allowed.all():
            strange = [float(value) for value in np.unique(labels[~allowed])]
            raise ValueError(f"Y must hold 1, 0 and missing (NaN, or -1 in whole numbers), got also {listed(strange)}")
        filled = given.copy()
        raise_parents(filled, self.edge_index)
        new = filled & ~given
        if not is_dataframe(Y):
            return np.where(new, labels.dtype.type(1), labels)
        result = Y.copy()
        for column in np.flatnonzero(new.any(axis=0)):
            # Column by column, so that each keeps its own dtype, nullable ones too.
            series = Y.iloc[:, column]
            result.isetitem(column, series.mask(new[:, column], series.dtype.type(1)))
        return result

    def violation(self, scores: Any) -> float:
        """Return the most by which a child scores above one of its parents.

        Parameters
        ----------
        scores : array or DataFrame, (n_instances, n_labels) or one row (n_labels,)

        Returns
        -------
        float
            The maximum of max(0, child - parent) over rows and edges: exactly 0.0 where the constraint holds.

        Examples
        --------
        >>> from tagweave.hierarchy import Hierarchy
        >>> hierarchy = Hierarchy(["dog", "animal"], [("dog", "animal")])
        >>> hierarchy.violation([[0.75, 0.5], [0.25, 0.5]])
        0.25
        """
        return largest_violation(np.atleast_2d(self._check_scores(scores)), self.edge_index)

    def enforce(self, scores: Any) -> Any:
        """Lower each child to the least of its ancestors, so that no child scores above a parent.

        One pass from the top down. It is feasible exactly, not up to rounding, but not the nearest feasible
        point: that is `project`.

        Parameters
        ----------
        scores : array or DataFrame, (n_instances, n_labels) or one row (n_labels,)

        Returns
        -------
        array or DataFrame
            A copy, of the same shape and precision.

        Examples
        --------
        >>> from tagweave.hierarchy import Hierarchy
        >>> hierarchy = Hierarchy(["dog", "animal"], [("dog", "animal")])
        >>> hierarchy.enforce([[0.75, 0.5], [0.25, 0.5]])
        array([[0.5 , 0.5 ],
               [0.25, 0.5 ]])
        """
        values = self._check_scores(scores)
        lowered = np.array(np.atleast_2d(values), order="C")
        lower_children(lowered, self.edge_index)
        return like(lowered.reshape(values.shape), scores)

    def project(self, scores: Any) -> Any:
        """Return the nearest scores, in the sum of squares, in which no child is above a parent.

        The projection is iterative, so its last rounding error is removed by `enforce`.

        Parameters
        ----------
        scores : array or DataFrame, (n_instances, n_labels) or one row (n_labels,)

        Returns
        -------
        array or DataFrame
            A copy, of the same shape and precision, whose `violation` is exactly 0.0.

        Examples
        --------
        >>> from tagweave.hierarchy import Hierarchy
        >>> hierarchy = Hierarchy(["dog", "animal"], [("dog", "animal")])
        >>> hierarchy.project([[0.75, 0.5], [0.25, 0.5]]).round(6)
        array([[0.625, 0.625],
               [0.25 , 0.5  ]])
        """
        # Numba is slow to import: a hierarchy that is only looked at shall not wait for it.
        from tagweave.hierarchy.projection import project_rows

        values = self._check_scores(scores)
        projected = np.array(project_rows(np.atleast_2d(values), self.edge_index)[0], order="C")
        lower_children(projected, self.edge_index)
        return like(projected.reshape(values.shape), scores)

    def _check_scores(self, scores: Any) -> FloatArray:
        """Return finite floating-point scores, (n_instances, n_labels) or (n_labels,)."""
        one_row = not is_dataframe(scores) and np.ndim(scores) == 1
        values = as_matrix([scores] if one_row else scores, "scores", self.labels)
        floats: FloatArray = values if values.dtype.kind == "f" else values.astype(np.float64)
        if not np.isfinite(floats).all():
            row, column = np.argwhere(~np.isfinite(floats))[0]
            raise ValueError(
                f"scores must be finite; got {floats[row, column]}: row {row}, label {self.labels[column]!r}"
            )
        return floats[0] if one_row else floats

    def reorder(self, labels: Iterable[Label]) -> Self:
        """Return the same hierarchy over the same labels in another order of columns.

        Parameters
        ----------
        labels : sequence of hashable
            Exactly the labels of this hierarchy, for example ``Y.columns``.

        Returns
        -------
        Hierarchy

        Examples
        --------
        >>> from tagweave.hierarchy import Hierarchy
        >>> Hierarchy(["dog", "animal"], [("dog", "animal")]).reorder(["animal", "dog"]).labels
        ('animal', 'dog')
        """
        names = [plain(label) for label in labels]
        reordered = self.subset(names)
        if len(reordered) < len(self):
            absent = [label for label in self.labels if label not in reordered]
            raise HierarchyError(f"labels must be the same in another order; left out: {listed(absent)}")
        # Not subset's edges: those need not stand in the order in which ours were given.
        return type(self)(names, self.edges)

    def subset(self, labels: Iterable[Label]) -> Self:
        """Return the hierarchy over some of the labels, each below its nearest ancestors that are kept.

        Parameters
        ----------
        labels : sequence of hashable
            Some of the labels of this hierarchy, in the order of the new columns.

        Returns
        -------
        Hierarchy

        Examples
        --------
        >>> from tagweave.hierarchy import Hierarchy
        >>> hierarchy = Hierarchy(["dog", "pet", "animal"], [("dog", "pet"), ("pet", "animal")])
        >>> hierarchy.subset(["animal", "dog"]).edges
        (('dog', 'animal'),)
        """
        kept = type(self)(labels)
        unknown = [label for label in kept.labels if label not in self]
        if unknown:
            raise unknown_labels(unknown, self.labels, "labels")
        above: dict[Label, dict[Label, None]] = {}
        for column in self.order:
            label = self.labels[column]
            found: dict[Label, None] = {}
            for parent in self.parents(label):
                found.update({parent: None} if parent in kept else above[parent])
            above[label] = found
        return type(self)(kept.labels, [(child, parent) for child in kept.labels for parent in above[child]])
