"""Every edge is explained by steps that WordNet itself has, from the child's sense to the parent's."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from tests.hierarchy.wordnet.words import FAMILIAR, vocabularies

from tagweave.exceptions import HierarchyError
from tagweave.hierarchy.wordnet import Explanation, Step, WordNetHierarchy
from tagweave.hierarchy.wordnet.paths import HAS_MEMBERS, IS_A, PART_OF
from tagweave.hierarchy.wordnet.reader import MEMBER, PART, load_nouns


def is_true(step):
    """Look the step up in the packed relations."""
    nouns = load_nouns()
    source, target = nouns.named(step.source), nouns.named(step.target)
    if step.relation == IS_A:
        return target in [above for above, _ in nouns.hypernyms[source]]
    if step.relation == PART_OF:
        return (target, PART) in nouns.holonyms[source]
    assert step.relation == HAS_MEMBERS
    return (target, MEMBER) in nouns.meronyms[source]


def assert_explained(result, child, parent):
    steps = result.explain(child, parent).steps
    if not result.senses[child].exact:
        first, *steps = steps
        assert first == Step(child, "is a kind of", result.senses[child].name)
    assert all(is_true(step) for step in steps)
    assert all(one.target == other.source for one, other in pairwise(steps))
    ends = (steps[0].source, steps[-1].target) if steps else (result.senses[child].name,) * 2
    assert ends == (result.senses[child].name, result.senses[parent].name)


@given(vocabularies)
def test_the_path_of_every_edge_is_true_and_joins_the_two_senses(labels):
    result = WordNetHierarchy.from_labels(labels)
    for child, parent in result.hierarchy.edges:
        assert_explained(result, child, parent)


def test_familiar_words_have_edges_of_each_kind():
    result = WordNetHierarchy.from_labels(FAMILIAR)
    relations = set()
    for child, parent in result.hierarchy.edges:
        assert_explained(result, child, parent)
        relations |= {step.relation for step in result.explain(child, parent).steps}
    assert relations == {IS_A, PART_OF, HAS_MEMBERS}


def test_a_far_ancestor_is_explained_through_the_labels_between():
    labels = [
        "petals",
        "flowers",
        "rose",
        "tree",
        "plants",
        "fingertip",
        "hand",
        "arm",
        "leg",
        "body",
        "vintage car",
        "car",
    ]
    result = WordNetHierarchy.from_labels(labels)
    for label in labels:
        for ancestor in result.hierarchy.ancestors(label):
            steps = result.explain(label, ancestor).steps
            assert steps
            assert all(is_true(step) for step in steps if step.relation != "is a kind of")


def test_an_explanation_is_readable():
    result = WordNetHierarchy.from_labels(["pansy", "viola", "kitten", "roof", "building"])
    assert str(result.explain("roof", "building")) == "roof -> building: roof.n.01 is part of building.n.01"
    jump = Explanation("a", "c", (Step("a.n.01", "is a", "b.n.01"), Step("b", "is, by override, a", "c")))
    assert str(jump) == "a -> c: a.n.01 is a b.n.01; b is, by override, a c"
    assert str(jump.steps[0]) == "a.n.01 is a b.n.01"


def test_what_is_not_below_is_not_explained():
    result = WordNetHierarchy.from_labels(["dog", "animal", "flumph"])
    with pytest.raises(HierarchyError, match=r"'animal' \(animal.n.01\) is not below 'dog' \(dog.n.01\)"):
        result.explain("animal", "dog")
    with pytest.raises(HierarchyError, match=r"'flumph' \(no noun of WordNet\) is not below 'dog'"):
        result.explain("flumph", "dog")
    with pytest.raises(HierarchyError, match=r"label: not among the 3 labels: 'dgo' \(did you mean 'dog'\?\)"):
        result.explain("dgo", "dog")


def test_the_report_has_every_section():
    result = WordNetHierarchy.from_labels(["tabby kitten", "kid", "child", "animal", "flumph"])
    text = result.report()
    assert text.startswith("5 labels, 1 edges, 1 groups of synonyms, 1 unmatched\n\nSenses\n")
    assert "  tabby kitten is a kind of kitten.n.01 (1.00)" in text
    assert "\nSynonyms\n  kid = child\n" in text
    assert text.endswith("\nUnmatched\n  flumph")
    assert repr(result) == "<WordNetHierarchy: <Hierarchy: 5 labels, 1 edges, depth 2>, 1 unmatched>"
