"""Features, each kind of them a view of the collection, read when somebody looks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from tagweave.datasets.arrays import is_sparse, npy_shape, npz_shapes, read_npy, read_npz, sparse_from
from tagweave.datasets.tables import read_csv, read_parquet
from tagweave.exceptions import DataError

SUFFIXES = (".npz", ".npy", ".csv", ".parquet")
"""The kinds of files that hold labels or features, in the order in which they are looked for."""


@runtime_checkable
class View(Protocol):
    """Features that are somewhere."""

    def shape(self) -> tuple[int, int]:
        """Return (n_instances, n_features), without reading the features if it can be helped."""
        ...

    def read(self) -> Any:
        """Return the features: an array or a sparse matrix."""
        ...


@dataclass(frozen=True, eq=False)
class ArrayView:
    """Features in memory."""

    X: Any

    def shape(self) -> tuple[int, int]:
        """Return (n_instances, n_features)."""
        return self.X.shape[0], self.X.shape[1]

    def read(self) -> Any:
        """Return the features."""
        return self.X


@dataclass(frozen=True)
class StoredView:
    """Features in a file: .npz (dense, as X or alone; or as `scipy.sparse.save_npz` writes), .npy, .csv, .parquet."""

    path: Path

    def shape(self) -> tuple[int, int]:
        """Return (n_instances, n_features); of .npz and .npy only the header is read."""
        if self.path.suffix == ".npy":
            return self._matrix(npy_shape(self.path))
        if self.path.suffix == ".npz":
            shapes = npz_shapes(self.path)
            if "indptr" not in shapes and "col" not in shapes:
                return self._matrix(shapes[self._name(tuple(shapes))])
        shape: tuple[int, int] = self.read().shape
        return shape

    def read(self) -> Any:
        """Return the features."""
        if self.path.suffix == ".npz":
            arrays = read_npz(self.path)
            if "indptr" in arrays or "col" in arrays:
                X: Any = sparse_from(self.path, arrays)
            else:
                X = arrays[self._name(tuple(arrays))]
        elif self.path.suffix == ".npy":
            X = read_npy(self.path)
        else:
            X = (read_csv if self.path.suffix == ".csv" else read_parquet)(self.path).values
        self._matrix(X.shape)
        values = X.data if is_sparse(X) else X
        if values.dtype.kind not in "biuf":
            raise DataError(self.path, f"values of type {values.dtype}; expected numbers")
        self._check_finite(X, values)
        return X

    def _name(self, names: tuple[str, ...]) -> str:
        if "X" in names:
            return "X"
        if len(names) == 1:
            return names[0]
        raise DataError(self.path, f"arrays {', '.join(names) or 'none'}; expected X, or one array alone")

    def _matrix(self, shape: tuple[int, ...]) -> tuple[int, int]:
        if len(shape) != 2:
            raise DataError(self.path, f"shape {shape}; expected two dimensions, instances by features")
        return shape[0], shape[1]

    def _check_finite(self, X: Any, values: Any) -> None:
        if values.dtype.kind != "f" or np.isfinite(values).all():
            return
        if is_sparse(X):
            at = int(np.argmax(~np.isfinite(values)))
            row, column = int(np.searchsorted(X.indptr, at, side="right")) - 1, int(X.indices[at])
        else:
            row, column = (int(k) for k in np.argwhere(~np.isfinite(X))[0])
        raise DataError(self.path, f"{float(X[row, column])} among the features; expected finite values",
                        f"row {row}, column {column}")  # fmt: skip


class FeatureViews(Mapping[str, Any]):
    """The features of a collection by name; each is read when it is first asked for, and kept.

    Parameters
    ----------
    views : mapping of str to array, sparse matrix or View
    n_instances : int
        How many rows each must have.

    Examples
    --------
    >>> import numpy as np
    >>> views = FeatureViews({"colour": np.zeros((4, 3))}, 4)
    >>> views["colour"].shape, list(views), views.shapes()
    ((4, 3), ['colour'], {'colour': (4, 3)})
    """

    def __init__(self, views: Mapping[str, Any], n_instances: int) -> None:
        self._views: dict[str, View] = {
            name: view if isinstance(view, View) else ArrayView(view if is_sparse(view) else np.asarray(view))
            for name, view in views.items()
        }
        self._n_instances = n_instances
        self._read: dict[str, Any] = {}
        for name, view in self._views.items():
            if isinstance(view, ArrayView):
                self._check(name, view.X)

    def __getitem__(self, name: str) -> Any:
        if name not in self._views:
            raise KeyError(f"no features {name!r}; there are {', '.join(self) or 'none'}")
        if name not in self._read:
            X = self._views[name].read()
            self._check(name, X)
            self._read[name] = X
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._views)

    def __len__(self) -> int:
        return len(self._views)

    def __contains__(self, name: object) -> bool:
        return name in self._views  # Mapping's own would read the file

    def __repr__(self) -> str:
        return f"<FeatureViews: {', '.join(self) or 'none'}>"

    def shapes(self) -> dict[str, tuple[int, int]]:
        """Return the shape of each view, without reading what is not read yet.

        Returns
        -------
        dict
        """
        return {name: view.shape() for name, view in self._views.items()}

    def only(self, names: tuple[str, ...]) -> FeatureViews:
        """Return some of the views.

        Parameters
        ----------
        names : tuple of str

        Returns
        -------
        FeatureViews
        """
        return FeatureViews({name: self._views[name] for name in names}, self._n_instances)

    def _check(self, name: str, X: Any) -> None:
        if X.ndim != 2:
            raise ValueError(f"features {name!r} have shape {X.shape}; expected instances by features")
        if X.shape[0] != self._n_instances:
            source = getattr(self._views[name], "path", f"features {name!r}")
            raise DataError(source, f"{X.shape[0]} rows; the labels have {self._n_instances}")
