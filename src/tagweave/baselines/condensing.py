"""CSSA and CSSAG: the best sets of labels of each size that agree with the hierarchy, for given scores.

The problem is to choose k labels with the largest sum of scores so that with a label its parents are chosen. Relaxed,
labels may be chosen in part, a child no more than its parents:

    maximise sum_j w_j psi_j   subject to   sum_j psi_j = k,   psi_child <= psi_parent,   0 <= psi <= 1

The condensing sort and select algorithm solves this for all k at once. Labels are gathered into supernodes, whose value
is the mean of their scores. Again and again it looks at the supernode of the largest value: if its parents are
selected, so is it; if not, it is condensed with a parent. Then k fills the supernodes in the order of their selection,
the last one in part.

What is optimal, and what is not:

- On a tree (every label has one parent at most) the relaxed problem is solved for every k, and where k is filled by
  whole supernodes the set is the best of all sets of its size. In between, the relaxed value is an upper bound.
- On a DAG where all parents are needed ("all", the AND interpretation), the greedy rule, as we read CSSAG, condenses
  with the parent of the smallest value. It can miss the optimum, since that parent may have other children that lift it
  later (`tests/baselines/test_condensing.py` has a case). The exact supernodes are those of the projection on
  {parent >= child}, for this is the same parametric problem: they give the optimum of the relaxed problem on every DAG,
  and equal the greedy ones on trees.
- Where one parent is enough ("any", the OR interpretation), the relaxed problem is not convex; the greedy rule
  condenses with the parent of the largest value. All sets are consistent, none is claimed to be the best.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tagweave._typing import Float64Array
from tagweave.hierarchy import Hierarchy
from tagweave.hierarchy.projection import FEW_ROWS, project_rows
from tagweave.kernels.condensing import decode_rows_parallel, decode_rows_serial
from tagweave.metrics.checks import check_scores

PARENTS = ("all", "any")
CONDENSING = ("greedy", "exact")


class Condensed(NamedTuple):
    """The supernodes of each row, and an order of labels whose every beginning is a consistent set.

    Attributes
    ----------
    values : ndarray of shape (n_instances, n_labels)
        The value of the supernode that the label is in. Nowhere above the parents' ("all"), or above the highest
        parent's ("any").
    positions : ndarray of shape (n_instances, n_labels)
        0 for the label that is selected first. The set of size k holds the labels with positions below k: the sets are
        nested, and none has a label without its parents. Supernodes stand in the order of their values; within one,
        where the relaxed problem is indifferent, the label of the highest score whose parents are there comes next.
    """

    values: Float64Array
    positions: NDArray[np.int32]

    def proportions(self) -> Float64Array:
        """Return for each label the proportion of set sizes, 1 to n_labels, at which it is selected.

        Examples
        --------
        >>> from tagweave.baselines.condensing import condense
        >>> from tagweave.hierarchy import Hierarchy
        >>> condense([[0.5, 0.25]], Hierarchy(["dog", "animal"], [("dog", "animal")])).proportions()
        array([[0.5, 1. ]])
        """
        m = self.positions.shape[1]
        proportions: Float64Array = (m - self.positions) / m
        return proportions


def condense(
    scores: Any,
    hierarchy: Hierarchy,
    *,
    parents: Literal["all", "any"] = "all",
    condensing: Literal["greedy", "exact"] = "greedy",
) -> Condensed:
    """Find the supernodes of each row of scores, and the order in which their labels are selected.

    Parameters
    ----------
    scores : array or DataFrame, (n_instances, n_labels)
        Any finite numbers, negative ones too.
    hierarchy : Hierarchy
        A tree, a forest or a DAG.
    parents : {"all", "any"}
        Whether a label needs all its parents (AND) or one of them (OR). On a tree both are the same.
    condensing : {"greedy", "exact"}
        "greedy" is CSSA on trees and CSSAG on DAGs; "exact" solves the relaxed problem on DAGs too, and takes
        ``parents="all"`` only.

    Returns
    -------
    Condensed

    Examples
    --------
    >>> from tagweave.baselines.condensing import condense
    >>> from tagweave.hierarchy import Hierarchy
    >>> hierarchy = Hierarchy(["dog", "animal", "sky"], [("dog", "animal")])
    >>> condensed = condense([[0.9, 0.1, 0.3]], hierarchy)
    >>> condensed.values  # dog comes with animal only, and the two are worth 0.5 each
    array([[0.5, 0.5, 0.3]])
    >>> condensed.positions
    array([[1, 0, 2]], dtype=int32)
    """
    for name, given, allowed in (("parents", parents, PARENTS), ("condensing", condensing, CONDENSING)):
        if given not in allowed:
            raise ValueError(f"{name} must be {' or '.join(map(repr, allowed))}; got {given!r}")
    if condensing == "exact" and parents == "any":
        raise ValueError("condensing='exact' goes with parents='all' only: with 'any' the problem is not convex")
    given_scores = check_scores(scores, hierarchy).astype(np.float64, order="C")
    if not np.isfinite(given_scores).all():
        row, column = np.argwhere(~np.isfinite(given_scores))[0]
        raise ValueError(f"scores must be finite; got {given_scores[row, column]} in row {row}, column {column}")
    greedy = condensing == "greedy"
    if greedy:
        values = np.empty_like(given_scores)
    else:
        values = np.asarray(project_rows(given_scores, hierarchy.edge_index)[0], dtype=np.float64)
    positions = np.empty(given_scores.shape, dtype=np.int32)
    decode = decode_rows_serial if len(given_scores) <= FEW_ROWS else decode_rows_parallel
    decode(given_scores, *_parents_of(hierarchy), parents == "any", greedy, values, positions)
    return Condensed(values, positions)


def _parents_of(hierarchy: Hierarchy) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Return the topological order and, as in a CSR matrix, where the parents of each label start and who they are."""
    children, above = hierarchy.edge_index.T
    by_child = np.argsort(children, kind="stable")
    starts = np.searchsorted(children[by_child], np.arange(hierarchy.n_labels + 1)).astype(np.int32)
    return hierarchy.order, starts, np.ascontiguousarray(above[by_child])
