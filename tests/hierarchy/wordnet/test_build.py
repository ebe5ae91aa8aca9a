"""The script that packs WordNet's nouns: the same input gives the same bytes, and reads back as it was."""

from __future__ import annotations

import importlib.util
import zipfile
from itertools import pairwise

import numpy as np
import pytest
from tests.conftest import ROOT

from tagweave.hierarchy.wordnet import reader
from tagweave.hierarchy.wordnet.reader import MEMBER, PART, SUBSTANCE, Nouns

NOTICE = "  1 This software and database is being provided to you, the LICENSEE  \n  2   \n  3 WordNet  \n"

# offset, file, words with identifiers, pointers: a thing; a dog and its pack, tail and fur; Rex, who is a dog.
DATA = [
    "00000101 03 n 01 thing 0 000 | whatever there is",
    "00000102 05 n 02 dog 0 Domestic_dog 0 003 @ 00000101 n 0000 #m 00000103 n 0000 ~i 00000105 n 0000 | it | barks",
    "00000103 14 n 01 pack 0 002 @ 00000101 n 0000 %m 00000102 n 0000 | many",
    "00000104 05 n 02 tail 0 dog a 004 @ 00000101 n 0000 #p 00000102 n 0000 #s 00000106 n 0000 + 00000001 v 0101 | end",
    "00000105 05 n 01 Rex 0 002 @i 00000102 n 0000 @ 00000101 n 0000 | one of them",
    "00000106 27 n 01 fur 0 001 @ 00000101 n 0000 | warm",
]
INDEX = [
    "dog n 2 2 @ #m 2 1 00000102 00000104",
    "domestic_dog n 1 1 @ 1 0 00000102",
    "fur n 1 1 @ 1 0 00000106",
    "pack n 1 1 @ 1 0 00000103",
    "rex n 1 1 @i 1 0 00000105",
    "tail n 1 1 @ 1 1 00000104",
    "thing n 1 0 1 0 00000101",
]


@pytest.fixture(scope="module")
def script():
    path = ROOT / "scripts" / "build_wordnet.py"
    spec = importlib.util.spec_from_file_location("build_wordnet", path)
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        # A dataclass looks its module up.
        patch.setitem(__import__("sys").modules, "build_wordnet", module)
        spec.loader.exec_module(module)
        yield module


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "wordnet"
    folder.mkdir()
    (folder / "data.noun").write_text(NOTICE + "\n".join(DATA) + "\n", encoding="latin-1")
    (folder / "index.noun").write_text(NOTICE + "\n".join(INDEX) + "\n", encoding="latin-1")
    (folder / "noun.exc").write_text("doggen dog\nfurren fur pelt\nzzzs zzz\n", encoding="latin-1")
    (folder / "cntlist.rev").write_text("dog%1:05:00:: 1 40\ntail%1:05:00:: 1 2\n", encoding="latin-1")
    return folder


def build(script, folder, name):
    output = folder.parent / name / "nouns.npz"
    output.parent.mkdir()
    script.main([str(folder), "--output", str(output), "--any-version"])
    return output


def test_the_same_input_gives_the_same_bytes(script, folder):
    one, other = build(script, folder, "one"), build(script, folder, "other")
    assert one.read_bytes() == other.read_bytes()
    with zipfile.ZipFile(one) as archive:
        # Of the day of packing, no trace.
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_what_was_packed_is_read_back(script, folder):
    nouns = Nouns(str(build(script, folder, "out")))
    assert len(nouns) == 6
    assert nouns.synsets("dog") == (1, 3)
    assert nouns.ranks("dog") == ((0, 1), (1, 1))
    assert nouns.ranks("thing") == ((0, 1),)
    assert nouns.words(1) == ("dog", "domestic_dog")
    assert nouns.name(3) == "tail.n.01"
    assert nouns.hypernyms[4] == ((1, 1), (0, 0))
    assert nouns.holonyms[1] == ((2, MEMBER),)
    assert nouns.holonyms[3] == ((1, PART), (5, SUBSTANCE))
    assert nouns.meronyms[1] == ((3, PART),)
    assert [nouns.topic(synset) for synset in range(6)] == ["tops", "animal", "group", "animal", "animal", "substance"]
    assert nouns.singulars("doggen") == ("dog",)
    assert nouns.singulars("furren") == ("fur",)  # "pelt" is no word here
    assert nouns.singulars("zzzs") == ()
    # Rex is below thing by two ways, and counted once.
    assert nouns.frequencies([0, 1, 4], per_sense=1).tolist() == [1.0, (40 + 3) / (42 + 8), 1 / (42 + 8)]


def test_the_licence_is_taken_from_the_data(script, folder):
    output = build(script, folder, "out")
    text = output.with_name("LICENSE-WordNet.txt").read_text(encoding="utf-8")
    assert text == "This software and database is being provided to you, the LICENSEE\n\nWordNet\n"


def test_other_files_than_expected_are_refused(script, folder, capsys):
    with pytest.raises(SystemExit):
        script.main([str(folder), "--output", str(folder / "x.npz")])
    assert "not Debian's WordNet 3.0: data.noun, index.noun, noun.exc, cntlist.rev" in capsys.readouterr().err
    (folder / "noun.exc").unlink()
    with pytest.raises(SystemExit):
        script.main([str(folder), "--any-version"])
    assert "no noun.exc;" in capsys.readouterr().err
    assert not (folder / "x.npz").exists()


def test_the_shipped_file_is_small_and_comes_with_its_licence(script):
    shipped = script.TARGET
    assert shipped.parent == ROOT / "src" / "tagweave" / "hierarchy" / "wordnet"
    assert shipped.stat().st_size < 2_000_000
    notice = shipped.with_name("LICENSE-WordNet.txt").read_text(encoding="utf-8")
    assert "WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved." in notice
    assert "Permission to use, copy, modify and distribute this software and\ndatabase" in notice


def test_the_shipped_arrays_hold_no_gloss_and_are_consistent():
    with np.load(reader.resources.files("tagweave.hierarchy.wordnet") / "nouns.npz") as arrays:
        assert set(arrays) == {
            *("words", "senses_per_word", "tagged_per_word", "sense_synset", "synset_head", "synset_topic"),
            *("senses_below", "count_below", "hypernyms", "holonyms", "exceptions"),
        }
        words = arrays["words"].tobytes().decode().split("\n")
        assert all(one < other for one, other in pairwise(words))
        assert arrays["senses_per_word"].sum() == len(arrays["sense_synset"]) == arrays["senses_below"][0]
        assert (arrays["tagged_per_word"] <= arrays["senses_per_word"]).all()
        assert max(map(len, words)) < 80
