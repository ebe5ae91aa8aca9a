from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import hierarchies

from tagweave.exceptions import HierarchyError
from tagweave.hierarchy import Hierarchy


def test_a_cycle_is_printed_as_a_path():
    edges = [("d", "a"), ("c", "a"), ("a", "b"), ("b", "c"), ("e", "d")]
    with pytest.raises(HierarchyError, match=r"child -> parent\): a -> b -> c -> a$"):
        Hierarchy(["a", "b", "c", "d", "e"], edges)


def test_a_cycle_is_found_from_a_label_that_hangs_below_it():
    with pytest.raises(HierarchyError, match=r": y -> z -> y$"):
        Hierarchy(["below", "y", "z"], [("below", "z"), ("y", "z"), ("z", "y")])


@given(hierarchies(min_labels=2), st.data())
def test_an_edge_back_to_a_descendant_is_refused_with_a_true_path(hierarchy, data):
    below = [(label, other) for label in hierarchy.labels for other in hierarchy.descendants(label)]
    if not below:
        return
    top, bottom = data.draw(st.sampled_from(below))
    edges = {*hierarchy.edges, (top, bottom)}
    with pytest.raises(HierarchyError) as caught:
        Hierarchy(hierarchy.labels, edges)
    path = str(caught.value).split(": ")[-1].split(" -> ")
    assert path[0] == path[-1]
    assert set(pairwise(path)) <= edges


def test_a_self_loop_is_named():
    with pytest.raises(HierarchyError, match=r"own parent: 'b'$"):
        Hierarchy(["a", "b"], [("b", "b")])


def test_unknown_labels_are_named_with_what_was_meant():
    with pytest.raises(HierarchyError, match=r"'animl' \(did you mean 'animal'\?\), 'xyz'$"):
        Hierarchy(["animal", "dog"], [("dog", "animl"), ("xyz", "animal")])


def test_of_many_culprits_a_few_are_named_and_the_rest_counted():
    with pytest.raises(HierarchyError, match=r"0, 1, 2, 3, 4 and 3 more$"):
        Hierarchy(["a"], [(number, "a") for number in range(8)])


@pytest.mark.parametrize(
    ("labels", "edges", "message"),
    [
        (["a", "b", "a"], [], "more than once: 'a'$"),
        (["a", "b"], [("a", "b"), ("a", "b")], r"more than once: \('a', 'b'\)$"),
        ("dog", [], "got one string: 'dog'"),
        (["a", ["b"]], [], r"hashable names, got \['b'\]"),
        (["a", ("b", ["c"])], [], "hashable names"),
        (["a", "b"], ["ab"], r"edges\[0\] must be a \(child, parent\) pair of labels, got 'ab'"),
        (["a", "b"], [("a", "b"), ("a", "b", "c")], r"edges\[1\] must be"),
        (["a", "b"], [3], r"edges\[0\] must be .* got 3"),
        (["a", "b"], [("a", ["b"])], r"edges\[0\] must be a pair of hashable"),
    ],
)
def test_damaged_labels_and_edges_are_named(labels, edges, message):
    with pytest.raises(HierarchyError, match=message):
        Hierarchy(labels, edges)


def test_asking_for_an_unknown_label_suggests_one():
    with pytest.raises(HierarchyError, match=r"label: not among the 1 labels: 'dogs' \(did you mean 'dog'\?\)"):
        Hierarchy(["dog"]).index("dogs")


def test_numpy_names_are_plain_names():
    hierarchy = Hierarchy(np.array(["a", "b"]), np.array([["a", "b"]]))
    assert hierarchy == Hierarchy(["a", "b"], [("a", "b")])
    assert type(hierarchy.labels[0]) is str
    assert hierarchy.index(np.str_("b")) == 1
