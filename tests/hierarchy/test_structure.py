from __future__ import annotations

import copy
import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import hierarchies

from tagweave.hierarchy import Hierarchy


def drawn(hierarchy):
    graph = nx.DiGraph()
    graph.add_nodes_from(hierarchy.labels)
    graph.add_edges_from((parent, child) for child, parent in hierarchy.edges)
    return graph


@given(hierarchies())
def test_the_order_is_the_smallest_topological_one(hierarchy):
    order = [hierarchy.labels[column] for column in hierarchy.order]
    assert order == list(nx.lexicographical_topological_sort(drawn(hierarchy), key=hierarchy.index))


@given(hierarchies())
def test_rank_is_the_inverse_of_order(hierarchy):
    assert hierarchy.rank[hierarchy.order].tolist() == list(range(len(hierarchy)))


@given(hierarchies())
def test_edge_index_holds_the_edges_top_down(hierarchy):
    names = [(hierarchy.labels[c], hierarchy.labels[p]) for c, p in hierarchy.edge_index]
    assert sorted(names) == sorted(hierarchy.edges)
    assert hierarchy.edge_index.shape == (hierarchy.n_edges, 2)
    assert hierarchy.edge_index.dtype == np.int32
    ranks = [(hierarchy.rank[c], hierarchy.rank[p]) for c, p in hierarchy.edge_index]
    assert ranks == sorted(ranks)
    assert all(parent < child for child, parent in ranks)


@given(hierarchies())
def test_phi_is_plus_one_at_the_parent_and_minus_one_at_the_child(hierarchy):
    Phi = np.zeros((hierarchy.n_labels, hierarchy.n_edges))
    for edge, (child, parent) in enumerate(hierarchy.edge_index):
        Phi[child, edge], Phi[parent, edge] = -1, 1
    assert (hierarchy.Phi.toarray() == Phi).all()
    assert hierarchy.Phi.shape == Phi.shape
    assert hierarchy.Phi.has_sorted_indices


@given(hierarchies())
def test_relations_are_those_of_the_graph_in_topological_order(hierarchy):
    graph = drawn(hierarchy)

    def ordered(labels):
        return tuple(sorted(labels, key=lambda label: hierarchy.rank[hierarchy.index(label)]))

    for label in hierarchy.labels:
        assert hierarchy.parents(label) == ordered(graph.predecessors(label))
        assert hierarchy.children(label) == ordered(graph.successors(label))
        assert hierarchy.ancestors(label) == ordered(nx.ancestors(graph, label))
        assert hierarchy.descendants(label) == ordered(nx.descendants(graph, label))
    up, down = dict(graph.in_degree), dict(graph.out_degree)
    assert hierarchy.roots == ordered(x for x in graph if not up[x] and down[x])
    assert hierarchy.leaves == ordered(x for x in graph if up[x] and not down[x])
    assert hierarchy.singletons == ordered(x for x in graph if not up[x] and not down[x])
    assert hierarchy.is_leaf_or_singleton.tolist() == [not down[x] for x in hierarchy.labels]
    assert hierarchy.depth == nx.dag_longest_path_length(graph) + 1


@given(hierarchies(), st.randoms())
def test_equal_is_same_labels_in_order_and_same_edges_in_any(hierarchy, random):
    edges = list(hierarchy.edges)
    random.shuffle(edges)
    again = Hierarchy(list(hierarchy.labels), edges)
    assert again == hierarchy
    assert hash(again) == hash(hierarchy)
    assert again.edges == tuple(edges)
    assert (again.edge_index == hierarchy.edge_index).all()


def test_unequal_are_other_orders_other_edges_and_other_things():
    hierarchy = Hierarchy(["a", "b"], [("a", "b")])
    assert hierarchy != Hierarchy(["b", "a"], [("a", "b")])
    assert hierarchy != Hierarchy(["a", "b"])
    assert hierarchy != ["a", "b"]


@given(hierarchies())
def test_a_pickle_and_a_copy_are_equal_and_stay_read_only(hierarchy):
    loaded = pickle.loads(pickle.dumps(hierarchy))
    assert loaded == hierarchy
    assert loaded.edges == hierarchy.edges
    assert not loaded.edge_index.flags.writeable
    assert copy.copy(hierarchy) is hierarchy
    assert copy.deepcopy(hierarchy) is hierarchy


@pytest.mark.parametrize("name", ["labels", "edges", "order", "anything"])
def test_attributes_cannot_be_set(name):
    with pytest.raises(AttributeError):
        setattr(Hierarchy(["a"]), name, ())


@pytest.mark.parametrize("name", ["edge_index", "order", "rank"])
def test_arrays_cannot_be_written(name):
    with pytest.raises(ValueError, match="read-only"):
        getattr(Hierarchy(["a", "b"], [("a", "b")]), name)[0] = 1


def test_it_reads_like_a_collection_of_labels():
    hierarchy = Hierarchy(["a", "b"], [("a", "b")])
    assert len(hierarchy) == hierarchy.n_labels == 2
    assert "a" in hierarchy
    assert "c" not in hierarchy
    assert repr(hierarchy) == "<Hierarchy: 2 labels, 1 edges, depth 2>"


def test_no_labels_and_no_edges_are_a_hierarchy_too():
    empty = Hierarchy([])
    assert empty  # as an optional argument it must not look absent
    assert (empty.depth, len(empty), empty.edge_index.shape, empty.Phi.shape) == (0, 0, (0, 2), (0, 0))
    assert Hierarchy(["a"]).depth == 1


def test_from_edges_takes_labels_as_first_seen():
    hierarchy = Hierarchy.from_edges(iter([("dog", "pet"), ("cat", "pet"), ("pet", "animal")]))
    assert hierarchy.labels == ("dog", "pet", "cat", "animal")
    assert hierarchy.edges == (("dog", "pet"), ("cat", "pet"), ("pet", "animal"))
