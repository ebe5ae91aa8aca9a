"""A made-up photo collection: scenes that look alike share tags, a few tags are everywhere, most are rare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tagweave._typing import Float64Array, Int8Array

if TYPE_CHECKING:
    from tagweave.hierarchy import Hierarchy

PARENTS: dict[str, tuple[str, ...]] = {
    "animal": (), "mammal": ("animal",), "bird": ("animal",), "fish": ("animal",), "pet": ("animal",),
    "dog": ("mammal", "pet"), "cat": ("mammal", "pet"), "horse": ("mammal",), "bear": ("mammal",),
    "eagle": ("bird",), "gull": ("bird",), "penguin": ("bird",),
    "plant": (), "tree": ("plant",), "palm": ("tree",), "pine": ("tree",), "flower": ("plant",),
    "rose": ("flower",), "tulip": ("flower",), "grass": ("plant",),
    "vehicle": (), "car": ("vehicle",), "train": ("vehicle",), "boat": ("vehicle",), "plane": ("vehicle",),
    "structure": (), "building": ("structure",), "house": ("building",), "tower": ("building",),
    "bridge": ("structure",), "street": (),
    "water": (), "sea": ("water",), "river": ("water",), "snow": (), "beach": (), "mountain": (),
    "sky": (), "cloud": (), "sunset": (), "people": (),
}  # fmt: skip
"""The vocabulary, and the parents of each label."""

SCENES: tuple[tuple[float, dict[str, float]], ...] = (
    (20, {"sky": 0.8, "cloud": 0.5, "mountain": 0.9, "snow": 0.3, "pine": 0.5, "river": 0.3, "bear": 0.1}),
    (16, {"sky": 0.7, "sea": 0.9, "beach": 0.8, "palm": 0.4, "people": 0.6, "boat": 0.2, "gull": 0.2}),
    (13, {"street": 0.9, "house": 0.5, "tower": 0.3, "building": 0.6, "car": 0.7, "people": 0.7, "sky": 0.3}),
    (10, {"grass": 0.7, "tree": 0.6, "dog": 0.7, "people": 0.5, "house": 0.2}),
    (9, {"flower": 0.5, "rose": 0.5, "tulip": 0.4, "grass": 0.5, "cat": 0.3}),
    (8, {"sea": 0.8, "sunset": 0.8, "sky": 0.8, "cloud": 0.5, "boat": 0.4}),
    (7, {"river": 0.8, "bridge": 0.8, "tower": 0.3, "boat": 0.5, "train": 0.2}),
    (6, {"plane": 0.9, "sky": 0.9, "cloud": 0.5, "people": 0.1}),
    (5, {"horse": 0.9, "grass": 0.8, "tree": 0.4, "people": 0.4, "mountain": 0.2}),
    (3, {"fish": 0.9, "sea": 0.8, "people": 0.1}),
    (2, {"penguin": 0.9, "snow": 0.9, "sea": 0.5, "sky": 0.3}),
    (1, {"eagle": 0.9, "sky": 0.7, "mountain": 0.4, "pine": 0.2}),
)
"""How frequent each scene is, and how probable each label in it; ancestors follow by themselves."""

# The looks of scenes and labels come from a generator of their own: collections of different random_state
# show the same world, as two albums do.
WORLD_SEED = 2018


@dataclass(frozen=True)
class TaggedCollection:
    """A complete collection: nothing is missing until someone hides it.

    Attributes
    ----------
    X : ndarray of shape (n_instances, n_features)
        Features, float64.
    Y : ndarray of shape (n_instances, n_labels)
        1 or 0, int8; a parent is 1 wherever one of its children is.
    labels : tuple of str
        The names of the columns of Y.
    edges : tuple of (child, parent)
        The hierarchy, as names.
    n_train : int
        The first ``n_train`` rows are for training, the rest for testing.
    """

    X: Float64Array
    Y: Int8Array
    labels: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    n_train: int

    @property
    def hierarchy(self) -> Hierarchy:
        """The hierarchy of the labels.

        Examples
        --------
        >>> from tagweave.datasets import make_tagged_collection
        >>> make_tagged_collection(10, random_state=0).hierarchy.ancestors("dog")
        ('animal', 'mammal', 'pet')
        """
        from tagweave.hierarchy import Hierarchy

        return Hierarchy(self.labels, self.edges)


def make_tagged_collection(
    n_instances: int = 600,
    n_features: int = 32,
    *,
    train_size: float = 0.8,
    noise: float = 2.0,
    random_state: int | np.random.Generator | np.random.RandomState | None = None,
) -> TaggedCollection:
    """Make up a collection of photos with 41 tags in a hierarchy.

    Each photo shows a scene (a street, a beach, ...) and some of the things usual there; its features are the
    looks of the scene plus those of the things plus noise, so neighbours share labels. Scenes are as unequal
    as real ones: the most frequent label is on nearly half of the photos, the rarest on one in a hundred.

    Parameters
    ----------
    n_instances : int
        Number of photos.
    n_features : int
        Dimension of the features.
    train_size : float
        Share of the photos that are for training, in (0, 1].
    noise : float
        Standard deviation of what the features do not explain; 0 makes photos of equal tags equal.
    random_state : int, Generator, RandomState or None
        The same seed gives the same collection.

    Returns
    -------
    TaggedCollection
        Features, complete labels, hierarchy and split.

    Examples
    --------
    >>> from tagweave.datasets import make_tagged_collection
    >>> photos = make_tagged_collection(100, random_state=0)
    >>> photos.X.shape, photos.Y.shape, photos.n_train
    ((100, 32), (100, 41), 80)
    >>> [edge for edge in photos.edges if edge[0] == "dog"]
    [('dog', 'mammal'), ('dog', 'pet')]
    """
    for name, value in (("n_instances", n_instances), ("n_features", n_features)):
        if value < 1:
            raise ValueError(f"{name}={value!r}; expected at least 1")
    if not 0 < train_size <= 1:
        raise ValueError(f"train_size={train_size!r}; expected a share greater than 0 and at most 1")
    if not noise >= 0:
        raise ValueError(f"noise={noise!r}; expected a nonnegative number")
    rng = _generator(random_state)
    labels = tuple(PARENTS)
    column = {label: j for j, label in enumerate(labels)}
    shares = np.array([share for share, _ in SCENES], dtype=np.float64)
    chances = np.zeros((len(SCENES), len(labels)))
    for s, (_, things) in enumerate(SCENES):
        for label, chance in things.items():
            chances[s, column[label]] = chance

    scenes = rng.choice(len(SCENES), size=n_instances, p=shares / shares.sum())
    shown = (rng.random((n_instances, len(labels))) < chances[scenes]).astype(np.int8)
    world = np.random.default_rng(WORLD_SEED)
    scene_looks = world.standard_normal((len(SCENES), n_features))
    label_looks = world.standard_normal((len(labels), n_features))
    X = scene_looks[scenes] + shown @ label_looks + noise * rng.standard_normal((n_instances, n_features))
    return TaggedCollection(
        X=np.asarray(X, dtype=np.float64),
        Y=_with_ancestors(shown, column),
        labels=labels,
        edges=tuple((child, parent) for child, parents in PARENTS.items() for parent in parents),
        n_train=max(1, round(train_size * n_instances)),
    )


def _with_ancestors(shown: Int8Array, column: dict[str, int]) -> Int8Array:
    Y = shown.copy()
    # The vocabulary lists parents before their children, so bottom up is backwards.
    for child in reversed(PARENTS):
        for parent in PARENTS[child]:
            np.maximum(Y[:, column[parent]], Y[:, column[child]], out=Y[:, column[parent]])
    return Y


def _generator(random_state: Any) -> np.random.Generator:
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31 - 1))
    return np.random.default_rng(random_state)
