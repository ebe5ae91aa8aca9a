"""From senses to edges: who implies whom, without circles, each label below its nearest ancestors only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tagweave.hierarchy.wordnet.overrides import Overrides
from tagweave.hierarchy.wordnet.paths import IS_A, Path, Paths

Pair = tuple[str, str]
"""(child, parent)."""


def implications(
    synsets: Mapping[str, int], exact: Mapping[str, bool], paths: Paths, overrides: Overrides
) -> dict[Pair, Path]:
    """Return each pair of labels of which the first implies the second, and how WordNet says so.

    Labels that stand for the same synset are synonyms and imply each other; a hierarchy cannot say that, so there is
    no pair for them. What implies one of them implies all.
    """
    meant: dict[int, list[str]] = {}
    for label in sorted(synsets):
        # Nothing is below a label of which only the head is known.
        if exact[label]:
            meant.setdefault(synsets[label], []).append(label)
    vocabulary = frozenset(meant)
    found: dict[Pair, Path] = {}
    for child, synset in sorted(synsets.items()):
        for target in sorted(paths.implied(synset, vocabulary) & vocabulary):
            path = paths.path(synset, target)
            for parent in meant[target]:
                is_synonym = target == synset and exact[child]
                if path is not None and not is_synonym and (child, parent) not in overrides.dropped:
                    found[child, parent] = path
    return found


def without_circles(pairs: Mapping[Pair, Path], added: Iterable[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Return the pairs that can be kept together, and those that would close a circle.

    What a user has added comes first, then is-a, then what needs a part or a member; ties by name. Is-a alone has no
    circle.
    """
    graph: dict[str, set[str]] = {}
    kept, left_out = [], []
    decided = list(added)
    rest = sorted(pairs.keys() - set(decided), key=lambda pair: (not _is_a_alone(pairs[pair]), pair))
    for child, parent in (*decided, *rest):
        if child in ancestors_of(parent, graph):
            left_out.append((child, parent))
        else:
            kept.append((child, parent))
            graph.setdefault(child, set()).add(parent)
    return kept, left_out


def reduced(pairs: Iterable[Pair]) -> list[Pair]:
    """Return the fewest pairs with the same ancestors: each label below its nearest ancestors only."""
    graph: dict[str, set[str]] = {}
    for child, parent in pairs:
        graph.setdefault(child, set()).add(parent)
    ancestors = {label: ancestors_of(label, graph) for label in graph}
    return [
        (child, parent)
        for child, parents in graph.items()
        for parent in parents
        if not any(parent in ancestors.get(other, ()) for other in parents if other != parent)
    ]


def ancestors_of(label: str, graph: Mapping[str, Iterable[str]]) -> set[str]:
    """Return all that can be reached from a label."""
    found: set[str] = set()
    todo = [label]
    while todo:
        fresh = set(graph.get(todo.pop(), ())) - found
        found |= fresh
        todo += fresh
    return found


def _is_a_alone(path: Path) -> bool:
    return all(relation == IS_A for _, relation, _ in path)
