"""What all tests share: the reference data, and Hypothesis on a shared machine."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]

# Under --import-mode=importlib nothing else puts `tests.strategies` within reach of a bare `pytest`.
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

# A deadline measures the machine; what must be fast has a test that says so.
settings.register_profile("tagweave", deadline=None, max_examples=60)
# CI judges a change: the same examples each time. New ones are looked for wherever else the tests run.
settings.register_profile("ci", parent=settings.get_profile("tagweave"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "tagweave")


@dataclass(frozen=True)
class ReferenceLabels:
    """Labels and hierarchy of one of the paper's data sets; arrays are read-only, rows are instances."""

    name: str
    labels: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    original: NDArray[np.uint8]
    complete: NDArray[np.uint8]
    n_train: int


@pytest.fixture(scope="session")
def shared() -> Path:
    path = ROOT.parent / "shared"
    if not path.is_dir():
        pytest.skip(f"REFERENCE DATA ABSENT: {path} is no folder, nothing was compared with the paper's data")
    return path


def read_reference_labels(shared: Path, name: str) -> ReferenceLabels:
    folder = shared / "data" / name
    if not folder.is_dir():
        pytest.skip(f"REFERENCE DATA ABSENT: {folder} is no folder, nothing was compared with {name}")
    names = json.loads((folder / "names.json").read_text(encoding="utf-8"))
    with np.load(folder / "labels.npz") as arrays:
        original, complete, n_train = arrays["original"], arrays["complete"], int(arrays["n_train"])
    original.flags.writeable = complete.flags.writeable = False
    edges = tuple((child, parent) for child, parent in names["edges_child_parent"])
    return ReferenceLabels(name, tuple(names["labels"]), edges, original, complete, n_train)


@pytest.fixture(scope="session")
def corel5k(shared: Path) -> ReferenceLabels:
    return read_reference_labels(shared, "corel5k")


@pytest.fixture(scope="session")
def espgame(shared: Path) -> ReferenceLabels:
    return read_reference_labels(shared, "espgame")


@pytest.fixture(scope="session")
def iaprtc12(shared: Path) -> ReferenceLabels:
    return read_reference_labels(shared, "iaprtc12")
