"""The first half of an ARFF file: which attributes there are; and how a line of it is cut into values."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from tagweave._typing import Float64Array
from tagweave.exceptions import DataError

_NUMERIC = ("numeric", "real", "integer")
_KEYWORD = re.compile(r"@(\w+)\s*(.*)", re.DOTALL)
# A quoted value (with backslashes before quotes), or anything up to a comma.
_QUOTED = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*""")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


@dataclass(frozen=True)
class Attribute:
    """A column of an ARFF file.

    Attributes
    ----------
    name : str
    kind : {"numeric", "nominal"}
    values : tuple of str
        Of a nominal attribute, in the order in which they are declared.
    """

    name: str
    kind: Literal["numeric", "nominal"]
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Place:
    """A line of a file, for errors."""

    path: Path
    line: int

    def error(self, problem: str) -> DataError:
        """Make the error for a problem in this line."""
        return DataError(self.path, problem, f"line {self.line}")


def read_declaration(text: str, place: Place) -> Attribute | Literal["data"] | None:
    """Read a line that begins with @: an attribute, the beginning of the data, or something else.

    Parameters
    ----------
    text : str
        The line.
    place : Place
        For errors.

    Returns
    -------
    Attribute, "data" or None

    Examples
    --------
    >>> read_declaration("@attribute 'the sky' {0, 1}", Place(Path("a.arff"), 1))
    Attribute(name='the sky', kind='nominal', values=('0', '1'))
    """
    match = _KEYWORD.fullmatch(text.strip())
    keyword = match[1].lower() if match else ""
    if match is None or keyword not in ("attribute", "data", "relation"):
        raise place.error(f"{text.strip()[:40]!r}; expected @relation, @attribute or @data")
    if keyword == "data":
        return "data"
    return _read_attribute(match[2], place) if keyword == "attribute" else None


def split_values(text: str, place: Place) -> list[str]:
    r"""Cut a line at its commas; quotes are taken off, a % outside of them begins a comment.

    Parameters
    ----------
    text : str
        The line.
    place : Place
        For errors.

    Returns
    -------
    list of str

    Examples
    --------
    >>> split_values(r"1, 'it\'s, well', ? % so", Place(Path("a.arff"), 1))
    ['1', "it's, well", '?']
    """
    values, at = [], 0
    while True:
        quoted = _QUOTED.match(text, at)
        if quoted:
            values.append(unescape(quoted))
            at = quoted.end()
        else:
            end = next((place for place in range(at, len(text)) if text[place] in ",%"), len(text))
            values.append(text[at:end].strip())
            if values[-1][:1] in ("'", '"'):
                raise place.error(f"a quote that does not end: {values[-1][:40]!r}")
            at = end
        if at == len(text) or text[at] == "%":
            return values
        if text[at] != ",":
            raise place.error(f"{text[at : at + 20]!r} after a quoted value; expected a comma")
        at += 1


def unescape(quoted: re.Match[str]) -> str:
    r"""Return what stands between the quotes of a match.

    Parameters
    ----------
    quoted : re.Match
        Of a quoted value.

    Returns
    -------
    str

    Examples
    --------
    >>> unescape(_QUOTED.match(r"'it\'s'"))
    "it's"
    """
    inside = quoted[1] if quoted[1] is not None else quoted[2]
    return _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), inside)


def numeric_codes(attribute: Attribute) -> Float64Array | None:
    """Return the values of a nominal attribute as numbers, if they are all different numbers.

    Parameters
    ----------
    attribute : Attribute

    Returns
    -------
    ndarray or None

    Examples
    --------
    >>> numeric_codes(Attribute("sky", "nominal", ("0", "1")))
    array([0., 1.])
    """
    try:
        numbers = np.array([float(value) for value in attribute.values])
    except ValueError:
        return None
    return numbers if len(numbers) and len(np.unique(numbers)) == len(numbers) else None


def read_value(place: Place, cell: str, attribute: Attribute) -> float:
    """Read a value: a number, the position of a nominal value, NaN where it is missing.

    Parameters
    ----------
    place : Place
        For errors.
    cell : str
        Without its quotes.
    attribute : Attribute
        To which it belongs.

    Returns
    -------
    float

    Examples
    --------
    >>> read_value(Place(Path("a.arff"), 1), "grey", Attribute("coat", "nominal", ("red", "grey")))
    1
    """
    if cell == "?":
        return math.nan
    if attribute.kind == "nominal":
        return _position(place, cell, attribute)
    try:
        value = float(cell)
    except ValueError:
        raise place.error(f"attribute {attribute.name!r}: {cell!r} is no number") from None
    if not math.isfinite(value):
        raise place.error(f"attribute {attribute.name!r}: {cell!r}; expected a finite number, or ? where missing")
    return value


def _position(place: Place, cell: str, attribute: Attribute) -> int:
    if cell in attribute.values:
        return attribute.values.index(cell)
    # 1.0 is the value 1, as it is where whole blocks of numbers are read.
    codes = numeric_codes(attribute)
    try:
        same = codes is not None and np.flatnonzero(codes == float(cell))
    except ValueError:
        same = False
    if same is not False and len(same):
        return int(same[0])
    declared = ", ".join(attribute.values[:5]) + (", ..." if len(attribute.values) > 5 else "")
    raise place.error(f"attribute {attribute.name!r}: {cell!r} is none of its values {declared}")


def _read_attribute(text: str, place: Place) -> Attribute:
    quoted = _QUOTED.match(text)
    if quoted:
        name, rest = unescape(quoted), text[quoted.end() :]
    else:
        match = re.match(r"([^\s{]+)\s*(.*)", text, re.DOTALL)
        if match is None:
            raise place.error("an attribute without a name")
        name, rest = match[1], match[2]
    rest = rest.strip()
    if rest.startswith("{"):
        inside, brace, _ = rest[1:].rpartition("}")
        if not brace:
            raise place.error(f"attribute {name!r}: its values have no closing brace")
        return Attribute(name, "nominal", tuple(split_values(inside, place)))
    kind = rest.split(None, 1)[0].lower() if rest else ""
    if kind not in _NUMERIC:
        raise place.error(f"attribute {name!r} of type {kind!r}; expected numeric, real, integer or {{values}}")
    return Attribute(name, "numeric")
