from __future__ import annotations

import json

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import hierarchies

from tagweave.exceptions import HierarchyError
from tagweave.hierarchy import Hierarchy

PAIR = Hierarchy(["chien \N{DOG FACE}", "animal"], [("chien \N{DOG FACE}", "animal")])


@given(hierarchies())
def test_json_text_reads_back_the_same(hierarchy):
    again = Hierarchy.from_json(hierarchy.to_json())
    assert again == hierarchy
    assert again.edges == hierarchy.edges


@given(st.lists(st.text() | st.integers(), unique=True))
def test_any_text_or_whole_number_is_a_label_in_json(labels):
    assert Hierarchy.from_json(Hierarchy(labels).to_json()).labels == tuple(labels)


@pytest.mark.parametrize("as_path", [str, lambda path: path])
def test_json_files_read_back_the_same(tmp_path, as_path):
    path = as_path(tmp_path / "hierarchy.json")
    text = PAIR.to_json(path)
    assert Hierarchy.from_json(path) == Hierarchy.from_json(text) == PAIR
    assert json.loads(text) == {"labels": list(PAIR.labels), "edges": [list(edge) for edge in PAIR.edges]}


@pytest.mark.parametrize("label", [("a", "b"), 1.5, None, True])
def test_labels_that_would_not_come_back_are_not_written(label):
    with pytest.raises(TypeError, match="strings or whole numbers"):
        Hierarchy(["a", label]).to_json()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"labels": ["a"', "not valid JSON"),
        ("", "not valid JSON"),
        ("[1, 2]", "expected an object .* got a list"),
        ('{"edges": []}', "no 'labels'; found 'edges'"),
        ("{}", "no 'labels', 'edges'; found nothing"),
        ('{"labels": "abc", "edges": []}', "'labels' must be a list, got 'abc'"),
        ('{"labels": [], "edges": null}', "'edges' must be a list, got None"),
        ('{"labels": [["a"]], "edges": []}', "hashable"),
        ('{"labels": ["a"], "edges": [["a", "b"]]}', "edges: not among the 1 labels: 'b'"),
        ('{"labels": ["a", "b"], "edges": [["a", "b"], ["b", "a"]]}', "a -> b -> a"),
    ],
)
def test_a_damaged_file_is_named_with_its_damage(tmp_path, content, message):
    path = tmp_path / "damaged.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(HierarchyError, match=rf"damaged\.json: .*{message}"):
        Hierarchy.from_json(path)
    if content:
        with pytest.raises(HierarchyError, match=f"the JSON text: .*{message}"):
            Hierarchy.from_json(content)


def test_a_file_that_is_no_text_is_named(tmp_path):
    path = tmp_path / "picture.json"
    path.write_bytes(b"\xff\xd8\xff")
    with pytest.raises(HierarchyError, match=r"picture\.json: not a text file"):
        Hierarchy.from_json(path)


def test_an_absent_file_is_an_absent_file(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"absent\.json"):
        Hierarchy.from_json(tmp_path / "absent.json")


@given(hierarchies())
def test_networkx_edges_point_from_parent_to_child_and_read_back(hierarchy):
    graph = hierarchy.to_networkx()
    assert list(graph.nodes) == list(hierarchy.labels)
    assert {(child, parent) for parent, child in graph.edges} == set(hierarchy.edges)
    assert Hierarchy.from_networkx(graph) == hierarchy


def test_networkx_graphs_that_are_no_hierarchy_are_refused():
    with pytest.raises(HierarchyError, match="directed, from parent to child, got an undirected Graph"):
        Hierarchy.from_networkx(nx.Graph([("a", "b")]))
    with pytest.raises(HierarchyError, match="more than once"):
        Hierarchy.from_networkx(nx.MultiDiGraph([("a", "b"), ("a", "b")]))
    with pytest.raises(HierarchyError, match="a -> b -> a"):
        Hierarchy.from_networkx(nx.DiGraph([("a", "b"), ("b", "a")]))
