"""What is saved comes back the same; what is not a saved estimator is refused by name."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from datetime import datetime

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator
from tests.estimators.samples import COLUMNS, EDGES, ESTIMATORS, HIERARCHY, collection, estimator, frame

from tagweave import MLMG, MLMGCO, MLMGSL
from tagweave.graphs import ClassGraph, InstanceGraph
from tagweave.solvers import ADMM, FISTA, MethodOfMultipliers, ProjectedGradient, SparseLowRankADMM

X, Y = collection()
W = InstanceGraph(n_neighbors=6, kernel_neighbor=3).build(X)
DAYS = pd.date_range("2026-01-01 10:30", periods=len(Y), freq="h", tz="Europe/Paris")


def assert_same(loaded, saved):
    """Compare by value, down to the arrays."""
    if sparse.issparse(saved):
        assert loaded.shape == saved.shape
        assert abs(loaded - saved).nnz == 0
    elif isinstance(saved, np.ndarray):
        assert loaded.dtype == saved.dtype
        np.testing.assert_array_equal(loaded, saved)
    elif isinstance(saved, BaseEstimator):
        assert type(loaded) is type(saved)
        assert_same(vars(loaded), vars(saved))
    elif is_dataclass(saved):
        assert type(loaded) is type(saved)
        for field in fields(saved):
            assert_same(getattr(loaded, field.name), getattr(saved, field.name))
    elif isinstance(saved, dict):
        assert loaded.keys() == saved.keys()
        for name, value in saved.items():
            assert_same(loaded[name], value)
    else:
        assert loaded == saved


@pytest.mark.parametrize("kind", ESTIMATORS)
@pytest.mark.parametrize("fitted", [True, False])
def test_every_estimator_comes_back_as_it_was(kind, fitted, tmp_path):
    model = estimator(kind, hierarchy=EDGES)
    if fitted:
        model.fit(pd.DataFrame(X, columns=["a", "b", "c"]), frame(Y, [f"photo{row}" for row in range(len(Y))]))
    loaded = kind.load(model.save(tmp_path / "model"))
    assert_same(loaded, model)
    if fitted:
        np.testing.assert_array_equal(loaded.retrieve("dog").instances, model.retrieve("dog").instances)
        assert_same(loaded.fit(X, frame(Y)).scores_, model.scores_)


@pytest.mark.parametrize(
    "parameters",
    [
        {"hierarchy": None, "gamma": 0, "fill": False, "constrain": np.bool_(False), "beta": np.float32(0.5)},
        {"hierarchy": HIERARCHY, "dtype": "float64", "tol": np.float64(1e-4), "max_iter": np.int64(500)},
        {"hierarchy": [list(edge) for edge in COLUMNS], "random_state": 3, "init": "random"},
        {"hierarchy": np.array(COLUMNS), "graph": W, "class_graph": np.ones((7, 7)) - np.eye(7)},
        {"graph": sparse.coo_matrix(W), "class_graph": ClassGraph("published", n_neighbors=None)},
        {"graph": W.toarray().tolist(), "init": np.full(Y.shape, 0.5, dtype=np.float32)},
        {"graph": InstanceGraph("published", metric="cosine", scale=None), "init": np.zeros_like(Y)},
        {"init": np.zeros(Y.shape).astype(object), "warm_start": True, "unstored": "missing"},
        {"solver": FISTA(tol=1e-4, check_every=3)},
        {"solver": ADMM(tol=1.0), "dtype": "float32"},
        {"solver": ProjectedGradient(tol=1.0), "constrain": False},
    ],
)
def test_every_kind_of_parameter_comes_back(parameters, tmp_path):
    model = estimator(MLMGCO, **parameters).fit(X, Y)
    loaded = MLMGCO.load(model.save(tmp_path / "model.npz"))
    assert_same(loaded, model)
    assert_same(loaded.fit(X, Y).scores_, model.fit(X, Y).scores_)


@pytest.mark.parametrize("solver", [MethodOfMultipliers(sigma=2.0), SparseLowRankADMM(tol=1.0)])
def test_the_solvers_of_the_low_rank_term_come_back(solver, tmp_path):
    model = estimator(MLMGSL, solver=solver)
    assert MLMGSL.load(model.save(tmp_path / "model")).solver == solver


@pytest.mark.parametrize("dtype", [np.float32, np.dtype("float64"), float])
def test_a_dtype_comes_back_by_its_name(dtype, tmp_path):
    assert MLMG.load(MLMG(dtype=dtype).save(tmp_path / "model")).dtype == np.dtype(dtype).name


def test_a_dataframe_of_weights_comes_back_as_an_array(tmp_path):
    model = estimator(MLMGCO, graph=pd.DataFrame(W.toarray())).fit(None, Y)
    loaded = MLMGCO.load(model.save(tmp_path / "model"))
    np.testing.assert_array_equal(loaded.graph, W.toarray())
    np.testing.assert_array_equal(loaded.fit(None, Y).scores_, model.scores_)


@pytest.mark.parametrize(
    "index",
    [range(100, 140), [f"photo{row}" for row in range(40)], DAYS, pd.MultiIndex.from_product([["a", "b"], range(20)])],
)
def test_names_of_any_kind_come_back(index, tmp_path):
    labels = frame(Y, index)
    labels.columns = range(10, 17)
    model = estimator(MLMGCO, hierarchy=[(10, 12)]).fit(X, labels)
    loaded = MLMGCO.load(model.save(tmp_path / "model"))
    assert loaded.instances_ == model.instances_ == tuple(labels.index)
    assert loaded.hierarchy_ == model.hierarchy_
    assert loaded.retrieve(12, 1).instances[0] in labels.index


def test_a_callback_is_not_saved(tmp_path):
    assert MLMGCO.load(MLMGCO(callback=print).save(tmp_path / "model")).callback is None


@pytest.mark.parametrize(
    "unknown",
    [{"random_state": np.random.RandomState(0)}, {"solver": object()}, {"hierarchy": {("dog", "animal")}}],
)
def test_what_has_no_place_in_the_file_is_refused_by_name_and_nothing_is_written(unknown, tmp_path):
    (name,) = unknown
    with pytest.raises(TypeError, match=f"cannot save {name}=.* has no place in the file"):
        MLMGCO(**unknown).save(tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_a_time_finer_than_the_file_can_say_is_refused(tmp_path):
    index = pd.DatetimeIndex([datetime(2026, 1, 1)] * 40) + pd.to_timedelta(range(40), unit="ns")
    with pytest.raises(TypeError, match=r"cannot save instances_.1=Timestamp"):
        estimator(MLMGCO, hierarchy=EDGES).fit(X, frame(Y, index)).save(tmp_path / "model")


def test_a_save_that_fails_leaves_the_file_that_was_there(tmp_path, monkeypatch):
    path = MLMGCO(beta=1.0).save(tmp_path / "model")
    before = path.read_bytes()

    def half(file, **arrays):
        file.write(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez_compressed", half)
    with pytest.raises(OSError, match="disk full"):
        MLMGCO(beta=2.0).save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    monkeypatch.undo()
    with path.open("rb") as reader:  # who reads the old file reads it to its end
        MLMGCO(beta=2.0).save(path)
        assert reader.read() == before
    assert MLMGCO.load(path).beta == 2.0


@pytest.mark.parametrize("name", ["model", "model.npz", "model.v2"])
def test_a_name_finds_what_it_saved(name, tmp_path):
    path = MLMGCO(beta=3.0).save(str(tmp_path / name))
    assert path.suffix == ".npz"
    assert MLMGCO.load(tmp_path / name).beta == MLMGCO.load(path).beta == 3.0


def test_a_file_that_is_not_there_is_not_found(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"absent\.npz"):
        MLMGCO.load(tmp_path / "absent")
    with pytest.raises(FileNotFoundError):
        MLMGCO().save(tmp_path / "absent" / "model")


def test_damage_anywhere_is_a_value_error_that_names_the_file(tmp_path):
    path = estimator(MLMGCO).fit(X, Y).save(tmp_path / "model")
    whole, rng = path.read_bytes(), np.random.default_rng(0)
    for end in [*range(0, len(whole), 997), len(whole) - 1]:
        path.write_bytes(whole[:end])
        with pytest.raises(ValueError, match=r"model\.npz is not a saved Tagweave estimator, or it is damaged"):
            MLMGCO.load(path)
    for position in rng.integers(0, len(whole), 150):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 0xFF]) + whole[position + 1 :])
        # Some bytes, such as dates, may change unnoticed.
        try:
            assert_same(MLMGCO.load(path).scores_, estimator(MLMGCO).fit(X, Y).scores_)
        except ValueError as error:
            assert "model.npz" in str(error)  # noqa: PT017 - it need not raise


def write_text(path):
    path.write_text("not a zip file")


def write_array(path):
    with path.open("wb") as file:
        np.save(file, np.zeros(3))


def write_arrays(path):
    np.savez(path, X=np.zeros(3))


def write_list(path):
    np.savez(path, header=np.array("[1]"))


def write_pickle(path):
    np.savez(path, header=np.array([{}], dtype=object))


@pytest.mark.parametrize("write", [write_text, write_array, write_arrays, write_list, write_pickle])
def test_a_foreign_file_is_refused_by_name(write, tmp_path):
    write(tmp_path / "foreign.npz")
    with pytest.raises(ValueError, match=r"foreign\.npz is not a saved Tagweave estimator"):
        MLMGCO.load(tmp_path / "foreign.npz")


def test_a_newer_format_and_another_estimator_say_what_they_are(tmp_path):
    newer = {"format": "tagweave estimator 2", "estimator": "MLMGCO", "parameters": {"x": {"is": "news"}}, "fitted": 0}
    np.savez(tmp_path / "newer.npz", header=np.array(json.dumps(newer)))
    with pytest.raises(
        ValueError, match=r"format 'tagweave estimator 2'; this version .* reads 'tagweave estimator 1'"
    ):
        MLMGCO.load(tmp_path / "newer")
    MLMGSL().save(tmp_path / "other")
    with pytest.raises(ValueError, match=r"holds a MLMGSL; load it with MLMGSL\.load"):
        MLMGCO.load(tmp_path / "other")
