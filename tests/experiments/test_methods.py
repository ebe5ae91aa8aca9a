from __future__ import annotations

import pytest
from tests.experiments.samples import study

from tagweave.experiments.experiment import Plan
from tagweave.experiments.methods import METHODS, RIVALS, method

STUDY = study()


@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_there_and_takes_its_grid(name):
    one = METHODS[name]
    for part in one.grid:
        for parameter, values in part.items():
            assert one.accepts(parameter)
            made = one.make(STUDY, ((parameter, values[0]),), fill=True)
            assert made.get_params()[parameter] == values[0]


@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_told_whether_to_fill(name):
    for fill in (False, True):
        made = METHODS[name].make(STUDY, (), fill=fill)
        assert made.fill is fill
        assert made.hierarchy is STUDY.hierarchy
        if METHODS[name].scorer:
            assert made.scorer.fill is fill


def test_only_models_with_a_constraint_are_constrained():
    assert METHODS["MLMG-SL"].make(STUDY, (), fill=False, constrain=True).constrain
    assert not METHODS["MLMG-SL"].make(STUDY, (), fill=False).constrain
    assert not METHODS["CSSAG"].make(STUDY, (("beta", 5.0),), fill=False).scorer.constrain


def test_a_method_on_the_scores_of_another_gives_it_the_parameters():
    assert METHODS["CSSAG"].make(STUDY, (("beta", 5.0),), fill=False).scorer.beta == 5.0


def test_the_graph_is_shared():
    made = [METHODS[name].make(STUDY, (), fill=True) for name in ("MLMG-CO", "MLML-exact")]
    assert all(one.graph is STUDY.graph for one in made)


def test_the_grids_of_mlmg_hold_the_papers_ranges():
    (co,) = METHODS["MLMG-CO"].grid
    assert co == {"beta": (0.1, 1.0, 5.0, 10.0, 50.0), "gamma": (0.0, 0.01, 0.1, 1.0, 10.0)}
    assert {value for part in METHODS["MLMG-SL"].grid for value in part["gamma0"]} == {0.0001, 0.001, 0.01, 1.0, 10.0}


def test_methods_that_draw_lots_are_repeated_where_nothing_is_hidden():
    plan = Plan(seeds=(0, 1, 2))
    assert len(plan.fits("LEML", 0.0, fill=True)) == 3
    assert len(plan.fits("MLMG-CO", 0.0, fill=True)) == 1
    assert len(plan.fits("MLMG-CO", 0.5, fill=True)) == 3
    assert len(plan.fits("MLMG-CO", 0.0, fill=True, where="instances")) == 3


def test_the_rivals_are_methods():
    assert set(RIVALS) < set(METHODS)


def test_an_unknown_method_is_named():
    with pytest.raises(ValueError, match="method 'kNN' is not known; expected one of MLMG-CO, "):
        method("kNN")
