"""Acceptance: hierarchies from names alone against the three that were made by hand."""

from __future__ import annotations

import json

import pytest
from tests.conftest import ROOT

from tagweave import Hierarchy
from tagweave.hierarchy.wordnet import WordNetHierarchy

VOCABULARIES = ("corel5k", "espgame", "iaprtc12")


def ancestor_pairs(hierarchy):
    return {(label, ancestor) for label in hierarchy.labels for ancestor in hierarchy.ancestors(label)}


def f1(found, wanted):
    return 2 * len(found & wanted) / (len(found) + len(wanted))


@pytest.mark.parametrize("name", VOCABULARIES)
def test_f1_of_ancestor_pairs_is_at_least_60_percent(request, name):
    data = request.getfixturevalue(name)
    ours, by_hand = Hierarchy.from_wordnet(data.labels), Hierarchy(data.labels, data.edges)
    assert f1(ancestor_pairs(ours), ancestor_pairs(by_hand)) >= 0.60
    assert f1(set(ours.edges), set(by_hand.edges)) >= 0.60


@pytest.mark.parametrize("name", VOCABULARIES)
def test_every_edge_of_the_real_vocabularies_is_explained(request, name):
    result = WordNetHierarchy.from_labels(request.getfixturevalue(name).labels)
    assert result.left_out == ()
    for child, parent in result.hierarchy.edges:
        assert result.explain(child, parent).steps


@pytest.mark.parametrize("name", VOCABULARIES)
def test_the_report_lists_every_missed_and_every_extra_edge(request, name):
    data = request.getfixturevalue(name)
    record = json.loads((ROOT / "benchmarks" / "results" / "wordnet.json").read_text(encoding="utf-8"))
    (listed,) = [one for one in record["rows"]["differences"] if one["vocabulary"] == name]
    ours, by_hand = set(Hierarchy.from_wordnet(data.labels).edges), set(data.edges)
    assert {(one["child"], one["parent"]) for one in listed["missed_edges"]} == by_hand - ours
    assert {(one["child"], one["parent"]) for one in listed["extra_edges"]} == ours - by_hand
