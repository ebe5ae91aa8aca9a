"""What is settled before the projection: right, and with multipliers that prove it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import hierarchies

from tagweave.hierarchy import Hierarchy
from tagweave.hierarchy.projection import RowProjection
from tagweave.kernels.projection import FAR
from tagweave.kernels.rows import BLOCK
from tagweave.kernels.settling import mark, push, settle

seeds = st.integers(0, 2**32 - 1)


def settled(hierarchy, seed):
    """Scores around the box, many of them far outside as those of known labels are; one row of the block each."""
    rng = np.random.default_rng(seed)
    v = rng.normal(0.4, 1, (BLOCK, len(hierarchy.labels)))
    v += rng.choice([0, 0, 5, -5, 50], v.shape)
    projection = RowProjection(hierarchy.edge_index, v.shape[1])
    turned, gain, lack = v.T.copy(), np.empty(v.T.shape), np.empty(v.T.shape)
    settle(turned, gain, lack, projection.families.edges)
    return v, projection, turned, gain, lack


@given(hierarchies(max_labels=9), seeds)
def test_what_is_settled_is_where_projection_and_clip_send_it(hierarchy, seed):
    v, projection, _, gain, lack = settled(hierarchy, seed)
    projected = np.clip(projection(v)[0], 0, 1).T
    assert projected[gain <= 0].max(initial=0) <= 1e-9
    assert projected[lack <= 0].min(initial=1) >= 1 - 1e-9


@given(hierarchies(max_labels=9), seeds)
def test_on_a_forest_no_zero_is_overlooked(hierarchy, seed):
    first = np.unique(hierarchy.edge_index[:, 0], return_index=True)[1]
    names = hierarchy.labels
    forest = Hierarchy(names, [(names[child], names[parent]) for child, parent in hierarchy.edge_index[first]])
    v, projection, _, gain, _ = settled(forest, seed)
    projected = np.clip(projection(v)[0], 0, 1).T
    assert (projected[gain > 1e-9] > 0).all()


@given(hierarchies(max_labels=9), seeds)
def test_the_multipliers_of_the_settled_leave_nothing_on_the_wrong_side(hierarchy, seed):
    v, projection, turned, gain, lack = settled(hierarchy, seed)
    push(turned, gain, lack, projection.families.edges)
    assert turned[gain <= 0].max(initial=0) <= 1e-9
    assert turned[lack <= 0].min(initial=1) >= 1 - 1e-9
    free = (gain > 0) & (lack > 0)
    np.testing.assert_array_equal(turned[free], v.T[free])
    # What is pushed is lost by a child and won by a parent: nothing goes down, nothing is made.
    np.testing.assert_allclose(turned.sum(axis=0), v.sum(axis=1), atol=1e-9)
    for columns in hierarchy_families(hierarchy):
        np.testing.assert_allclose(turned[columns].sum(axis=0), v.T[columns].sum(axis=0), atol=1e-9)
    for label in range(len(hierarchy.labels)):
        below = [label, *(hierarchy.labels.index(name) for name in hierarchy.descendants(hierarchy.labels[label]))]
        assert (turned[below].sum(axis=0) <= v.T[below].sum(axis=0) + 1e-9).all()


def hierarchy_families(hierarchy):
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    m, edges = len(hierarchy.labels), hierarchy.edge_index
    links = coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(m, m))
    family = connected_components(links, directed=False)[1]
    return [np.flatnonzero(family == k) for k in range(family.max() + 1)]


@given(hierarchies(max_labels=9), seeds)
def test_families_are_unsettled_just_where_the_clip_leaves_a_child_above_its_parent(hierarchy, seed):
    v, projection, turned, gain, lack = settled(hierarchy, seed)
    families = projection.families
    unsettled = np.empty((len(families.bounds), BLOCK), dtype=bool)
    mark(turned, gain, lack, families, unsettled)
    assert set(np.unique(np.abs(turned[(gain <= 0) | (lack <= 0)]))) <= {FAR}
    clipped = np.clip(turned.T, 0, 1)
    # The settled families are done: the clip is the answer.
    projected = np.clip(projection(v)[0], 0, 1)
    for family, found in enumerate(unsettled):
        wrong = np.zeros(BLOCK, dtype=bool)
        for child, parent in families.edges[slice(*families.bounds[family, 1])]:
            wrong |= clipped[:, child] > clipped[:, parent]
        np.testing.assert_array_equal(found, wrong)
        done = np.ix_(~found, families.nodes[slice(*families.bounds[family, 0])])
        np.testing.assert_allclose(clipped[done], projected[done], atol=1e-9)
