"""The hierarchy of a vocabulary as WordNet has it, with all the reasons: senses, synonyms, and a path for each edge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from os import PathLike
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from tagweave.exceptions import HierarchyError
from tagweave.hierarchy.checks import Edge, Label, index_labels, plain, unknown_labels
from tagweave.hierarchy.dag import Hierarchy
from tagweave.hierarchy.wordnet.builder import Pair, ancestors_of, implications, reduced, without_circles
from tagweave.hierarchy.wordnet.explanation import KIND_OF, OVERRIDE, Explanation, Sense, Step
from tagweave.hierarchy.wordnet.overrides import Overrides, read_lexicon, read_overrides
from tagweave.hierarchy.wordnet.paths import Path, Paths
from tagweave.hierarchy.wordnet.reader import Nouns, load_nouns
from tagweave.hierarchy.wordnet.senses import Parameters, choose_senses
from tagweave.hierarchy.wordnet.vocabulary import Candidate, candidates, spellings


class WordNetHierarchy:
    """What WordNet says about a vocabulary.

    Made by `from_labels`; `Hierarchy.from_wordnet` gives the hierarchy alone.

    Attributes
    ----------
    hierarchy : Hierarchy
        Each label below its nearest ancestors in the vocabulary.
    senses : mapping of label to Sense
        The sense chosen for each label that has one.
    synonyms : tuple of tuples of labels
        Groups of labels that stand for the same synset. They imply each other, which no hierarchy can say: there is
        no edge between them, and what is below one of them is below all.
    unmatched : tuple of labels
        Labels that are no noun of WordNet, or are ignored; singletons unless an override says otherwise.
    left_out : tuple of (child, parent)
        Implications that were left out because they would have closed a circle.

    Examples
    --------
    >>> from tagweave.hierarchy.wordnet import WordNetHierarchy
    >>> result = WordNetHierarchy.from_labels(["poodles", "dog", "animal", "people", "persons", "flumph"])
    >>> result.hierarchy.edges
    (('poodles', 'dog'), ('dog', 'animal'))
    >>> result.senses["dog"].name, result.synonyms, result.unmatched
    ('dog.n.01', (('people', 'persons'),), ('flumph',))
    >>> print(result.explain("poodles", "dog"))
    poodles -> dog: poodle.n.01 is a dog.n.01
    """

    def __init__(
        self,
        labels: tuple[Label, ...],
        candidates: Mapping[Any, tuple[Candidate, ...]],
        beliefs: Mapping[Any, tuple[float, ...]],
        overrides: Overrides,
        paths: Paths,
    ) -> None:
        self._candidates = candidates
        self._beliefs = beliefs
        self._paths = paths
        chosen = {label: candidates[label][int(np.argmax(of_one))] for label, of_one in beliefs.items()}
        synsets = {label: candidate.synset for label, candidate in chosen.items()}
        exact = {label: candidate.exact for label, candidate in chosen.items()}
        self._reasons: Mapping[Any, Path] = implications(synsets, exact, paths, overrides)
        kept, left_out = without_circles(self._reasons, overrides.added)
        self._refuse_contradictions(kept, left_out, overrides)
        position = {label: column for column, label in enumerate(labels)}
        in_order = sorted(reduced(kept), key=lambda pair: (position[pair[0]], position[pair[1]]))
        self.hierarchy = Hierarchy(labels, in_order)
        self.left_out = tuple(sorted(left_out))
        self.unmatched = tuple(label for label in labels if label not in chosen)
        # `labels` may hold names that are no strings; a chosen one is a string.
        matched = [label for label in labels if isinstance(label, str) and label in chosen]
        self.senses: Mapping[Label, Sense] = MappingProxyType(
            {label: self.candidates(label)[int(np.argmax(beliefs[label]))] for label in matched}
        )
        groups: dict[int, list[str]] = {}
        for label in matched:
            if exact[label]:
                groups.setdefault(synsets[label], []).append(label)
        self.synonyms = tuple(tuple(group) for group in groups.values() if len(group) > 1)

    @classmethod
    def from_labels(
        cls,
        labels: Iterable[Label],
        *,
        overrides: str | PathLike[str] | None = None,
        lexicon: bool = True,
        parameters: Parameters | None = None,
    ) -> Self:
        """Build the hierarchy of a vocabulary.

        Parameters
        ----------
        labels : sequence of hashable
            Unique names; plurals, several words and hyphens are understood. What is no string is left unmatched.
        overrides : path, optional
            A text file of corrections; see `tagweave.hierarchy.wordnet.overrides`.
        lexicon : bool
            Whether the few words of ``lexicon.txt`` are read as tags: people as persons, clothes as clothing.
        parameters : Parameters, optional
            Of the choice of senses.

        Returns
        -------
        WordNetHierarchy

        Raises
        ------
        HierarchyError
            If a label is given twice, or an override cannot be followed; the message names file and line.
        """
        names = tuple(index_labels(labels))
        nouns = load_nouns()
        decided = Overrides() if overrides is None else read_overrides(overrides, names, nouns)
        fixed = read_lexicon(nouns) if lexicon else {}
        strings = [name for name in names if isinstance(name, str)]
        found = {label: _candidates(label, nouns, fixed, decided) for label in strings}
        paths = Paths(nouns)
        beliefs = choose_senses(found, paths, parameters)
        as_floats = {label: tuple(of_one.tolist()) for label, of_one in beliefs.items()}
        return cls(names, found, as_floats, decided, paths)

    def candidates(self, label: Label) -> tuple[Sense, ...]:
        """Return all senses that a label may have, the most frequent first.

        Examples
        --------
        >>> from tagweave.hierarchy.wordnet import WordNetHierarchy
        >>> result = WordNetHierarchy.from_labels(["crafts", "boat", "plane", "vehicle"])
        >>> [(sense.name, round(sense.belief, 1)) for sense in result.candidates("crafts")][:2]
        [('trade.n.02', 0.1), ('craft.n.02', 0.9)]
        """
        name = self._known(label)
        nouns = self._paths.nouns
        return tuple(
            Sense(nouns.name(candidate.synset), nouns.words(candidate.synset), belief, candidate.exact)
            for candidate, belief in zip(self._candidates.get(name, ()), self._beliefs.get(name, ()), strict=True)
        )

    def explain(self, child: Label, parent: Label) -> Explanation:
        """Return the path by which a label implies another.

        Parameters
        ----------
        child, parent : label
            The parent is an ancestor of the child in `hierarchy`, near or far.

        Returns
        -------
        Explanation

        Raises
        ------
        HierarchyError
            If it is not; the message says which senses the two have.

        Examples
        --------
        >>> from tagweave.hierarchy.wordnet import WordNetHierarchy
        >>> result = WordNetHierarchy.from_labels(["petals", "plant", "tree", "shrub", "grass"])
        >>> for step in result.explain("petals", "plant").steps:
        ...     print(step)
        petal.n.01 is part of corolla.n.01
        corolla.n.01 is part of perianth.n.01
        perianth.n.01 is part of flower.n.02
        flower.n.02 is part of angiosperm.n.01
        angiosperm.n.01 is a spermatophyte.n.01
        spermatophyte.n.01 is a vascular_plant.n.01
        vascular_plant.n.01 is a plant.n.02
        """
        below, above = self._known(child), self._known(parent)
        if above not in self.hierarchy.ancestors(below):
            meant = [
                f"{label!r} ({self.senses[label].name if label in self.senses else 'no noun of WordNet'})"
                for label in (below, above)
            ]
            raise HierarchyError(f"nothing to explain: {meant[0]} is not below {meant[1]}")
        steps = [step for edge in pairwise(self._way_up(below, above)) for step in self._steps(edge)]
        return Explanation(below, above, tuple(steps))

    def report(self) -> str:
        """Return a text with everything: each label's sense, the synonyms, and the reason of each edge.

        Examples
        --------
        >>> from tagweave.hierarchy.wordnet import WordNetHierarchy
        >>> print(WordNetHierarchy.from_labels(["poodle", "animal", "zzz"]).report())
        3 labels, 1 edges, 0 groups of synonyms, 1 unmatched
        <BLANKLINE>
        Senses
          poodle = poodle.n.01 (1.00)
          animal = animal.n.01 (1.00)
        <BLANKLINE>
        Edges
          poodle -> animal: poodle.n.01 is a dog.n.01 is a domestic_animal.n.01 is a animal.n.01
        <BLANKLINE>
        Unmatched
          zzz
        """
        head = (
            f"{len(self.hierarchy)} labels, {self.hierarchy.n_edges} edges, "
            f"{len(self.synonyms)} groups of synonyms, {len(self.unmatched)} unmatched"
        )
        sections = {
            "Senses": [
                f"{label} {'=' if sense.exact else 'is a kind of'} {sense.name} ({sense.belief:.2f})"
                for label, sense in self.senses.items()
            ],
            "Edges": [str(self.explain(child, parent)) for child, parent in self.hierarchy.edges],
            "Synonyms": [" = ".join(group) for group in self.synonyms],
            "Unmatched": [str(label) for label in self.unmatched],
            "Left out, since they would close a circle": [f"{child} -> {parent}" for child, parent in self.left_out],
        }
        return "\n".join(
            [
                head,
                *(
                    f"\n{title}\n" + "\n".join(f"  {line}" for line in lines)
                    for title, lines in sections.items()
                    if lines
                ),
            ]
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.hierarchy!r}, {len(self.unmatched)} unmatched>"

    def _known(self, label: Label) -> Label:
        name: Label = plain(label)
        if name not in self.hierarchy:
            raise unknown_labels([name], self.hierarchy.labels, "label")
        return name

    def _way_up(self, child: Label, parent: Label) -> list[Label]:
        """Return a shortest way through the labels of the hierarchy."""
        ways: dict[Label, list[Label]] = {child: [child]}
        level = [child]
        while parent not in ways:
            above = [(lower, upper) for lower in level for upper in self.hierarchy.parents(lower)]
            for lower, upper in above:
                ways.setdefault(upper, [*ways[lower], upper])
            level = list(dict.fromkeys(upper for _, upper in above))
        return ways[parent]

    def _steps(self, edge: Edge) -> list[Step]:
        """Write the path of an edge with names; an edge without a path was added by the user."""
        path = self._reasons.get(edge)
        if path is None:
            return [Step(str(edge[0]), OVERRIDE, str(edge[1]))]
        nouns = self._paths.nouns
        sense = self.senses[edge[0]]
        first = [] if sense.exact else [Step(str(edge[0]), KIND_OF, sense.name)]
        return first + [Step(nouns.name(source), relation, nouns.name(target)) for source, relation, target in path]

    @staticmethod
    def _refuse_contradictions(kept: list[Pair], left_out: list[Pair], overrides: Overrides) -> None:
        """Refuse what a user has asked for and cannot have."""
        for edge in left_out:
            if edge in overrides.added:
                overrides.added[edge].refuse(f"{edge[0]!r} < {edge[1]!r} closes a circle with the lines before it")
        graph: dict[str, set[str]] = {}
        for child, parent in kept:
            graph.setdefault(child, set()).add(parent)
        for (child, parent), line in overrides.dropped.items():
            through = sorted(middle for middle in graph.get(child, ()) if parent in ancestors_of(middle, graph))
            if through:
                line.refuse(f"{child!r} is still below {parent!r}, through {through[0]!r}: drop one of those edges too")


def _candidates(
    label: str, nouns: Nouns, lexicon: Mapping[str, int | None], overrides: Overrides
) -> tuple[Candidate, ...]:
    """Return a label's candidates: the one that a person has decided on, the lexicon's, or all that WordNet has."""
    if label in overrides.senses:
        decided = overrides.senses[label]
        return () if decided is None else (Candidate(decided, 0, 1, label),)
    for spelling in spellings(label):
        synset = lexicon.get(spelling)
        if synset is not None:
            return (Candidate(synset, 0, 1, spelling),)
    return candidates(label, nouns)
