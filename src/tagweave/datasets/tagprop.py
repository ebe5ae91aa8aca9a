"""The release of Guillaumin, Mensink, Verbeek and Schmid (TagProp, ICCV 2009): Corel5k, ESP Game, IAPRTC-12."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tagweave.datasets.collection import Collection
from tagweave.datasets.matlab import read_matlab_hierarchy
from tagweave.datasets.vectors import read_vectors
from tagweave.exceptions import DataError
from tagweave.hierarchy import Hierarchy

SPLITS = ("train", "test")


@dataclass(frozen=True)
class VectorView:
    """Features in two files of vectors, training and test."""

    train: Path
    test: Path

    def shape(self) -> tuple[int, int]:
        """Return (n_instances, n_features)."""
        shape: tuple[int, int] = self.read().shape
        return shape

    def read(self) -> NDArray[Any]:
        """Return the features, training above test."""
        parts = [read_vectors(self.train), read_vectors(self.test)]
        if parts[0].shape[1] != parts[1].shape[1]:
            raise DataError(self.test, f"vectors of {parts[1].shape[1]}; {self.train.name} has {parts[0].shape[1]}")
        return np.concatenate(parts)


def required_files(name: str) -> tuple[str, ...]:
    """Return the files of the release without which there is no collection.

    Parameters
    ----------
    name : str
        "corel5k", "espgame" or "iaprtc12".

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> required_files("corel5k")[0]
    'corel5k_dictionary.txt'
    """
    return (f"{name}_dictionary.txt", *(f"{name}_{split}_annot.hvecs" for split in SPLITS))


def import_tagprop(
    folder: str | PathLike[str],
    name: str | None = None,
    *,
    features: Iterable[str] | None = None,
    hierarchy: str | PathLike[str] | Hierarchy | None = None,
) -> Collection:
    """Read the release as it was published.

    Parameters
    ----------
    folder : path
        Where the files are: ``corel5k_dictionary.txt``, ``corel5k_train_annot.hvecs``,
        ``corel5k_test_annot.hvecs`` and, where there, ``corel5k_train_list.txt``,
        ``corel5k_train_DenseSift.hvecs``, ``corel5k_train_Gist.fvec``, ... with their test halves.
    name : str, optional
        What the files begin with; by default what the one dictionary there begins with.
    features : iterable of str, optional
        Which features, as in the names of the files ("DenseSift") or as they are called here ("dense_sift");
        by default all that have both halves.
    hierarchy : path or Hierarchy, optional
        The release has none. The .mat file published with the MLMG paper, or a hierarchy over the dictionary. By
        default a file ``<name>_hierarchy_structure.mat`` (or ``_semantic_hierarchy_structure.mat``) in the
        folder, if there.

    Returns
    -------
    Collection

    Raises
    ------
    DataError
        If files are damaged or do not fit each other; it names the file and the place.
    """
    folder = Path(folder)
    name = name or _guess_name(folder)
    labels = _read_words(folder / f"{name}_dictionary.txt")
    annotations = [_read_annotations(folder / f"{name}_{split}_annot.hvecs", labels, name) for split in SPLITS]
    original = np.concatenate(annotations)
    if hierarchy is None:
        hierarchy = next(iter(sorted(folder.glob(f"{name}_*hierarchy_structure.mat"))), None)
    complete = None
    if isinstance(hierarchy, str | PathLike):
        published = read_matlab_hierarchy(hierarchy, labels=labels)
        hierarchy, complete = published.hierarchy, published.complete
        if complete is not None and complete.shape != original.shape:
            raise DataError(
                published.path, f"label matrices for {complete.shape[0]} instances; the lists have {original.shape[0]}"
            )
    return Collection.from_arrays(
        _views(folder, name, features),
        original,
        name=name,
        complete=complete,
        labels=None if hierarchy is not None else labels,
        hierarchy=hierarchy,
        n_train=len(annotations[0]),
        instances=_read_lists(folder, name, [len(part) for part in annotations]),
    )


def view_name(published: str) -> str:
    """Return what features of the release are called here.

    Parameters
    ----------
    published : str
        As in the names of the files.

    Returns
    -------
    str

    Examples
    --------
    >>> view_name("DenseSiftV3H1"), view_name("Gist")
    ('dense_sift_v3h1', 'gist')
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", published).lower()


def _guess_name(folder: Path) -> str:
    names = [path.name.removesuffix("_dictionary.txt") for path in sorted(folder.glob("*_dictionary.txt"))]
    if len(names) != 1:
        raise DataError(folder, f"{len(names)} files *_dictionary.txt; expected one, or name=")
    return names[0]


def _read_words(path: Path) -> tuple[str, ...]:
    content = path.read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return tuple(text.split())


def _read_annotations(path: Path, labels: tuple[str, ...], name: str) -> NDArray[np.int8]:
    given = read_vectors(path)
    if given.shape[1] != len(labels):
        raise DataError(path, f"{given.shape[1]} labels; {name}_dictionary.txt has {len(labels)} words", "row 0")
    strange = given > 1
    if strange.any():
        row, column = (int(k) for k in np.argwhere(strange)[0])
        raise DataError(path, f"{int(given[row, column])}; expected 1 or 0", f"row {row}, column {column}")
    return given.astype(np.int8)


def _read_lists(folder: Path, name: str, counts: list[int]) -> tuple[str, ...] | None:
    names: list[str] = []
    for split, count in zip(SPLITS, counts, strict=True):
        path = folder / f"{name}_{split}_list.txt"
        if not path.is_file():
            return None
        listed = _read_words(path)
        if len(listed) != count:
            raise DataError(path, f"{len(listed)} images; {name}_{split}_annot.hvecs has {count} rows")
        names += listed
    return tuple(names)


def _views(folder: Path, name: str, features: Iterable[str] | None) -> dict[str, VectorView]:
    there = {}
    for train in sorted(folder.glob(f"{name}_train_*vec*")):
        stem = train.name.removeprefix(f"{name}_train_")
        test = folder / f"{name}_test_{stem}"
        published = stem.split(".")[0]
        if published != "annot" and test.is_file():
            there[view_name(published)] = VectorView(train, test)
    if features is None:
        return there
    chosen = [view_name(view) for view in features]
    absent = [view for view in chosen if view not in there]
    if absent:
        raise DataError(
            folder, f"no features {', '.join(absent)} with both halves; there are {', '.join(there) or 'none'}"
        )
    return {view: there[view] for view in chosen}
