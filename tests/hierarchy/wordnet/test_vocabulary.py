"""Labels find their words: case, accents, hyphens, plurals, and the head of a longer name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tagweave.hierarchy.wordnet.reader import load_nouns
from tagweave.hierarchy.wordnet.vocabulary import candidates, known_words


@pytest.mark.parametrize(
    ("label", "word"),
    [
        ("dog", "dog"),
        ("  DOG ", "dog"),
        ("dogs", "dog"),
        ("geese", "goose"),
        ("foxes", "fox"),
        ("churches", "church"),
        ("cities", "city"),
        ("firemen", "fireman"),
        ("Polar Bears", "polar_bear"),
        ("polar_bear", "polar_bear"),
        ("polar-bear", "polar_bear"),
        ("snow geese", "snow_goose"),
        ("table-cloth", "tablecloth"),
        ("tee shirt", "tee_shirt"),
        ("birds of prey", "bird_of_prey"),
        ("café", "cafe"),
        ("#sunset", "sunset"),
        ("woman\N{RIGHT SINGLE QUOTATION MARK}s clothing", "woman's_clothing"),
        ("\N{FULLWIDTH LATIN SMALL LETTER D}og", "dog"),
    ],
)
def test_a_label_finds_its_word(label, word):
    nouns = load_nouns()
    assert word in known_words(label, nouns)
    found = candidates(label, nouns)
    assert set(nouns.synsets(word)) <= {candidate.synset for candidate in found}
    assert all(candidate.exact for candidate in found)


@pytest.mark.parametrize(
    "label", ["", " ", "flumph", "123456789", "of", "of of of", "-", "_", "\x00", "狗", "🐕", "us"]
)
def test_what_is_no_noun_has_no_wrong_candidates(label):
    words = {candidate.word for candidate in candidates(label, load_nouns())}
    assert words == ({"us"} if label == "us" else set())  # never "u", cut short


@pytest.mark.parametrize(
    ("label", "head"),
    [("rusty pickup trucks", "pickup_truck"), ("vintage-car", "car"), ("bowl of soup with noodles", "bowl")],
)
def test_of_a_longer_name_the_head_is_found_and_marked(label, head):
    found = candidates(label, load_nouns())
    assert {(candidate.word, candidate.exact) for candidate in found} == {(head, False)}


def test_a_plural_that_is_a_word_keeps_both_readings():
    found = candidates("glasses", load_nouns())
    assert {candidate.word for candidate in found} == {"glasses", "glass"}
    assert [candidate.rank for candidate in found if candidate.word == "glasses"] == [0]


def test_ss_is_no_plural():
    assert known_words("grass", load_nouns()) == ("grass",)
    assert known_words("pass", load_nouns()) == ("pass",)  # though "pas" is a word


@given(st.text(max_size=30))
def test_any_text_is_understood_or_has_no_candidates(label):
    nouns = load_nouns()
    found = candidates(label, nouns)
    assert len({candidate.synset for candidate in found}) == len(found)
    assert all(candidate.synset in nouns.synsets(candidate.word) for candidate in found)
    assert len({candidate.exact for candidate in found}) <= 1
