"""names.json: the names of labels and instances, and the edges of the hierarchy."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from tagweave.exceptions import DataError

FILE = "names.json"

# Both are in use for the same thing: file names of the instances.
_INSTANCES = ("photos", "images", "instances")
_EDGES = ("edges_child_parent", "edges")
PHOTO_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff")


@dataclass(frozen=True)
class Names:
    """What names.json says; None for what it does not say."""

    labels: tuple[str, ...] | None = None
    edges: tuple[tuple[str, str], ...] = ()
    instances: tuple[str, ...] | None = None
    n_train: int | None = None
    name: str | None = None


def read_names(path: Path) -> Names:
    """Read names.json; without such a file nothing is said.

    Parameters
    ----------
    path : Path
        Of the file.

    Returns
    -------
    Names

    Raises
    ------
    DataError
        If it is damaged; it names the key, or line and column.

    Examples
    --------
    >>> read_names(Path("/nowhere/names.json"))
    Names(labels=None, edges=(), instances=None, n_train=None, name=None)
    """
    if not path.is_file():
        return Names()
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise DataError(path, f"no text in UTF-8: {error.reason}", f"byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise DataError(path, f"damaged: {error.msg}", f"line {error.lineno}, column {error.colno}") from error
    except RecursionError:
        raise DataError(path, "nested too deeply; expected one object of lists") from None
    if not isinstance(content, dict):
        raise DataError(path, f"a {type(content).__name__}; expected an object with labels, edges_child_parent, photos")
    n_train = content.get("n_train")
    if n_train is not None and (not isinstance(n_train, int) or isinstance(n_train, bool)):
        raise DataError(path, f"{n_train!r}; expected a whole number", "'n_train'")
    name = content.get("name")
    return Names(
        labels=_texts(path, content, ("labels",)),
        edges=_pairs(path, content),
        instances=_texts(path, content, _INSTANCES),
        n_train=n_train,
        name=name if isinstance(name, str) else None,
    )


def write_names(path: Path, names: Names) -> None:
    """Write names.json, one name or edge a line.

    Parameters
    ----------
    path : Path
        Of the file.
    names : Names
        What it shall say.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "names.json"
    ...     write_names(path, Names(labels=("sky",)))
    ...     read_names(path).labels
    ('sky',)
    """
    content: dict[str, Any] = {}
    if names.name is not None:
        content["name"] = names.name
    if names.labels is not None:
        content["labels"] = names.labels
    content["edges_child_parent"] = names.edges
    if names.instances is not None:
        content["photos"] = names.instances
    parts = []
    for key, value in content.items():
        if isinstance(value, tuple):
            lines = ",\n  ".join(json.dumps(item, ensure_ascii=False) for item in value)
            parts.append(f' "{key}": [\n  {lines}\n ]' if lines else f' "{key}": []')
        else:
            parts.append(f' "{key}": {json.dumps(value, ensure_ascii=False)}')
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def find_photos(folder: Path, instances: tuple[str, ...] | None) -> tuple[Path | None, ...] | None:
    """Find the photo of each instance: the file of its name, or of its name with a suffix of pictures.

    Parameters
    ----------
    folder : Path
        Where the photos are, in folders below it too.
    instances : tuple of str or None
        Without names nothing says which photo belongs to which instance: the result is None.

    Returns
    -------
    tuple of (Path or None) or None

    Examples
    --------
    >>> find_photos(Path("/nowhere"), ("1.jpg",)) is None
    True
    """
    if instances is None or not folder.is_dir():
        return None
    there = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*") if file.is_file()}
    for name, file in list(there.items()):
        if file.suffix.lower() in PHOTO_SUFFIXES:
            there.setdefault(name.removesuffix(file.suffix), file)
    # Looked up, not joined: a name that climbs out of the folder finds nothing.
    return tuple(there.get(PurePosixPath(name).as_posix()) for name in instances)


def _texts(path: Path, content: dict[str, Any], keys: tuple[str, ...]) -> tuple[str, ...] | None:
    for key in keys:
        if content.get(key) is None:
            continue
        items = content[key]
        if not isinstance(items, list):
            raise DataError(path, f"a {type(items).__name__}; expected a list of names", repr(key))
        for place, item in enumerate(items):
            if not isinstance(item, str):
                raise DataError(path, f"{item!r}; expected a name", f"{key!r}, item {place}")
        return tuple(items)
    return None


def _pairs(path: Path, content: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    for key in _EDGES:
        if content.get(key) is None:
            continue
        items = content[key]
        if not isinstance(items, list):
            raise DataError(path, f"a {type(items).__name__}; expected a list of [child, parent]", repr(key))
        for place, item in enumerate(items):
            if not (isinstance(item, list) and len(item) == 2 and all(isinstance(name, str) for name in item)):
                raise DataError(path, f"{item!r}; expected [child, parent]", f"{key!r}, item {place}")
        return tuple((child, parent) for child, parent in items)
    return ()
