"""ARFF files of Weka, dense and sparse, as far as numbers and nominal values go."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tagweave._typing import Float64Array
from tagweave.datasets.arff_header import Attribute, Place, numeric_codes, read_declaration, read_value, split_values
from tagweave.datasets.arff_sparse import BATCH, read_sparse
from tagweave.exceptions import DataError


@dataclass(frozen=True, eq=False)
class Arff:
    """An ARFF file.

    Attributes
    ----------
    path : Path
        Of the file.
    attributes : tuple of Attribute
        The columns.
    values : ndarray or csr_array of shape (n_rows, n_attributes)
        Numbers; of a nominal attribute the position of the value in its declaration; NaN where missing.
    lines : ndarray of int
        The line of each row.
    """

    path: Path
    attributes: tuple[Attribute, ...]
    values: Float64Array | sparse.csr_array[Any]
    lines: NDArray[np.int64]


def read_arff(path: Path) -> Arff:
    r"""Read an ARFF file.

    Parameters
    ----------
    path : Path
        In UTF-8 or Latin-1.

    Returns
    -------
    Arff

    Raises
    ------
    DataError
        For anything that is not as declared; it names the line.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "a.arff"
    ...     _ = path.write_text("@relation r\n@attribute x real\n@attribute sky {0,1}\n@data\n2.5,1\n")
    ...     read_arff(path).values
    array([[2.5, 1. ]])
    """
    lines = _lines(path)
    attributes = _read_header(path, lines)
    data = list(lines)
    if not data:
        raise DataError(path, "no data after @data")
    numbers = np.array([place.line for place, _ in data], dtype=np.int64)
    values: Float64Array | sparse.csr_array[Any]
    values = read_sparse(data, attributes) if data[0][1].startswith("{") else _read_dense(data, attributes)
    return Arff(path, attributes, values, numbers)


def _lines(path: Path) -> Iterator[tuple[Place, str]]:
    """Yield the lines that are neither empty nor comments."""
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                line = raw.decode("latin-1")
            line = line.strip()
            if line and not line.startswith("%"):
                yield Place(path, number), line


def _read_header(path: Path, lines: Iterator[tuple[Place, str]]) -> tuple[Attribute, ...]:
    attributes: dict[str, Attribute] = {}
    for place, line in lines:
        found = read_declaration(line, place)
        if found == "data":
            if not attributes:
                raise place.error("no attributes before @data")
            return tuple(attributes.values())
        if isinstance(found, Attribute):
            if found.name in attributes:
                raise place.error(f"attribute {found.name!r} for the second time")
            attributes[found.name] = found
    raise DataError(path, "no @data: no ARFF file, or cut off", f"byte {path.stat().st_size}, its end")


def _read_dense(data: list[tuple[Place, str]], attributes: tuple[Attribute, ...]) -> Float64Array:
    values = np.empty((len(data), len(attributes)))
    codes = {
        column: numeric_codes(attribute) for column, attribute in enumerate(attributes) if attribute.kind == "nominal"
    }
    numeric = {column: numbers for column, numbers in codes.items() if numbers is not None}
    quick = len(numeric) == len(codes)
    for start in range(0, len(data), BATCH):
        batch = data[start : start + BATCH]
        block = _read_quickly([line for _, line in batch], numeric, len(attributes)) if quick else None
        if block is None:
            block = np.array([_read_row(place, line, attributes) for place, line in batch])
        values[start : start + len(batch)] = block
    return values


def _read_quickly(lines: list[str], codes: dict[int, Float64Array], width: int) -> Float64Array | None:
    """Read lines of numbers only; None if something in them needs a closer look."""
    try:
        block = np.loadtxt(lines, delimiter=",", comments=None, ndmin=2)
    except ValueError:
        return None
    if block.shape != (len(lines), width) or not np.isfinite(block).all():
        return None
    for column, numbers in codes.items():
        same = block[:, column, None] == numbers
        if not same.any(axis=1).all():
            return None
        block[:, column] = same.argmax(axis=1)
    return block


def _read_row(place: Place, line: str, attributes: tuple[Attribute, ...]) -> list[float]:
    cells = split_values(line, place)
    if len(cells) != len(attributes):
        raise place.error(f"{len(cells)} values; there are {len(attributes)} attributes")
    return [read_value(place, cell, attribute) for cell, attribute in zip(cells, attributes, strict=True)]
