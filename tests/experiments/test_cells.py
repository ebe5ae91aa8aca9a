from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.experiments.samples import study

from tagweave.experiments import convergence
from tagweave.experiments.cells import Fit, NotApplicableError
from tagweave.experiments.convergence import Trace
from tagweave.experiments.examples import Examples
from tagweave.experiments.methods import METHODS
from tagweave.experiments.run_times import Timing
from tagweave.experiments.study import Draw

STUDY = study()
FIT = Fit("MLMG-CO", (("beta", 0.1),), Draw(0.5, 0), fill=True)


@pytest.mark.parametrize("name", METHODS)
def test_every_method_gives_figures(name):
    # Half solved is good enough to see that it learns.
    params = (("max_iter", 3),) if name in ("MC-Pos", "LEML") else ()
    result = Fit(name, params, Draw(0.5, 0), fill=True).run(STUDY)
    assert 0.2 < result["AP"] <= 1
    assert result["seconds"] > 0


def test_a_constrained_fit_never_violates():
    assert replace(FIT, constrain=True).run(STUDY)["AHL"] == 0


@pytest.mark.parametrize(
    "change",
    [
        {"method": "MLMG-SL"},
        {"params": (("beta", 1.0),)},
        {"draw": Draw(0.5, 1)},
        {"draw": Draw(0.5, 0, "all")},
        {"fill": False},
        {"constrain": True},
    ],
)
def test_other_settings_have_another_key(change):
    assert replace(FIT, **change).key(STUDY) != FIT.key(STUDY)


def test_other_data_have_another_key():
    assert FIT.key(STUDY.sample(50, 10)) != FIT.key(STUDY)
    assert FIT.key(study()) == FIT.key(STUDY)


def test_other_code_has_another_key(monkeypatch):
    before = FIT.key(STUDY)
    monkeypatch.setattr("tagweave.experiments.cells.code_fingerprint", lambda *modules: "changed")
    assert FIT.key(STUDY) != before


def test_a_method_for_nonnegative_features_refuses_others():
    shifted = replace(STUDY, X=STUDY.X - 1)
    with pytest.raises(NotApplicableError, match="MC-Pos takes nonnegative features only"):
        Fit("MC-Pos", (), Draw(0.5, 0), fill=True).run(shifted)


def test_a_timing_stops_when_it_is_enough(monkeypatch):
    timing = Timing("MLMG-CO", (), constrain=True, repeats=3)
    result = timing.run(STUDY)
    assert len(result["seconds"]) == 3
    assert min(result["seconds"]) > 0
    assert result["graph_seconds"] > 0
    monkeypatch.setattr("tagweave.experiments.run_times._ENOUGH", 1e-9)
    assert len(timing.run(STUDY)["seconds"]) == 1


@pytest.mark.parametrize("model", ["MLMG-CO", "MLMG-SL"])
def test_the_exact_solver_descends_to_its_bound_from_anywhere(model, monkeypatch):
    points = dict.fromkeys(convergence.ITERATIONS, (1, 5, 25))
    monkeypatch.setattr(convergence, "ITERATIONS", points)
    traces = [Trace(model, (), "exact", "zeros", 0), Trace(model, (), "exact", "random", 1)]
    found = [trace.run(STUDY) for trace in traces]
    for result in found:
        assert result["objective"][0] > result["objective"][-1]
        assert result["objective"][-1] == pytest.approx(result["bound"], rel=1e-3)
    assert found[0]["objective"][-1] == pytest.approx(found[1]["objective"][-1], rel=1e-4)
    assert found[0]["objective"][0] != found[1]["objective"][0]


@pytest.mark.parametrize("model", ["MLMG-CO", "MLMG-SL"])
def test_the_papers_solver_is_traced_too(model, monkeypatch):
    monkeypatch.setattr(convergence, "ITERATIONS", {("paper", "zeros"): (1, 2)})
    result = Trace(model, (), "paper", "zeros", 0).run(STUDY)
    assert result["iteration"] == [1, 2]
    assert len(result["objective"]) == len(result["AP"]) == 2


def test_examples_say_what_is_right_wrong_and_missed():
    result = Examples((), Draw(0.2, 0), top_labels=4, top_instances=5).run(STUDY)
    names = list(STUDY.hierarchy.labels)
    for example in result["annotation"]:
        truth = STUDY.truth[example["row"]]
        assert STUDY.test[example["row"]]
        assert len(example["tags"]) == 4
        for tag, _, verdict in example["tags"]:
            assert verdict == ("hit" if truth[names.index(tag)] else "wrong")
        hits = {tag for tag, _, verdict in example["tags"] if verdict == "hit"}
        assert hits | set(example["missed"]) == {names[j] for j in np.flatnonzero(truth)}
    assert len({example["label"] for example in result["retrieval"]}) == len(result["retrieval"]) > 3
    for example in result["retrieval"]:
        column = names.index(example["label"])
        assert [v == "hit" for _, v in example["instances"]] == [
            bool(STUDY.truth[row, column]) for row, _ in example["instances"]
        ]
    precisions = [example["AP"] for example in result["annotation"]]
    assert precisions == sorted(precisions, reverse=True)


def test_examples_are_those_with_photos(tmp_path):
    photos = tuple(tmp_path / f"{i}.jpg" if i % 2 else None for i in range(len(STUDY.test)))
    result = Examples((), Draw(0.2, 0)).run(replace(STUDY, photos=photos))
    assert all(example["row"] % 2 for example in result["annotation"])
