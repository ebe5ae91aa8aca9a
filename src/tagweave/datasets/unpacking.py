"""Archives unpacked without trusting them: nothing outside the folder, no links, no devices, no bombs."""

from __future__ import annotations

import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import IO

from tagweave.datasets.atomic import new_folder
from tagweave.exceptions import DataError

LARGEST = 64 * 2**30
"""Bytes that an archive may unpack to."""

_DAMAGE = (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, NotImplementedError)


def unpack(
    archive: str | PathLike[str], folder: str | PathLike[str], *, overwrite: bool = False, largest: int = LARGEST
) -> Path:
    """Unpack a .zip or .tar archive (plain, .gz, .bz2, .xz) into a new folder: whole, or not at all.

    Parameters
    ----------
    archive : path
    folder : path
        Its name; it must not exist.
    overwrite : bool
        Whether a folder of that name may be replaced.
    largest : int
        Bytes that the content may have.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    DataError
        If the archive is damaged, too large, or has members that lead out of the folder, links or devices; it
        names the member.

    Examples
    --------
    >>> import tempfile, zipfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     with zipfile.ZipFile(home + "/a.zip", "w") as archive:
    ...         archive.writestr("cats/labels.csv", "cat")
    ...     folder = unpack(home + "/a.zip", home + "/a")
    ...     [file.name for file in folder.rglob("*.csv")]
    ['labels.csv']
    """
    archive, target = Path(archive), Path(folder).absolute()
    if archive.suffix.lower() == ".rar":
        raise DataError(archive, "a .rar archive, which Python cannot read; unpack it with unar, unrar or bsdtar")
    with new_folder(target, overwrite=overwrite) as part:
        left = largest
        last = "its beginning"
        try:
            for name, content in _members(archive):
                last = f"member {name!r}"
                path = _inside(archive, part, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                left = _write(archive, name, content, path, left, largest)
        except _DAMAGE as error:
            if isinstance(error, FileExistsError | NotADirectoryError | IsADirectoryError):
                raise DataError(archive, "a second file of this name", last) from error
            raise DataError(archive, f"damaged or cut off: {error}", f"at or after {last}") from error
    return target


def _members(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the files of an archive; refuse whatever is neither file nor folder."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as zipped:
            for info in zipped.infolist():
                if info.is_dir():
                    continue
                kind = stat.S_IFMT(info.external_attr >> 16)
                if kind not in (0, stat.S_IFREG):
                    raise DataError(archive, "neither a file nor a folder", f"member {info.filename!r}")
                with zipped.open(info) as content:
                    yield info.filename, content
        return
    with tarfile.open(archive, "r:*") as packed:
        for member in packed:
            if member.isdir():
                continue
            inside = packed.extractfile(member) if member.isreg() else None
            if inside is None:
                raise DataError(archive, "neither a file nor a folder", f"member {member.name!r}")
            with inside:
                yield member.name, inside


def _inside(archive: Path, folder: Path, name: str) -> Path:
    """Return where a member goes; refuse a name that leads elsewhere, on any platform."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if not parts or parts[0].startswith("/") or ".." in parts or any(":" in part or "\0" in part for part in parts):
        raise DataError(archive, "a name that leads out of the folder", f"member {name!r}")
    return folder.joinpath(*parts)


def _write(archive: Path, name: str, content: IO[bytes], path: Path, left: int, largest: int) -> int:
    with path.open("xb") as file:
        while chunk := content.read(1 << 20):
            left -= len(chunk)
            if left < 0:
                raise DataError(archive, f"more than {largest} bytes unpacked", f"member {name!r}")
            file.write(chunk)
    return left
