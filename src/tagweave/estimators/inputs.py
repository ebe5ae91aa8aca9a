"""The arguments of the estimators: checked, named in errors, brought to one form."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from sklearn.utils.validation import validate_data

from tagweave._typing import FloatArray
from tagweave.exceptions import HierarchyError, LabelWarning
from tagweave.graphs import ClassGraph, InstanceGraph, check_weights
from tagweave.graphs.instances import FORMULAS
from tagweave.hierarchy import Hierarchy
from tagweave.labels import MISSING, POSITIVE, Labels

_NAMED = 5

Recipe = TypeVar("Recipe", InstanceGraph, ClassGraph)


def check_nonnegative(**parameters: Any) -> None:
    """Raise a ValueError that names the first parameter that is not a finite number of at least 0."""
    for name, value in parameters.items():
        if not isinstance(value, Real) or isinstance(value, bool) or not 0 <= float(value) < np.inf:
            raise ValueError(f"{name} must be a number of at least 0; got {value!r}")


def check_count(name: str, value: Any) -> None:
    """Raise a ValueError unless the value is a whole number of at least 1."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name} must be a whole number of at least 1; got {value!r}")


def check_dtype(dtype: Any) -> np.dtype[Any]:
    """Return float32 or float64; raise a ValueError for anything else."""
    try:
        given: np.dtype[Any] = np.dtype(dtype)
    except TypeError:
        given = np.dtype(object)
    if dtype is not None and given in (np.float32, np.float64):
        return given
    raise ValueError(f"dtype must be float32 or float64; got {dtype!r}")


def as_recipe(name: str, given: Any, kind: type[Recipe]) -> Recipe | Any:
    """Return the recipe that a string names; anything else as it is, a recipe or a matrix of weights."""
    if not isinstance(given, str):
        return given
    if given not in FORMULAS:
        raise ValueError(f"{name} must be 'paper', 'published', a recipe or a matrix of weights; got {given!r}")
    return kind(given)


def instance_weights(graph: Any, X: Any, n: int) -> sparse.csr_array[Any]:
    """Return W_X: a checked matrix of weights as it was given, or what the recipe builds from X."""
    recipe = as_recipe("graph", graph, InstanceGraph)
    if X is not None and X.shape[0] != n:
        raise ValueError(f"X has {X.shape[0]} instances but Y has {n}")
    if not isinstance(recipe, InstanceGraph):
        return check_weights(recipe, "graph", n)
    if X is None:
        raise ValueError("X is None, but graph is a recipe; give a matrix of weights as graph, or X")
    return recipe.build(X)


def class_weights(class_graph: Any, labels: Labels) -> sparse.csr_array[Any]:
    """Return W_C: a checked matrix of weights as it was given, or what the recipe builds from the labels."""
    recipe = as_recipe("class_graph", class_graph, ClassGraph)
    if isinstance(recipe, ClassGraph):
        return recipe.build(labels.values)
    return check_weights(recipe, "class_graph", labels.shape[1])


def read_collection(estimator: Any, X: Any, Y: Any) -> tuple[Any, Labels, Hierarchy]:
    """Return the features as scikit-learn checks them, the labels (filled if they are to be) and the hierarchy.

    Parameters
    ----------
    estimator : estimator
        With the parameters `hierarchy`, `fill` and `unstored`; it takes note of the features.
    X : array-like or sparse matrix of shape (n_instances, n_features), or None
    Y : whatever `Labels.from_any` reads

    Returns
    -------
    X, labels, hierarchy
        Labels of which some are known; a warning names those of which nothing is.
    """
    if X is not None:
        X = validate_data(estimator, X, accept_sparse="csr", dtype=[np.float64, np.float32])
    if Y is None:
        raise ValueError(f"{type(estimator).__name__} requires y to be passed, but the target y is None")
    labels = Labels.from_any(Y, unstored=estimator.unstored)
    hierarchy = as_hierarchy(estimator.hierarchy, labels)
    if estimator.fill and hierarchy.n_edges:
        labels = Labels(hierarchy.fill(labels.values), labels.names, labels.instances)
    warn_about_unknown(labels, hierarchy.labels)
    return X, labels, hierarchy


def as_hierarchy(given: Any, labels: Labels) -> Hierarchy:
    """Return the hierarchy over the columns of Y; one without edges if none is given.

    Parameters
    ----------
    given : Hierarchy, sequence of (child, parent) or None
        Where Y has names, the hierarchy speaks of those, in any order; otherwise its labels are the columns in
        theirs, and bare edges are pairs of column numbers.
    labels : Labels

    Returns
    -------
    Hierarchy
    """
    m = labels.shape[1]
    names = labels.names if labels.names is not None else range(m)
    if given is None:
        return Hierarchy(names)
    if isinstance(given, Iterator):
        raise ValueError("hierarchy is an iterator, which a second fit would find empty; give a list of pairs")
    if not isinstance(given, Hierarchy):
        return Hierarchy(names, given)
    if labels.names is not None:
        return given if given.labels == labels.names else given.reorder(labels.names)
    if given.n_labels != m:
        raise HierarchyError(f"hierarchy has {given.n_labels} labels but Y has {m} columns")
    return given


def warn_about_unknown(labels: Labels, names: tuple[Any, ...]) -> None:
    """Refuse labels that say nothing at all; warn of classes about which nothing is known."""
    known = labels.values != MISSING
    if not known.any():
        raise ValueError("Y has no observed label at all: every cell is missing")
    empty = np.flatnonzero(~known.any(axis=0))
    if len(empty):
        some = ", ".join(str(names[column]) for column in empty[:_NAMED])
        warnings.warn(
            f"{len(empty)} of {len(names)} labels have no observed value: {some}"
            f"{', ...' if len(empty) > _NAMED else ''}. Their scores follow from other labels only",
            LabelWarning,
            stacklevel=4,
        )


def warn_about_unreached(W_X: sparse.csr_array[Any], labels: Labels) -> None:
    """Warn of instances that are connected to no observed label: nothing says what their scores should be."""
    _, component = connected_components(W_X, directed=False)
    reached = np.zeros(component.max(initial=-1) + 1, dtype=bool)
    reached[component[(labels.values != MISSING).any(axis=1)]] = True
    unreached = np.flatnonzero(~reached[component])
    if len(unreached):
        some = ", ".join(map(str, unreached[:_NAMED]))
        warnings.warn(
            f"{len(unreached)} of {len(component)} instances are connected to no observed label: rows {some}"
            f"{', ...' if len(unreached) > _NAMED else ''}. Their scores stay where they start",
            LabelWarning,
            stacklevel=3,
        )


def first_scores(init: Any, labels: Labels, random_state: np.random.RandomState, dtype: Any) -> FloatArray:
    """Return where the scores start: observed labels at their values, missing ones by `init`."""
    if isinstance(init, str):
        if init not in ("zeros", "random"):
            raise ValueError(f"init must be 'zeros', 'random' or an array; got {init!r}")
        start: FloatArray = (labels.values == POSITIVE).astype(dtype)
        if init == "random":
            missing = labels.values == MISSING
            start[missing] = random_state.uniform(size=int(missing.sum()))
        return start
    try:
        start = np.array(init, dtype=dtype, order="C")
    except (TypeError, ValueError) as error:
        raise ValueError(f"init must be 'zeros', 'random' or an array: {error}") from None
    if start.shape != labels.shape:
        raise ValueError(f"init has shape {start.shape}; expected {labels.shape}, that of Y")
    if not np.isfinite(start).all():
        raise ValueError("init has NaN or infinite values; expected scores in [0, 1]")
    np.clip(start, 0, 1, out=start)
    return start
