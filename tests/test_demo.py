"""The demonstration: what a newcomer sees first."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tagweave import demo
from tagweave.datasets import make_tagged_collection


def test_it_shows_a_table_and_saves_a_picture(tmp_path, capsys):
    demo.main(["--output", str(tmp_path / "new" / "folder"), "--instances", "200"])
    shown = capsys.readouterr().out
    for method in ("most popular tags", "MLMG-CO, no hierarchy", "MLMG-CO", "MLMG-SL"):
        assert method in shown
    assert len(re.findall(r"thing \d+: ", shown)) == 4
    picture = (tmp_path / "new" / "folder" / "completion.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 20_000


def test_the_hierarchy_is_kept_and_pays_off():
    collection = make_tagged_collection(600, random_state=1)
    popular, without, *with_hierarchy = demo.complete(collection, demo.tag_like_people(collection, 1))
    for found in with_hierarchy:
        assert found.hierarchical_loss == 0.0
        assert found.precision > without.precision > popular.precision


def test_people_forget_parents_but_invent_nothing():
    collection = make_tagged_collection(400, random_state=0)
    Y = demo.tag_like_people(collection, 0)
    train = slice(collection.n_train)
    assert np.isnan(Y[collection.n_train :]).all()
    assert not ((Y[train] == 1) & (collection.Y[train] == 0)).any()
    assert ((Y[train] == 0) & (collection.Y[train] == 1)).any()


@pytest.mark.parametrize("arguments", [["--instances", "3"], ["--seed", "x"]])
def test_a_wrong_option_is_named(arguments, capsys):
    with pytest.raises(SystemExit):
        demo.main(arguments)
    assert arguments[0] in capsys.readouterr().err


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemExit):
        demo.main(["--output", str(tmp_path / "file")])
    assert "is a file" in capsys.readouterr().err
