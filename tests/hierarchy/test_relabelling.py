from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import hierarchies

from tagweave.exceptions import HierarchyError
from tagweave.hierarchy import Hierarchy

CHAIN = Hierarchy(["dog", "pet", "animal"], [("dog", "pet"), ("pet", "animal")])


@given(hierarchies(), st.randoms())
def test_reorder_changes_nothing_but_the_columns(hierarchy, random):
    names = list(hierarchy.labels)
    random.shuffle(names)
    reordered = hierarchy.reorder(names)
    assert reordered.labels == tuple(names)
    assert reordered.edges == hierarchy.edges
    assert reordered.reorder(hierarchy.labels) == hierarchy


@given(hierarchies(), st.data())
def test_a_subset_keeps_who_is_above_whom(hierarchy, data):
    dropped = data.draw(st.sets(st.sampled_from(hierarchy.labels)))
    kept = data.draw(st.permutations([label for label in hierarchy.labels if label not in dropped]))
    subset = hierarchy.subset(iter(kept))
    assert subset.labels == tuple(kept)
    for label in kept:
        assert set(subset.ancestors(label)) == set(hierarchy.ancestors(label)) & set(kept)
        assert set(hierarchy.parents(label)) & set(kept) <= set(subset.parents(label))


def test_a_label_climbs_over_several_that_are_left_out_to_all_that_are_kept():
    edges = [("dog", "pet"), ("pet", "animal"), ("animal", "being"), ("pet", "companion")]
    hierarchy = Hierarchy.from_edges(edges).subset(["being", "companion", "dog"])
    assert set(hierarchy.edges) == {("dog", "being"), ("dog", "companion")}


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["dog", "pet"], "left out: 'animal'"),
        (["dog", "pet", "animals"], r"'animals' \(did you mean 'animal'\?\)"),
        (["dog", "pet", "dog", "animal"], "more than once: 'dog'"),
    ],
)
def test_reorder_refuses_other_labels(labels, message):
    with pytest.raises(HierarchyError, match=message):
        CHAIN.reorder(iter(labels))


def test_subset_refuses_unknown_labels():
    with pytest.raises(HierarchyError, match="labels: not among the 3 labels: 'sky'"):
        CHAIN.subset(["dog", "sky"])
