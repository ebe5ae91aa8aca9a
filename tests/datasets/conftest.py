"""A server and a home for data, for each test its own."""

from __future__ import annotations

import numpy as np
import pytest
from tests.datasets.server import Server


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The data home."""
    path = tmp_path / "home"
    monkeypatch.setenv("TAGWEAVE_DATA", str(path))
    return path


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    with Server(np.random.default_rng(0).bytes(200_000)).running() as running:
        yield running
