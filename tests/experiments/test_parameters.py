from __future__ import annotations

import json

import pytest
from tests.experiments.samples import study

from tagweave.experiments.methods import METHODS
from tagweave.experiments.parameters import FOLDER, Entry, Tuned, file_for, read_tuned, tuned_for

STUDY = study()


def entry(method="MLMG-CO", fill=True, proportion=0.5, **params):
    return Entry(method, fill, proportion, params, 0.4, 25, 40)


def test_the_nearest_situation_counts_and_filling_is_never_mixed():
    tuned = Tuned((entry(proportion=0.0, beta=1), entry(beta=2), entry(proportion=0.95, beta=3), entry(fill=False)))
    found = [tuned.params("MLMG-CO", fill=True, proportion=p) for p in (0.0, 0.2, 0.5, 0.8, 0.95)]
    assert [dict(params)["beta"] for params in found] == [1, 1, 2, 3, 3]
    assert tuned.params("MLMG-CO", fill=False, proportion=0.0) == ()


def test_a_method_on_the_scores_of_another_takes_those_of_the_other():
    assert Tuned((entry(beta=2),)).params("CSSAG", fill=True, proportion=0.5) == (("beta", 2),)


def test_what_was_saved_is_read_again_and_found_for_the_collection(tmp_path):
    tuned = Tuned((entry(beta=2.0),), "by hand")
    tuned.save(file_for(STUDY, tmp_path), STUDY)
    assert tuned_for(STUDY, tmp_path) == tuned
    assert tuned_for(STUDY, tmp_path / "elsewhere") == Tuned()


@pytest.mark.parametrize("content", ["{", "[]", '{"format": "another"}', '{"format": "tagweave tuned parameters 1"}'])
def test_a_damaged_file_is_named(tmp_path, content):
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=r"a\.json does not hold tuned parameters"):
        read_tuned(path)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_the_parameters_in_the_repository_are_of_known_methods_and_say_how_they_were_found(path):
    tuned = read_tuned(path)
    content = json.loads(path.read_text())
    assert path.name == f"{content['collection']}-{content['features']}.json"
    assert tuned.how
    for one in tuned.entries:
        grid = METHODS[one.method].grid
        assert any(all(one.params.get(k) in values for k, values in part.items()) for part in grid)
