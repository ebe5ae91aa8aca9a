"""Tagweave's own format: a folder with labels, names, features and photos. `docs/data.md` describes it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tagweave._typing import Int8Array
from tagweave.datasets.arrays import is_sparse, read_npy, read_npz
from tagweave.datasets.atomic import new_folder
from tagweave.datasets.collection import Collection
from tagweave.datasets.names import FILE, Names, find_photos, read_names, write_names
from tagweave.datasets.tables import read_csv, read_parquet
from tagweave.datasets.views import SUFFIXES, FeatureViews, StoredView
from tagweave.exceptions import DataError, HierarchyError
from tagweave.labels import MISSING, NEGATIVE, POSITIVE

LABELS = "labels"
PHOTOS = "photos"


@dataclass(frozen=True, eq=False)
class _LabelFile:
    original: Int8Array
    complete: Int8Array | None = None
    n_train: int | None = None
    labels: tuple[str, ...] | None = None
    instances: tuple[str, ...] | None = None


def is_collection(folder: Path) -> bool:
    """Whether a folder holds a collection: a file of labels, that is.

    Parameters
    ----------
    folder : Path

    Returns
    -------
    bool

    Examples
    --------
    >>> is_collection(Path("/nowhere"))
    False
    """
    return any((folder / f"{LABELS}{suffix}").is_file() for suffix in SUFFIXES)


def read_folder(folder: Path) -> Collection:
    """Read a collection from a folder; features are read when they are asked for.

    Parameters
    ----------
    folder : Path

    Returns
    -------
    Collection

    Raises
    ------
    DataError
        If something is damaged, or does not fit the rest; it names the file and the place.
    """
    path = next((folder / f"{LABELS}{suffix}" for suffix in SUFFIXES if (folder / f"{LABELS}{suffix}").is_file()), None)
    if path is None:
        raise DataError(folder, f"no labels; expected {', '.join(LABELS + suffix for suffix in SUFFIXES)}")
    found = _read_labels(path)
    names = read_names(folder / FILE)
    n, m = found.original.shape
    instances = names.instances if names.instances is not None else found.instances
    for said, count, key in ((names.labels, m, "columns"), (names.instances, n, "rows")):
        if said is not None and len(said) != count:
            what = "labels" if key == "columns" else "photos"
            raise DataError(folder / FILE, f"{len(said)} names; {path.name} has {count} {key}", repr(what))
    n_train = names.n_train if found.n_train is None else found.n_train
    if n_train is not None and not 0 <= n_train <= n:
        where = path if found.n_train is not None else folder / FILE
        raise DataError(where, f"{n_train}; expected 0 to {n}, the number of rows", "'n_train'")
    try:
        collection = Collection.from_arrays(
            None,
            _floats(found.original),
            name=names.name or folder.absolute().name,
            complete=None if found.complete is None else _floats(found.complete),
            labels=names.labels or found.labels,
            hierarchy=names.edges,
            n_train=n_train,
            instances=instances,
            photos=find_photos(folder / PHOTOS, instances),
        )
    except HierarchyError as error:
        raise DataError(folder / FILE if names.labels or names.edges else path, str(error)) from error
    views = {file.stem: StoredView(file) for file in _view_files(folder)}
    return replace(collection, features=FeatureViews(views, n), view=next(iter(views)) if len(views) == 1 else None)


def save(folder: str | PathLike[str], collection: Collection, *, photos: bool = False, overwrite: bool = False) -> Path:
    """Save a collection as a folder that `load` reads: whole, or not at all.

    Parameters
    ----------
    folder : path
        Where to; what is missing above it is made.
    collection : Collection
        What to save. Its features are read, one kind after the other.
    photos : bool
        Whether to copy the photos too.
    overwrite : bool
        Whether a folder that is there may be replaced, with all that is in it.

    Returns
    -------
    Path
        The folder.

    Examples
    --------
    >>> import tempfile
    >>> from tagweave.datasets import Collection, load, save
    >>> pets = Collection.from_arrays([[0.5], [2.0]], [[1, 0], [0, 1]], labels=["dog", "cat"])
    >>> with tempfile.TemporaryDirectory() as home:
    ...     folder = save(home + "/pets", pets)
    ...     sorted(file.name for file in folder.iterdir()), load(folder).X.ravel()
    (['features.npz', 'labels.npz', 'names.json'], array([0.5, 2. ]))
    """
    target = Path(folder).absolute()
    for name in collection.features:
        if name in (LABELS, PHOTOS, "names") or not name or Path(name).name != name or name.startswith("."):
            raise ValueError(f"features {name!r}: no file can have this name here; expected another")
    with new_folder(target, overwrite=overwrite) as part:
        arrays: dict[str, Any] = {"original": collection.original, "complete": collection.complete}
        np.savez_compressed(part / f"{LABELS}.npz", n_train=np.int64(collection.n_train), **arrays)
        write_names(
            part / FILE,
            Names(
                labels=collection.labels,
                edges=tuple((str(child), str(parent)) for child, parent in collection.hierarchy.edges),
                instances=collection.instances,
                name=collection.name,
            ),
        )
        for name, X in collection.features.items():
            _write_view(part / f"{name}.npz", X)
        if photos and collection.photos is not None:
            _copy_photos(part / PHOTOS, collection)
    return target


def _view_files(folder: Path) -> list[Path]:
    files: dict[str, Path] = {}
    for file in sorted(folder.iterdir()):
        known = file.suffix in SUFFIXES and file.is_file() and not file.name.startswith(".")
        if known and file.stem not in (LABELS, "names"):
            if file.stem in files:
                raise DataError(folder, f"both {files[file.stem].name} and {file.name}; expected one file per kind")
            files[file.stem] = file
    return list(files.values())


def _read_labels(path: Path) -> _LabelFile:
    if path.suffix == ".npz":
        arrays = read_npz(path)
        key = next((key for key in ("original", "labels", "Y") if key in arrays), "")
        if not key:
            if len(arrays) != 1:
                raise DataError(path, f"arrays {', '.join(arrays) or 'none'}; expected original, complete, n_train")
            key = next(iter(arrays))
        original = _states(path, arrays[key], f"array {key!r}, ")
        complete = None
        if "complete" in arrays:
            complete = _states(path, arrays["complete"], "array 'complete', ")
            if complete.shape != original.shape:
                raise DataError(path, f"shape {complete.shape}; {key} has {original.shape}", "array 'complete'")
        n_train = arrays.get("n_train")
        if n_train is not None and (n_train.size != 1 or n_train.dtype.kind not in "iu"):
            raise DataError(path, f"{n_train!r}; expected one whole number", "array 'n_train'")
        return _LabelFile(original, complete, None if n_train is None else int(n_train.item()))
    if path.suffix == ".npy":
        return _LabelFile(_states(path, read_npy(path), ""))
    table = (read_csv if path.suffix == ".csv" else read_parquet)(path)
    return _LabelFile(_states(path, table.values, ""), labels=table.columns, instances=table.rows)


def _states(path: Path, values: NDArray[Any], where: str) -> Int8Array:
    """Code labels as 1, 0, -1; NaN and -1 are missing."""
    if values.ndim != 2 or values.dtype.kind not in "biuf":
        raise DataError(
            path, f"{where}shape {values.shape}, type {values.dtype}; expected a matrix of 1, 0 and NaN (or -1)"
        )
    states = np.full(values.shape, MISSING, dtype=np.int8)
    states[values == POSITIVE] = POSITIVE
    states[values == NEGATIVE] = NEGATIVE
    strange = (states == MISSING) & (values != MISSING)
    if values.dtype.kind == "f":
        strange &= ~np.isnan(values)
    if strange.any():
        row, column = (int(k) for k in np.argwhere(strange)[0])
        raise DataError(
            path, f"{values[row, column].item()!r}; expected 1, 0 and NaN (or -1)", f"{where}row {row}, column {column}"
        )
    return states


def _floats(states: Int8Array) -> NDArray[np.float32]:
    return np.where(states == MISSING, np.nan, states).astype(np.float32)


def _write_view(path: Path, X: Any) -> None:
    if is_sparse(X):
        sparse.save_npz(path, sparse.csr_array(X))
    else:
        np.savez_compressed(path, X=np.asarray(X))


def _copy_photos(folder: Path, collection: Collection) -> None:
    """Copy the photos under the names of their instances, so that `find_photos` finds them again."""
    if collection.instances is None:
        raise ValueError("photos=True needs the names of the instances: nothing else tells whose photo is whose")
    folder.mkdir()
    for instance, photo in zip(collection.instances, collection.photos or (), strict=True):
        if photo is None:
            continue
        if Path(instance).is_absolute() or ".." in Path(instance).parts:
            raise ValueError(f"instance {instance!r} is no name for a file in the folder; expected one without '..'")
        target = folder / instance
        if target.suffix.lower() != photo.suffix.lower():
            target = target.with_name(target.name + photo.suffix)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(photo, target)
