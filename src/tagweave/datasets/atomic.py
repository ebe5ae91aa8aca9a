"""Files and folders that are there whole or not at all, whenever the process dies."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tagweave.datasets.locks import locked


def part_path(path: Path) -> Path:
    """Return where a file or folder grows before it gets its name: beside it, hidden.

    Examples
    --------
    >>> part_path(Path("data/labels.npz")).name
    '.labels.npz.part'
    """
    return path.with_name(f".{path.name}.part")


def _replaced_path(path: Path) -> Path:
    return path.with_name(f".{path.name}.replaced")


def settle(path: Path) -> None:
    """Write a file's content, or a folder's, through to the disk.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     settle(Path(folder))
    """
    inside = [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
    # Windows settles only what is open for writing; elsewhere the file may be read-only.
    mode = "rb+" if os.name == "nt" else "rb"
    for file in inside:
        with file.open(mode) as opened:
            os.fsync(opened.fileno())


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Give a path to write to; the file gets its name if the block ends well, and is removed if not.

    Parameters
    ----------
    path : Path
        The name; a file that has it is replaced in one step.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_file(Path(folder) / "a.txt") as part:
    ...         _ = part.write_text("whole")
    ...     [path.name for path in Path(folder).iterdir()]
    ['a.txt']
    """
    part = part_path(path)
    try:
        yield part
        settle(part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def new_folder(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Give an empty folder to fill; it gets its name if the block ends well, and is removed if not.

    What a killed process left behind is removed first. One process at a time: others wait.

    Parameters
    ----------
    path : Path
        The name. Its parents are made if need be.
    overwrite : bool
        Whether a folder of that name may be replaced.

    Raises
    ------
    FileExistsError
        If there is something of that name, and it may not be replaced.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     with new_folder(Path(home) / "cats") as part:
    ...         _ = (part / "a.txt").write_text("whole")
    ...     [path.name for path in (Path(home) / "cats").iterdir()]
    ['a.txt']
    """
    with locked(path):
        recover(path)
        if path.exists() and not overwrite:
            raise FileExistsError(f"{path} is there already; expected a new name, or overwrite=True")
        part = part_path(path)
        _remove(part)
        try:
            part.mkdir()
            yield part
            settle(part)
            if path.exists():
                # A folder cannot be replaced in one step. If we die in between, `recover` puts the old one back.
                path.replace(_replaced_path(path))
            part.replace(path)
            _remove(_replaced_path(path))
        finally:
            _remove(part)


def recover(path: Path) -> None:
    """Put back a folder that was being replaced when the process died.

    Parameters
    ----------
    path : Path
        The folder. Nothing happens if it is there, apart from removing an older one that it replaced.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     (Path(home) / ".cats.replaced").mkdir()
    ...     recover(Path(home) / "cats")
    ...     [path.name for path in Path(home).iterdir()]
    ['cats']
    """
    old = _replaced_path(path)
    if not old.exists():
        return
    if path.exists():
        _remove(old)
    else:
        old.replace(path)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
