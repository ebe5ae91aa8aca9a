"""The errors and warnings that are Tagweave's own; everything else is ValueError or TypeError."""

from __future__ import annotations


class HierarchyError(ValueError):
    """A hierarchy that cannot be: a cycle, an unknown label, an edge or label given twice."""


class LabelWarning(UserWarning):
    """Labels that are allowed but say little: a class or an instance without any known label."""


class GraphWarning(UserWarning):
    """A graph that is allowed but weaker than asked for: fewer neighbours, isolated instances."""


class DataError(ValueError):
    """A file of data that is damaged, or is not what it should be.

    Parameters
    ----------
    path : path
        The file, or folder.
    problem : str
        What is wrong, and what was expected.
    place : str
        Where in the file: a byte, a line, a member, a row and column.

    Examples
    --------
    >>> print(DataError("cats.csv", "'meow' is no number", "line 3, column 2"))
    cats.csv: line 3, column 2: 'meow' is no number
    """

    def __init__(self, path: object, problem: str, place: str = "") -> None:
        super().__init__(path, problem, place)
        self.path, self.problem, self.place = path, problem, place

    def __str__(self) -> str:
        return ": ".join(str(part) for part in (self.path, self.place, self.problem) if part)


class MissingDataError(FileNotFoundError):
    """A collection that is not on this machine; the message says which files are looked for, and how to get them."""


class DownloadError(OSError):
    """A download that no address could serve; the message says what each of them did."""
