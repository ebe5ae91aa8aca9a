"""A collection as an experiment sees it: what may be learnt from, what is hidden, by what it is judged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy import sparse

from tagweave._typing import BoolArray, Float64Array, Int8Array
from tagweave.graphs import InstanceGraph
from tagweave.hierarchy import Hierarchy
from tagweave.labels import MISSING
from tagweave.missing import hide_labels
from tagweave.store import fingerprint

if TYPE_CHECKING:
    from tagweave.datasets import Collection

PAPERS_FEATURES = "dense_sift"
"""The features of the paper's experiments, taken where a collection has several and none are named."""

# Of a collection without test instances, so many of the labelled ones are hidden to judge by.
_TEST_SHARE = 0.2


@dataclass(frozen=True)
class Draw:
    """Which labels of the training instances are hidden.

    Attributes
    ----------
    proportion : float
        Of the entries that are drawn.
    seed : int
        Another seed, other entries.
    where : {"leaves", "all", "instances"}
        Entries of leaves and singletons only, as in most of the paper's experiments; of all labels; or, whatever
        the proportion, all labels of as many instances as there are for testing.
    """

    proportion: float
    seed: int
    where: Literal["leaves", "all", "instances"] = "leaves"


@dataclass(frozen=True, eq=False)
class Study:
    """A collection divided into what is learnt from and what is judged.

    Attributes
    ----------
    name : str
        Of the collection.
    view : str
        Of the features.
    X : array or sparse matrix of shape (n_instances, n_features), or None
    given : ndarray of int8, (n_instances, n_labels)
        The labels as they were given: 1, 0, -1 where missing.
    truth : ndarray of int8, (n_instances, n_labels)
        What is judged by; -1 where nobody knows.
    hierarchy : Hierarchy
    test : ndarray of bool, (n_instances,)
        The instances whose labels no method sees.
    photos : tuple or None
        The file of each instance.
    note : str
        How the test instances were chosen, for the report.
    """

    name: str
    view: str
    X: Any
    given: Int8Array
    truth: Int8Array
    hierarchy: Hierarchy
    test: BoolArray
    photos: tuple[Any, ...] | None
    note: str

    @classmethod
    def of(cls, collection: Collection, features: str | None = None) -> Study:
        """Divide a collection.

        Parameters
        ----------
        collection : Collection
        features : str, optional
            Which of its features; needed if there are several, none of them the paper's.

        Returns
        -------
        Study
            The test instances are those of the collection. If it has none that could be judged, they are a fifth
            of the labelled instances, their known labels hidden.

        Examples
        --------
        >>> from tagweave.datasets import Collection
        >>> pets = Collection.from_arrays(np.eye(10), np.eye(10))
        >>> study = Study.of(pets)
        >>> int(study.test.sum()), bool(np.isnan(study.labels(Draw(0.0, 0))[study.test]).all())
        (2, True)
        """
        view = _choose(collection, features)
        given, truth = collection.original, collection.complete
        rows = np.arange(collection.n_instances)
        test = (rows >= collection.n_train) & (truth != MISSING).any(axis=1)
        n_test, n_train = int(test.sum()), int((~test).sum())
        note = f"{n_test} test instances, as the collection has them"
        if not n_test:
            labelled = np.flatnonzero((given != MISSING).any(axis=1))
            n_test = round(len(labelled) * _TEST_SHARE)
            if not n_test:
                raise ValueError(
                    f"collection {collection.name!r} has {len(labelled)} labelled instances; expected at least 3"
                )
            test[np.random.RandomState(0).choice(labelled, n_test, replace=False)] = True
            n_train = len(test) - n_test
            note = f"{n_test} labelled instances drawn at random to be judged by their known labels"
        X = None if view is None else collection.features[view]
        return cls(
            name=collection.name,
            view=view or "none",
            X=X,
            given=given,
            truth=truth,
            hierarchy=collection.hierarchy,
            test=test,
            photos=collection.photos,
            note=f"{n_train} instances to learn from, {note}",
        )

    def sample(self, n_train: int, n_test: int) -> Study:
        """Return a smaller study: so many instances of each kind, drawn at random, in their order."""
        rng = np.random.RandomState(0)
        rows = np.sort(
            np.concatenate(
                [
                    rng.choice(kind, min(size, len(kind)), replace=False)
                    for kind, size in ((np.flatnonzero(~self.test), n_train), (np.flatnonzero(self.test), n_test))
                ]
            )
        )
        return Study(
            name=self.name,
            view=self.view,
            X=None if self.X is None else self.X[rows],
            given=self.given[rows],
            truth=self.truth[rows],
            hierarchy=self.hierarchy,
            test=self.test[rows],
            photos=None if self.photos is None else tuple(self.photos[row] for row in rows),
            note=f"{self.note}; of these {int((~self.test[rows]).sum())} and {int(self.test[rows].sum())}, a sample",
        )

    def labels(self, draw: Draw) -> Float64Array:
        """Return what a method gets: 1, 0, and NaN for missing and hidden; nothing of the test instances."""
        Y = self.given.astype(np.float64)
        Y[self.given == MISSING] = np.nan
        Y[self.test] = np.nan
        train = np.flatnonzero(~self.test)
        if draw.where == "instances":
            labelled = train[~np.isnan(Y[train]).all(axis=1)]
            size = min(int(self.test.sum()), len(labelled) // 2)
            Y[np.random.RandomState(draw.seed).choice(labelled, size, replace=False)] = np.nan
        elif draw.proportion:
            Y[train] = hide_labels(Y[train], draw.proportion, self.hierarchy, draw.where, random_state=draw.seed)
        return Y

    @cached_property
    def graph(self) -> sparse.csr_array[np.float64]:
        """The instance graph by the paper's formula, built once for all methods that use one."""
        return InstanceGraph().build(self.X)

    @cached_property
    def content(self) -> str:
        """A name for all of it: what is computed on other data has another."""
        X = self.X if self.X is None or sparse.issparse(self.X) else np.asarray(self.X)
        return fingerprint(X, self.given, self.truth, self.hierarchy, self.test)


def _choose(collection: Collection, features: str | None) -> str | None:
    names = list(collection.features)
    if features is not None:
        if features not in names:
            raise ValueError(
                f"features {features!r}: collection {collection.name!r} has {', '.join(names) or 'no features'}"
            )
        return features
    if len(names) <= 1:
        return names[0] if names else None
    if PAPERS_FEATURES in names:
        return PAPERS_FEATURES
    raise ValueError(f"collection {collection.name!r} has several features, {', '.join(names)}: choose one of them")
