"""CSSA and CSSAG against brute force over all consistent sets, and against a linear program."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from tests.strategies import hierarchies, score_matrices

from tagweave.baselines import condense
from tagweave.hierarchy import Hierarchy
from tagweave.metrics import rank_labels

METHODS = st.sampled_from([("all", "greedy"), ("all", "exact"), ("any", "greedy")])


@st.composite
def forests(draw, max_labels=7):
    """Trees side by side, columns in any order."""
    n_labels = draw(st.integers(1, max_labels))
    top_down = draw(st.permutations(range(n_labels)))
    above = [draw(st.integers(-1, position - 1)) for position in range(n_labels)]
    edges = [(top_down[i], top_down[p]) for i, p in enumerate(above) if p >= 0]
    return Hierarchy(range(n_labels), edges)


def best_sums(row, hierarchy):
    """The largest sum of scores of a consistent set of each size, from all sets there are."""
    child, parent = hierarchy.edge_index.T
    best = np.full(len(row) + 1, -np.inf)
    for bits in product([False, True], repeat=len(row)):
        chosen = np.array(bits)
        if (chosen[parent] >= chosen[child]).all():
            best[chosen.sum()] = max(best[chosen.sum()], row[chosen].sum())
    return best


def relaxed_optimum(row, hierarchy, k):
    """The optimum where labels may be chosen in part, from another solver."""
    order = -hierarchy.Phi.T.toarray() if hierarchy.n_edges else None
    above = None if order is None else np.zeros(len(order))
    result = linprog(-row, order, above, np.ones((1, len(row))), [k], bounds=(0, 1), method="highs")
    assert result.status == 0
    return -result.fun


def filled(values, positions):
    """What the supernodes are worth that k = 0, 1, ... fills, the last one in part."""
    return np.concatenate([[0.0], np.cumsum(values[np.argsort(positions)])])


def wholes(values, positions):
    """The sizes at which no supernode is filled in part, nor one of several with the same value."""
    ranked = values[np.argsort(positions)]
    return [0, *(k for k in range(1, len(ranked)) if ranked[k] < ranked[k - 1] - 1e-12), len(ranked)]


def assert_relaxed_optimum(row, hierarchy, condensed):
    found = filled(condensed.values[0], condensed.positions[0])
    for k in range(1, len(row) + 1):
        assert found[k] == pytest.approx(relaxed_optimum(row, hierarchy, k), abs=1e-9)
    best = best_sums(row, hierarchy)
    assert (found >= best - 1e-9).all()
    for k in wholes(condensed.values[0], condensed.positions[0]):
        chosen = condensed.positions[0] < k
        assert row[chosen].sum() == pytest.approx(best[k], abs=1e-9)


@settings(max_examples=30)
@given(st.data(), forests())
def test_on_a_forest_the_relaxed_problem_is_solved_for_every_size(data, hierarchy):
    scores = data.draw(score_matrices(len(hierarchy), max_rows=1))
    assert_relaxed_optimum(scores[0], hierarchy, condense(scores, hierarchy))


@settings(max_examples=30)
@given(st.data(), hierarchies(max_labels=7))
def test_the_exact_supernodes_solve_the_relaxed_problem_on_every_dag(data, hierarchy):
    scores = data.draw(score_matrices(len(hierarchy), max_rows=1)) * 2 - 1
    assert_relaxed_optimum(scores[0], hierarchy, condense(scores, hierarchy, condensing="exact"))


@given(st.data(), forests(max_labels=12), st.booleans())
def test_on_a_forest_all_three_ways_are_one(data, hierarchy, ties):
    scores = data.draw(score_matrices(len(hierarchy), ties=ties))
    one = condense(scores, hierarchy)
    np.testing.assert_allclose(condense(scores, hierarchy, condensing="exact").values, one.values, atol=1e-12)
    other = condense(scores, hierarchy, parents="any")
    np.testing.assert_array_equal(other.values, one.values)
    np.testing.assert_array_equal(other.positions, one.positions)


@given(st.data(), hierarchies(), METHODS)
def test_the_sets_are_nested_and_consistent_at_every_size(data, hierarchy, method):
    parents, condensing = method
    scores = data.draw(score_matrices(len(hierarchy)))
    condensed = condense(scores, hierarchy, parents=parents, condensing=condensing)
    for positions, values in zip(condensed.positions, condensed.values, strict=True):
        # Nested: one more label with each size.
        assert sorted(positions) == list(range(len(hierarchy)))
        assert (np.diff(values[np.argsort(positions)]) <= 1e-12).all()
        for column, label in enumerate(hierarchy.labels):
            above = [positions[hierarchy.index(parent)] for parent in hierarchy.parents(label)]
            if above:
                assert (max(above) if parents == "all" else min(above)) < positions[column]


@given(st.data(), hierarchies(max_labels=7))
def test_the_greedy_sets_of_a_dag_are_never_worth_more_than_the_exact_ones(data, hierarchy):
    scores = data.draw(score_matrices(len(hierarchy)))
    greedy, exact = condense(scores, hierarchy), condense(scores, hierarchy, condensing="exact")
    for row in range(len(scores)):
        worth = filled(greedy.values[row], greedy.positions[row])
        assert (worth <= filled(exact.values[row], exact.positions[row]) + 1e-9).all()


@given(st.data(), hierarchies(), METHODS)
def test_scores_that_agree_with_the_hierarchy_are_only_sorted(data, hierarchy, method):
    parents, condensing = method
    scores = hierarchy.enforce(data.draw(score_matrices(len(hierarchy))))
    condensed = condense(scores, hierarchy, parents=parents, condensing=condensing)
    np.testing.assert_allclose(condensed.values, scores, atol=1e-12)
    np.testing.assert_array_equal(np.argsort(condensed.positions, axis=1), rank_labels(scores, hierarchy))


def test_a_tree_worked_by_hand():
    # vehicle .2 over car .9 and bus .4; sky .5 on its own. car joins vehicle at .55, ahead of sky; bus comes last.
    hierarchy = Hierarchy(["vehicle", "car", "bus", "sky"], [("car", "vehicle"), ("bus", "vehicle")])
    condensed = condense([[0.2, 0.9, 0.4, 0.5]], hierarchy)
    np.testing.assert_allclose(condensed.values, [[0.55, 0.55, 0.4, 0.5]])
    assert condensed.positions.tolist() == [[0, 1, 3, 2]]
    np.testing.assert_allclose(condensed.proportions(), [[1.0, 0.75, 0.25, 0.5]])


def test_one_parent_or_all_of_them_worked_by_hand():
    # c .9 below a .5 and b .1. With one parent c joins the better one; with both it takes all three.
    hierarchy = Hierarchy(["a", "b", "c"], [("c", "a"), ("c", "b")])
    any_parent = condense([[0.5, 0.1, 0.9]], hierarchy, parents="any")
    np.testing.assert_allclose(any_parent.values, [[0.7, 0.1, 0.7]])
    assert any_parent.positions.tolist() == [[0, 2, 1]]
    all_parents = condense([[0.5, 0.1, 0.9]], hierarchy)
    np.testing.assert_allclose(all_parents.values, [[0.5, 0.5, 0.5]])
    assert all_parents.positions.tolist() == [[0, 1, 2]]


def test_the_greedy_rule_can_miss_the_optimum_of_a_dag():
    # c joins p, the lower of its two parents, before p's own children lift it: q is drawn into the first supernode.
    children = [f"d{i}" for i in range(9)]
    hierarchy = Hierarchy(["c", "p", "q", *children], [("c", "p"), ("c", "q"), *((d, "p") for d in children)])
    row = np.array([1.0, 0.0, 0.1, *[0.99] * 9])
    greedy, exact = condense([row], hierarchy), condense([row], hierarchy, condensing="exact")
    assert relaxed_optimum(row, hierarchy, 10) == pytest.approx(8.91)
    assert filled(exact.values[0], exact.positions[0])[10] == pytest.approx(8.91)
    assert filled(greedy.values[0], greedy.positions[0])[10] == pytest.approx(10.01 / 12 * 10)


def test_many_rows_are_decoded_as_one_by_one():
    rng = np.random.default_rng(0)
    hierarchy = Hierarchy(range(6), [(1, 0), (2, 0), (3, 1), (3, 2), (4, 2)])
    scores = rng.uniform(size=(100, 6))
    together = condense(scores, hierarchy)
    one_by_one = [condense(scores[i : i + 1], hierarchy) for i in range(100)]
    np.testing.assert_array_equal(together.values, np.vstack([each.values for each in one_by_one]))
    np.testing.assert_array_equal(together.positions, np.vstack([each.positions for each in one_by_one]))


def test_single_precision_and_single_rows_are_taken():
    hierarchy = Hierarchy(["a", "b"], [("b", "a")])
    condensed = condense(np.array([[0.25, 0.75]], dtype=np.float32), hierarchy)
    assert condensed.values.tolist() == [[0.5, 0.5]]
    assert condense(np.empty((0, 2)), hierarchy).positions.shape == (0, 2)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[0.0, np.nan]], "scores must be numbers to be ranked, got NaN in row 0, column 1"),
        ([[0.0, 1.0], [np.inf, 0.0]], "scores must be finite; got inf in row 1, column 0"),
        ([[0.0, 1.0, 2.0]], "scores must have one column for each of the 2 labels"),
    ],
)
def test_scores_that_are_no_numbers_are_refused(scores, message):
    with pytest.raises(ValueError, match=message):
        condense(scores, Hierarchy(["a", "b"], [("b", "a")]))
