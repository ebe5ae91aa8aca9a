"""The XML file beside an ARFF file of Mulan: which attributes are labels, and which is above which."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from tagweave.exceptions import DataError

# A deeper tree of labels is an attack, not a taxonomy.
DEEPEST = 200


@dataclass(frozen=True)
class MulanLabels:
    """The labels of a collection of Mulan.

    Attributes
    ----------
    names : tuple of str
        In the order of the file.
    edges : tuple of (child, parent)
    """

    names: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]


@dataclass
class _Reader:
    """Follows the elements; a label inside a label is its child. A label may stand under several parents."""

    path: Path
    parser: expat.XMLParserType
    names: dict[str, None] = field(default_factory=dict)
    edges: dict[tuple[str, str], None] = field(default_factory=dict)
    above: list[str | None] = field(default_factory=list)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        local = tag.rsplit(" ", 1)[-1]
        if not self.above:
            if local != "labels":
                self.fail(f"<{local}>; expected <labels>")
            self.above.append(None)
            return
        if local != "label":
            self.fail(f"<{local}>; expected <label>")
        name = attributes.get("name")
        if not name:
            self.fail("a label without a name")
        if len(self.above) > DEEPEST:
            self.fail(f"labels nested more than {DEEPEST} deep")
        parent = self.above[-1]
        if parent is None and name in self.names:
            self.fail(f"label {name!r} for the second time")
        self.names[name] = None
        if parent is not None:
            self.edges[name, parent] = None
        self.above.append(name)

    def end(self, tag: str) -> None:
        self.above.pop()

    def refuse(self, *_: object) -> None:
        # Entities can name files, and grow without end; labels need none.
        self.fail("a document type declaration; expected plain XML, without entities")

    def fail(self, problem: str) -> NoReturn:
        raise DataError(self.path, problem, f"line {self.parser.CurrentLineNumber}")


def read_mulan_labels(path: Path) -> MulanLabels:
    """Read the labels and, where they are nested, their hierarchy.

    Parameters
    ----------
    path : Path
        Of the XML file.

    Returns
    -------
    MulanLabels

    Raises
    ------
    DataError
        If it is no such file; it names the line. A document type declaration is refused: none is needed, and
        its entities are a way to attack.

    Examples
    --------
    >>> import tempfile
    >>> text = '<labels xmlns="http://mulan.sourceforge.net/labels"><label name="a"><label name="b"/></label></labels>'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "a.xml"
    ...     _ = path.write_text(text)
    ...     read_mulan_labels(path)
    MulanLabels(names=('a', 'b'), edges=(('b', 'a'),))
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    reader = _Reader(path, parser)
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.StartDoctypeDeclHandler = reader.refuse
    parser.EntityDeclHandler = reader.refuse
    try:
        parser.Parse(path.read_bytes(), True)
    except expat.ExpatError as error:
        raise DataError(
            path, f"damaged: {expat.ErrorString(error.code)}", f"line {error.lineno}, column {error.offset + 1}"
        ) from error
    if not reader.names:
        raise DataError(path, "no labels; expected <label name=...> in <labels>")
    return MulanLabels(tuple(reader.names), tuple(reader.edges))
