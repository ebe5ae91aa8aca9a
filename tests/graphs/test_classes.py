from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.base import clone

from tagweave.graphs import ClassGraph
from tagweave.graphs import classes as module

FORMULAS = ["paper", "published"]
labels_arrays = hnp.arrays(np.int8, st.tuples(st.integers(1, 12), st.integers(1, 7)), elements=st.integers(-1, 1))


def naive_weights(labels, formula, k):
    """Eq. 3 with double loops; similarities compared as exact fractions."""
    from fractions import Fraction

    m = labels.shape[1]
    value = {1: 2, 0: 0, -1: 1 if formula == "paper" else 0}
    columns = [[value[int(v)] for v in labels[:, j]] for j in range(m)]
    dot = [[sum(a * b for a, b in zip(x, y, strict=True)) for y in columns] for x in columns]
    directed = np.zeros((m, m))
    for i in range(m):
        others = [j for j in range(m) if j != i and dot[i][j] > 0]
        others.sort(key=lambda j, i=i: (-Fraction(dot[i][j] ** 2, dot[j][j]), j))
        for j in others[:k]:
            directed[i, j] = dot[i][j] / (dot[i][i] ** 0.5 * dot[j][j] ** 0.5)
    return np.maximum(directed, directed.T) if formula == "paper" else (directed + directed.T) / 2


@given(labels_arrays, st.sampled_from(FORMULAS), st.sampled_from([1, 2, 4, None]))
def test_weights_equal_the_formula_written_out_even_with_ties(labels, formula, k):
    W = ClassGraph(formula, n_neighbors=k).build(labels)
    np.testing.assert_allclose(W.toarray(), naive_weights(labels, formula, k), rtol=1e-12)


@given(labels_arrays, st.sampled_from(FORMULAS))
def test_weights_are_symmetric_nonnegative_canonical_with_zero_diagonal(labels, formula):
    W = ClassGraph(formula, n_neighbors=2).build(labels)
    assert W.has_canonical_format
    assert W.dtype == np.float64
    dense = W.toarray()
    np.testing.assert_array_equal(dense, dense.T)
    assert not dense.diagonal().any()
    assert np.all(W.data > 0)


@pytest.mark.parametrize("tau", [50, 80])
def test_the_papers_class_graph_of_corel5k_is_reproduced(graph_reference, tau):
    reference = graph_reference("reference/corel5k_problems.npz")
    W = ClassGraph().build(reference[f"Y_filled_tau{tau}"]).toarray()
    expected = reference[f"W_C_tau{tau}"]
    np.testing.assert_array_equal(W > 0, expected > 0)
    np.testing.assert_allclose(W, expected, rtol=0, atol=1e-12)


def test_blocks_of_rows_add_up(monkeypatch):
    labels = np.random.default_rng(0).integers(-1, 2, size=(50, 6)).astype(np.int8)
    whole = ClassGraph().build(labels).toarray()
    monkeypatch.setattr(module, "BLOCK_ENTRIES", 40)
    np.testing.assert_array_equal(ClassGraph().build(labels).toarray(), whole)


def test_permuting_classes_permutes_the_weights():
    labels = np.random.default_rng(0).choice([-1, 0, 1], size=(997, 12), p=[0.2, 0.5, 0.3]).astype(np.int8)
    permutation = np.random.default_rng(1).permutation(12)
    W = ClassGraph(n_neighbors=3).build(labels).toarray()
    permuted = ClassGraph(n_neighbors=3).build(labels[:, permutation]).toarray()
    np.testing.assert_allclose(permuted, W[np.ix_(permutation, permutation)], rtol=1e-12)


def test_a_class_without_a_positive_is_isolated_in_the_published_graph_only():
    labels = np.array([[1, 1, -1, 0], [1, 1, -1, 0], [0, 1, 0, 0]], dtype=np.int8)
    published = ClassGraph("published").build(labels).toarray()
    assert not published[2].any()
    assert published[0, 1] > 0
    paper = ClassGraph().build(labels).toarray()
    assert paper[2, 0] > 0
    assert not paper[3].any()


def test_no_labels_at_all_leave_every_class_isolated():
    assert ClassGraph().build(np.empty((0, 3), np.int8)).nnz == 0


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (np.array([[2, 0]]), "labels holds 2; expected 1, 0, and -1"),
        (np.array([[0, -2]]), "labels holds -2"),
        (np.array([[0.5, 1.0]]), "type float64"),
        (np.array([1, 0]), r"shape \(2,\)"),
        (np.empty((2, 0), np.int8), r"shape \(2, 0\)"),
    ],
)
def test_what_are_no_labels_is_refused(labels, message):
    with pytest.raises(ValueError, match=message):
        ClassGraph().build(labels)


def test_complete_labels_may_be_booleans():
    labels = np.array([[True, True], [True, False]])
    np.testing.assert_array_equal(
        ClassGraph().build(labels).toarray(), ClassGraph().build(labels.astype(np.int8)).toarray()
    )


@pytest.mark.parametrize("value", [0, 1.5, True, "all"])
def test_the_number_of_neighbours_is_none_or_a_positive_integer(value):
    with pytest.raises(ValueError, match="expected None or an integer"):
        ClassGraph(n_neighbors=value).build(np.eye(3, dtype=np.int8))


def test_an_unknown_formula_lists_the_choices():
    with pytest.raises(ValueError, match="'paper', 'published'"):
        ClassGraph("odd").build(np.eye(3, dtype=np.int8))


def test_the_recipe_is_cloned_with_its_parameters():
    assert clone(ClassGraph("published", None)).get_params() == {"formula": "published", "n_neighbors": None}
