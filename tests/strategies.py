"""Hypothesis strategies for the things Tagweave is about."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tagweave.hierarchy import Hierarchy


@st.composite
def hierarchies(draw: st.DrawFn, max_labels: int = 10, min_labels: int = 1) -> Hierarchy:
    """Directed acyclic graphs with several parents, isolated nodes, and columns in any order.

    The edges are given in any order too: nothing may depend on parents standing first.
    """
    n_labels = draw(st.integers(min_labels, max_labels))
    top_down = draw(st.permutations([f"l{column}" for column in range(n_labels)]))
    edges = []
    for position in range(1, n_labels):
        above = st.sampled_from(top_down[:position])
        parents = draw(st.lists(above, unique=True, max_size=min(3, position)))
        edges += [(top_down[position], parent) for parent in parents]
    labels = [f"l{column}" for column in range(n_labels)]
    return Hierarchy(labels, draw(st.permutations(edges)) if edges else [])


def label_matrices(
    n_labels: int | st.SearchStrategy[int],
    max_rows: int = 6,
    min_rows: int = 1,
    missing: bool = True,
    dtype: Any = np.float64,
) -> st.SearchStrategy[Any]:
    """Matrices of 0, 1 and, if asked for, missing: NaN for floats, -1 for signed whole numbers."""
    values: list[float] = [0, 1]
    if missing:
        values.append(np.nan if np.dtype(dtype).kind == "f" else -1)
    return _matrices(n_labels, st.sampled_from(values), max_rows, min_rows, dtype)


def score_matrices(
    n_labels: int | st.SearchStrategy[int],
    max_rows: int = 6,
    min_rows: int = 1,
    ties: bool = True,
    dtype: Any = np.float64,
) -> st.SearchStrategy[Any]:
    """Matrices of scores in [0, 1], from a grid of nine values if ties are asked for."""
    grid = st.integers(0, 8).map(lambda eighths: eighths / 8)
    return _matrices(n_labels, grid if ties else st.floats(0, 1, width=16), max_rows, min_rows, dtype)


def _matrices(
    n_labels: int | st.SearchStrategy[int],
    elements: st.SearchStrategy[float],
    max_rows: int,
    min_rows: int,
    dtype: Any,
) -> st.SearchStrategy[Any]:
    columns = st.just(n_labels) if isinstance(n_labels, int) else n_labels
    shapes = st.tuples(st.integers(min_rows, max_rows), columns)
    return shapes.flatmap(lambda shape: hnp.arrays(dtype, shape, elements=elements))
