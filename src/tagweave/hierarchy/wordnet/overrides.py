"""Corrections in a small text file, one a line; every error names file and line.

::

    # a comment
    sense crafts = craft.n.02      the label stands for this sense
    ignore logo                    the label stands for no noun of WordNet
    add f-16 < plane               the first label implies the second
    drop iguana < lizard           it does not
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib import resources
from os import PathLike, fspath
from pathlib import Path
from typing import NoReturn

from tagweave.exceptions import HierarchyError
from tagweave.hierarchy.wordnet.reader import Nouns

FORMS = {
    "sense": "sense LABEL = WORD.n.NUMBER",
    "ignore": "ignore LABEL",
    "add": "add CHILD < PARENT",
    "drop": "drop CHILD < PARENT",
}


@dataclass(frozen=True)
class Line:
    """One instruction: its verb, its one or two arguments, and where it stands."""

    verb: str
    arguments: tuple[str, ...]
    where: str

    def refuse(self, complaint: str) -> NoReturn:
        """Raise the error that this line is to blame for."""
        raise HierarchyError(f"{self.where}: {complaint}")


@dataclass(frozen=True)
class Overrides:
    """What a user has decided; keys are labels, edges (child, parent).

    Attributes
    ----------
    senses : dict
        The synset of a label, None if it has none.
    added, dropped : dict
        The line that each edge comes from.
    """

    senses: dict[str, int | None] = field(default_factory=dict)
    added: dict[tuple[str, str], Line] = field(default_factory=dict)
    dropped: dict[tuple[str, str], Line] = field(default_factory=dict)


def read_overrides(source: str | PathLike[str], labels: Collection[object], nouns: Nouns) -> Overrides:
    """Read a file of overrides for a vocabulary.

    Parameters
    ----------
    source : path
        A text file in UTF-8.
    labels : collection
        The labels that it may name.
    nouns : Nouns

    Returns
    -------
    Overrides

    Raises
    ------
    HierarchyError
        If a line is not understood, names an unknown label or sense, or contradicts an earlier one; the message
        names file and line.
    """
    try:
        text = Path(source).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise HierarchyError(f"{fspath(source)}: not a text file in UTF-8: {error}") from error
    overrides = Overrides()
    for line in _lines(text, fspath(source)):
        known = line.arguments[:1] if line.verb == "sense" else line.arguments
        for label in known:
            if label not in labels:
                _refuse_unknown_label(line, label, labels)
        if line.verb in ("sense", "ignore"):
            _add_sense(line, overrides.senses, nouns)
        else:
            _add_edge(line, overrides)
    return overrides


def read_lexicon(nouns: Nouns) -> dict[str, int | None]:
    """Read what some words mean when they are tags, from the file that comes with Tagweave."""
    source = resources.files("tagweave.hierarchy.wordnet") / "lexicon.txt"
    senses: dict[str, int | None] = {}
    for line in _lines(source.read_text(encoding="utf-8"), "lexicon.txt"):
        _add_sense(line, senses, nouns)
    return senses


def _lines(text: str, name: str) -> Iterator[Line]:
    for number, content in enumerate(text.splitlines(), start=1):
        words = content.split()
        if not words or words[0].startswith("#"):
            continue
        where = f"{name}, line {number}"
        if words[0] not in FORMS:
            raise HierarchyError(f"{where}: expected one of {', '.join(FORMS)}, got {words[0]!r}: {content.strip()!r}")
        rest = content.strip().removeprefix(words[0]).strip()
        sign = {"sense": " = ", "ignore": None}.get(words[0], " < ")
        # From the right: a label may well hold the sign, a sense never does.
        arguments = tuple(part.strip() for part in (rest.rsplit(sign, 1) if sign else [rest]))
        if len(arguments) != (2 if sign else 1) or not all(arguments):
            raise HierarchyError(f"{where}: expected {FORMS[words[0]]!r}, got {content.strip()!r}")
        yield Line(words[0], arguments, where)


def _add_sense(line: Line, senses: dict[str, int | None], nouns: Nouns) -> None:
    label = line.arguments[0]
    if label in senses:
        line.refuse(f"the sense of {label!r} was already given")
    if line.verb == "ignore":
        senses[label] = None
        return
    name = line.arguments[1].replace(" ", "_")
    synset = nouns.named(name)
    if synset is None:
        word = name.rpartition(".n.")[0] or name
        known = [f"{word}.n.{number:02d}" for number in range(1, len(nouns.synsets(word)) + 1)]
        hint = f"; {word!r} has {', '.join(known)}" if known else f"; WordNet has no noun {word!r}"
        line.refuse(f"no sense {line.arguments[1]!r}{hint}")
    senses[label] = synset


def _add_edge(line: Line, overrides: Overrides) -> None:
    child, parent = edge = (line.arguments[0], line.arguments[1])
    if child == parent:
        line.refuse(f"a label cannot be its own parent: {child!r}")
    if edge in overrides.added or edge in overrides.dropped:
        line.refuse(f"{child!r} < {parent!r} was already decided")
    (overrides.added if line.verb == "add" else overrides.dropped)[edge] = line


def _refuse_unknown_label(line: Line, label: str, labels: Collection[object]) -> NoReturn:
    close = get_close_matches(label, [str(known) for known in labels], n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    line.refuse(f"{label!r} is not among the {len(labels)} labels{hint}")
