"""`load`: a collection by its name or its folder, and what to say when it is not there."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from os import PathLike, sep
from pathlib import Path

from tagweave.datasets.atomic import recover
from tagweave.datasets.collection import Collection
from tagweave.datasets.downloading import download
from tagweave.datasets.folder import is_collection, read_folder, save
from tagweave.datasets.home import data_home
from tagweave.datasets.locks import locked
from tagweave.datasets.registry import KNOWN, KnownCollection
from tagweave.datasets.transfer import DownloadCallback
from tagweave.datasets.unpacking import unpack
from tagweave.exceptions import MissingDataError

logger = logging.getLogger(__name__)


def load(
    name_or_folder: str | PathLike[str],
    *,
    features: str | Sequence[str] | None = None,
    download: bool = False,
    progress: DownloadCallback | None = None,
) -> Collection:
    r"""Load a collection.

    Parameters
    ----------
    name_or_folder : str or path
        A folder in the format that `docs/data.md` describes. Or a name: of a folder in `data_home()`, or of a known
        collection (`KNOWN`) whose original files are there; these are imported, and kept as such a folder for the
        next time.
    features : str or sequence of str, optional
        The kind of features that `X` shall be; or the kinds to keep, of which `X` is the only one. By default all
        are kept.
    download : bool
        Whether to download a known collection that is not here, if the address of an archive is known.
    progress : callable, optional
        Told about the download; see `tagweave.datasets.download`.

    Returns
    -------
    Collection
        Features are read when they are first looked at.

    Raises
    ------
    MissingDataError
        If it is not here; the message says which files are looked for, where, and how to get them.
    DataError
        If it is damaged; the message names the file and the place.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "labels.csv").write_text("photo,sky,sea\n1.jpg,1,\n2.jpg,0,1\n")
    ...     _ = Path(folder, "colours.csv").write_text("red,blue\n0.1,0.7\n0.2,0.6\n")
    ...     album = load(folder)
    ...     album.labels, album.instances, album.X.shape
    (('sky', 'sea'), ('1.jpg', '2.jpg'), (2, 2))
    """
    collection = _find(name_or_folder, download, progress)
    return collection if features is None else _choose(collection, features)


def _find(name_or_folder: str | PathLike[str], may_download: bool, progress: DownloadCallback | None) -> Collection:
    name = name_or_folder if isinstance(name_or_folder, str) else ""
    plain = name not in ("", ".", "..") and not {"/", sep} & set(name)
    if plain:
        stored = data_home() / name
        _restore(stored)
        if is_collection(stored):
            return read_folder(stored)
        if name in KNOWN and not is_collection(Path(name)):
            return _import(KNOWN[name], stored, may_download, progress)
    folder = Path(name_or_folder)
    _restore(folder)
    if folder.is_dir():
        return read_folder(folder)
    if not plain:
        raise MissingDataError(f"{folder} is no folder; expected one with labels (see docs/data.md)")
    there = sorted(path.name for path in data_home().glob("*") if is_collection(path))
    close = get_close_matches(name, [*KNOWN, *there], n=1)
    raise MissingDataError(
        f"no collection {name!r}{f' (did you mean {close[0]!r}?)' if close else ''}: no folder {folder.absolute()} or "
        f"{stored}; known by name are {', '.join(KNOWN)}; in {data_home()} there are {', '.join(there) or 'none'}"
    )


def _restore(folder: Path) -> None:
    """Put back a folder whose replacement was killed half-way."""
    if not folder.exists() and folder.with_name(f".{folder.name}.replaced").exists():
        with locked(folder):
            recover(folder)


def _import(known: KnownCollection, stored: Path, may_download: bool, progress: DownloadCallback | None) -> Collection:
    place = known.find()
    if place is None and may_download:
        place = fetch(known.name, progress=progress)
    if place is None:
        raise MissingDataError(known.instructions())
    try:
        save(stored, known.read(place))
    except FileExistsError:
        # Another process was quicker, unless what is there is something else.
        if not is_collection(stored):
            raise
    return read_folder(stored)


def fetch(name: str, *, progress: DownloadCallback | None = None) -> Path:
    """Download the archive of a known collection and unpack it.

    Parameters
    ----------
    name : str
        One of `KNOWN`.
    progress : callable, optional
        See `tagweave.datasets.download`.

    Returns
    -------
    Path
        The folder with its original files.

    Raises
    ------
    MissingDataError
        If it cannot be fetched without your hands; the message says what to do.
    DownloadError
        If the address serves it no more.

    Examples
    --------
    >>> fetch("photos of my cat")
    Traceback (most recent call last):
    ...
    ValueError: name='photos of my cat'; expected one of corel5k, ...
    """
    if name not in KNOWN:
        raise ValueError(f"name={name!r}; expected one of {', '.join(KNOWN)}")
    known = KNOWN[name]
    if known.url is None or not known.fetchable:
        raise MissingDataError(known.instructions())
    archive = data_home() / "downloads" / known.url.rsplit("/", 1)[-1]
    download(known.url, archive, checksum=known.checksum, progress=progress)
    place = known.find()
    if place is None:
        # What else lies there may be somebody's: it is added to, not replaced.
        target = known.folder / archive.name.split(".")[0]
        try:
            unpack(archive, target)
        except FileExistsError:
            logger.info("%s is there already", target)
        place = known.find()
    if place is None:
        raise MissingDataError(f"{archive} does not hold what was expected.\n{known.instructions()}")
    return place


def _choose(collection: Collection, features: str | Sequence[str]) -> Collection:
    names = (features,) if isinstance(features, str) else tuple(features)
    absent = [name for name in names if name not in collection.features]
    if absent:
        there = ", ".join(collection.features) or "none"
        raise ValueError(f"features={features!r}: collection {collection.name!r} has {there}")
    if isinstance(features, str):
        return replace(collection, view=features)
    return replace(collection, features=collection.features.only(names), view=names[0] if len(names) == 1 else None)
