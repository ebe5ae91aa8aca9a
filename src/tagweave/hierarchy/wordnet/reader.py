"""The nouns of WordNet: words, senses, what they are kinds of and parts of; read from the packed file.

A *synset* is a meaning that several words may share, numbered here from 0; a *sense* is one word's claim to a synset.
The packed file (made by ``scripts/build_wordnet.py``) holds these arrays:

words
    All words, sorted, joined by newlines, in UTF-8; a space within a word is ``_``, as in WordNet's own files.
senses_per_word, tagged_per_word, sense_synset
    For each word, how many synsets it has, how many of them were met in WordNet's tagged texts, and which they are,
    the most frequent first.
synset_head, synset_topic
    For each synset, its first word, and the number of the lexicographers' file it comes from (`TOPICS`).
senses_below, count_below
    For each synset, the senses at or below it, and how often those were met in WordNet's tagged texts.
hypernyms
    Rows: the synset, the synset it is a kind of, and 1 if it is an instance (a particular island), else 0.
holonyms
    Rows: the synset, the synset it belongs to, and how: `PART`, `MEMBER` or `SUBSTANCE`.
exceptions
    Irregular plurals, ``plural singular`` line by line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import IO, Final

import numpy as np
from numpy.typing import NDArray

PART: Final = 0
MEMBER: Final = 1
SUBSTANCE: Final = 2

TOPICS: Final = (
    *("tops", "act", "animal", "artifact", "attribute", "body", "cognition", "communication", "event", "feeling"),
    *("food", "group", "location", "motive", "object", "person", "phenomenon", "plant", "possession", "process"),
    *("quantity", "relation", "shape", "state", "substance", "time"),
)
FIRST_TOPIC: Final = 3
"""The lexicographers' files of nouns, numbered from 3; ``tops`` has the most general synsets of the others."""


@dataclass(frozen=True)
class Relation:
    """Directed pairs of synsets with a mark each, looked up by the first; compressed sparse rows."""

    starts: NDArray[np.int64]
    targets: list[int]
    marks: list[int]

    @classmethod
    def of(cls, sources: NDArray[np.int32], targets: NDArray[np.int32], marks: NDArray[np.int32], n: int) -> Relation:
        """Group the pairs by their source, in their order."""
        order = np.argsort(sources, kind="stable")
        starts = _starts(np.bincount(sources, minlength=n))
        return cls(starts, targets[order].tolist(), marks[order].tolist())

    def __getitem__(self, synset: int) -> tuple[tuple[int, int], ...]:
        row = slice(self.starts[synset], self.starts[synset + 1])
        return tuple(zip(self.targets[row], self.marks[row], strict=True))


