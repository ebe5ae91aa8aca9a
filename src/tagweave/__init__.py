"""Tagweave completes the missing tags of a collection, exactly and with a certificate."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tagweave import datasets, graphs, metrics, missing, model, solvers
    from tagweave.estimators import MLMG, MLMGCO, MLMGSL
    from tagweave.hierarchy import Hierarchy
    from tagweave.labels import Labels
    from tagweave.progress import Progress, ProgressBar

__version__ = "0.1.0"

__all__ = [
    "MLMG",
    "MLMGCO",
    "MLMGSL",
    "Hierarchy",
    "Labels",
    "Progress",
    "ProgressBar",
    "__version__",
    "datasets",
    "graphs",
    "metrics",
    "missing",
    "model",
    "solvers",
]

# Where each name lives. They are imported when first used: scikit-learn and Numba take a second to load.
_HOMES = {
    "MLMG": "tagweave.estimators",
    "MLMGCO": "tagweave.estimators",
    "MLMGSL": "tagweave.estimators",
    "Hierarchy": "tagweave.hierarchy",
    "Labels": "tagweave.labels",
    "Progress": "tagweave.progress",
    "ProgressBar": "tagweave.progress",
}
_MODULES = ("datasets", "graphs", "metrics", "missing", "model", "solvers")


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    elif name in _MODULES:
        value = import_module(f"tagweave.{name}")
    else:
        raise AttributeError(f"module 'tagweave' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
