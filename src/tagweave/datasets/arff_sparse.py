"""Sparse rows of ARFF files: {index value, ...}, quickly where they are numbers, carefully where they are not."""

from __future__ import annotations

import re
import warnings
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tagweave._typing import BoolArray, Float64Array
from tagweave.datasets.arff_header import Attribute, Place, read_value, split_values

# Rows that are read together.
BATCH = 2048

_Rows: TypeAlias = tuple[Float64Array, NDArray[np.int64], NDArray[np.int64]]
"""Values, their columns, and how many there are in each row."""

_PAIR = r"\s*\d{1,9}\s+[-+.\deE]+\s*"
_NUMBERS = re.compile(rf"\{{(?:\s*|{_PAIR}(?:,{_PAIR})*)\}}", re.ASCII)


def read_sparse(data: list[tuple[Place, str]], attributes: tuple[Attribute, ...]) -> sparse.csr_array[Any]:
    """Read rows {index value, ...}; what a row leaves out is 0, or the first value of a nominal attribute.

    Parameters
    ----------
    data : list of (Place, str)
        The lines.
    attributes : tuple of Attribute
        The columns.

    Returns
    -------
    csr_array

    Examples
    --------
    >>> from pathlib import Path
    >>> x = Attribute("x", "numeric")
    >>> read_sparse([(Place(Path("a.arff"), 1), "{1 2.5}")], (x, x)).toarray()
    array([[0. , 2.5]])
    """
    # Positions of plain columns are their numbers; what is below the limit and whole is one of the values.
    plain = np.array([attribute.values == tuple(map(str, range(len(attribute.values)))) for attribute in attributes])
    limits = np.array([len(attribute.values) or np.inf for attribute in attributes])
    blocks: list[_Rows] = []
    for start in range(0, len(data), BATCH):
        batch = data[start : start + BATCH]
        quick = _read_quickly([line for _, line in batch], plain, limits)
        blocks.append(_read_rows(batch, attributes) if quick is None else quick)
    values, columns, counts = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    content = (values, columns, np.concatenate([[0], np.cumsum(counts)]))
    return sparse.csr_array(content, shape=(len(data), len(attributes)))


def _read_quickly(lines: list[str], plain: BoolArray, limits: Float64Array) -> _Rows | None:
    """Read rows of numbers only; None if something in them needs a closer look."""
    if not all(map(_NUMBERS.fullmatch, lines)):
        return None
    insides = [line[1:-1].strip() for line in lines]
    counts = np.array([inside.count(",") + bool(inside) for inside in insides], dtype=np.int64)
    # The pattern leaves numbers only, apart from such as 1e1e1, at which the conversion fails or, before, warned.
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            numbers = np.fromstring(" ".join(insides).replace(",", " "), sep=" ")
        except (ValueError, DeprecationWarning):
            return None
    columns, values = numbers[0::2].astype(np.int64), numbers[1::2]
    if not np.isfinite(values).all() or (columns >= len(limits)).any():
        return None
    rows = np.repeat(np.arange(len(lines)), counts)
    if (np.diff(rows * len(limits) + columns) <= 0).any():
        return None
    nominal = np.isfinite(limits[columns])
    if (nominal & ~(plain[columns] & (values >= 0) & (values < limits[columns]) & (values % 1 == 0))).any():
        return None
    return values, columns, counts


def _read_rows(data: list[tuple[Place, str]], attributes: tuple[Attribute, ...]) -> _Rows:
    """Read rows one by one; whatever is wrong in them is found here."""
    values: list[float] = []
    columns: list[int] = []
    counts: list[int] = []
    for place, line in data:
        if not line.startswith("{") or "}" not in line:
            raise place.error(f"{line[:40]!r}; expected {{index value, ...}} as in the first row")
        last, before = -1, len(values)
        for cell in split_pairs(line[1 : line.rindex("}")], place):
            index, _, text = cell.partition(" ")
            column = int(index) if index.isascii() and index.isdigit() else -1
            if not 0 <= column < len(attributes):
                raise place.error(f"index {index!r}; expected 0 to {len(attributes) - 1}")
            if column <= last:
                raise place.error(f"index {column} after {last}; expected them to grow")
            values.append(read_value(place, split_values(text.strip(), place)[0], attributes[column]))
            columns.append(column)
            last = column
        counts.append(len(values) - before)
    return np.array(values, dtype=np.float64), np.array(columns, dtype=np.int64), np.array(counts, dtype=np.int64)


def split_pairs(text: str, place: Place) -> list[str]:
    """Cut the inside of a sparse row at its commas, but not within quotes.

    Parameters
    ----------
    text : str
        What stands between the braces.
    place : Place
        For errors.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from pathlib import Path
    >>> split_pairs("0 1.5, 3 'a, b'", Place(Path("a.arff"), 1))
    ['0 1.5', "3 'a, b'"]
    """
    pieces = text.split(",")
    if "'" not in text and '"' not in text:
        return [piece.strip() for piece in pieces if piece.strip()]
    cells: list[str] = []
    open_quote = ""
    for piece in pieces:
        if open_quote:
            cells[-1] += f",{piece}"
        else:
            cells.append(piece)
        for position, sign in enumerate(piece):
            escaped = position > 0 and piece[position - 1] == "\\"
            if sign in "'\"" and not escaped:
                open_quote = "" if open_quote == sign else open_quote or sign
    if open_quote:
        raise place.error("a quote that does not end")
    return [cell.strip() for cell in cells if cell.strip()]
