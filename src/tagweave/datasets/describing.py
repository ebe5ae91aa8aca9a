"""The rows of the paper's Tables 1 and 2 that describe a collection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tagweave._typing import Int8Array
from tagweave.datasets.collection import Collection
from tagweave.labels import MISSING, POSITIVE

if TYPE_CHECKING:
    from tagweave.hierarchy import HierarchyStatistics


@dataclass(frozen=True)
class LabelStatistics:
    """How full a label matrix is (columns C3 to C5 of the paper's Table 2).

    Attributes
    ----------
    per_instance : float
        C3: positive labels of an instance, on average.
    per_label : float
        C4: positive instances of a label, on average.
    positive : float
        C5: share of the positives among all entries, training and test together. (The paper says "in the whole
        training label matrix", but its figures are those of both.)
    missing : float
        Share of the missing ones.
    """

    per_instance: float
    per_label: float
    positive: float
    missing: float


@dataclass(frozen=True)
class CollectionStatistics:
    """What the paper's Tables 1 and 2 say of a collection.

    Attributes
    ----------
    name : str
        Of the collection.
    n_instances, n_train, n_test, n_labels : int
        How many there are.
    n_features : dict of str to int
        C1 and C2 of Table 2: the dimension of each kind of features.
    original, complete : LabelStatistics
        C3 to C5 of Table 2.
    hierarchy : HierarchyStatistics
        C1 to C6 of Table 1.
    """

    name: str
    n_instances: int
    n_train: int
    n_test: int
    n_labels: int
    n_features: dict[str, int]
    original: LabelStatistics
    complete: LabelStatistics
    hierarchy: HierarchyStatistics


def statistics(collection: Collection) -> CollectionStatistics:
    """Describe a collection by the figures of the paper's Tables 1 and 2; features are not read for it.

    Parameters
    ----------
    collection : Collection

    Returns
    -------
    CollectionStatistics

    Examples
    --------
    >>> from tagweave.datasets import Collection, statistics
    >>> Y = [[1, 0, 0], [1, 1, 0]]
    >>> pets = Collection.from_arrays(None, Y, labels=["dog", "cat", "pet"], hierarchy=[("dog", "pet")])
    >>> figures = statistics(pets)
    >>> figures.original
    LabelStatistics(per_instance=1.5, per_label=1.0, positive=0.5, missing=0.0)
    >>> figures.complete.per_instance, figures.hierarchy.roots
    (2.5, 1)
    """
    return CollectionStatistics(
        name=collection.name,
        n_instances=collection.n_instances,
        n_train=collection.n_train,
        n_test=collection.n_instances - collection.n_train,
        n_labels=collection.n_labels,
        n_features={name: shape[1] for name, shape in collection.features.shapes().items()},
        original=_of(collection.original),
        complete=_of(collection.complete),
        hierarchy=collection.hierarchy.statistics(),
    )


def _of(states: Int8Array) -> LabelStatistics:
    n, m = states.shape
    positives = int(np.count_nonzero(states == POSITIVE))
    missing = int(np.count_nonzero(states == MISSING))
    return LabelStatistics(
        per_instance=positives / n if n else 0.0,
        per_label=positives / m if m else 0.0,
        positive=positives / states.size if states.size else 0.0,
        missing=missing / states.size if states.size else 0.0,
    )