class Nouns:
    """WordNet's nouns.

    Parameters
    ----------
    file : path or binary file
        What ``scripts/build_wordnet.py`` wrote.

    Examples
    --------
    >>> from tagweave.hierarchy.wordnet.reader import load_nouns
    >>> nouns = load_nouns()
    >>> [nouns.name(synset) for synset in nouns.synsets("poodle")]
    ['poodle.n.01']
    >>> [nouns.name(above) for above, is_instance in nouns.hypernyms[nouns.synsets("poodle")[0]]]
    ['dog.n.01']
    >>> nouns.singulars("mice")
    ('mouse',)
    """

    def __init__(self, file: str | IO[bytes]) -> None:
        with np.load(file) as arrays:
            self._words = _lines(arrays["words"])
            self._tagged: list[int] = arrays["tagged_per_word"].tolist()
            self._word_starts = _starts(arrays["senses_per_word"])
            self._sense_synset: NDArray[np.int32] = arrays["sense_synset"]
            self._heads: NDArray[np.int32] = arrays["synset_head"]
            self._topics: NDArray[np.uint8] = arrays["synset_topic"]
            self._senses_below: NDArray[np.int32] = arrays["senses_below"]
            self._count_below: NDArray[np.int32] = arrays["count_below"]
            n = len(self._heads)
            part, whole, kind = arrays["holonyms"]
            below, above, is_instance = arrays["hypernyms"]
            self.hypernyms = Relation.of(below, above, is_instance, n)
            self.holonyms = Relation.of(part, whole, kind, n)
            self.meronyms = Relation.of(whole, part, kind, n)
            exceptions = _lines(arrays["exceptions"])
        self._position = {word: number for number, word in enumerate(self._words)}
        self._synsets: list[int] = self._sense_synset.tolist()
        self._singulars: dict[str, tuple[str, ...]] = {}
        for line in exceptions:
            plural, singular = line.split(" ")
            self._singulars[plural] = (*self._singulars.get(plural, ()), singular)

    def __len__(self) -> int:
        """Count the synsets."""
        return len(self._heads)

    def __contains__(self, word: str) -> bool:
        return word in self._position

    def synsets(self, word: str) -> tuple[int, ...]:
        """Return the synsets of a word, the most frequent first; none if the word is unknown."""
        number = self._position.get(word)
        if number is None:
            return ()
        return tuple(self._synsets[self._word_starts[number] : self._word_starts[number + 1]])

    def ranks(self, word: str) -> tuple[tuple[int, int], ...]:
        """Return, for each of the word's synsets, its rank and how many have that rank: (0, 1) for the most frequent.

        Those that were never met in the tagged texts stand in no order of frequency; they share the last rank.
        """
        number = self._position.get(word)
        if number is None:
            return ()
        n_senses = int(self._word_starts[number + 1] - self._word_starts[number])
        n_tagged = self._tagged[number]
        n_untagged = n_senses - n_tagged
        return (*((rank, 1) for rank in range(n_tagged)), *([(n_tagged, n_untagged)] * n_untagged))

    def singulars(self, plural: str) -> tuple[str, ...]:
        """Return the words whose irregular plural this is."""
        return self._singulars.get(plural, ())

    def words(self, synset: int) -> tuple[str, ...]:
        """Return the words that share a synset, the one it is named by first."""
        head = int(self._heads[synset])
        sharing = set(self._word_of_sense[self._senses_by_synset[synset]].tolist()) - {head}
        return tuple(self._words[word] for word in (head, *sorted(sharing)))

    def topic(self, synset: int) -> str:
        """Return the name of the lexicographers' file; a most general synset belongs to the file it heads."""
        topic = TOPICS[self._topics[synset] - FIRST_TOPIC]
        head = self._words[self._heads[synset]]
        return head if topic == "tops" and head in TOPICS else topic

    def is_instance(self, synset: int) -> bool:
        """Say whether the synset is one particular thing with a name: an island, a painter."""
        return any(instance for _, instance in self.hypernyms[synset])

    def frequencies(self, synsets: Sequence[int], per_sense: float = 0.1) -> NDArray[np.float64]:
        """Return the share of all nouns in running text that are at or below each synset.

        Parameters
        ----------
        synsets : sequence of int
        per_sense : float
            How many occurrences a sense is given beyond those that were counted.
        """
        totals = self._count_below + per_sense * self._senses_below
        shares: NDArray[np.float64] = totals[np.asarray(synsets, dtype=np.int64)] / totals[0]
        return shares

    def name(self, synset: int) -> str:
        """Name a synset by its first word and that word's sense number: ``dog.n.01``."""
        word = self._words[self._heads[synset]]
        return f"{word}.n.{self.synsets(word).index(synset) + 1:02d}"

    def named(self, name: str) -> int | None:
        """Return the synset that one of its words and that word's sense number name, if there is one."""
        word, _, number = name.rpartition(".n.")
        if not (number.isascii() and number.isdecimal()):
            return None
        synsets = self.synsets(word)
        return synsets[int(number) - 1] if 1 <= int(number) <= len(synsets) else None

    @cached_property
    def _word_of_sense(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(len(self._words)), np.diff(self._word_starts))

    @cached_property
    def _senses_by_synset(self) -> list[NDArray[np.int64]]:
        order = np.argsort(self._sense_synset, kind="stable")
        return np.split(order, np.cumsum(np.bincount(self._sense_synset, minlength=len(self)))[:-1])


@cache
def load_nouns() -> Nouns:
    """Read the nouns that come with Tagweave, once; it takes a fraction of a second."""
    with (resources.files("tagweave.hierarchy.wordnet") / "nouns.npz").open("rb") as file:
        return Nouns(file)


def _starts(counts: NDArray[np.integer]) -> NDArray[np.int64]:
    """Turn the lengths of consecutive rows into where each begins, and the end."""
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])


def _lines(text: NDArray[np.uint8]) -> list[str]:
    return text.tobytes().decode("utf-8").split("\n")
