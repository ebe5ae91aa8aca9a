"""From a label to the words it may be: case, accents, hyphens, plurals, and the head of a longer name."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from tagweave.hierarchy.wordnet.reader import Nouns

# WordNet's own rules of detachment for regular plurals (its manual page morphy(7)), tried in this order.
PLURAL_ENDINGS = (
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
    ("ves", "f"),
)

# Too short to be cut: "us" is no plural of "u".
SHORTEST_PLURAL = 4

JOINTS = "_-"


@dataclass(frozen=True)
class Candidate:
    """A synset that a label may stand for.

    Attributes
    ----------
    synset : int
    rank : int
        0 for the most frequent synset of the word, and so on; those never met in tagged texts share the last.
    sharing : int
        How many of the word's synsets have that rank.
    word : str
        The word of WordNet through which it was found.
    exact : bool
        False if only the head of the label is a word: "vintage car" is a kind of car, not the same as car.
    """

    synset: int
    rank: int
    sharing: int
    word: str
    exact: bool = True


def spellings(label: str) -> tuple[str, ...]:
    """Write a label as WordNet's words are written, in each way that its joints allow.

    Examples
    --------
    >>> from tagweave.hierarchy.wordnet.vocabulary import spellings
    >>> spellings("Tee Shirt")
    ('tee_shirt', 'tee-shirt', 'teeshirt')
    """
    composed = unicodedata.normalize("NFKC", label).casefold().replace("\u2019", "'").strip().lstrip("#")
    base = "_".join(composed.split())
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", base) if not unicodedata.combining(letter))
    found = [
        variant
        for text in (base, plain)
        for variant in (
            text,
            text.replace("-", "_"),
            text.replace("_", "-"),
            text.replace("_", "").replace("-", ""),
        )
    ]
    return tuple(dict.fromkeys(found))


def singulars(word: str, nouns: Nouns) -> Iterator[str]:
    """Yield what a word may be the plural of, irregular ones first; of a longer name, its head."""
    yield from nouns.singulars(word)
    head, of, tail = word.partition("_of_")
    if of:
        yield from (singular + of + tail for singular in singulars(head, nouns))
    cut = max(word.rfind(joint) for joint in JOINTS) + 1
    if cut:
        yield from (word[:cut] + singular for singular in nouns.singulars(word[cut:]))
    if len(word) - cut >= SHORTEST_PLURAL and not word.endswith("ss"):
        for ending, replacement in PLURAL_ENDINGS:
            if word.endswith(ending):
                yield word[: -len(ending)] + replacement


def known_words(label: str, nouns: Nouns) -> tuple[str, ...]:
    """Return the words of WordNet that a label may be, as it is written before its singulars.

    Examples
    --------
    >>> from tagweave.hierarchy.wordnet.reader import load_nouns
    >>> from tagweave.hierarchy.wordnet.vocabulary import known_words
    >>> known_words("Polar bears", load_nouns()), known_words("colors", load_nouns())
    (('polar_bear',), ('colors', 'color'))
    """
    written = spellings(label)
    possible = [*written, *(singular for word in written for singular in singulars(word, nouns))]
    return tuple(word for word in dict.fromkeys(possible) if word in nouns)


def candidates(label: str, nouns: Nouns) -> tuple[Candidate, ...]:
    """Return the synsets that a label may stand for, the most frequent first; none if it is no noun.

    Where only the end of a longer name is known (what stands before "of", if there is an "of"), the label is a kind
    of that.

    Examples
    --------
    >>> from tagweave.hierarchy.wordnet.reader import load_nouns
    >>> from tagweave.hierarchy.wordnet.vocabulary import candidates
    >>> candidates("geese", load_nouns())[0].word
    'goose'
    >>> {(candidate.word, candidate.exact) for candidate in candidates("rusty pickup trucks", load_nouns())}
    {('pickup_truck', False)}
    """
    words = known_words(label, nouns)
    exact = bool(words)
    parts = spellings(label)[0].replace("-", "_").split("_")
    if "of" in parts[1:-1]:
        parts = parts[: parts.index("of", 1)]
        words = words or known_words("_".join(parts), nouns)
    for start in range(1, len(parts)):
        words = words or known_words("_".join(parts[start:]), nouns)
    found = [
        (position, Candidate(synset, rank, sharing, word, exact))
        for word in words
        for position, (synset, (rank, sharing)) in enumerate(zip(nouns.synsets(word), nouns.ranks(word), strict=True))
    ]
    first: dict[int, Candidate] = {}
    # Stable: at the same position, the word as it is written comes before its singular.
    for _, candidate in sorted(found, key=lambda pair: pair[0]):
        first.setdefault(candidate.synset, candidate)
    return tuple(first.values())
