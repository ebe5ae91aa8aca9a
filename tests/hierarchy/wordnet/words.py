"""Vocabularies to try: familiar words, any noun of WordNet, and any text."""

from __future__ import annotations

from hypothesis import strategies as st

from tagweave.hierarchy.wordnet.reader import load_nouns

# Words that imply each other in many ways, so that small samples have edges, synonyms and parts.
WORDS = """
    animal animals dog dogs poodle cat tiger bird albatross horse foal deer antler horn wing beak head face eye
    nose hand arm leg body person people man woman boy girl child kid crowd team family forest tree oak palm
    leaf petal flower plant plants trunk branch building house castle palace roof wall door window room floor
    city street road vehicle car train locomotive wheel boat ship craft crafts plane airplane island hawaii oahu
    honolulu usa america water lake sea ocean river sky cloud clouds sun light color colors red white blue group
    area food apple fruit book books page paper table chair furniture cup clothes clothing shirt hat
"""
FAMILIAR = WORDS.split()


def any_noun() -> st.SearchStrategy[str]:
    words = load_nouns()._words
    return st.integers(0, len(words) - 1).map(words.__getitem__)


names = st.one_of(st.sampled_from(FAMILIAR), st.deferred(any_noun), st.text(max_size=12))
vocabularies = st.lists(names, unique=True, max_size=25)
