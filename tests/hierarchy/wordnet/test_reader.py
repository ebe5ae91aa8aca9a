"""The packed nouns say what WordNet 3.0 says, and are read quickly and only when asked for."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tagweave.hierarchy.wordnet.reader import MEMBER, PART, SUBSTANCE, load_nouns

TIMING = """
import json, sys, time
import tagweave, tagweave.hierarchy
from tagweave import Hierarchy
before = "tagweave.hierarchy.wordnet" in sys.modules
import tagweave.hierarchy.wordnet
unread = tagweave.hierarchy.wordnet.reader.load_nouns.cache_info().currsize
start = time.perf_counter()
tagweave.hierarchy.wordnet.reader.load_nouns()
print(json.dumps([before, unread, time.perf_counter() - start]))
"""


@pytest.fixture(scope="module")
def nouns():
    return load_nouns()


def synset(nouns, name):
    found = nouns.named(name)
    assert found is not None
    return found


def test_its_size_is_that_of_wordnet_3(nouns):
    # The figures of WordNet's own manual page wnstats(7WN): 117798 nouns, 82115 synsets, 146312 senses.
    assert len(nouns._words) == 117_798
    assert len(nouns) == 82_115
    assert len(nouns._synsets) == 146_312


def test_senses_are_in_order_of_frequency(nouns):
    assert [nouns.name(found) for found in nouns.synsets("dog")] == [
        "dog.n.01",
        "frump.n.01",
        "dog.n.03",
        "cad.n.01",
        "frank.n.02",
        "pawl.n.01",
        "andiron.n.01",
    ]
    assert nouns.ranks("dog") == ((0, 1), *[(1, 6)] * 6)  # only the first sense was ever counted
    assert nouns.synsets("flumph") == nouns.ranks("flumph") == ()


def test_words_share_a_synset_and_its_first_word_names_it(nouns):
    assert nouns.words(synset(nouns, "dog.n.01")) == ("dog", "canis_familiaris", "domestic_dog")
    assert nouns.named("domestic_dog.n.01") == nouns.named("dog.n.01")


@pytest.mark.parametrize("name", ["dog", "dog.n.00", "dog.n.99", "dog.n.x", "dog.n.²", "dog.v.01", "flumph.n.01", ""])
def test_what_names_no_synset_is_none(nouns, name):
    assert nouns.named(name) is None


def test_hypernyms_tell_kinds_from_instances(nouns):
    dog, oahu = synset(nouns, "dog.n.01"), synset(nouns, "oahu.n.01")
    assert {nouns.name(above) for above, _ in nouns.hypernyms[dog]} == {"canine.n.02", "domestic_animal.n.01"}
    assert nouns.hypernyms[oahu] == ((synset(nouns, "island.n.01"), 1),)
    assert nouns.is_instance(oahu)
    assert not nouns.is_instance(dog)


def test_parts_members_and_substances_are_told_apart(nouns):
    tree, forest, trunk = (synset(nouns, f"{word}.n.01") for word in ("tree", "forest", "trunk"))
    assert (tree, PART) in nouns.holonyms[trunk]
    assert (forest, MEMBER) in nouns.holonyms[tree]
    assert (tree, MEMBER) in nouns.meronyms[forest]
    assert (synset(nouns, "water.n.01"), SUBSTANCE) in nouns.meronyms[synset(nouns, "ice.n.01")]


def test_is_a_has_no_circle_and_one_root(nouns):
    # Kahn's algorithm from the leaves: every synset is taken off in the end.
    waiting = [0] * len(nouns)
    for one in range(len(nouns)):
        for above, _ in nouns.hypernyms[one]:
            waiting[above] += 1
    ready = [one for one, count in enumerate(waiting) if count == 0]
    for one in ready:
        for above, _ in nouns.hypernyms[one]:
            waiting[above] -= 1
            if waiting[above] == 0:
                ready.append(above)
    assert len(ready) == len(nouns)
    assert [nouns.name(one) for one in range(len(nouns)) if not nouns.hypernyms[one]] == ["entity.n.01"]


def test_irregular_plurals_lead_to_their_singulars(nouns):
    assert nouns.singulars("geese") == ("goose",)
    assert nouns.singulars("axes") == ("ax", "axis")
    assert nouns.singulars("dogs") == ()


def test_topics_are_the_lexicographers_files(nouns):
    names = {"dog.n.01": "animal", "roof.n.01": "artifact", "oahu.n.01": "location", "entity.n.01": "tops"}
    assert {name: nouns.topic(synset(nouns, name)) for name in names} == names
    # The most general synsets stand in a file of their own, but head another.
    assert nouns.topic(synset(nouns, "plant.n.02")) == "plant"


def test_frequencies_grow_upwards_to_one(nouns):
    chain = [
        synset(nouns, name) for name in ("dog.n.01", "canine.n.02", "carnivore.n.01", "animal.n.01", "entity.n.01")
    ]
    shares = nouns.frequencies(chain)
    assert (shares[1:] > shares[:-1]).all()
    assert shares[-1] == 1.0
    assert shares[0] > 0


def test_importing_reads_nothing_and_reading_takes_less_than_a_second():
    runs = []
    for _ in range(3):
        run = subprocess.run([sys.executable, "-c", TIMING], capture_output=True, text=True, check=True)
        imported_before, unread, seconds = json.loads(run.stdout)
        assert not imported_before
        assert unread == 0
        runs.append(seconds)
    assert min(runs) < 1
