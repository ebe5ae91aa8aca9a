"""Bad input is refused, by the name of the argument; weak input is warned of, and its result defined."""

from __future__ import annotations

import warnings
from types import SimpleNamespace

import numpy as np
import psutil
import pytest
from scipy import sparse
from tests.estimators.samples import ESTIMATORS, HIERARCHY, LABELS, collection, estimator, frame

from tagweave import MLMGCO, Hierarchy
from tagweave.estimators.inputs import check_nonnegative
from tagweave.exceptions import GraphWarning, HierarchyError, LabelWarning
from tagweave.graphs import InstanceGraph

X, Y = collection()
PAIR = np.array([[0.0, 1.0], [1.0, 0.0]])
BAD_NUMBERS = [-1, -0.1, np.nan, np.inf, "0.1", None, True, 1j]


def changed(matrix, value):
    out = np.array(matrix, dtype=float)
    out[1, 1] = value
    return out


@pytest.mark.parametrize("name", ["beta", "gamma", "gamma0", "gamma1", "r_plus", "r_minus", "tol"])
def test_weights_and_tolerances_are_finite_and_not_negative(name):
    for kind in ESTIMATORS:
        for value in BAD_NUMBERS if hasattr(kind(), name) else ():
            with pytest.raises(ValueError, match=rf"{name} must be a number of at least 0; got {value!r}"):
                kind(**{name: value}).fit(X, Y)
    check_nonnegative(**{name: np.float32(0)})


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        *[
            ({"max_iter": bad}, "max_iter must be a whole number of at least 1; got ")
            for bad in (0, -1, 2.5, "9", True)
        ],
        *[
            ({"dtype": bad}, r"dtype must be float32 or float64; got ")
            for bad in ("float16", "int64", "single?", None, object)
        ],
        *[({"solver": bad}, f"solver must be 'exact', 'paper' or a solver object; got {bad!r}") for bad in ("x", None)],
        ({"init": "ones"}, "init must be 'zeros', 'random' or an array; got 'ones'"),
        ({"init": None}, r"init has shape \(\); expected"),
        ({"init": np.zeros((2, 2))}, r"init has shape \(2, 2\); expected \(40, 7\), that of Y"),
        ({"init": np.full(Y.shape, np.nan)}, "init has NaN or infinite values"),
        ({"init": [[1, 2], [3]]}, "init must be 'zeros', 'random' or an array: "),
        ({"graph": "knn"}, "graph must be 'paper', 'published', a recipe or a matrix of weights; got 'knn'"),
        ({"class_graph": "knn"}, "class_graph must be 'paper', 'published', a recipe or a matrix .* got 'knn'"),
        ({"graph": None}, "graph has 0 dimension"),
        ({"graph": PAIR}, r"graph has shape \(2, 2\); expected \(40, 40\)"),
        ({"class_graph": PAIR}, r"class_graph has shape \(2, 2\); expected \(7, 7\)"),
        ({"class_graph": np.ones((7, 3))}, r"class_graph has shape \(7, 3\); expected a square matrix"),
        ({"class_graph": changed(np.zeros((7, 7)), np.nan)}, r"class_graph\[1, 1\] = nan; expected finite"),
        ({"class_graph": -np.ones((7, 7))}, r"class_graph\[0, 0\] = -1.0; expected nonnegative"),
        ({"class_graph": np.triu(np.ones((7, 7)), 1)}, r"class_graph is not symmetric"),
        ({"graph": np.triu(np.ones((40, 40)), 1)}, r"graph is not symmetric: graph\[0, 1\] = 1.0 but"),
        ({"unstored": "zero"}, "unstored must be 'negative' or 'missing'; got 'zero'"),
        ({"hierarchy": [(0, 1), (1, 0)]}, "edges must not run in a circle"),
        ({"hierarchy": [(0, 7)]}, "edges: not among the 7 labels: 7"),
        ({"hierarchy": zip([0], [1], strict=True)}, "hierarchy is an iterator"),
        ({"hierarchy": Hierarchy(["dog", "animal"])}, "hierarchy has 2 labels but Y has 7 columns"),
    ],
)
def test_a_parameter_that_cannot_be_is_refused_by_name(parameters, message):
    with pytest.raises(ValueError, match=message):
        estimator(MLMGCO, **parameters).fit(X, Y)


@pytest.mark.parametrize(
    ("X", "Y", "message"),
    [
        (changed(X, np.nan), Y, "Input X contains NaN"),
        (changed(X, np.inf), Y, "Input X contains infinity"),
        (X[:5], Y, "X has 5 instances but Y has 40"),
        (None, Y, "X is None, but graph is a recipe; give a matrix of weights as graph, or X"),
        (X, None, "MLMGCO requires y to be passed, but the target y is None"),
        (X, changed(Y, 2), "Y must hold 1, 0 and NaN for missing; got 2.0 at row 1, column 1"),
        (X, frame(changed(Y, -1)), r"got -1.0 at row 1, label 'cat' \(missing is NaN, not -1\)"),
        (X, Y[:, 0], r"Y must have two dimensions, instances by labels; got shape \(40,\). A single label is"),
        (X, sparse.csr_array(Y), "Y is sparse: say what the cells mean"),
        (X, np.full_like(Y, np.nan), "Y has no observed label at all"),
        (X, np.zeros((40, 0)), "Y has no observed label at all"),
        (X[:0], Y[:0], "Found array with 0 sample"),
        (X[:, :0], Y, "0 feature"),
    ],
)
def test_data_that_cannot_be_is_refused_by_name(X, Y, message):
    with pytest.raises(ValueError, match=message):
        MLMGCO().fit(X, Y)


