"""Hierarchies with label matrices in MATLAB files, as published with the MLMG papers (ICCV 2015, IJCV 2018)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import io

from tagweave._typing import Int8Array
from tagweave.datasets.arrays import is_sparse
from tagweave.datasets.collection import Collection
from tagweave.exceptions import DataError, HierarchyError
from tagweave.hierarchy import Hierarchy
from tagweave.labels import MISSING

# The two generations of the published files call the same things differently.
_EDGES = ("edgeMatrix", "directed_edges")
_PARENTS = ("parent_matrix",)
_NAMES = ("label_name", "class_name")
_COMPLETE = (("label_train_full", "label_test_full"), ("label_train_SH_augmented", "label_test_SH_augmented"))
_ORIGINAL = (("label_train_original", "label_test_original"), ("label_train", "label_test"))


@dataclass(frozen=True, eq=False)
class MatlabHierarchy:
    """What such a file holds.

    Attributes
    ----------
    path : Path
        Of the file.
    hierarchy : Hierarchy
    complete, original : ndarray of shape (n_instances, n_labels) or None
        Training above test; the published files hold the complete labels only.
    n_train : int or None
        How many of the rows are for training.
    """

    path: Path
    hierarchy: Hierarchy
    complete: Int8Array | None
    original: Int8Array | None
    n_train: int | None


def import_matlab(
    path: str | PathLike[str], X: Any = None, *, labels: Sequence[str] | None = None, variable: str | None = None
) -> Collection:
    """Read a hierarchy with its label matrices as a collection.

    Parameters
    ----------
    path : path
        Of the .mat file, up to version 7.
    X : array, sparse matrix or mapping of str to these, optional
        Features, in the order of the file's instances, training first.
    labels : sequence of str, optional
        The names, if the file does not say them.
    variable : str, optional
        The structure in the file; by default the one with edges.

    Returns
    -------
    Collection
        Where the file holds the complete labels only, they are taken as the original ones too.

    Raises
    ------
    DataError
        If the file is damaged, of version 7.3, or without what is needed; it names the field.
    """
    found = read_matlab_hierarchy(path, labels=labels, variable=variable)
    original = found.complete if found.original is None else found.original
    if original is None:
        wanted = " or ".join(" and ".join(pair) for pair in _COMPLETE)
        raise DataError(path, f"a hierarchy without label matrices; expected {wanted}")
    return Collection.from_arrays(
        X,
        original,
        name=Path(path).stem.replace("_semantic", "").removesuffix("_hierarchy_structure"),
        complete=found.complete,
        hierarchy=found.hierarchy,
        n_train=found.n_train,
    )


def read_matlab_hierarchy(
    path: str | PathLike[str], *, labels: Sequence[str] | None = None, variable: str | None = None
) -> MatlabHierarchy:
    """Read a hierarchy and, where there, its label matrices.

    Parameters
    ----------
    path : path
        Of the .mat file, up to version 7.
    labels : sequence of str, optional
        The names; where the file has its own they must be the same.
    variable : str, optional
        The structure in the file; by default the one with edges.

    Returns
    -------
    MatlabHierarchy
    """
    path = Path(path)
    fields = _fields(path, variable)
    names = _names(path, fields)
    if labels is not None:
        if names is not None and names != tuple(labels):
            other = next((pair for pair in zip(names, labels, strict=False) if pair[0] != pair[1]), None)
            hint = f"{other[0]!r} where {other[1]!r} was expected" if other else f"{len(names)}, not {len(labels)}"
            raise DataError(path, f"other names: {hint}", "label_name")
        names = tuple(labels)
    if names is None:
        raise DataError(path, f"no {' or '.join(_NAMES)}; expected names in the file, or labels=")
    edges = _edges(path, fields, len(names))
    try:
        hierarchy = Hierarchy(names, [(names[child], names[parent]) for child, parent in edges])
    except HierarchyError as error:
        raise DataError(path, str(error)) from error
    complete, n_train = _labels(path, fields, _COMPLETE, len(names))
    original, n_also = _labels(path, fields, _ORIGINAL, len(names))
    if complete is not None and original is not None and (complete.shape, n_train) != (original.shape, n_also):
        raise DataError(path, f"complete labels {complete.shape}, original ones {original.shape}; expected one shape")
    return MatlabHierarchy(path, hierarchy, complete, original, n_also if n_train is None else n_train)


def _fields(path: Path, variable: str | None) -> Mapping[str, Any]:
    """Return the fields of the structure that has the edges, or the variables of the file if they have."""
    with path.open("rb") as file:
        if file.read(128).startswith(b"MATLAB 7.3"):
            raise DataError(
                path,
                "of MATLAB 7.3, which is HDF5 (h5py reads it); in MATLAB, save it again with -v7",
            )
    try:
        content = io.loadmat(path, squeeze_me=False, struct_as_record=True, chars_as_strings=True)
    except Exception as error:  # there is little that a damaged file does not raise
        raise DataError(path, f"no MATLAB file, or damaged: {error}", f"of {path.stat().st_size} bytes") from error
    variables = {name: value for name, value in content.items() if not name.startswith("__")}
    if variable is not None and variable not in variables:
        raise DataError(path, f"no variable {variable!r}; there are {', '.join(variables) or 'none'}")
    structures = [_structure(variables[variable])] if variable else [*map(_structure, variables.values()), variables]
    for fields in structures:
        # One level down: later files put the hierarchy beside other structures.
        for candidate in (fields, *map(_structure, fields.values())):
            if any(key in candidate for key in (*_EDGES, *_PARENTS)):
                return candidate
    wanted = ", ".join((*_EDGES, *_PARENTS))
    raise DataError(path, f"no structure with {wanted}; there are {', '.join(variables) or 'no variables'}")


def _structure(value: Any) -> dict[str, Any]:
    if isinstance(value, np.ndarray) and value.dtype.names and value.size == 1:
        record = value.ravel()[0]
        return {name: record[name] for name in value.dtype.names}
    return {}


def _first(fields: Mapping[str, Any], keys: Sequence[str]) -> str | None:
    return next((key for key in keys if key in fields), None)


def _names(path: Path, fields: Mapping[str, Any]) -> tuple[str, ...] | None:
    key = _first(fields, _NAMES)
    if key is None:
        return None
    given = np.asarray(fields[key])
    if given.dtype.kind == "U":  # a matrix of characters, padded
        return tuple(str(name).strip() for name in given.ravel())
    names = []
    for place, cell in enumerate(given.ravel()):
        text = np.asarray(cell)
        if text.dtype.kind != "U" or text.size != 1:
            raise DataError(path, f"{cell!r}; expected a name", f"{key}, item {place + 1}")
        names.append(str(text.item()).strip())
    return tuple(names)


def _edges(path: Path, fields: Mapping[str, Any], n_labels: int) -> list[tuple[int, int]]:
    """Return (child, parent) columns, counted from 0."""
    key = _first(fields, _EDGES)
    if key is None:
        parents = _matrix(path, fields, _PARENTS[0])
        if parents.shape != (n_labels, n_labels):
            raise DataError(path, f"shape {parents.shape}; expected {(n_labels, n_labels)}", _PARENTS[0])
        return [(int(child), int(parent)) for child, parent in np.argwhere(parents != 0)]
    given = _matrix(path, fields, key)
    if given.size == 0:
        return []
    if given.shape[1] != 2:
        raise DataError(path, f"shape {given.shape}; expected a row (child, parent) per edge", key)
    strange = ~((given >= 1) & (given <= n_labels) & (given == np.floor(given)))
    if strange.any():
        row, column = (int(k) for k in np.argwhere(strange)[0])
        raise DataError(path, f"{given[row, column]:g}; expected a label, 1 to {n_labels}", f"{key}, row {row + 1}")
    return [(int(child) - 1, int(parent) - 1) for child, parent in given]


def _labels(
    path: Path, fields: Mapping[str, Any], pairs: Sequence[tuple[str, str]], n_labels: int
) -> tuple[Int8Array | None, int | None]:
    """Return labels with instances in rows, training above test, and how many are for training."""
    for train, test in pairs:
        if train in fields and test in fields:
            halves = [_label_matrix(path, fields, key, n_labels) for key in (train, test)]
            return np.concatenate(halves), len(halves[0])
    return None, None


def _label_matrix(path: Path, fields: Mapping[str, Any], key: str, n_labels: int) -> Int8Array:
    given = _matrix(path, fields, key)
    # Published with labels in rows; the other way is plain from the shape, unless it is square.
    if given.shape[0] == n_labels:
        given = given.T
    elif given.shape[1] != n_labels:
        raise DataError(path, f"shape {given.shape}; expected {n_labels} labels by instances", key)
    # The published code writes a negative as 0 or as -1, which is no missing label here; NaN is.
    missing = np.isnan(given)
    strange = ~(np.isin(given, (-1, 0, 1)) | missing)
    if strange.any():
        row, column = (int(k) for k in np.argwhere(strange)[0])
        raise DataError(
            path, f"{given[row, column]:g}; expected 1 or 0", f"{key}, instance {row + 1}, label {column + 1}"
        )
    states: Int8Array = (given == 1).astype(np.int8)
    states[missing] = MISSING
    return states


def _matrix(path: Path, fields: Mapping[str, Any], key: str) -> NDArray[Any]:
    value = fields[key]
    matrix = np.asarray(value.toarray() if is_sparse(value) else value)
    if matrix.ndim != 2 or matrix.dtype.kind not in "biuf":
        raise DataError(path, f"shape {matrix.shape} of {matrix.dtype}; expected a matrix of numbers", key)
    return matrix
