"""A person's corrections are followed to the letter, or refused with file and line."""

from __future__ import annotations

import pytest

from tagweave import Hierarchy
from tagweave.exceptions import HierarchyError
from tagweave.hierarchy.wordnet import WordNetHierarchy

LABELS = ["f-16", "plane", "craft", "iguana", "lizard", "reptile", "logo", "door", "wall", "building", "a = b"]


@pytest.fixture
def build(tmp_path):
    def build(*lines, labels=LABELS):
        path = tmp_path / "corrections.txt"
        path.write_text("\n".join(lines), encoding="utf-8")
        return WordNetHierarchy.from_labels(labels, overrides=path)

    return build


def test_comments_and_empty_lines_change_nothing(build):
    assert build("# nothing", "", "   ").hierarchy == Hierarchy.from_wordnet(LABELS)


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "corrections.txt"
    path.write_text("ignore logo", encoding="utf-8-sig")
    assert "logo" in WordNetHierarchy.from_labels(LABELS, overrides=str(path)).unmatched


def test_a_sense_is_followed_and_certain(build):
    result = build("sense craft = trade.n.02", "sense f-16 = fighter.n.02")
    assert [sense.name for sense in result.candidates("craft")] == ["trade.n.02"]
    assert result.senses["craft"].belief == 1.0
    assert ("f-16", "plane") in result.hierarchy.edges
    assert str(result.explain("f-16", "plane")).startswith("f-16 -> plane: fighter.n.02 is a ")


def test_a_sense_may_be_named_by_any_of_its_words_with_spaces(build):
    assert build("sense craft = motor vehicle.n.01").senses["craft"].name == "motor_vehicle.n.01"


def test_a_label_may_hold_the_sign_of_a_sense(build):
    assert build("sense a = b = craft.n.02").senses["a = b"].name == "craft.n.02"


def test_what_is_ignored_has_no_sense(build):
    result = build("ignore lizard")
    assert "lizard" in result.unmatched
    assert ("iguana", "reptile") in result.hierarchy.edges


def test_the_sense_of_one_label_speaks_for_the_others(build):
    labels = ["bank", "slope"]
    assert build(labels=labels).hierarchy.edges == build("sense slope = slope.n.01", labels=labels).hierarchy.edges
    assert build("sense bank = depository_financial_institution.n.01", labels=labels).hierarchy.edges == ()


def test_an_edge_is_added_and_said_to_be_an_override(build):
    result = build("add f-16 < plane")
    assert ("f-16", "plane") in result.hierarchy.edges
    assert str(result.explain("f-16", "plane")) == "f-16 -> plane: f-16 is, by override, a plane"


def test_added_edges_are_reduced_with_the_rest(build):
    result = build("add logo < lizard", "add logo < reptile")
    assert result.hierarchy.parents("logo") == ("lizard",)
    assert str(result.explain("logo", "lizard")) == "logo -> lizard: logo is, by override, a lizard"
    assert str(result.explain("logo", "reptile")).startswith("logo -> reptile: logo is, by override, a ")


def test_a_dropped_edge_leaves_the_farther_ancestors(build):
    result = build("drop iguana < lizard")
    assert result.hierarchy.parents("iguana") == ("reptile",)
    assert result.hierarchy.parents("lizard") == ("reptile",)


def test_what_a_person_added_wins_over_wordnet(build):
    result = build("add reptile < iguana")
    assert result.hierarchy.parents("reptile") == ("iguana",)
    assert ("iguana", "reptile") in result.left_out
    assert "Left out, since they would close a circle\n  iguana -> " in result.report()


@pytest.mark.parametrize(
    ("lines", "line", "complaint"),
    [
        (["lizard = x"], 1, "expected one of sense, ignore, add, drop, got 'lizard'"),
        (["# first", "sense craft"], 2, "expected 'sense LABEL = WORD.n.NUMBER', got 'sense craft'"),
        (["sense craft = "], 1, "expected 'sense LABEL = WORD.n.NUMBER'"),
        (["ignore"], 1, "expected 'ignore LABEL', got 'ignore'"),
        (["add iguana lizard"], 1, "expected 'add CHILD < PARENT', got 'add iguana lizard'"),
        (["drop < lizard"], 1, "expected 'drop CHILD < PARENT'"),
        (["", "ignore lizzard"], 2, "'lizzard' is not among the 11 labels (did you mean 'lizard'?)"),
        (["add iguana < qqq"], 1, "'qqq' is not among the 11 labels"),
        (["sense craft = craft.n.9"], 1, "no sense 'craft.n.9'; 'craft' has craft.n.01, craft.n.02"),
        (["sense craft = craft"], 1, "no sense 'craft'; 'craft' has craft.n.01"),
        (["sense craft = flumph.n.01"], 1, "no sense 'flumph.n.01'; WordNet has no noun 'flumph'"),
        (["ignore craft", "sense craft = craft.n.02"], 2, "the sense of 'craft' was already given"),
        (["add logo < logo"], 1, "a label cannot be its own parent: 'logo'"),
        (["add logo < wall", "drop logo < wall"], 2, "'logo' < 'wall' was already decided"),
        (["add logo < wall", "add wall < logo"], 2, "'wall' < 'logo' closes a circle with the lines before it"),
        (
            ["drop iguana < reptile"],
            1,
            "'iguana' is still below 'reptile', through 'lizard': drop one of those edges too",
        ),
    ],
)
def test_what_cannot_be_followed_is_refused_with_file_and_line(build, lines, line, complaint):
    with pytest.raises(HierarchyError) as error:
        build(*lines)
    assert f"corrections.txt, line {line}: {complaint}" in str(error.value)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "corrections.txt"
    path.write_bytes(b"ignore \xff\xfe")
    with pytest.raises(HierarchyError, match=r"corrections.txt: not a text file in UTF-8"):
        Hierarchy.from_wordnet(LABELS, overrides=path)


def test_a_file_that_is_not_there_is_the_systems_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        Hierarchy.from_wordnet(LABELS, overrides=tmp_path / "absent.txt")
