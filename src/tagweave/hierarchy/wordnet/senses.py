"""Which sense each label has: chosen for the whole vocabulary at once.

A label's sense is judged by the other labels. With beliefs q(s) over the senses s of each label, in turn recomputed
from all others until they settle (a mean field), the log-odds of a sense are the sum of three terms:

- *custom*: log RANK_DECAY per rank in WordNet's order of frequency; senses that were never counted stand in no order
  and share the weight of the last rank.
- *company*, as a kind among others of its kind: the largest log-ratio, over all that s is a kind of, of how many other
  labels are expected there to how many nouns of running text would be. Pelican and penguin speak for "albatross" as
  a bird, not as a burden.
- *following*, as a kind above others: FOLLOWING log(1 + the expected number of other labels below s). Lake, sea and
  river speak for "water" as a body of water.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tagweave._typing import FloatArray
from tagweave.hierarchy.wordnet.paths import Paths
from tagweave.hierarchy.wordnet.vocabulary import Candidate

RANK_DECAY = 0.4
FOLLOWING = 1.5

# Labels added to both sides of the ratio of *company*: one label alone proves little.
PSEUDO_LABELS = 0.5

MAX_ROUNDS = 50
SETTLED = 1e-6


@dataclass(frozen=True)
class Parameters:
    """The three numbers of the choice of senses. The result depends little on them (``docs/wordnet.md``).

    Attributes
    ----------
    rank_decay : float
        How much less likely each further sense of a word is, before the vocabulary is looked at.
    following : float
        The weight of labels that would be below.
    pseudo_labels : float
        Labels added to both sides of the ratio that compares the vocabulary with running text.

    Examples
    --------
    >>> from tagweave.hierarchy.wordnet import Parameters, WordNetHierarchy
    >>> always_first = Parameters(rank_decay=1e-9)
    >>> WordNetHierarchy.from_labels(["crafts", "boat", "vehicle"], parameters=always_first).senses["crafts"].name
    'trade.n.02'
    """

    rank_decay: float = RANK_DECAY
    following: float = FOLLOWING
    pseudo_labels: float = PSEUDO_LABELS


def choose_senses(
    candidates: Mapping[str, Sequence[Candidate]], paths: Paths, parameters: Parameters | None = None
) -> dict[str, FloatArray]:
    """Return the belief in each candidate sense of each label.

    Parameters
    ----------
    candidates : mapping of label to candidates
        Labels without candidates take no part.
    paths : Paths
    parameters : Parameters, optional

    Returns
    -------
    dict of label to array
        Positive, each summing to 1, in the order of the candidates.
    """
    # Sums depend, in the last digit, on their order: by name, so that the order of the columns changes nothing.
    labels = sorted(label for label, senses in candidates.items() if senses)
    if not labels:
        return {}
    field = _Field([candidates[label] for label in labels], paths, parameters or Parameters())
    beliefs = field.settle()
    return dict(zip(labels, np.split(beliefs, field.starts[1:]), strict=True))


class _Field:
    """Beliefs in all senses of all labels, one row each; rows of one label stand together."""

    def __init__(self, senses: Sequence[Sequence[Candidate]], paths: Paths, parameters: Parameters) -> None:
        rows = [candidate for of_one in senses for candidate in of_one]
        sizes = [len(of_one) for of_one in senses]
        self.starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self.label = np.repeat(np.arange(len(senses)), sizes)
        self.pseudo = parameters.pseudo_labels
        self.weight = parameters.following
        ranks = np.array([row.rank for row in rows])
        sharing = np.array([row.sharing for row in rows])
        self.custom = ranks * math.log(parameters.rank_decay) - np.log(sharing)
        self.above = _Incidence(self.label, [paths.ancestors(row.synset) for row in rows])
        self.around = _Incidence(self.label, [paths.around(row.synset) for row in rows])
        expected = len(senses) * paths.nouns.frequencies(self.above.nodes.tolist())
        self.log_expected = np.log(expected + self.pseudo)[self.above.node]
        # A label that is only a kind of its synset is not what others could be below.
        self.leads = np.array([row.exact for row in rows])
        self.own = self.around.position_of([row.synset for row in rows])

    def settle(self) -> FloatArray:
        """Recompute the beliefs from each other until they stay; half of each step is taken, against swinging."""
        beliefs = self._normalise(self.custom)
        for _ in range(MAX_ROUNDS):
            fresh = self._normalise(self.custom + self._company(beliefs) + self._following(beliefs))
            moved = float(np.abs(fresh - beliefs).max())
            beliefs = (beliefs + fresh) / 2
            if moved < SETTLED:
                break
        return beliefs

    def _company(self, beliefs: FloatArray) -> FloatArray:
        others = self.above.expected_others(beliefs)
        surprise = np.log(others + self.pseudo) - self.log_expected
        largest: FloatArray = np.maximum.reduceat(surprise, self.above.starts)
        return np.maximum(largest, 0.0)

    def _following(self, beliefs: FloatArray) -> FloatArray:
        others = self.around.expected_others(beliefs)[self.own]
        return np.where(self.leads, self.weight * np.log1p(others), 0.0)

    def _normalise(self, log_odds: FloatArray) -> FloatArray:
        shifted = np.exp(log_odds - np.maximum.reduceat(log_odds, self.starts)[self.label])
        beliefs: FloatArray = shifted / np.add.reduceat(shifted, self.starts)[self.label]
        return beliefs


class _Incidence:
    """Which rows are at or below which synsets, as pairs sorted by row."""

    def __init__(self, label: NDArray[np.int64], sets: Sequence[frozenset[int]]) -> None:
        sizes = [len(members) for members in sets]
        self.row = np.repeat(np.arange(len(sets)), sizes)
        synsets = np.array([synset for members in sets for synset in sorted(members)], dtype=np.int64)
        self.nodes, self.node = np.unique(synsets, return_inverse=True)
        self.starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        # Pairs of the same label and synset: what a label itself adds to a synset must be taken off again.
        self.same = np.unique(label[self.row] * len(self.nodes) + self.node, return_inverse=True)[1]
        self._synsets = synsets

    def expected_others(self, beliefs: FloatArray) -> FloatArray:
        """Return, for each pair, how many labels other than the row's own are expected there."""
        weights = beliefs[self.row]
        everyone = np.bincount(self.node, weights)[self.node]
        oneself = np.bincount(self.same, weights)[self.same]
        # Never below zero by rounding.
        others: FloatArray = np.maximum(everyone - oneself, 0.0)
        return others

    def position_of(self, synsets: Sequence[int]) -> NDArray[np.int64]:
        """Return, for each row, which of its pairs is the one with the given synset."""
        return np.flatnonzero(self._synsets == np.asarray(synsets)[self.row])
