"""Tables of numbers in text (.csv) or Parquet, with the names of their columns and rows where they have them."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tagweave._typing import Float64Array
from tagweave.exceptions import DataError

MISSING_WORDS = frozenset({"", "nan", "na", "n/a", "null", "none", "?"})
"""What stands for a missing value in a text, in any case."""

_WORDS = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers, NaN where there are none.

    Attributes
    ----------
    values : ndarray of shape (n_rows, n_columns)
    columns : tuple of str or None
        Their names, if the file has a header.
    rows : tuple of str or None
        Their names, if the first column does not hold numbers.
    """

    values: Float64Array
    columns: tuple[str, ...] | None
    rows: tuple[str, ...] | None


def read_csv(path: Path) -> Table:
    r"""Read a table from text, separated by commas, semicolons or tabs, in UTF-8.

    The first line is a header if one of its cells, beside the first, is neither a number nor missing. The first
    column holds names if one of its cells is neither a number nor missing, or if its header is empty. Empty
    cells, NA, NaN, null and ? are missing.

    Parameters
    ----------
    path : Path

    Returns
    -------
    Table

    Raises
    ------
    DataError
        If a line has more or fewer cells than the first, or a cell is no number; it names line and column.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "labels.csv"
    ...     _ = path.write_text("photo,sky,sea\n1.jpg,1,\n2.jpg,0,1\n")
    ...     table = read_csv(path)
    >>> table.columns, table.rows
    (('sky', 'sea'), ('1.jpg', '2.jpg'))
    >>> table.values
    array([[ 1., nan], [ 0.,  1.]])
    """
    lines, numbers = _read_lines(path)
    first = lines[0]
    header = any(_number(cell) is None for cell in first[1:]) or (len(first) == 1 and _number(first[0]) is None)
    body, numbers = (lines[1:], numbers[1:]) if header else (lines, numbers)
    # A wide table without row names has a number in its very first cell: look no further than needed.
    named = (header and first[0].strip() == "") or any(_number(line[0]) is None for line in body)
    if len(first) == 1:
        named = False
    start = int(named)
    values = np.empty((len(body), len(first) - start))
    for row, (line, number) in enumerate(zip(body, numbers, strict=True)):
        values[row] = _numbers(path, line[start:], number, start)
    return Table(
        values,
        tuple(cell.strip() for cell in first[start:]) if header else None,
        tuple(line[0].strip() for line in body) if named else None,
    )


def read_parquet(path: Path) -> Table:
    """Read a table from a Parquet file, by pandas.

    Parameters
    ----------
    path : Path

    Returns
    -------
    Table
        A first column of texts, or an index of texts, holds the names of the rows.

    Raises
    ------
    ImportError
        If pandas, or pyarrow below it, is not installed.
    DataError
        If the file is damaged, or a column does not hold numbers.
    """
    try:
        import pandas as pd

        frame = pd.read_parquet(path)
    except ImportError as error:
        raise ImportError(f"{path} needs pandas and pyarrow: pip install 'tagweave[pandas]' pyarrow") from error
    except (ValueError, OSError) as error:  # pyarrow's errors are ValueErrors
        raise DataError(path, f"no Parquet file, or damaged: {error}") from error
    rows = None if isinstance(frame.index, pd.RangeIndex) else tuple(map(str, frame.index))
    if len(frame.columns) > 1 and not pd.api.types.is_numeric_dtype(frame.dtypes.iloc[0]):
        rows, frame = tuple(map(str, frame.iloc[:, 0])), frame.iloc[:, 1:]
    for name, dtype in frame.dtypes.items():
        if not pd.api.types.is_numeric_dtype(dtype):
            raise DataError(path, f"values of type {dtype}; expected numbers", f"column {name!r}")
    return Table(frame.to_numpy(dtype=np.float64, na_value=np.nan), tuple(map(str, frame.columns)), rows)


def _read_lines(path: Path) -> tuple[list[list[str]], list[int]]:
    """Read the cells of all lines that are not empty, and the numbers of these lines."""
    lines, numbers = [], []
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(path, f"no text in UTF-8: {error.reason}", f"byte {error.start}") from error
    # Only the first line: a comma in a quoted name further down must not decide.
    separator = max(",;\t", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for line in reader:
            if line:
                lines.append(line)
                numbers.append(reader.line_num)
    except csv.Error as error:
        raise DataError(path, f"damaged: {error}", f"line {reader.line_num}") from error
    if not lines:
        raise DataError(path, "empty; expected a table")
    for line, number in zip(lines, numbers, strict=True):
        if len(line) != len(lines[0]):
            raise DataError(path, f"{len(line)} cells; the first line has {len(lines[0])}", f"line {number}")
    return lines, numbers


def _number(cell: str) -> float | None:
    """Read a cell: NaN where it is missing, None where it is no number."""
    try:
        return float(cell)
    except ValueError:
        word = cell.strip().lower()
        return np.nan if word in MISSING_WORDS else _WORDS.get(word)


def _numbers(path: Path, cells: list[str], line: int, start: int) -> list[float]:
    try:
        return list(map(float, cells))  # nearly always
    except ValueError:
        pass
    values = []
    for column, cell in enumerate(cells, start + 1):
        value = _number(cell)
        if value is None:
            raise DataError(path, f"{cell!r} is no number", f"line {line}, column {column}")
        values.append(value)
    return values
