"""Hierarchies as JSON text and as networkx graphs."""

from __future__ import annotations

import json
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from tagweave.exceptions import HierarchyError
from tagweave.hierarchy.checks import Edge, Label, listed
from tagweave.hierarchy.structure import LabelGraph

if TYPE_CHECKING:
    import networkx as nx


def write_json(graph: LabelGraph) -> str:
    """Write ``{"labels": [...], "edges": [[child, parent], ...]}``, one label or edge per line."""
    # Other names, tuples for one, would come back as something else, or not at all.
    unfit = [label for label in graph.labels if not isinstance(label, str) and type(label) is not int]
    if unfit:
        raise TypeError(f"labels must be strings or whole numbers to be kept in JSON, got {listed(unfit)}")
    labels = ",\n  ".join(json.dumps(label, ensure_ascii=False) for label in graph.labels)
    edges = ",\n  ".join(json.dumps(edge, ensure_ascii=False) for edge in graph.edges)
    return f'{{\n "labels": [\n  {labels}\n ],\n "edges": [\n  {edges}\n ]\n}}\n'


def read_json(source: str | PathLike[str]) -> tuple[list[Label], list[Edge], str]:
    """Read labels and edges, and say where they came from; text that begins with { or [ is JSON itself."""
    if isinstance(source, str) and source.lstrip()[:1] in ("{", "["):
        text, where = source, "the JSON text"
    else:
        where = fspath(source)
        try:
            text = Path(source).read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise HierarchyError(f"{where}: not a text file in UTF-8: {error}") from error
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise HierarchyError(f"{where}: not valid JSON: {error}") from error
    if not isinstance(content, dict):
        raise HierarchyError(
            f'{where}: expected an object {{"labels": ..., "edges": ...}}, got a {type(content).__name__}'
        )
    absent = [key for key in ("labels", "edges") if key not in content]
    if absent:
        raise HierarchyError(f"{where}: no {listed(absent)}; found {listed(content) or 'nothing'}")
    for key in ("labels", "edges"):
        if not isinstance(content[key], list):
            raise HierarchyError(f"{where}: {key!r} must be a list, got {content[key]!r}")
    return content["labels"], content["edges"], where


def draw_networkx(graph: LabelGraph) -> nx.DiGraph[Any]:
    """Draw each edge from parent to child, nodes in column order."""
    import networkx as nx

    drawn: nx.DiGraph[Any] = nx.DiGraph()
    drawn.add_nodes_from(graph.labels)
    drawn.add_edges_from((parent, child) for child, parent in graph.edges)
    return drawn


def read_networkx(drawn: nx.DiGraph[Any]) -> tuple[list[Label], list[Edge]]:
    """Read labels and (child, parent) edges from a graph whose edges point from parent to child."""
    if not drawn.is_directed():
        raise HierarchyError(f"graph must be directed, from parent to child, got an undirected {type(drawn).__name__}")
    return list(drawn.nodes), [(child, parent) for parent, child in drawn.edges()]


class ExchangeableGraph(LabelGraph):
    """The part of `Hierarchy` that reads and writes."""

    __slots__ = ()

    def to_json(self, path: str | PathLike[str] | None = None) -> str:
        """Write the hierarchy as JSON: ``{"labels": [...], "edges": [[child, parent], ...]}``.

        Parameters
        ----------
        path : path, optional
            A file to write the text to, in UTF-8.

        Returns
        -------
        str
            The text.

        Examples
        --------
        >>> from tagweave.hierarchy import Hierarchy
        >>> hierarchy = Hierarchy(["dog", "animal"], [("dog", "animal")])
        >>> Hierarchy.from_json(hierarchy.to_json()) == hierarchy
        True
        """
        text = write_json(self)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    @classmethod
    def from_json(cls, source: str | PathLike[str]) -> Self:
        """Read a hierarchy from JSON: ``{"labels": [...], "edges": [[child, parent], ...]}``.

        Parameters
        ----------
        source : str or path
            The path of a file in UTF-8, or the JSON text itself (a string that begins with a brace).

        Returns
        -------
        Hierarchy

        Raises
        ------
        HierarchyError
            If the content is damaged; the message names the file and what is wrong.

        Examples
        --------
        >>> from tagweave.hierarchy import Hierarchy
        >>> Hierarchy.from_json('{"labels": ["dog", "animal"], "edges": [["dog", "animal"]]}')
        <Hierarchy: 2 labels, 1 edges, depth 2>
        """
        labels, edges, where = read_json(source)
        try:
            return cls(labels, edges)
        except HierarchyError as error:
            raise HierarchyError(f"{where}: {error}") from error

    def to_networkx(self) -> nx.DiGraph[Any]:
        """Return a networkx graph whose edges point from parent to child.

        Returns
        -------
        networkx.DiGraph

        Examples
        --------
        >>> from tagweave.hierarchy import Hierarchy
        >>> list(Hierarchy(["dog", "animal"], [("dog", "animal")]).to_networkx().edges)
        [('animal', 'dog')]
        """
        return draw_networkx(self)

    @classmethod
    def from_networkx(cls, graph: nx.DiGraph[Any]) -> Self:
        """Read a hierarchy from a networkx graph whose edges point from parent to child.

        Parameters
        ----------
        graph : networkx.DiGraph
            Its nodes are the labels, in its order.

        Returns
        -------
        Hierarchy

        Examples
        --------
        >>> import networkx
        >>> from tagweave.hierarchy import Hierarchy
        >>> Hierarchy.from_networkx(networkx.DiGraph([("animal", "dog")])).edges
        (('dog', 'animal'),)
        """
        return cls(*read_networkx(graph))
