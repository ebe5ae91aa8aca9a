from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.experiments.samples import pretend, study

from tagweave.experiments.charts import leader
from tagweave.experiments.curves import Curves
from tagweave.experiments.experiment import Plan, Results, best_in_columns, spread
from tagweave.experiments.parts import Figure, Table
from tagweave.experiments.registry import EXPERIMENTS

STUDY = study(name="corel5k")
BARE = study(hierarchy=False)
PLAN = Plan(seeds=(0, 1), repeats=2, proportions=(0.0, 0.5))


def section(name, of=STUDY, plan=PLAN):
    one = EXPERIMENTS[name]
    return one.section(of, plan, pretend(one.cells(of, plan), of))


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_shows_something(name):
    shown = section(name)
    assert shown.parts
    assert (shown.name, shown.paper) == (name, EXPERIMENTS[name].paper)
    for part in shown.parts:
        if isinstance(part, Figure):
            assert part.draw().axes
        if isinstance(part, Table):
            assert all(len(row) == len(part.columns) for row in part.rows)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_nothing_computed_is_shown_as_nothing(name):
    one = EXPERIMENTS[name]
    for part in one.section(STUDY, PLAN, Results({})).parts:
        if isinstance(part, Figure):
            part.draw()


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_a_collection_without_hierarchy_is_served_or_told(name):
    if reason := EXPERIMENTS[name].lacks(BARE):
        assert reason == f"{name} needs a hierarchy, which 'album' has not"
        return
    assert section(name, BARE).parts
    assert not any(getattr(cell, "fill", False) for cell in EXPERIMENTS[name].cells(BARE, PLAN) if name != "examples")


def test_features_are_asked_for():
    assert Curves().lacks(replace(STUDY, X=None)) == "curves needs features, which 'corel5k' has not"


def test_curves_are_means_over_the_seeds():
    results = pretend(Curves().cells(STUDY, PLAN), STUDY)
    shown = Curves().section(STUDY, PLAN, results)
    table = next(part for part in shown.parts if isinstance(part, Table))
    fits = PLAN.fits("MLMG-CO", 0.5, fill=False)
    values = [results.found[fit]["AP"] for fit in fits]
    assert table.rows[0] == ["MLMG-CO", table.rows[0][1], f"{np.mean(values):.3f} ± {np.std(values):.3f}"]
    rows = [row for row in shown.data if row["method"] == "MLMG-CO" and row["missing"] == 0.5 and not row["filled"]]
    assert [row["AP"] for row in rows] == values


def test_the_leader_is_named_at_each_proportion():
    from tagweave.experiments.charts import Series

    fits = {p: PLAN.fits("MLMG-CO", p, fill=True) for p in (0.0, 0.5)}
    other = {p: PLAN.fits("MLMG-SL", p, fill=True) for p in (0.0, 0.5)}
    high = {fits[0.0][0]: 0.9, fits[0.5][0]: 0.1, other[0.0][0]: 0.5, other[0.5][0]: 0.4}
    results = Results({fit: {"AP": value} for fit, value in high.items()})
    series = [Series("one", "#000000", fits), Series("two", "#111111", other)]
    assert leader(series, results, "AP") == "The best AP: one at 0%; two at 50%."
    assert leader(series, results, "mAP") == ""


def test_published_figures_stand_beside_ours():
    assert [row[0] for row in section("hierarchy").parts[0].rows] == ["corel5k", "the paper"]
    assert "They differ from the paper's in: nodes" in section("hierarchy").text[0]
    assert section("run-times").parts[0].columns[-1] == "the paper"
    assert "the paper" not in section("run-times", plan=replace(PLAN, quick=True)).parts[0].columns


def test_corel5k_has_the_papers_figures(corel5k):
    from tagweave import Hierarchy
    from tagweave.datasets import Collection
    from tagweave.experiments.study import Study

    of = Study.of(
        Collection.from_arrays(
            None,
            corel5k.original,
            complete=corel5k.complete,
            name="corel5k",
            n_train=corel5k.n_train,
            hierarchy=Hierarchy(corel5k.labels, corel5k.edges),
        )
    )
    ours, published = section("hierarchy", of).parts[0].rows
    # No path in the published hierarchy has more than four labels: docs/paper.md says so.
    assert ours[1:-1] == published[1:-1]
    _, labels = section("data", of).parts
    assert [row[1] for row in labels.rows] == ["3.40", "4.84", "3.40", "4.84"]


def test_the_best_of_a_column_may_be_the_lowest_and_ties_are_all_best():
    assert best_in_columns([[1.0], [1.0], [2.0]], lowest=True) == {(0, 1), (1, 1)}
    assert best_in_columns([]) == frozenset()
    assert spread([1 / 3, 1 / 3], 4) == "0.3333 ± 0.0000"
