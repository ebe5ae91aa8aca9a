"""A collection: instances, their labels in three states, what implies what, and the features."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from tagweave._typing import Float64Array, Int8Array
from tagweave.datasets.views import FeatureViews
from tagweave.labels import MISSING, Labels

if TYPE_CHECKING:
    from tagweave.hierarchy import Hierarchy


def _no_views() -> FeatureViews:
    return FeatureViews({}, 0)


@dataclass(frozen=True, eq=False)
class Collection:
    """A collection of instances with labels; make one by `load`, by an importer, or by `from_arrays`.

    Attributes
    ----------
    name : str
        What it is called.
    original : ndarray of int8, shape (n_instances, n_labels)
        The labels as they were given: 1, 0, or -1 where missing. Read-only.
    complete : ndarray of int8, shape (n_instances, n_labels)
        The labels to judge by. If none were given, the original ones with the ancestors of positives filled in,
        as the paper completes its own. Read-only.
    hierarchy : Hierarchy
        Of the labels; without edges if none was given.
    n_train : int
        The first ``n_train`` instances are for training, the rest for testing; all of them if nothing was said.
    features : FeatureViews
        The kinds of features by name, each read when it is first asked for.
    instances : tuple of str or None
        The names of the instances.
    photos : tuple of (Path or None) or None
        The file of each instance, None for those without; None altogether without photos.
    view : str or None
        The name of the features that `X` is; None if there is no or more than one kind and none was chosen.
    """

    name: str
    original: Int8Array
    complete: Int8Array
    hierarchy: Hierarchy
    n_train: int
    features: FeatureViews = field(default_factory=_no_views)
    instances: tuple[str, ...] | None = None
    photos: tuple[Path | None, ...] | None = None
    view: str | None = None

    @classmethod
    def from_arrays(
        cls,
        X: Any,
        Y: Any,
        *,
        name: str = "collection",
        complete: Any = None,
        labels: Iterable[str] | None = None,
        hierarchy: Hierarchy | Iterable[tuple[str, str]] | None = None,
        n_train: int | None = None,
        instances: Sequence[str] | None = None,
        photos: Sequence[Path | None] | None = None,
    ) -> Self:
        """Make a collection of what is in memory.

        Parameters
        ----------
        X : array, sparse matrix, mapping of str to these, or None
            Features of shape (n_instances, n_features); several kinds by name. A single kind is called
            "features".
        Y : array-like, DataFrame or Labels of shape (n_instances, n_labels)
            1, 0, and NaN or -1 where missing. A DataFrame names labels and instances.
        name : str
            What the collection is called.
        complete : like Y, optional
            The labels to judge by; by default `Y` with the ancestors of positives filled in.
        labels : sequence of str, optional
            The names of the columns; by default those of `hierarchy` or `Y`, or "label 0", "label 1", ...
        hierarchy : Hierarchy or edges (child, parent), optional
            Of the labels, in the order of the columns.
        n_train : int, optional
            How many instances, from the first on, are for training; by default all.
        instances : sequence of str, optional
            The names of the rows.
        photos : sequence of (Path or None), optional
            The file of each row.

        Returns
        -------
        Collection

        Examples
        --------
        >>> import numpy as np
        >>> from tagweave.datasets import Collection
        >>> Y = [[1, np.nan], [0, 1]]
        >>> pets = Collection.from_arrays(np.eye(2), Y, labels=["dog", "pet"], hierarchy=[("dog", "pet")])
        >>> pets
        <Collection 'collection': 2 instances (2 for training), 2 labels, 1 edges, features: features>
        >>> pets.original, pets.complete
        (array([[ 1, -1], [ 0,  1]], dtype=int8), array([[1, 1], [0, 1]], dtype=int8))
        """
        from tagweave.hierarchy import Hierarchy

        read = _states(Y, "Y")
        n, m = read.shape
        if isinstance(hierarchy, Hierarchy):
            if labels is not None and tuple(labels) != hierarchy.labels:
                raise ValueError("labels: not those of the hierarchy in its order; expected them, or no labels")
        else:
            names = tuple(labels) if labels is not None else read.names or tuple(f"label {j}" for j in range(m))
            hierarchy = Hierarchy(names, () if hierarchy is None else hierarchy)
        if hierarchy.n_labels != m:
            raise ValueError(f"labels: {hierarchy.n_labels} names; Y has {m} columns")
        judged = hierarchy.fill(read.values) if complete is None else _states(complete, "complete").values
        if judged.shape != (n, m):
            raise ValueError(f"complete has shape {judged.shape}; expected that of Y, {(n, m)}")
        n_train = n if n_train is None else n_train
        if not 0 <= n_train <= n:
            raise ValueError(f"n_train={n_train}; expected 0 to {n}, the number of instances")
        if instances is None and read.instances is not None:
            instances = tuple(map(str, read.instances))
        for argument, given in (("instances", instances), ("photos", photos)):
            if given is not None and len(given) != n:
                raise ValueError(f"{argument}: {len(given)}; expected {n}, as many as rows of Y")
        views = {} if X is None else dict(X) if isinstance(X, Mapping) else {"features": X}
        return cls(
            name=name,
            original=_frozen(read.values),
            complete=_frozen(judged),
            hierarchy=hierarchy,
            n_train=n_train,
            features=FeatureViews(views, n),
            instances=None if instances is None else tuple(instances),
            photos=None if photos is None else tuple(photos),
            view=next(iter(views)) if len(views) == 1 else None,
        )

    @property
    def X(self) -> Any:  # noqa: N802 - the paper's symbol
        """The features: the only kind there is, or the one chosen."""
        if self.view is None:
            there = ", ".join(self.features)
            raise AttributeError(
                f"collection {self.name!r} has "
                + (f"several features: {there}; choose by features=, or take .features[name]" if there else "none")
            )
        return self.features[self.view]

    @property
    def Y(self) -> Float64Array:  # noqa: N802 - the paper's symbol
        """The original labels as floats, NaN where missing; a new array each time."""
        return _floats(self.original)

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(map(str, self.hierarchy.labels))

    @property
    def n_instances(self) -> int:
        """Number of instances, the paper's n."""
        return int(self.original.shape[0])

    @property
    def n_labels(self) -> int:
        """Number of labels, the paper's m."""
        return int(self.original.shape[1])

    def observed(self) -> Float64Array:
        """Return what an estimator may see: the original labels, those of the instances for testing missing.

        Returns
        -------
        ndarray of shape (n_instances, n_labels)
            1, 0, NaN; a new array each time.

        Examples
        --------
        >>> import numpy as np
        >>> from tagweave.datasets import Collection
        >>> Collection.from_arrays(None, [[1, 0], [0, 1]], n_train=1).observed()
        array([[ 1.,  0.], [nan, nan]])
        """
        Y = self.Y
        Y[self.n_train :] = np.nan
        return Y

    def __repr__(self) -> str:
        return (
            f"<Collection {self.name!r}: {self.n_instances} instances ({self.n_train} for training), "
            f"{self.n_labels} labels, {self.hierarchy.n_edges} edges, "
            f"features: {', '.join(self.features) or 'none'}>"
        )


def _floats(states: Int8Array) -> Float64Array:
    Y: Float64Array = states.astype(np.float64)
    Y[states == MISSING] = np.nan
    return Y


def _states(Y: Any, argument: str) -> Labels:
    """Read labels in which missing may be -1 as well as NaN."""
    if isinstance(Y, Labels):
        return Y
    if hasattr(Y, "columns"):
        Y = Y.mask(Y == MISSING)
    elif not isinstance(Y, np.ma.MaskedArray):
        Y = np.asarray(Y)
        if Y.dtype.kind in "if" and (Y == MISSING).any():
            Y = np.where(Y == MISSING, np.nan, Y)
    try:
        return Labels.from_any(Y)
    except ValueError as error:
        raise ValueError(f"{argument}: {error}") from None


def _frozen(states: Int8Array) -> Int8Array:
    states = states.copy() if states.flags.writeable or not states.flags.c_contiguous else states
    states.flags.writeable = False
    return states
