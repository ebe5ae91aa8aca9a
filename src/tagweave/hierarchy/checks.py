"""What labels and edges must be; every refusal names the culprits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any, TypeAlias, TypeVar

import numpy as np

from tagweave.exceptions import HierarchyError

Label: TypeAlias = Hashable
"""The name of a column: usually a string."""

Edge: TypeAlias = tuple[Label, Label]
"""A (child, parent) pair of names: the child implies the parent."""

T = TypeVar("T")

SHOWN = 5


def listed(items: Iterable[T], write: Callable[[T], str] = repr) -> str:
    """Write the first few items, and how many more there are."""
    culprits = list(items)
    more = f" and {len(culprits) - SHOWN} more" if len(culprits) > SHOWN else ""
    return ", ".join(map(write, culprits[:SHOWN])) + more


def plain(label: Any) -> Any:
    """Turn a NumPy scalar into the Python object it stands for, so that names print and save as written."""
    return label.item() if isinstance(label, np.generic) else label


def unknown_labels(unknown: Iterable[Label], known: Collection[Label], argument: str) -> HierarchyError:
    """Make the error for labels that are not in the hierarchy, with the names probably meant."""
    texts = [str(label) for label in known]

    def with_suggestion(label: Label) -> str:
        close = get_close_matches(str(label), texts, n=1)
        return f"{label!r} (did you mean {close[0]!r}?)" if close else repr(label)

    culprits = listed(dict.fromkeys(unknown), with_suggestion)
    return HierarchyError(f"{argument}: not among the {len(texts)} labels: {culprits}")


def index_labels(labels: Iterable[Label]) -> dict[Label, int]:
    """Map each label to its column; refuse what is not a sequence of unique names."""
    if isinstance(labels, str | bytes):
        raise HierarchyError(f"labels must be a sequence of names, got one string: {labels!r}")
    names = [plain(label) for label in labels]
    unhashable = [name for name in names if not _is_hashable(name)]
    if unhashable:
        raise HierarchyError(f"labels must be hashable names, got {listed(unhashable)}")
    index = {name: column for column, name in enumerate(names)}
    if len(index) < len(names):
        twice = [name for name, count in Counter(names).items() if count > 1]
        raise HierarchyError(f"labels must be unique; given more than once: {listed(twice)}")
    return index


def check_edges(edges: Iterable[Any], index: Mapping[Label, int]) -> tuple[Edge, ...]:
    """Return the edges as pairs of known, different names, each pair once."""
    pairs = as_pairs(edges)
    unknown = [label for pair in pairs for label in pair if label not in index]
    if unknown:
        raise unknown_labels(unknown, list(index), "edges")
    loops = [child for child, parent in pairs if child == parent]
    if loops:
        raise HierarchyError(f"edges: a label cannot be its own parent: {listed(loops)}")
    if len(set(pairs)) < len(pairs):
        twice = [pair for pair, count in Counter(pairs).items() if count > 1]
        raise HierarchyError(f"edges must be unique; (child, parent) given more than once: {listed(twice)}")
    return tuple(pairs)


def as_pairs(edges: Iterable[Any]) -> list[Edge]:
    """Return the edges as (child, parent) tuples of hashable names."""
    pairs: list[Edge] = []
    for position, edge in enumerate(edges):
        # A string of two letters would unpack, silently, into two labels.
        if isinstance(edge, str | bytes) or not hasattr(edge, "__len__") or len(edge) != 2:
            raise HierarchyError(f"edges[{position}] must be a (child, parent) pair of labels, got {edge!r}")
        pair = (plain(edge[0]), plain(edge[1]))
        if not _is_hashable(pair):
            raise HierarchyError(f"edges[{position}] must be a pair of hashable labels, got {edge!r}")
        pairs.append(pair)
    return pairs


def _is_hashable(value: object) -> bool:
    """Try the hash: a tuple that holds a list has `__hash__` but no hash."""
    try:
        hash(value)
    except TypeError:
        return False
    return True
