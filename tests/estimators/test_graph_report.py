from __future__ import annotations

import numpy as np
import pytest

from tagweave import MLMGCO
from tagweave.graphs import InstanceGraph


@pytest.fixture
def collection():
    rng = np.random.default_rng(0)
    Y = (rng.random((30, 4)) < 0.4).astype(float)
    Y[20:] = np.nan
    return rng.normal(size=(30, 5)), Y


def test_a_fit_tells_how_its_neighbours_were_found(collection, tmp_path):
    model = MLMGCO(graph=InstanceGraph(n_neighbors=5, kernel_neighbor=3, method="exact")).fit(*collection)
    assert (model.graph_report_.method, model.graph_report_.recall) == ("exact", 1.0)
    assert model.graph_report_.seconds > 0
    assert MLMGCO.load(model.save(tmp_path / "model")).graph_report_ == model.graph_report_


def test_there_is_no_report_on_a_graph_that_was_given(collection, tmp_path):
    X, Y = collection
    W = InstanceGraph(n_neighbors=5, kernel_neighbor=3).build(X)
    model = MLMGCO(graph=W).fit(None, Y)
    assert model.graph_report_ is None
    assert MLMGCO.load(model.save(tmp_path / "model")).graph_report_ is None
