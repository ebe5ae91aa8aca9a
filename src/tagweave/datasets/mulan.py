"""Collections in the format of Mulan: attributes and labels in ARFF, the names of the labels in XML."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np
from scipy import sparse

from tagweave._typing import Float64Array, Int8Array
from tagweave.datasets.arff import Arff, read_arff
from tagweave.datasets.arff_header import Attribute
from tagweave.datasets.arrays import is_sparse
from tagweave.datasets.collection import Collection
from tagweave.datasets.mulan_labels import read_mulan_labels
from tagweave.exceptions import DataError, HierarchyError
from tagweave.hierarchy import Hierarchy
from tagweave.labels import MISSING


def import_mulan(
    arff: str | PathLike[str],
    xml: str | PathLike[str] | None = None,
    *,
    test: str | PathLike[str] | None = None,
    missing: Literal["error", "mean"] = "error",
    name: str | None = None,
) -> Collection:
    """Read a collection of Mulan, dense or sparse.

    Parameters
    ----------
    arff : path
        Of the ARFF file with the instances for training, or with all. Or of a folder that holds
        ``<name>-train.arff``, ``<name>-test.arff`` and ``<name>.xml`` (or ``<name>.arff`` and ``<name>.xml``).
    xml : path, optional
        The names of the labels, nested where they have a hierarchy; by default ``<name>.xml`` beside `arff`.
    test : path, optional
        The ARFF file with the instances for testing, of the same attributes.
    missing : {"error", "mean"}
        What to do with missing features (?): refuse, naming the line; or put in the mean of the attribute over
        the instances for training (for a nominal attribute, of its indicator columns). A missing label is a
        missing label.
    name : str, optional
        What the collection is called; by default what the files begin with.

    Returns
    -------
    Collection
        Labels in the order of the ARFF file. A nominal feature whose values are numbers is these numbers; one
        whose values are not becomes a column of 0 and 1 per value. Features of sparse files stay sparse.

    Raises
    ------
    DataError
        If the files are damaged or do not fit each other; it names the file and the line.
    """
    if missing not in ("error", "mean"):
        raise ValueError(f"missing={missing!r}; expected 'error' or 'mean'")
    train_path, xml_path, test_path, stem = _paths(Path(arff), xml, test, name)
    labels = read_mulan_labels(xml_path)
    parts = [read_arff(train_path)]
    if test_path is not None:
        parts.append(read_arff(test_path))
        _check_same(parts[0], parts[1])
    attributes = parts[0].attributes
    columns = {attribute.name: column for column, attribute in enumerate(attributes)}
    absent = [label for label in labels.names if label not in columns]
    if absent:
        raise DataError(xml_path, f"label {absent[0]!r} is no attribute of {train_path.name} ({len(absent)} are not)")
    chosen = sorted(columns[label] for label in labels.names)
    try:
        hierarchy = Hierarchy([attributes[column].name for column in chosen], labels.edges)
    except HierarchyError as error:
        raise DataError(xml_path, str(error)) from error
    others = np.setdiff1d(np.arange(len(attributes)), chosen)
    return Collection.from_arrays(
        _features(parts, others, missing) if len(others) else None,
        np.concatenate([_label_states(part, chosen) for part in parts]),
        name=stem,
        hierarchy=hierarchy,
        n_train=parts[0].values.shape[0],
    )


def _paths(
    arff: Path, xml: str | PathLike[str] | None, test: str | PathLike[str] | None, name: str | None
) -> tuple[Path, Path, Path | None, str]:
    """Find the three files and what they begin with."""
    if arff.is_dir():
        stem = name or _guess_name(arff)
        whole, train = arff / f"{stem}.arff", arff / f"{stem}-train.arff"
        if train.is_file():
            half = arff / f"{stem}-test.arff"
            test = half if test is None and half.is_file() else test
            whole = train
        arff = whole
    stem = arff.stem.removesuffix("-train")
    xml_path = arff.with_name(f"{stem}.xml") if xml is None else Path(xml)
    return arff, xml_path, None if test is None else Path(test), name or stem


def _guess_name(folder: Path) -> str:
    names = {path.stem.removesuffix("-train").removesuffix("-test") for path in folder.glob("*.arff")}
    if len(names) != 1:
        raise DataError(folder, f"{len(names)} collections in .arff files; expected one, or name=")
    return names.pop()


def _check_same(train: Arff, test: Arff) -> None:
    for column, (mine, other) in enumerate(zip(train.attributes, test.attributes, strict=False)):
        if mine != other:
            found, expected = (
                f"{attribute.name!r}, {', '.join(attribute.values[:5]) or 'numeric'}" for attribute in (other, mine)
            )
            raise DataError(test.path, f"attribute {column} is {found}; {train.path.name} has {expected}")
    if len(train.attributes) != len(test.attributes):
        raise DataError(test.path, f"{len(test.attributes)} attributes; {train.path.name} has {len(train.attributes)}")


def _label_states(part: Arff, columns: list[int]) -> Int8Array:
    chosen: Any = part.values[:, columns]
    codes = _dense(chosen)
    states = np.full(codes.shape, MISSING, dtype=np.int8)
    for place, column in enumerate(columns):
        known = ~np.isnan(codes[:, place])
        numbers = _numbers(part.attributes[column])
        values = codes[:, place] if numbers is None else numbers[np.where(known, codes[:, place], 0).astype(np.intp)]
        strange = known & (values != 0) & (values != 1)
        if strange.any():
            row = int(np.argmax(strange))
            attribute = part.attributes[column]
            shown = attribute.values[int(codes[row, place])] if attribute.values else f"{values[row]:g}"
            raise DataError(
                part.path,
                f"label {attribute.name!r} is {shown}; expected 0 or 1, or ? where missing",
                f"line {part.lines[row]}",
            )
        states[known, place] = values[known]
    return states


def _dense(values: Any) -> Float64Array:
    dense: Float64Array = values.toarray() if is_sparse(values) else values
    return dense


def _numbers(attribute: Attribute) -> Float64Array | None:
    """Return the numbers that the values of a nominal attribute stand for; None for a numeric one.

    Values that are no numbers give NaN all over.
    """
    if attribute.kind == "numeric":
        return None
    try:
        return np.array([float(value) for value in attribute.values])
    except ValueError:
        return np.full(len(attribute.values), np.nan)


def _features(parts: list[Arff], columns: Any, missing: str) -> Any:
    attributes = [parts[0].attributes[column] for column in columns]
    n_train = len(parts[0].lines)
    if all(is_sparse(part.values) for part in parts) and all(map(_stays_sparse, attributes)):
        stacked: Any = sparse.csr_array(sparse.vstack([sparse.csr_array(part.values) for part in parts]))
        _check_missing(parts, stacked, columns, missing)
        kept: Any = sparse.csr_array(stacked[:, columns])
        unknown = np.isnan(kept.data)
        if unknown.any():
            kept.data[unknown] = _means(kept[:n_train].toarray())[kept.indices[unknown]]
        return kept
    dense = np.concatenate([_dense(part.values) for part in parts])
    _check_missing(parts, dense, columns, missing)
    pairs = zip(attributes, columns, strict=True)
    X = np.hstack([_columns_of(attribute, dense[:, column]) for attribute, column in pairs])
    unknown = np.isnan(X)
    if unknown.any():
        X[unknown] = np.broadcast_to(_means(X[:n_train]), X.shape)[unknown]
    return X


def _stays_sparse(attribute: Attribute) -> bool:
    """Whether the position of a value is its number: then what a sparse row leaves out is 0."""
    return attribute.kind == "numeric" or attribute.values in (("0",), ("0", "1"))


def _columns_of(attribute: Attribute, codes: Float64Array) -> Float64Array:
    """Return the columns that stand for an attribute, NaN where it is missing."""
    numbers = _numbers(attribute)
    if numbers is None:
        return codes[:, None]
    known = ~np.isnan(codes)
    positions = np.where(known, codes, 0).astype(np.intp)
    columns = numbers[:, None] if np.isfinite(numbers).all() else np.eye(len(numbers))
    return np.where(known[:, None], columns[positions], np.nan)


def _means(X: Float64Array) -> Float64Array:
    """Return the mean of what is known in each column; 0 where nothing is."""
    known = ~np.isnan(X)
    means: Float64Array = np.where(known, X, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return means


def _check_missing(parts: list[Arff], values: Any, columns: Any, missing: str) -> None:
    if missing == "mean":
        return
    if is_sparse(values):
        at = np.flatnonzero(np.isnan(values.data))
        rows, found = np.searchsorted(values.indptr, at, side="right") - 1, values.indices[at]
    else:
        rows, found = np.nonzero(np.isnan(values))
    among = np.isin(found, columns)
    if not among.any():
        return
    row, column = int(rows[among][0]), int(found[among][0])
    n_train = len(parts[0].lines)
    part, row = (parts[0], row) if row < n_train else (parts[1], row - n_train)
    raise DataError(
        part.path,
        f"feature {part.attributes[column].name!r} is missing (?); missing='mean' puts in the mean of its column",
        f"line {part.lines[row]}",
    )
