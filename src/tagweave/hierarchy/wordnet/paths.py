"""What a synset implies, and by which steps: is-a, the part-of that is safe, and what a group is made of.

A tag is put on what is seen, so "x implies y" must hold of pictures, not only of words:

- *is a*: always.
- *part of*: only within a body of one kind. A leaf is seen with its plant, a nose with its face, a roof with its
  building, a named quarter lies in its named town; but a tree does not show a forest, nor a lake the earth. So the
  part, the whole and what the whole implies must come from the same lexicographers' file, and that file must be one
  of `BODIES`, or the part must be a named place. What is made to be used (`MOVABLE`: furniture, tools, vessels) is
  never a safe part: a bed may stand in a bedroom, a cup on a table, but they are seen without.
- A part of several wholes (a horn: of a bull, a goat, a sheep) implies only what all those wholes imply that the
  vocabulary knows of.
- *has members*: a group shows its members. A forest implies trees.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from tagweave.hierarchy.wordnet.reader import MEMBER, PART, Nouns

BODIES = frozenset({"animal", "artifact", "body", "plant"})

MOVABLE = "instrumentality.n.03"

IS_A = "is a"
PART_OF = "is part of"
HAS_MEMBERS = "has members"


Path = tuple[tuple[int, str, int], ...]
"""Steps as (synset, relation, synset)."""


class Paths:
    """Walks over WordNet's nouns; what was walked once is remembered."""

    def __init__(self, nouns: Nouns) -> None:
        self.nouns = nouns
        self._movable = nouns.named(MOVABLE)
        self.ancestors = lru_cache(maxsize=None)(self._ancestors)
        self.wholes = lru_cache(maxsize=None)(self._wholes)
        self.around = lru_cache(maxsize=None)(self._around)

    def members(self, synset: int) -> tuple[int, ...]:
        """Return what a group consists of."""
        if self.nouns.topic(synset) != "group":
            return ()
        return tuple(member for member, kind in self.nouns.meronyms[synset] if kind == MEMBER)

    def implied(self, synset: int, vocabulary: Collection[int]) -> frozenset[int]:
        """Return all that a synset implies, itself included.

        Parameters
        ----------
        synset : int
        vocabulary : collection of int
            The synsets that labels stand for: where a part has several wholes, those that lead to none of these are
            not considered.
        """
        found = self._with_wholes(synset, frozenset(vocabulary), frozenset())
        return found.union(*(self.ancestors(member) for member in self.members(synset)))

    def path(self, synset: int, target: int) -> Path | None:
        """Return the shortest way from a synset to one that it may imply, by true steps of WordNet; None if none."""
        ways = [self._path(synset, target, frozenset())]
        for member in self.members(synset):
            upwards = self._is_a_path(member, target)
            ways.append(None if upwards is None else ((synset, HAS_MEMBERS, member), *upwards))
        return _shortest(ways)

    def _ancestors(self, synset: int) -> frozenset[int]:
        """Return all that a synset is a kind of, itself included."""
        return frozenset().union({synset}, *(self.ancestors(above) for above, _ in self.nouns.hypernyms[synset]))

    def _wholes(self, synset: int) -> tuple[tuple[int, int], ...]:
        """Return (owner, whole): the synset itself or the nearest kind it belongs to that WordNet gives wholes for."""
        topic = self.nouns.topic(synset)
        if topic not in BODIES and not (topic == "location" and self.nouns.is_instance(synset)):
            return ()
        if self._movable in self.ancestors(synset):
            return ()
        level, seen = [synset], {synset}
        while level:
            for owner in sorted(level):
                wholes = self._given_wholes(owner, topic)
                if wholes:
                    return tuple((owner, whole) for whole in wholes)
            level = [above for owner in level for above, _ in self.nouns.hypernyms[owner] if above not in seen]
            seen.update(level)
        return ()

    def _given_wholes(self, owner: int, topic: str) -> list[int]:
        if self.nouns.topic(owner) != topic:
            return []
        given = (whole for whole, kind in self.nouns.holonyms[owner] if kind == PART)
        return [whole for whole in given if self.nouns.topic(whole) == topic]

    def _same_topic(self, synsets: Iterable[int], topic: str) -> frozenset[int]:
        return frozenset(synset for synset in synsets if self.nouns.topic(synset) == topic)

    def _around(self, synset: int) -> frozenset[int]:
        """Return all that a synset might imply if each whole were certain; for counting, not for edges."""
        topic = self.nouns.topic(synset)
        found, todo, seen = set(self.ancestors(synset)), [synset], {synset}
        while todo:
            for _, whole in self.wholes(todo.pop()):
                if whole not in seen:
                    seen.add(whole)
                    todo.append(whole)
                    found |= self._same_topic(self.ancestors(whole), topic)
        return frozenset(found.union(*(self.ancestors(member) for member in self.members(synset))))

    def _with_wholes(self, synset: int, vocabulary: frozenset[int], below: frozenset[int]) -> frozenset[int]:
        """Add to the ancestors what all the relevant wholes imply; `below` keeps it from running in a circle."""
        known = self.ancestors(synset)
        topic = self.nouns.topic(synset)
        alternatives = []
        for _, whole in self.wholes(synset):
            if whole in below or whole in known:
                continue
            implied = self._same_topic(self._with_wholes(whole, vocabulary, below | {synset}), topic)
            if (implied - known) & vocabulary:
                alternatives.append(implied)
        return known | frozenset.intersection(*alternatives) if alternatives else known

    def _path(self, synset: int, target: int, below: frozenset[int]) -> Path | None:
        upwards = self._is_a_path(synset, target)
        if upwards is not None:
            return upwards
        ways = []
        for owner, whole in self.wholes(synset):
            if whole not in below and self.nouns.topic(target) == self.nouns.topic(whole):
                rest = self._path(whole, target, below | {synset})
                if rest is not None:
                    # The owner is an ancestor, so there is a way to it.
                    first = self._is_a_path(synset, owner) or ()
                    ways.append((*first, (owner, PART_OF, whole), *rest))
        return _shortest(ways)

    def _is_a_path(self, synset: int, target: int) -> Path | None:
        """Return the shortest way up by is-a alone."""
        if target not in self.ancestors(synset):
            return None
        ways: dict[int, Path] = {synset: ()}
        level = [synset]
        while target not in ways:
            above = [(lower, upper) for lower in level for upper, _ in self.nouns.hypernyms[lower]]
            for lower, upper in sorted(above):
                ways.setdefault(upper, (*ways[lower], (lower, IS_A, upper)))
            level = sorted({upper for _, upper in above})
        return ways[target]


def _shortest(ways: Iterable[Path | None]) -> Path | None:
    """Return the shortest way, ties by the synsets on it."""
    return min((way for way in ways if way is not None), key=lambda way: (len(way), way), default=None)
