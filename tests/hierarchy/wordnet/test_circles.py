"""Implications that cannot all be kept are left out in a fixed order, and the rest is reduced."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tagweave import Hierarchy
from tagweave.hierarchy.wordnet.builder import reduced, without_circles
from tagweave.hierarchy.wordnet.paths import HAS_MEMBERS, IS_A

KIND = ((0, IS_A, 1),)
MEMBERS = ((0, HAS_MEMBERS, 1),)

LABELS = list("abcdef")

labels = st.sampled_from(LABELS)
pairs = st.tuples(labels, labels).filter(lambda pair: pair[0] != pair[1])
relations = st.dictionaries(pairs, st.sampled_from([KIND, MEMBERS]))


def test_is_a_is_kept_before_members_and_the_user_before_both():
    circle = {("a", "b"): MEMBERS, ("b", "a"): KIND}
    assert without_circles(circle, []) == ([("b", "a")], [("a", "b")])
    assert without_circles(circle, [("a", "b")]) == ([("a", "b")], [("b", "a")])


@given(relations, st.lists(pairs, unique=True, max_size=2))
def test_what_is_kept_has_no_circle_and_what_is_left_out_would_close_one(found, added):
    kept, left_out = without_circles(found, added)
    assert sorted(kept + left_out) == sorted({*found, *added})
    hierarchy = Hierarchy(LABELS, kept)
    assert all(child in hierarchy.ancestors(parent) for child, parent in left_out)


@given(relations)
def test_reduction_keeps_the_ancestors_and_no_edge_too_many(found):
    kept, _ = without_circles(found, [])
    full, small = Hierarchy(LABELS, kept), Hierarchy(LABELS, reduced(kept))
    for label in LABELS:
        assert set(full.ancestors(label)) == set(small.ancestors(label))
    for edge in small.edges:
        fewer = Hierarchy(LABELS, [other for other in small.edges if other != edge])
        assert edge[1] not in fewer.ancestors(edge[0])
