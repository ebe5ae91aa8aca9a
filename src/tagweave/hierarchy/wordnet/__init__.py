"""Hierarchies from names: what WordNet says about a vocabulary, with every reason and room for corrections.

`WordNetHierarchy.from_labels` gives senses, edges and explanations; `Hierarchy.from_wordnet` the hierarchy alone.
The nouns of WordNet come with Tagweave, under the licence in ``LICENSE-WordNet.txt``, and are read when first needed.
"""

from __future__ import annotations

from tagweave.hierarchy.wordnet.explanation import Explanation, Sense, Step
from tagweave.hierarchy.wordnet.result import WordNetHierarchy
from tagweave.hierarchy.wordnet.senses import Parameters

__all__ = ["Explanation", "Parameters", "Sense", "Step", "WordNetHierarchy"]
