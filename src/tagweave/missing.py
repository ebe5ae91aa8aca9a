"""Labels hidden on purpose: the paper's protocol for an experiment with missing labels."""

from __future__ import annotations

import numbers
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from tagweave._typing import FloatArray
from tagweave.hierarchy import Hierarchy
from tagweave.hierarchy.frames import as_matrix, like


def hide_labels(
    Y: Any,
    proportion: float,
    hierarchy: Hierarchy | None = None,
    where: Literal["leaves", "all"] = "leaves",
    random_state: Any = None,
) -> Any:
    """Hide single labels.

    As in the paper, ``round(n_instances * n_labels * proportion)`` entries are drawn without replacement, and
    those that belong to a leaf or singleton of the hierarchy become missing. The others keep their value, so
    fewer are hidden than drawn: a hidden parent could be told from its children too easily.

    Parameters
    ----------
    Y : array or DataFrame, (n_instances, n_labels)
        1, 0 or NaN for missing. What is missing stays so, and may be drawn again.
    proportion : float
        At least 0 and below 1.
    hierarchy : Hierarchy, optional
        Without it every label is a singleton.
    where : {"leaves", "all"}, default="leaves"
        With "all", every entry that was drawn becomes missing, as in the paper's evaluation of imputations.
    random_state : int, Generator, RandomState or None
        An int gives the same entries each time.

    Returns
    -------
    array or DataFrame
        A floating-point copy with NaN for missing.

    Examples
    --------
    >>> import numpy as np
    >>> from tagweave.hierarchy import Hierarchy
    >>> from tagweave.missing import hide_labels
    >>> hierarchy = Hierarchy(["dog", "animal"], [("dog", "animal")])
    >>> hidden = hide_labels(np.ones((4, 2)), 0.5, hierarchy, random_state=0)
    >>> bool(np.isnan(hidden[:, 1]).any())  # the parent is never hidden
    False
    """
    if where not in ("leaves", "all"):
        raise ValueError(f"where must be 'leaves' or 'all', got {where!r}")
    if not isinstance(proportion, numbers.Real) or not 0 <= proportion < 1:
        raise ValueError(f"proportion must be at least 0 and below 1, got {proportion!r}")
    hidden = _float_copy(Y, hierarchy)
    rows, columns = np.divmod(
        _draw(hidden.size, round(hidden.size * float(proportion)), random_state), max(1, hidden.shape[1])
    )
    if hierarchy is not None and where == "leaves":
        allowed = hierarchy.is_leaf_or_singleton[columns]
        rows, columns = rows[allowed], columns[allowed]
    hidden[rows, columns] = np.nan
    return like(hidden, Y)


def hide_instances(Y: Any, size: float, random_state: Any = None) -> tuple[Any, NDArray[np.intp]]:
    """Hide all labels of some instances: they become the ones to predict.

    Parameters
    ----------
    Y : array or DataFrame, (n_instances, n_labels)
        1, 0 or NaN for missing.
    size : int or float
        How many instances, as a whole number, or a proportion of them, at least 0 and below 1.
    random_state : int, Generator, RandomState or None
        An int gives the same instances each time.

    Returns
    -------
    Y_hidden : array or DataFrame
        A floating-point copy with NaN for missing.
    rows : ndarray of int
        The positions of the hidden instances, ascending.

    Examples
    --------
    >>> from tagweave.missing import hide_instances
    >>> Y_hidden, rows = hide_instances([[1, 0], [0, 1], [1, 1]], size=1, random_state=0)
    >>> len(rows), bool((Y_hidden[rows] != Y_hidden[rows]).all())  # only NaN differs from itself
    (1, True)
    """
    hidden = _float_copy(Y, None)
    rows = np.sort(_draw(len(hidden), _count(size, len(hidden)), random_state))
    hidden[rows] = np.nan
    return like(hidden, Y), rows


def _count(size: float, n_instances: int) -> int:
    """Read a size: a whole number counts, a fraction is a proportion."""
    whole = isinstance(size, numbers.Integral) and not isinstance(size, bool | np.bool_)
    if whole and 0 <= size <= n_instances:
        return int(size)
    if isinstance(size, numbers.Real) and not isinstance(size, numbers.Integral) and 0 <= size < 1:
        return round(n_instances * float(size))
    raise ValueError(
        f"size must be a whole number from 0 to {n_instances} (the instances), "
        f"or a proportion at least 0 and below 1, got {size!r}"
    )


def _draw(n: int, size: int, random_state: Any) -> NDArray[np.intp]:
    """Draw so many of n positions, uniformly without replacement."""
    if not isinstance(random_state, np.random.Generator):
        # A Generator draws few of many without a permutation of them all, which 100,000 x 256 entries would
        # feel.
        seed = check_random_state(random_state).randint(0, 2**31 - 1, size=4)
        random_state = np.random.default_rng(seed)
    drawn: NDArray[np.intp] = random_state.choice(n, size=size, replace=False, shuffle=False).astype(np.intp)
    return drawn


def _float_copy(Y: Any, hierarchy: Hierarchy | None) -> FloatArray:
    """Copy labels to floats, which can be NaN; refuse what is no label."""
    labels = as_matrix(Y, "Y", None if hierarchy is None else hierarchy.labels)
    copy: FloatArray = labels.astype(labels.dtype if labels.dtype.kind == "f" else np.float64)
    strange = ~((copy == 0) | (copy == 1) | np.isnan(copy))
    if strange.any():
        row, column = np.argwhere(strange)[0]
        raise ValueError(
            f"Y must hold 1, 0 and NaN for missing, got {copy[row, column]:g} in row {row}, column {column}"
        )
    return copy
