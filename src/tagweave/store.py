"""Results kept one by one: nothing is computed twice, and a kill loses only what was running."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
from scipy import sparse

from tagweave.hierarchy import Hierarchy

logger = logging.getLogger(__name__)

_ROOT = Path(__file__).parent

CORE = ("labels", "missing", "hierarchy", "graphs", "kernels", "model", "solvers", "estimators", "metrics")
"""The parts of Tagweave on which every fitted and measured figure depends."""


def fingerprint(*parts: Any) -> str:
    """Return a name for some content: equal content has the same name, in every process.

    Parameters
    ----------
    *parts : arrays, sparse matrices, hierarchies, dataclasses and what JSON can hold
        Tuples count as lists, and the order of the keys of a dictionary does not matter. Anything else, such as a
        recipe, is known by its ``repr``.

    Returns
    -------
    str
        32 hexadecimal digits.

    Examples
    --------
    >>> fingerprint({"beta": 0.1}, np.zeros(2)) == fingerprint({"beta": 0.1}, np.zeros(2))
    True
    >>> fingerprint(1) == fingerprint("1")
    False
    """
    digest = hashlib.sha256()
    for part in parts:
        for piece in _pieces(part):
            digest.update(piece)
    return digest.hexdigest()[:32]


def _pieces(part: Any) -> Iterator[bytes]:
    if isinstance(part, np.ndarray) and part.dtype != object:
        yield f"array {part.dtype.str} {part.shape}".encode()
        yield np.ascontiguousarray(part).tobytes()
    elif sparse.issparse(part):
        matrix = sparse.csr_array(cast("Any", part))
        yield f"sparse {matrix.shape}".encode()
        for array in (matrix.data, matrix.indices, matrix.indptr):
            yield from _pieces(array)
    elif isinstance(part, Hierarchy):
        yield from _pieces(["hierarchy", part.labels, part.edges])
    elif is_dataclass(part) and not isinstance(part, type):
        yield type(part).__qualname__.encode()
        yield from _pieces(asdict(part))
    elif isinstance(part, dict):
        for key in sorted(part, key=str):
            yield f"key {key!r}".encode()
            yield from _pieces(part[key])
    elif isinstance(part, list | tuple):
        yield f"list {len(part)}".encode()
        for item in part:
            yield from _pieces(item)
    else:
        value = part.item() if isinstance(part, np.generic) else part
        yield f"{type(value).__name__} {value!r};".encode()


@cache
def code_fingerprint(*modules: str) -> str:
    """Return a name for the source of modules or packages of Tagweave: another as soon as a line changes.

    Parameters
    ----------
    *modules : str
        Their names within Tagweave, such as ``"solvers"`` or ``"baselines.leml"``.

    Examples
    --------
    >>> code_fingerprint("labels") == code_fingerprint("missing")
    False
    """
    digest = hashlib.sha256()
    for module in sorted(modules):
        place = _ROOT.joinpath(*module.split("."))
        files = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
        for file in files:
            digest.update(file.relative_to(_ROOT).as_posix().encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:32]


def write_atomically(path: str | os.PathLike[str], content: bytes | str) -> Path:
    """Write a file, complete or not at all, and return where it is.

    Parameters
    ----------
    path : str or path
        Its folder is made if it is not there.
    content : bytes or str
        Text is written as UTF-8.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomically(f"{folder}/new/a.txt", "all of it").read_text()
    'all of it'
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode() if isinstance(content, str) else content
    # A name of its own: two processes that write the same file do not write into each other's.
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    unfinished = Path(name)
    try:
        # mkstemp lets nobody else read it; a report is for whom any other new file would be.
        unfinished.chmod(0o666 & ~_umask())
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return target


@cache
def _umask() -> int:
    """Return what the process takes away from the rights of new files; asking means setting it for a moment."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


class Store:
    """A folder of results, one JSON file each, named by what they are the result of.

    Parameters
    ----------
    folder : str or path
        Made if it is not there.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(folder)
    ...     store.put(fingerprint("beta", 0.1), {"AP": 0.5})
    ...     store.get(fingerprint("beta", 0.1)), store.get(fingerprint("beta", 1))
    ({'AP': 0.5}, None)
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def get(self, key: str) -> dict[str, Any] | None:
        """Return what was put, or None. A damaged file counts as none, with a word to the log."""
        path = self._path(key)
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except ValueError as error:
            logger.warning("%s is damaged and will be computed again: %s", path, error)
            return None
        return found if isinstance(found, dict) else None

    def put(self, key: str, record: dict[str, Any]) -> None:
        """Keep a record, complete or not at all."""
        write_atomically(self._path(key), json.dumps(record))

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"