@pytest.mark.parametrize("name", ["sample_weight", "label_weight"])
def test_bad_weights_of_labels_are_refused_by_name(name):
    with pytest.raises(ValueError, match=name):
        estimator(MLMGCO).fit(X, Y, **{name: [1.0, 2.0]})


def test_a_hierarchy_over_other_names_is_refused():
    with pytest.raises(HierarchyError, match="'dgo'"):
        estimator(MLMGCO, hierarchy=HIERARCHY).fit(X, frame(Y).rename(columns={"dog": "dgo"}))
    with pytest.raises(HierarchyError, match="'dgo'"):
        estimator(MLMGCO, hierarchy=[("dgo", "animal")]).fit(X, frame(Y))


@pytest.fixture
def no_work(monkeypatch):
    def build(self, X):
        pytest.fail("the graph was built first")

    monkeypatch.setattr(InstanceGraph, "build", build)


@pytest.mark.parametrize("name", ["solver", "init", "class_graph", "hierarchy", "unstored", "dtype"])
def test_a_refusal_comes_before_the_work(no_work, name):
    with pytest.raises(ValueError, match=name if name != "hierarchy" else "edges"):
        estimator(MLMGCO, **{name: "nothing"}).fit(X, Y)


def test_too_little_memory_is_said_before_the_work(no_work, monkeypatch):
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=2**10))
    with pytest.raises(MemoryError, match=r"fitting 40 x 7 scores in float32 needs about 0.0 GiB and 0.0 GiB are"):
        estimator(MLMGCO).fit(X, Y)


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_an_empty_class_is_warned_of_and_follows_the_others(kind):
    empty = Y.copy()
    empty[:, [3, 6]] = np.nan
    alone = {name: 0.0 for name in ("gamma", "gamma0") if hasattr(kind(), name)}
    with pytest.warns(LabelWarning, match=r"2 of 7 labels have no observed value: pet, sky. Their scores") as seen:
        model = estimator(kind, hierarchy=None, **alone).fit(X, frame(empty))
    assert seen[0].filename == __file__
    assert (model.scores_[:, [3, 6]] == 0).all()
    with pytest.warns(LabelWarning):
        constrained = estimator(kind, fill=False).fit(X, np.where(np.arange(7) == LABELS.index("pet"), np.nan, Y))
    assert constrained.scores_[Y[:, 0] == 1, 3].min() > 0.99


def test_a_class_that_filling_reaches_is_not_empty():
    without_pet = np.where(np.arange(7) == LABELS.index("pet"), np.nan, Y)
    assert estimator(MLMGCO).fit(X, without_pet).status_ == "optimal"


def test_many_empty_classes_are_counted():
    with pytest.warns(LabelWarning, match=r"6 of 7 labels have no observed value: 0, 1, 2, 3, 4, \.\.\."):
        estimator(MLMGCO, fill=False).fit(X, np.where(np.arange(7) == 6, Y, np.nan))


def test_rows_without_labels_are_what_is_to_be_predicted():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = estimator(MLMGCO).fit(X, Y)
    assert np.isnan(Y[-8:]).all()
    assert (model.scores_[-8:] > 0).any()


def test_instances_that_no_label_reaches_are_warned_of_and_stay_where_they_start():
    islands = sparse.block_diag([PAIR, PAIR, np.zeros((6, 6))]).toarray()
    labels = np.full((10, 2), np.nan)
    labels[0] = 1, 0
    with pytest.warns(
        LabelWarning, match=r"8 of 10 instances are connected to no .* rows 2, 3, 4, 5, 6, \.\.\."
    ) as seen:
        model = MLMGCO(graph=islands, gamma=0, init=np.full((10, 2), 0.25)).fit(None, labels)
    assert seen[0].filename == __file__
    np.testing.assert_allclose(model.scores_[:2], [[1, 0], [1, 0]], atol=1e-2)
    assert (model.scores_[2:] == 0.25).all()
    with pytest.warns(LabelWarning, match=r"2 of 4 instances .* rows 2, 3\. Their"):
        MLMGCO(graph=islands[:4, :4]).fit(None, labels[:4])


def test_one_instance_and_one_label_are_a_collection():
    with pytest.warns(GraphWarning, match="only 1 instance"):
        assert MLMGCO().fit([[1.0]], [[1]]).scores_.tolist() == [[1.0]]
