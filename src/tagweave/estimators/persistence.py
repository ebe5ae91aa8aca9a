"""Saving and loading estimators: one .npz file of arrays and a JSON header, nothing that runs code when read.

What the header cannot say as JSON it says as a small dictionary with the key "is": an array by its place in the
file, a sparse matrix by three arrays, a hierarchy by labels and edges, a recipe or a solver by its class and
parameters.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, Self, cast

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

from tagweave.graphs import ClassGraph, GraphReport, InstanceGraph
from tagweave.hierarchy import Hierarchy
from tagweave.solvers import (
    ADMM,
    FISTA,
    History,
    MethodOfMultipliers,
    ProjectedGradient,
    Solution,
    SparseLowRankADMM,
    Status,
)

FORMAT = "tagweave estimator 1"

_CLASSES: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        ADMM,
        FISTA,
        ClassGraph,
        GraphReport,
        History,
        InstanceGraph,
        MethodOfMultipliers,
        ProjectedGradient,
        Solution,
        SparseLowRankADMM,
    )
}

_FITTED = (
    "scores_",
    "objective_",
    "gap_",
    "n_iter_",
    "history_",
    "status_",
    "graph_",
    "graph_report_",
    "class_graph_",
    "hierarchy_",
    "solution_",
    "instances_",
    "n_features_in_",
    "feature_names_in_",
)


class Persistent:
    """A mixin: `save` to a file and `load` from it, parameters and all that was fitted."""

    def save(self, path: str | PathLike[str]) -> Path:
        """Save the estimator to one .npz file, complete or not at all. A callback is not saved.

        Parameters
        ----------
        path : str or path
            The suffix .npz is added if it is not there.

        Returns
        -------
        Path
            Where it was saved.
        """
        target = _with_suffix(path)
        arrays: dict[str, Any] = {}
        parameters = {**self.get_params(deep=False), "callback": None}  # type: ignore[attr-defined]
        fitted = {name: getattr(self, name) for name in _FITTED if hasattr(self, name)}
        header = {
            "format": FORMAT,
            "estimator": type(self).__name__,
            "parameters": {name: _encode(value, name, arrays) for name, value in parameters.items()},
            "fitted": {name: _encode(value, name, arrays) for name, value in fitted.items()},
        }
        unfinished = target.with_name(target.name + ".part")
        try:
            with unfinished.open("wb") as file:
                np.savez_compressed(file, header=np.array(json.dumps(header)), **arrays)
            unfinished.replace(target)
        finally:
            unfinished.unlink(missing_ok=True)
        return target

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Load an estimator that `save` wrote.

        Parameters
        ----------
        path : str or path
            As it was given to `save`, or as `save` returned it.

        Returns
        -------
        estimator
            Equal to the one saved: same parameters, same fitted attributes.
        """
        path = _with_suffix(path)
        with path.open("rb") as file:
            try:
                header = _read(file)
                found, estimator = header["format"], header["estimator"]
            except Exception as error:  # there is little that a damaged zip file does not raise
                raise ValueError(f"{path} is not a saved Tagweave estimator, or it is damaged: {error}") from error
        if found != FORMAT:
            raise ValueError(f"{path} is of the format {found!r}; this version of Tagweave reads {FORMAT!r}")
        if estimator != cls.__name__:
            raise ValueError(f"{path} holds a {estimator}; load it with {estimator}.load")
        loaded = cls(**header["parameters"])
        vars(loaded).update(header["fitted"])
        return loaded


def _with_suffix(path: str | PathLike[str]) -> Path:
    path = Path(path)
    return path if path.suffix == ".npz" else path.with_name(path.name + ".npz")


def _read(file: BinaryIO) -> dict[str, Any]:
    """Return the header, decoded if it is of this version's format."""
    with np.load(file, allow_pickle=False) as members:
        arrays = {name: members[name] for name in members.files}
    header: dict[str, Any] = json.loads(str(arrays.pop("header")))
    if header["format"] == FORMAT:
        for part in ("parameters", "fitted"):
            header[part] = {name: _decode(value, arrays) for name, value in header[part].items()}
    return header


def _encode(value: Any, name: str, arrays: dict[str, Any]) -> Any:
    """Return `value` as JSON can hold it; put its arrays into `arrays`, under names that start with `name`."""
    if isinstance(value, Status):
        return {"is": "Status", "value": value.value}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic) and not isinstance(value, np.void):
        return _encode(value.item(), name, arrays)
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return {"is": "objects", "value": _encode(tuple(value.tolist()), name, arrays)}
        arrays[name] = value
        return {"is": "array", "name": name}
    if sparse.issparse(value):
        matrix = sparse.csr_array(cast("Any", value))
        parts = {part: getattr(matrix, part) for part in ("data", "indices", "indptr")}
        arrays.update({f"{name}.{part}": array for part, array in parts.items()})
        return {"is": "sparse", "name": name, "shape": list(matrix.shape)}
    if isinstance(value, Hierarchy):
        parts = {"labels": value.labels, "edges": value.edges}
        return {"is": "Hierarchy", **{part: _encode(of, name, arrays) for part, of in parts.items()}}
    if isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, np.generic | float)):
        return np.dtype(value).name
    if isinstance(value, datetime):  # and so pandas' Timestamp, unless it says more than a datetime can
        text = value.isoformat()
        if datetime.fromisoformat(text).isoformat() == text:
            return {"is": "datetime", "value": text}
    if hasattr(value, "columns"):  # a DataFrame of weights or scores: its names were of no use
        return _encode(value.to_numpy(), name, arrays)
    if isinstance(value, list | tuple):
        items = [_encode(item, f"{name}.{place}", arrays) for place, item in enumerate(value)]
        return {"is": "tuple", "value": items} if isinstance(value, tuple) else items
    if type(value) in _CLASSES.values():
        inside = _parameters(value)
        return {
            "is": type(value).__name__,
            **{key: _encode(item, f"{name}.{key}", arrays) for key, item in inside.items()},
        }
    raise TypeError(f"cannot save {name}={value!r}: {type(value).__name__} has no place in the file")


def _parameters(value: Any) -> dict[str, Any]:
    if isinstance(value, BaseEstimator):
        found: dict[str, Any] = value.get_params(deep=False)
        return found
    assert is_dataclass(value)
    return {field.name: getattr(value, field.name) for field in fields(value)}


def _decode(value: Any, arrays: dict[str, Any]) -> Any:
    """Undo `_encode`."""
    if isinstance(value, list):
        return [_decode(item, arrays) for item in value]
    if not isinstance(value, dict):
        return value
    kind, inside = value["is"], {key: item for key, item in value.items() if key != "is"}
    if kind == "Status":
        return Status(inside["value"])
    if kind == "datetime":
        return datetime.fromisoformat(inside["value"])
    if kind == "array":
        return arrays[inside["name"]]
    if kind == "sparse":
        parts = tuple(arrays[f"{inside['name']}.{part}"] for part in ("data", "indices", "indptr"))
        return sparse.csr_array(parts, shape=tuple(inside["shape"]))
    if kind == "tuple":
        return tuple(_decode(item, arrays) for item in inside["value"])
    decoded = {key: _decode(item, arrays) for key, item in inside.items()}
    if kind == "objects":
        return np.array(decoded["value"], dtype=object)
    if kind == "Hierarchy":
        return Hierarchy(decoded["labels"], decoded["edges"])
    return _CLASSES[kind](**decoded)
