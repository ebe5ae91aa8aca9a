"""What an experiment has to show: text, tables, figures, and pictures with tags."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


@dataclass(frozen=True)
class Table:
    """A table, its cells as text.

    Attributes
    ----------
    caption : str
    columns : sequence of str
        The first column names the rows.
    rows : sequence of sequences of str
    best : frozenset of (row, column)
        Cells to set in bold.
    """

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    best: frozenset[tuple[int, int]] = frozenset()


@dataclass(frozen=True)
class Figure:
    """A figure that is drawn when it is needed.

    Attributes
    ----------
    name : str
        Of its files.
    caption : str
    draw : callable
        Returns a matplotlib figure.
    """

    name: str
    caption: str
    draw: Callable[[], Drawing]


Verdict = Literal["hit", "wrong", "missed", "unknown"]
"""What a tag is: given and right, given and wrong, not given though right, given and nobody knows."""


@dataclass(frozen=True)
class Picture:
    """A photo and its tags, or a photo that was found.

    Attributes
    ----------
    title : str
    photo : path or None
        None if there is no file: the title stands for it.
    tags : sequence of (name, verdict)
    verdict : Verdict or None
        Of the picture as a whole, where it was found by a tag.
    """

    title: str
    photo: Path | None
    tags: Sequence[tuple[str, Verdict]] = ()
    verdict: Verdict | None = None


@dataclass(frozen=True)
class Gallery:
    """Rows of pictures.

    Attributes
    ----------
    name : str
        Of its files.
    caption : str
    rows : sequence of (title, pictures)
        The title may be empty.
    """

    name: str
    caption: str
    rows: Sequence[tuple[str, Sequence[Picture]]]


Part = Table | Figure | Gallery


@dataclass(frozen=True)
class Section:
    """What one experiment has to show.

    Attributes
    ----------
    name, title, paper : str
        Of the experiment, and where it is in the paper.
    text : sequence of str
        Paragraphs: what was done, what it says.
    parts : sequence of Table, Figure or Gallery
    data : sequence of dict
        The figures behind it, one dictionary a row, for the JSON.
    """

    name: str
    title: str
    paper: str
    text: Sequence[str]
    parts: Sequence[Part]
    data: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
