"""What holds for the hierarchy of any vocabulary, and of some that are easy to judge."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hierarchy.wordnet.words import FAMILIAR, vocabularies

from tagweave import Hierarchy
from tagweave.exceptions import HierarchyError
from tagweave.hierarchy.wordnet import Parameters, WordNetHierarchy
from tagweave.hierarchy.wordnet.paths import Paths


def edges(labels):
    return Hierarchy.from_wordnet(labels).edges


@given(vocabularies)
def test_any_vocabulary_gives_a_reduced_acyclic_hierarchy_of_its_labels(labels):
    result = WordNetHierarchy.from_labels(labels)
    hierarchy = result.hierarchy  # its constructor refuses circles
    assert hierarchy.labels == tuple(labels)
    for child, parent in hierarchy.edges:
        others = [other for other in hierarchy.parents(child) if other != parent]
        assert all(parent not in hierarchy.ancestors(other) for other in others)
    assert set(result.senses) | set(result.unmatched) == set(labels)
    assert all(label in hierarchy.singletons for label in result.unmatched)


@given(vocabularies, st.randoms(use_true_random=False))
def test_the_order_of_the_labels_changes_no_edge_and_no_belief(labels, rng):
    shuffled = list(labels)
    rng.shuffle(shuffled)
    one, other = WordNetHierarchy.from_labels(labels), WordNetHierarchy.from_labels(shuffled)
    assert set(one.hierarchy.edges) == set(other.hierarchy.edges)
    assert dict(one.senses) == dict(other.senses)
    assert one.left_out == other.left_out


def test_the_same_labels_always_give_the_same_hierarchy():
    labels = list(FAMILIAR)
    first = WordNetHierarchy.from_labels(labels)
    random.seed(1)
    second = WordNetHierarchy.from_labels(labels)
    assert first.hierarchy == second.hierarchy
    assert first.hierarchy.edges == second.hierarchy.edges
    assert first.report() == second.report()


@given(vocabularies)
def test_synonyms_have_the_same_ancestors_and_descendants(labels):
    result = WordNetHierarchy.from_labels(labels)
    for group in result.synonyms:
        ancestors = {frozenset(result.hierarchy.ancestors(label)) - set(group) for label in group}
        descendants = {frozenset(result.hierarchy.descendants(label)) - set(group) for label in group}
        assert result.left_out or len(ancestors) == len(descendants) == 1


@given(vocabularies)
def test_beliefs_are_a_distribution_and_the_sense_is_the_likeliest(labels):
    result = WordNetHierarchy.from_labels(labels)
    for label, sense in result.senses.items():
        found = result.candidates(label)
        assert sense in found
        assert sum(one.belief for one in found) == pytest.approx(1)
        assert sense.belief == max(one.belief for one in found) > 0


@pytest.mark.parametrize("labels", [["dog", "dog"], ["dog", np.str_("dog")]])
def test_a_label_given_twice_is_refused(labels):
    with pytest.raises(HierarchyError, match="more than once: 'dog'"):
        Hierarchy.from_wordnet(labels)


def test_labels_that_are_no_strings_are_unmatched():
    result = WordNetHierarchy.from_labels(["dog", 7, ("a", 1), None, "animal"])
    assert result.hierarchy.edges == (("dog", "animal"),)
    assert result.unmatched == (7, ("a", 1), None)


def test_no_labels_give_an_empty_hierarchy():
    assert Hierarchy.from_wordnet([]) == Hierarchy([])
    assert Hierarchy.from_wordnet(["flumph"]) == Hierarchy(["flumph"])


def test_a_subclass_builds_its_own_kind():
    class Own(Hierarchy):
        __slots__ = ()

    assert type(Own.from_wordnet(["dog", "animal"])) is Own


def test_the_nearest_ancestor_is_the_parent():
    assert set(edges(["poodle", "entity", "dog", "mammal"])) == {
        ("poodle", "dog"),
        ("dog", "mammal"),
        ("mammal", "entity"),
    }


@pytest.mark.parametrize(
    ("label", "friends", "name"),
    [
        ("crafts", ["boats", "ships", "plane", "vehicle"], "craft.n.02"),
        ("plants", ["tree", "flowers", "grass", "shrubs"], "plant.n.02"),
        ("plants", ["factory", "mill", "refinery", "buildings"], "plant.n.01"),
        ("albatross", ["pelican", "penguin", "birds"], "albatross.n.02"),
        ("red", ["blue", "green", "colors", "purple"], "red.n.01"),
    ],
)
def test_a_sense_is_chosen_by_its_company(label, friends, name):
    assert WordNetHierarchy.from_labels([label, *friends]).senses[label].name == name


def test_parts_imply_their_wholes_where_one_is_not_seen_without_the_other():
    labels = [
        "leaf",
        "plant",
        "tree",
        "grass",
        "roof",
        "building",
        "finger",
        "hand",
        "nose",
        "face",
        "honolulu",
        "oahu",
    ]
    assert set(edges(labels)) >= {
        ("leaf", "plant"),
        ("roof", "building"),
        ("finger", "hand"),
        ("nose", "face"),
        ("honolulu", "oahu"),
    }


def test_unsafe_parts_imply_nothing():
    assert edges(["tree", "forest"]) == (("forest", "tree"),)  # but the forest shows its trees
    assert edges(["lake", "earth"]) == ()
    assert edges(["bed", "bedroom"]) == ()  # movable
    assert edges(["canis", "dog"]) == ()  # a genus is no group that is seen


def test_a_part_of_several_wholes_implies_only_what_they_share():
    assert edges(["horn", "goat", "sheep"]) == ()
    both = WordNetHierarchy.from_labels(["wing", "bird", "insect", "animal"])
    assert ("wing", "animal") in both.hierarchy.edges
    assert not {("wing", "bird"), ("wing", "insect")} & set(both.hierarchy.edges)
    assert ("wing", "bird") in edges(["wing", "bird", "dog", "cat"])  # the only whole that the vocabulary knows


def test_people_are_persons_and_clothes_are_clothing():
    result = WordNetHierarchy.from_labels(["people", "person", "woman", "clothes", "shirt"])
    assert set(result.hierarchy.edges) == {("woman", "people"), ("woman", "person"), ("shirt", "clothes")}
    assert result.synonyms == (("people", "person"),)
    without = WordNetHierarchy.from_labels(["people", "person", "woman", "clothes", "shirt"], lexicon=False)
    assert set(without.hierarchy.edges) == {("woman", "person"), ("people", "person")}  # a group of persons


def test_a_longer_name_is_a_kind_of_its_head_and_nothing_is_below_it():
    result = WordNetHierarchy.from_labels(["vintage car", "red car", "car", "vehicle", "taxi"])
    assert set(result.hierarchy.edges) == {
        ("vintage car", "car"),
        ("red car", "car"),
        ("taxi", "car"),
        ("car", "vehicle"),
    }
    assert result.synonyms == ()
    assert str(result.explain("vintage car", "car")) == "vintage car -> car: vintage car is a kind of car.n.01"


@pytest.mark.parametrize("parameters", [Parameters(rank_decay=1e-9), Parameters(following=0, pseudo_labels=1e9)])
def test_parameters_change_the_choice(parameters):
    labels = ["crafts", "boats", "ships", "plane", "vehicle"]
    assert WordNetHierarchy.from_labels(labels).senses["crafts"].name == "craft.n.02"
    assert WordNetHierarchy.from_labels(labels, parameters=parameters).senses["crafts"].name == "trade.n.02"


def test_wholes_that_lead_in_a_circle_do_not_hang():
    class Circular:
        """Two synsets that are part of each other."""

        hypernyms = meronyms = ((), ())
        holonyms = (((1, 0),), ((0, 0),))

        def topic(self, synset):
            return "body"

        def named(self, name):
            return None

        def is_instance(self, synset):
            return False

    paths = Paths(Circular())
    assert paths.implied(0, {0, 1}) == paths.around(0) == {0, 1}
    assert paths.path(0, 1) == ((0, "is part of", 1),)
    assert paths.path(0, 0) == ()
